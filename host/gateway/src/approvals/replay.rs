//! A subscription that begins in the past.

use std::collections::VecDeque;
use std::sync::Arc;

use dmplz_protocol::{Event, Kind};

use super::Approvals;
use crate::bus::{Published, Subscription};

/// Events that are read at once.
const PAGE: u32 = 256;

/// Every event of some types after a point, those of the past first, without a gap and none twice.
///
/// Whoever reads too slowly gets what he missed from the disk. Only what has no event id, such as a tool's output, is lost
/// to him then. An end that the disk did not take at first is told without an id when it happens, and once more under its
/// id.
#[derive(Debug)]
pub struct Replay {
    approvals: Approvals,
    kinds: Vec<Kind>,
    /// The last event that was told, or is of no type that was asked for.
    after: u64,
    past: VecDeque<Event>,
    live: Subscription,
    /// Whether everything up to the beginning of `live` was read.
    caught_up: bool,
}

impl Replay {
    pub(super) fn new(approvals: Approvals, after: u64, kinds: &[Kind]) -> Self {
        let live = approvals.bus().subscribe(kinds);
        Self { approvals, kinds: kinds.to_vec(), after, past: VecDeque::new(), live, caught_up: false }
    }

    /// The next event. None when the past cannot be read: the events after [`Replay::after`] are still to come.
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
                // Too slow for the bus.
                None => {
                    self.live = self.approvals.bus().subscribe(&self.kinds);
                    self.caught_up = false;
                }
            }
        }
    }

    /// The last event that was told.
    pub fn after(&self) -> u64 {
        self.after
    }

    /// Reads on, from before what `live` tells.
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
