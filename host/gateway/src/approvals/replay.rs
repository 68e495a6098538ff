//! A subscription that begins in the past.

use std::collections::VecDeque;
use std::sync::Arc;

use dmplz_protocol::{Event, Kind};

use super::Approvals;
use crate::bus::{Published, Subscription};

/// How many events are read from the ledger at once.
const PAGE: u32 = 256;

/// Every event of some types after a given number: recorded ones first, then live ones, each exactly once.
///
/// A subscriber that reads too slowly gets the missed events from the ledger. It then loses only events without an id,
/// such as a tool's output. An end that the disk did not take at first is published without an id when it happens, and
/// once more with its id.
pub struct Replay {
    approvals: Approvals,
    kinds: Vec<Kind>,
    /// The number of the last event that was returned or that is of no wanted type.
    pub(super) after: u64,
    past: VecDeque<Event>,
    live: Subscription,
    /// Whether the recorded events up to the beginning of `live` have been read.
    caught_up: bool,
}

impl Replay {
    pub(super) fn new(approvals: Approvals, after: u64, kinds: &[Kind]) -> Self {
        let live = approvals.bus().subscribe(kinds);
        Self { approvals, kinds: kinds.to_vec(), after, past: VecDeque::new(), live, caught_up: false }
    }

    /// Returns the next event. `None` if recorded events cannot be read; the events after the last one were then not
    /// returned.
    pub async fn next(&mut self) -> Option<Arc<Published>> {
        loop {
            if let Some(event) = self.past.pop_front() {
                self.after = event.event_id.unwrap_or(self.after);
                return Some(Arc::new(event.into()));
            }
            if !self.caught_up {
                self.read().await?;
                continue;
            }
            match self.live.next().await {
                Some(event) => match event.event_id {
                    Some(id) if id <= self.after => {}
                    Some(id) => {
                        self.after = id;
                        return Some(event);
                    }
                    None => return Some(event),
                },
                // The subscription fell too far behind.
                None => {
                    self.live = self.approvals.bus().subscribe(&self.kinds);
                    self.caught_up = false;
                }
            }
        }
    }

    /// Reads the next page of recorded events.
    async fn read(&mut self) -> Option<()> {
        let page = self.approvals.events_after(self.after, PAGE).await.ok()?;
        match page.last().and_then(|event| event.event_id) {
            None => self.caught_up = true,
            Some(last) => {
                let wanted = |event: &Event| self.kinds.contains(&event.message.kind());
                self.past.extend(page.into_iter().filter(wanted));
                if self.past.is_empty() {
                    self.after = last;
                }
            }
        }
        Some(())
    }
}
