//! How urgent an event is, for quiet hours.

use serde::Serialize;

use super::{EventKind, Occurrence};

/// How urgent a notice is. The order is from the least urgent to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Something goes on, and nobody waits.
    Progress,
    /// An agent or one of its tasks has finished its work.
    Done,
    /// A tool, a session or the gateway failed.
    Failure,
    /// A person is waited for, or nobody could be asked.
    Permission,
}

// The most urgent first.
crate::named!(Priority { Permission = "permission", Failure = "failure", Done = "done", Progress = "progress" });

impl Priority {
    /// Returns the priority of an occurrence.
    pub fn of(occurrence: &Occurrence) -> Self {
        match occurrence.event {
            // An idle client waits for the next task, and not for a decision.
            EventKind::Notification if occurrence.subject.as_deref() == Some("idle_prompt") => Self::Done,
            EventKind::Notification | EventKind::RequestAsked | EventKind::NobodyReachable | EventKind::Message => {
                Self::Permission
            }
            EventKind::StopFailure
            | EventKind::PostToolUseFailure
            | EventKind::PermissionDenied
            | EventKind::RequestExpired
            | EventKind::MessengerUnreachable => Self::Failure,
            // The turn ended, but the work goes on.
            EventKind::Stop if occurrence.background > 0 => Self::Progress,
            EventKind::Stop | EventKind::SubagentStop | EventKind::SessionEnd => Self::Done,
            EventKind::SessionStart | EventKind::UserPromptSubmit | EventKind::PostToolUse => Self::Progress,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_its_priority() {
        let mut all = String::new();
        for event in EventKind::ROUTABLE {
            all += &format!("{event} {}\n", Priority::of(&Occurrence::new(event, "1".into(), 0)).name());
        }
        let idle = Occurrence {
            subject: Some("idle_prompt".into()),
            ..Occurrence::new(EventKind::Notification, "1".into(), 0)
        };
        let tasks = Occurrence { background: 1, ..Occurrence::new(EventKind::Stop, "1".into(), 0) };
        all += &format!("idle {}, tasks {}", Priority::of(&idle).name(), Priority::of(&tasks).name());
        insta::assert_snapshot!(all, @"
        Notification permission
        Stop done
        StopFailure failure
        SubagentStop done
        SessionStart progress
        SessionEnd done
        UserPromptSubmit progress
        PostToolUse progress
        PostToolUseFailure failure
        PermissionDenied failure
        RequestAsked permission
        RequestExpired failure
        NobodyReachable permission
        MessengerUnreachable failure
        idle done, tasks progress
        ");
        assert!(Priority::Permission > Priority::Failure && Priority::Done > Priority::Progress);
    }
}
