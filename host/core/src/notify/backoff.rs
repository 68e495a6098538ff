//! Computes when a channel is tried again after a failure.
//!
//! | the service states | the wait |
//! |---|---|
//! | how long to wait (429) | that time and up to a tenth more; at most an hour |
//! | nothing, or zero | 1 s, doubled with each consecutive failure up to 5 min, plus or minus a quarter |

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);
/// The longest wait that a service may ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(3600);

/// Returns the wait after `failures` in a row, at least one. `asked` is what the service asks for, and `jitter` is from 0
/// to 1.
pub fn backoff(failures: u32, asked: Option<Duration>, jitter: f64) -> Duration {
    let jitter = if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.0 };
    match asked.filter(|asked| !asked.is_zero()) {
        Some(asked) => asked.min(LONGEST_ASKED).mul_f64(1.0 + jitter / 10.0),
        None => {
            let doubled = FIRST.saturating_mul(1 << failures.saturating_sub(1).min(16));
            doubled.min(LONGEST).mul_f64(0.75 + jitter / 2.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_five_minutes_and_is_never_shorter_than_the_service_asks() {
        let middle = |failures| backoff(failures, None, 0.5);
        assert_eq!([1, 2, 3, 4].map(middle), [1, 2, 4, 8].map(Duration::from_secs));
        assert_eq!(middle(9), Duration::from_secs(256));
        assert_eq!([10, 99, u32::MAX].map(middle), [LONGEST; 3]);
        for jitter in [0.0, 0.3, 1.0, -1.0, 7.0, f64::NAN] {
            let free = backoff(1, None, jitter);
            assert!(free >= Duration::from_millis(750) && free <= Duration::from_millis(1250));
            assert_eq!(backoff(3, Some(Duration::ZERO), jitter), backoff(3, None, jitter));
            let asked = backoff(5, Some(Duration::from_secs(7)), jitter);
            assert!(asked >= Duration::from_secs(7) && asked <= Duration::from_millis(7_700), "{asked:?}");
        }
        assert!(backoff(1, Some(Duration::MAX), 1.0) <= Duration::from_secs(3_960));
    }
}
