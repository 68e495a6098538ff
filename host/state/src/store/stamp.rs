//! A moment on the clock that runs since the machine was started, sleep included, and that nobody sets.

/// Such a moment. Two of the same start are as far apart as the time between them; two of different starts say nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Which start of the machine, such as Linux's `/proc/sys/kernel/random/boot_id`.
    pub boot: String,
    /// Milliseconds since that start.
    pub up_ms: u64,
}

impl Stamp {
    /// Returns the milliseconds from `self` to a later moment `now`. None where they are of different starts, or `now`
    /// is not later.
    pub fn elapsed_ms(&self, now: &Self) -> Option<u64> {
        if self.boot == now.boot { now.up_ms.checked_sub(self.up_ms) } else { None }
    }

    /// As it stands in the columns `boot_id` and `up_ms`.
    pub(super) fn columns(stamp: Option<&Self>) -> (Option<&str>, Option<u64>) {
        (stamp.map(|stamp| &*stamp.boot), stamp.map(|stamp| stamp.up_ms))
    }
}
