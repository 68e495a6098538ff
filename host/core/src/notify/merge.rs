//! Which occurrences become one notice, so that a storm is one message that counts truthfully.
//!
//! The first notice of a key is sent at once. Those that follow within [`WINDOW_MS`] of one that was sent wait until the
//! window is over, and become one notice that tells how many they are and shows the last. So do those that come while an
//! earlier one has not been tried yet.

use super::{EventKind, Occurrence};

/// How long after a notice the next of its key is sent at the earliest, in milliseconds.
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
