//! Whether anything of what an export wanted to send can have arrived.
//!
//! | what the export did | contact |
//! |---|---|
//! | it opened and sent nothing | none |
//! | each request and WebSocket failed before its connection was open: name, address, proxy, TLS | failed |
//! | anything else, also where it is not known | possible |
//!
//! Before each attempt the contact is set to possible, so that an attempt that is dropped halfway counts as one that
//! may have arrived.

use dmplz_core::messenger::{NoConnection, ProviderError};

/// What an export had of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Contact {
    /// It sent nothing.
    #[default]
    None,
    /// Nothing that it sent can have arrived: what the last attempt failed with.
    Failed(NoConnection),
    /// Something may have arrived.
    Possible,
}

impl Contact {
    /// Begins an attempt, and returns the contact before it.
    pub(crate) fn attempt(&mut self) -> Self {
        std::mem::replace(self, Self::Possible)
    }

    /// Notes that the attempt failed before anything was sent. `before` is the contact before it.
    pub(crate) fn failed(&mut self, before: Self, why: NoConnection) {
        *self = if before == Self::Possible { before } else { Self::Failed(why) };
    }

    /// Passes what failed through `clean`.
    pub(crate) fn clean(self, clean: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Failed(failed) => Self::Failed(NoConnection { why: clean(failed.why), ..failed }),
            other => other,
        }
    }

    /// Returns the error of the export, which is [`ProviderError::Unreachable`] if it was about the network and nothing
    /// can have arrived.
    pub(crate) fn of(self, error: ProviderError) -> ProviderError {
        match (error, self) {
            (ProviderError::Unavailable(Some(said)), Self::Failed(failed)) => {
                ProviderError::Unreachable(NoConnection { why: said, ..failed })
            }
            (ProviderError::Unavailable(None) | ProviderError::Deadline, Self::Failed(failed)) => {
                ProviderError::Unreachable(failed)
            }
            (error, _) => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::Obstacle;

    use super::*;

    #[test]
    fn an_export_reached_nobody_only_if_no_attempt_can_have_arrived() {
        let failed = |contact: &mut Contact| {
            let before = contact.attempt();
            contact.failed(before, NoConnection { obstacle: Obstacle::Name, why: "no name".to_owned() });
        };
        let (down, late) = (ProviderError::Unavailable(None), ProviderError::Deadline);
        let mut contact = Contact::default();
        assert_eq!(contact.clone().of(down.clone()), down, "it may have sent nothing for reasons of its own");
        failed(&mut contact);
        failed(&mut contact);
        for error in [down.clone(), late.clone()] {
            let reached = NoConnection { obstacle: Obstacle::Name, why: "no name".to_owned() };
            assert_eq!(contact.clone().of(error), ProviderError::Unreachable(reached));
        }
        let refused = ProviderError::Refused("not granted".to_owned());
        assert_eq!(contact.clone().of(refused.clone()), refused);
        contact.attempt();
        failed(&mut contact);
        assert_eq!(contact.of(late.clone()), late, "one that came before may have arrived");
    }
}
