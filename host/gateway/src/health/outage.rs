//! Whether one messenger can be used, and when people are told that it cannot: once per outage, after [`PATIENCE`]. A
//! shorter outage raises no alert, so a messenger that comes and goes raises at most one a minute.

use std::time::Duration;

use tokio::time::Instant;

/// How long an outage lasts before people are told.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// The outage of a messenger, if it cannot be used at present.
#[derive(Debug, Default)]
pub(super) struct Reach(Option<Outage>);

/// A period in which a messenger cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outage {
    began: Instant,
    /// When it began, in Unix milliseconds.
    pub(super) since_ms: u64,
    /// The latest reason; `None` while the messenger starts.
    pub(super) why: Option<String>,
    pub(super) is_told: bool,
}

impl Reach {
    /// Notes that the messenger cannot be used. During an outage this only updates the reason.
    pub(super) fn down(&mut self, why: Option<String>, now: Instant, now_ms: u64) {
        match &mut self.0 {
            Some(outage) => outage.why = why.or(outage.why.take()),
            None => self.0 = Some(Outage { began: now, since_ms: now_ms, why, is_told: false }),
        }
    }

    /// Notes that the messenger can be used. Returns the outage that this ends.
    pub(super) fn up(&mut self) -> Option<Outage> {
        self.0.take()
    }

    /// Returns the present outage.
    pub(super) fn outage(&self) -> Option<&Outage> {
        self.0.as_ref()
    }

    /// Returns the moment to tell people about the outage; `None` if there is none, or it was told.
    pub(super) fn due(&self) -> Option<Instant> {
        self.0.as_ref().filter(|outage| !outage.is_told).map(|outage| outage.began + PATIENCE)
    }

    /// Returns the outage if it is time to tell people. It counts as told from then on.
    pub(super) fn tell(&mut self, now: Instant) -> Option<Outage> {
        if self.due()? > now {
            return None;
        }
        let outage = self.0.as_mut()?;
        outage.is_told = true;
        Some(outage.clone())
    }
}
