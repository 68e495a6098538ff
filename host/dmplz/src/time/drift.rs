//! How far this machine's clock is from a server's. Cards and logs show its time, and certificates are validated against it.

use dmplz_core::text::Lang;
use jiff::Timestamp;

use super::span;
use crate::terminal::say;

/// The tolerated difference, in seconds. The header counts whole seconds, and the reply took time to arrive.
const TOLERANCE: u64 = 30;

/// The difference between this machine's clock and a server's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drift {
    /// In seconds; more than 0 if this clock is ahead.
    seconds: i64,
}

impl Drift {
    /// Compares the clock with the `date` of a reply that has just arrived (RFC 9110, 6.6.1). `None` if the header cannot
    /// be parsed.
    pub(crate) fn of(date: &str, now: Timestamp) -> Option<Self> {
        let there = jiff::fmt::rfc2822::parse(date).ok()?.timestamp();
        Some(Self { seconds: now.duration_since(there).as_secs() })
    }

    /// Returns whether the clocks agree.
    pub(crate) fn is_tolerated(self) -> bool {
        self.seconds.unsigned_abs() <= TOLERANCE
    }

    /// Returns which clock is ahead, and by how much.
    pub(crate) fn told(self, lang: Lang) -> String {
        let which = match self.seconds > 0 {
            true => say(lang, "시계가 서버보다 빠릅니다", "this clock is ahead of the server's"),
            false => say(lang, "시계가 서버보다 느립니다", "this clock is behind the server's"),
        };
        let apart = span(lang, self.seconds.unsigned_abs().saturating_mul(1_000));
        format!("{which}: {apart}")
    }

    /// Returns what to do about a clock that is wrong.
    pub(crate) fn fix(lang: Lang) -> &'static str {
        say(lang, "시각 동기화(NTP)를 켜 주세요", "turn time synchronisation (NTP) on")
    }
}
