//! A moment on the clock that runs since the machine's start, including sleep, and that nobody can set.

/// Such a moment. Two moments of the same start can be compared; two of different starts cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The id of the machine's start, such as Linux's `/proc/sys/kernel/random/boot_id`.
    pub boot: String,
    /// Milliseconds since that start.
    pub up_ms: u64,
}

impl Stamp {
    /// Returns the milliseconds from `self` to `now`. `None` if their starts differ, or if `now` is earlier.
    pub fn elapsed_ms(&self, now: &Self) -> Option<u64> {
        if self.boot == now.boot { now.up_ms.checked_sub(self.up_ms) } else { None }
    }

    /// Returns the values of the columns `boot_id` and `up_ms`.
    pub(super) fn columns(stamp: Option<&Self>) -> (Option<&str>, Option<u64>) {
        (stamp.map(|stamp| &*stamp.boot), stamp.map(|stamp| stamp.up_ms))
    }
}
