//! The events that a route can name. Those of the client carry the client's names.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An event that a notice can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EventKind {
    /// The client wants a person's attention. A filter matches the kind of notification, such as `idle_prompt`.
    Notification,
    /// The agent finished its turn.
    Stop,
    /// The agent's turn ended in an error. A filter matches the error.
    StopFailure,
    /// A subagent finished. A filter matches the kind of subagent.
    SubagentStop,
    /// A session began. A filter matches the source, such as `resume`.
    SessionStart,
    /// A session ended. A filter matches the reason.
    SessionEnd,
    /// A person submitted a prompt.
    UserPromptSubmit,
    /// A tool ran. A filter matches the tool's name.
    PostToolUse,
    /// A tool failed. A filter matches the tool's name.
    PostToolUseFailure,
    /// The client itself denied a call. A filter matches the tool's name.
    PermissionDenied,
    /// The gateway asks about a request. A filter matches the tool's name.
    RequestAsked,
    /// Nobody answered a request in time. A filter matches the tool's name.
    RequestExpired,
    /// A request could not be asked, because no messenger, page or terminal was there. A filter matches the tool's name.
    NobodyReachable,
    /// A messenger has not been usable for a minute. A filter matches the messenger's name.
    MessengerUnreachable,
    /// A text that a person sent with `dmplz notify`. No route is needed.
    Message,
}

crate::named!(EventKind {
    Notification,
    Stop,
    StopFailure,
    SubagentStop,
    SessionStart,
    SessionEnd,
    UserPromptSubmit,
    PostToolUse,
    PostToolUseFailure,
    PermissionDenied,
    RequestAsked,
    RequestExpired,
    NobodyReachable,
    MessengerUnreachable,
    Message,
});

impl EventKind {
    /// The events that a route can name: all but the last one, those of the client first.
    pub const ROUTABLE: [Self; 14] = {
        let [routable @ .., _] = Self::ALL;
        routable
    };

    /// Returns the event of this name, if a route can name it. `PermissionRequest`, which is the client's name for what
    /// the gateway asks people, means [`Self::RequestAsked`].
    pub fn routable(name: &str) -> Option<Self> {
        if name == "PermissionRequest" {
            return Some(Self::RequestAsked);
        }
        Self::ROUTABLE.into_iter().find(|event| event.name() == name)
    }

    /// Returns whether the client reports it to a hook.
    pub const fn is_of_client(self) -> bool {
        matches!(
            self,
            Self::Notification
                | Self::Stop
                | Self::StopFailure
                | Self::SubagentStop
                | Self::SessionStart
                | Self::SessionEnd
                | Self::UserPromptSubmit
                | Self::PostToolUse
                | Self::PostToolUseFailure
                | Self::PermissionDenied
        )
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_routable_event_is_found_by_its_name_and_a_message_is_none_of_them() {
        for event in EventKind::ROUTABLE {
            assert_eq!(EventKind::routable(event.name()), Some(event));
            assert_eq!(serde_json::to_value(event).unwrap(), event.name());
        }
        let asked = EventKind::routable("PermissionRequest").unwrap();
        assert_eq!(asked, EventKind::RequestAsked);
        assert!(!asked.is_of_client(), "no hook reports it, so a request is never held up for it");
        assert_eq!(EventKind::routable("Message"), None);
        assert_eq!(EventKind::routable("stop"), None);
    }
}
