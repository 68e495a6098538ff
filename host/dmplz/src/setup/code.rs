//! The code by which a person who is at the terminal is known in a chat: random, for one use, and for a short time.

use std::time::Duration;

use subtle::ConstantTimeEq;
use tokio::time::Instant;
use uuid::Uuid;

/// A code that nobody gave yet. 122 bits of the system's random numbers, as 32 hexadecimal digits.
pub(super) struct Code {
    /// As it stands in a link.
    pub(super) text: String,
    /// How long it counts, and how long each press is waited for.
    pub(super) lasts: Duration,
    ends: Instant,
}

impl Code {
    /// A new one, which counts for so long.
    pub(super) fn new(lasts: Duration) -> Self {
        Self { text: Uuid::new_v4().simple().to_string(), lasts, ends: Instant::now() + lasts }
    }

    /// Its whole time begins now.
    pub(super) fn begin(&mut self) {
        self.ends = Instant::now() + self.lasts;
    }

    /// What is left of its time.
    pub(super) fn left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Whether somebody gave it in time. How long the comparison takes tells nothing of where a wrong one differs.
    pub(super) fn is(&self, given: &str) -> bool {
        let same: bool = self.text.as_bytes().ct_eq(given.as_bytes()).into();
        same && !self.left().is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_the_whole_code_counts_and_only_in_its_time() {
        let code = Code::new(Duration::from_secs(300));
        let right = code.text.clone();
        let longer = format!("{right}0");
        for wrong in ["", &right[1..], &right[..31], &longer, &right.to_uppercase(), &" ".repeat(32), "/start"] {
            assert!(!code.is(wrong) || wrong == right, "{wrong:?}");
        }
        assert!(code.is(&right));
        assert!(!Code::new(Duration::from_secs(300)).is(&right), "another one has another text");
        tokio::time::advance(Duration::from_secs(301)).await;
        assert!(!code.is(&right), "its time is over");
    }
}
