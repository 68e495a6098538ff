//! The deadline of a hook.

use std::time::Duration;

use tokio::time::Instant;

use crate::settings::Settings;

/// The most time reserved before the client's own time-out, for writing the decision, logging and retiring the card.
const MARGIN: Duration = Duration::from_secs(5);

/// Returns the moment from which the client counts its time-out `limit`: the start of this process, which can be long
/// before its first instruction runs if the machine is busy or suspended. An `age` of at least the whole time-out is
/// ignored, because the client would have stopped the process. It means that the hook replaced a shell (`exec dmplz
/// hook`), or that the system's figures are unreliable.
pub(super) fn counted_from(started: Instant, now: Instant, age: Option<Duration>, limit: Duration) -> Instant {
    let born = age.filter(|age| *age < limit).and_then(|age| now.checked_sub(age));
    born.map_or(started, |born| born.min(started))
}

/// Returns the moment by which everything must have ended.
pub(super) fn of(settings: &Settings) -> Duration {
    (settings.hook_timeout - margin(settings)).min(settings.question_timeout)
}

/// Returns the time reserved before the client's own time-out.
pub(super) fn margin(settings: &Settings) -> Duration {
    MARGIN.min(settings.hook_timeout / 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_from_when_the_process_was_started() {
        const LIMIT: Duration = Duration::from_secs(10);
        let started = Instant::now();
        let now = started + Duration::from_millis(5);
        let since = |age_ms: u64| started - counted_from(started, now, Some(Duration::from_millis(age_ms)), LIMIT);
        assert_eq!(since(805), Duration::from_millis(800), "held up before its first instruction");
        assert_eq!(since(0), Duration::ZERO, "ages are told in steps of 10 ms");
        assert_eq!(since(9_999), Duration::from_millis(9_994));
        assert_eq!(since(10_000), Duration::ZERO, "older than the client would let it be");
        assert_eq!(counted_from(started, now, None, LIMIT), started);
    }
}
