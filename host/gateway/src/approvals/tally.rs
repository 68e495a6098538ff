//! How many requests people were asked and how they ended, since the process began.

use std::collections::BTreeMap;

use dmplz_protocol::{Message, Status};

/// Counts since the process began, for the metrics.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// The number of requests that people were asked.
    pub(crate) asked: u64,
    /// Ended requests by outcome and surface; the surface is `none` if nobody answered.
    pub(crate) ended: BTreeMap<(String, String), u64>,
}

impl Tally {
    /// Counts an event that is in the audit trail. An end that the disk did not take at first is published twice, and
    /// counted once it is recorded.
    pub(super) fn count(&mut self, event_id: Option<u64>, message: &Message) {
        match (event_id, message) {
            (Some(_), Message::ApprovalRequested { .. }) => self.asked += 1,
            (Some(_), Message::ApprovalResolved { approval }) => {
                let Status::Ended { resolution, .. } = &approval.status else { return };
                let surface = resolution.by.as_ref().map_or("none", |by| &by.surface).to_owned();
                *self.ended.entry((resolution.outcome.to_string(), surface)).or_default() += 1;
            }
            _ => {}
        }
    }
}
