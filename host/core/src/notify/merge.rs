//! Decides which occurrences are merged into one notice, so that many similar ones give one message with their exact
//! number.
//!
//! The first notice of a key is sent at once. Those that follow within [`WINDOW_MS`] of a sent one wait until the
//! window is over, and become one notice that states their number and shows the last one. The same applies to those
//! that arrive before an earlier one was tried.

use super::{EventKind, Occurrence};

/// The minimum time between two notices of the same key, in milliseconds.
pub const WINDOW_MS: u64 = 10_000;

/// Returns the key under which notices of one channel are merged; `None` for a notice that is never merged.
pub fn merge_key(occurrence: &Occurrence) -> Option<String> {
    let of = |part: &str| Some(format!("{}\n{}\n{part}", occurrence.event, occurrence.session_id));
    let subject = occurrence.subject.as_deref().unwrap_or_default();
    match occurrence.event {
        EventKind::Message => None,
        // A client that waits for permission must not disappear behind one that is idle.
        EventKind::Notification | EventKind::MessengerUnreachable => of(subject),
        _ => of(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_one_session_and_kind_are_merged_and_messages_never() {
        let of = |event, session: &str, subject: &str| {
            merge_key(&Occurrence {
                session_id: session.into(),
                subject: Some(subject.into()),
                ..Occurrence::new(event, "1".into(), 0)
            })
        };
        let failed = EventKind::PostToolUseFailure;
        assert_eq!(of(failed, "s", "Bash"), of(failed, "s", "Read"));
        assert_ne!(of(failed, "s", "Bash"), of(failed, "t", "Bash"));
        assert_ne!(of(failed, "s", "Bash"), of(EventKind::Stop, "s", "Bash"));
        let waits = EventKind::Notification;
        assert_ne!(of(waits, "s", "idle_prompt"), of(waits, "s", "permission_prompt"));
        assert_eq!(of(EventKind::Message, "s", ""), None);
    }
}
