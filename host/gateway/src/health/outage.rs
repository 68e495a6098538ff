//! Whether one messenger can be used, and when people are told that it cannot: once an outage, after [`PATIENCE`]. A
//! messenger that comes back sooner is no alert, so one that comes and goes is told of once a minute at most.

use std::time::Duration;

use tokio::time::Instant;

/// How long an outage lasts before people are told.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Whether it can be used.
#[derive(Debug, Default)]
pub(super) struct Reach(Option<Outage>);

/// A time in which it cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outage {
    began: Instant,
    /// When it began, Unix milliseconds.
    pub(super) since_ms: u64,
    /// The latest reason; none while the messenger starts.
    pub(super) why: Option<String>,
    pub(super) is_told: bool,
}

impl Reach {
    /// It cannot be used. During an outage this is only news of the reason.
    pub(super) fn down(&mut self, why: Option<String>, now: Instant, now_ms: u64) {
        match &mut self.0 {
            Some(outage) => outage.why = why.or(outage.why.take()),
            None => self.0 = Some(Outage { began: now, since_ms: now_ms, why, is_told: false }),
        }
    }

    /// It can be used. The outage that this ends.
    pub(super) fn up(&mut self) -> Option<Outage> {
        self.0.take()
    }

    /// The outage that lasts.
    pub(super) fn outage(&self) -> Option<&Outage> {
        self.0.as_ref()
    }

    /// When people are to be told of it; none where they are not, or were.
    pub(super) fn due(&self) -> Option<Instant> {
        self.0.as_ref().filter(|outage| !outage.is_told).map(|outage| outage.began + PATIENCE)
    }

    /// The outage, where it is time to tell of it. It counts as told from then on.
    pub(super) fn tell(&mut self, now: Instant) -> Option<Outage> {
        if self.due()? > now {
            return None;
        }
        let outage = self.0.as_mut()?;
        outage.is_told = true;
        Some(outage.clone())
    }
}
