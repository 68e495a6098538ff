//! Decides which failed calls are retried, and when.
//!
//! | error | retry |
//! |---|---|
//! | too many requests | after the messenger's delay, or with backoff where it names none |
//! | unavailable, unreachable, out of time | with backoff: 250 ms, doubled up to 10 s, give or take a quarter |
//! | the provider broke | with backoff, at most 3 times in a row; once while it posted, because it may have posted before it broke |
//! | another program receives the events | with backoff, at most 5 times in a row: a killed predecessor may linger |
//! | everything else | never: the operator must act |
//!
//! There is no time limit here: every wait of the desk ends at the request's deadline.
//!
//! If other surfaces may answer too, a messenger's failure ends nothing. Errors that the operator must fix are then
//! retried as well, with backoff up to a minute. Only errors about the card itself (it breaks the provider, or the
//! messenger calls it malformed) are not retried: other cards must not wait for it.

use std::time::Duration;

use dmplz_core::messenger::ProviderError;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(10);
const LONGEST_PATIENT: Duration = Duration::from_secs(60);
const MAX_BROKEN: u32 = 3;
const MAX_BROKEN_POSTING: u32 = 1;
const MAX_CONFLICTS: u32 = 5;

/// Counts the failures in a row of one kind of call.
#[derive(Debug, Default)]
pub(crate) struct Retry {
    failures: u32,
    /// Whether errors that the operator must fix are retried.
    patient: bool,
}

impl Retry {
    pub(crate) fn of(patient: bool) -> Self {
        Self { failures: 0, patient }
    }

    /// Returns how long to wait before the next attempt. `None` if trying again cannot help.
    pub(crate) fn after(&mut self, error: &ProviderError) -> Option<Duration> {
        self.unless_broken(error, MAX_BROKEN)
    }

    /// Returns the same for a call that posts, with fewer attempts after an error of the provider, because each attempt
    /// may show another copy of the card.
    pub(crate) fn after_posting(&mut self, error: &ProviderError) -> Option<Duration> {
        self.unless_broken(error, MAX_BROKEN_POSTING)
    }

    fn unless_broken(&mut self, error: &ProviderError, most_broken: u32) -> Option<Duration> {
        let wait = self.wait(error);
        let most = match error {
            error if error.passes() => u32::MAX,
            ProviderError::Broken(_) => most_broken,
            ProviderError::TooLarge | ProviderError::Rejected(_) | ProviderError::Other(_) => 0,
            _ if self.patient => u32::MAX,
            ProviderError::Conflict(_) => MAX_CONFLICTS,
            _ => 0,
        };
        (self.failures <= most).then_some(wait)
    }

    /// Returns how long to wait before the next attempt after any error.
    pub(crate) fn wait(&mut self, error: &ProviderError) -> Duration {
        self.failures = self.failures.saturating_add(1);
        let longest = if self.patient && !error.is_down() { LONGEST_PATIENT } else { LONGEST };
        match error {
            ProviderError::RateLimited(Some(wait)) => Duration::from_millis(u64::from(*wait)).mul_f64(jitter(1.0, 1.1)),
            _ => FIRST
                .saturating_mul(1 << self.failures.saturating_sub(1).min(8))
                .min(longest)
                .mul_f64(jitter(0.75, 1.25)),
        }
    }

    /// Returns how many calls failed in a row.
    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }

    /// Notes that a call succeeded.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

fn jitter(least: f64, most: f64) -> f64 {
    least + fastrand::f64() * (most - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_pass_by_itself_is_tried_again() {
        let tries = |error: ProviderError| (0..20).take_while(|_| Retry::default().after(&error).is_some()).count();
        assert_eq!(tries(ProviderError::Unavailable(None)), 20);
        for hopeless in [ProviderError::Unauthorized, ProviderError::NotFound, ProviderError::Denied(None)] {
            assert_eq!(tries(hopeless), 0);
        }
        let in_a_row = |error: ProviderError| {
            let mut retry = Retry::default();
            (0..20).take_while(|_| retry.after(&error).is_some()).count()
        };
        assert_eq!(in_a_row(ProviderError::Broken("trap".into())), 3);
        assert_eq!(in_a_row(ProviderError::Conflict(None)), 5);
        let mut posting = Retry::default();
        let tries = (0..20).take_while(|_| posting.after_posting(&ProviderError::Broken("trap".into())).is_some());
        assert_eq!(tries.count(), 1);
    }

    #[test]
    fn the_wait_is_what_the_messenger_says_or_doubles_up_to_ten_seconds() {
        let mut retry = Retry::default();
        let waits: Vec<_> = (0..9).filter_map(|_| retry.after(&ProviderError::Unavailable(None))).collect();
        assert!(waits[0] >= Duration::from_millis(187) && waits[0] <= Duration::from_millis(313));
        assert!(waits.iter().all(|wait| *wait <= LONGEST.mul_f64(1.25)) && waits[8] > Duration::from_secs(7));
        let told = retry.after(&ProviderError::RateLimited(Some(3000))).unwrap();
        assert!(told >= Duration::from_secs(3) && told <= Duration::from_millis(3300));
    }

    #[test]
    fn a_messenger_that_names_no_wait_again_and_again_is_not_asked_without_a_pause() {
        let mut retry = Retry::default();
        let waits: Vec<_> = (0..9).filter_map(|_| retry.after(&ProviderError::RateLimited(None))).collect();
        assert!(waits[0] >= Duration::from_millis(187) && waits[8] > Duration::from_secs(7), "{waits:?}");
    }
}
