//! The deadline of an export.
//!
//! | the deadline is noticed | then |
//! |---|---|
//! | in time, or up to 100 ms late | the export is stopped |
//! | later: the process did not run, because its machine was suspended or its control group frozen | the export gets 100 ms from that moment, once |
//!
//! The reply that waits in the socket of a suspended process can contain a denial, and a component yields while it
//! reads it. Requests and sleeps that the component starts after that end at once, because the deadline that it sees
//! does not move.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::Fault;

/// How late the end of an overdue export is noticed at most, and the time that an export gets after a suspension.
const GRACE: Duration = Duration::from_millis(100);

/// The deadline of one export. Its clones share one state.
#[derive(Clone)]
pub(crate) struct Deadline(Arc<Mutex<Term>>);

struct Term {
    end: Instant,
    is_extended: bool,
}

impl Deadline {
    pub(crate) fn new(end: Instant) -> Self {
        Self(Arc::new(Mutex::new(Term { end, is_extended: false })))
    }

    /// Returns the moment until which the export may run; `None` once it is over.
    pub(crate) fn until(&self) -> Option<Instant> {
        let mut term = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now >= term.end {
            let was_suspended = now.saturating_duration_since(term.end) > GRACE;
            if term.is_extended || !was_suspended {
                return None;
            }
            *term = Term { end: now + GRACE, is_extended: true };
        }
        Some(term.end)
    }

    /// Runs a future to its end, or until the deadline.
    pub(crate) async fn bound<T>(&self, running: impl Future<Output = T>) -> Result<T, Fault> {
        let mut running = pin!(running);
        while let Some(end) = self.until() {
            if let Ok(done) = timeout_at(end, running.as_mut()).await {
                return Ok(done);
            }
        }
        Err(Fault::Overstayed)
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use tokio::time::{Instant, advance};

    use super::{Deadline, GRACE};
    use crate::Fault;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn what_overstays_is_stopped_on_time() {
        let begun = Instant::now();
        assert_eq!(Deadline::new(begun + SECOND).bound(pending::<()>()).await, Err(Fault::Overstayed));
        assert_eq!(begun.elapsed().as_millis(), 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_suspension_there_is_a_little_time_once() {
        let deadline = Deadline::new(Instant::now() + SECOND);
        advance(SECOND * 60).await;
        let woken = Instant::now();
        assert_eq!(deadline.until(), Some(woken + GRACE));
        assert_eq!(deadline.bound(pending::<()>()).await, Err(Fault::Overstayed));
        assert_eq!(woken.elapsed(), GRACE);
        advance(SECOND * 60).await;
        assert_eq!(deadline.until(), None);
    }
}
