//! The interactions so far.
//!
//! An interaction has to be responded to within 3 s, once. After that its token can be used for 15 minutes. An
//! interaction fails if no session receives it, or if it is not responded to in time. The person sees the failure.

use crate::discord::modal::Modal;
use crate::discord::model::{Message, MessageRef, User};
use crate::violation::Violation;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

/// A press or a submitted modal, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// The snowflake of the interaction.
    pub id: u64,
    /// The person who pressed or sent it.
    pub user: User,
    /// The id of the channel where it happened.
    pub channel: u64,
    /// The message with the button; for a modal, with the button that opened it.
    pub message: MessageRef,
    /// The custom id of the button or of the modal.
    pub custom_id: String,
    /// The custom ids and texts of a submitted modal; empty for a press.
    pub fields: Vec<(String, String)>,
    /// The bot's first response.
    pub response: Option<Response>,
    /// The time from the press to the first response.
    pub after: Option<Duration>,
    /// Whether the person sees "This interaction failed".
    pub failed: bool,
    /// The messages that only this person sees, in their current state.
    pub whispers: Vec<Message>,
    /// The messages in the channel, which everybody sees.
    pub messages: Vec<MessageRef>,
}

impl Interaction {
    /// Returns the modal that opened.
    pub fn modal(&self) -> Option<&Modal> {
        match &self.response {
            Some(Response::Modal(modal)) => Some(modal),
            _ => None,
        }
    }

    /// Returns the text of the last message that only this person sees; empty without one.
    pub fn whisper(&self) -> &str {
        self.whispers.last().map_or("", Message::content)
    }
}

/// The first response to an interaction.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// A message (4).
    Message,
    /// The person sees "Thinking ..." until a message follows (5).
    DeferredMessage,
    /// The person sees nothing; the message may be edited later (6).
    DeferredUpdate,
    /// The message was edited (7).
    Update,
    /// A modal opened (9).
    Modal(Modal),
}

/// All interactions.
pub(crate) struct Interactions {
    /// The time limit of the first response.
    pub(crate) window: Duration,
    /// The time for which the token can be used.
    pub(crate) life: Duration,
    pub(crate) records: BTreeMap<u64, Record>,
    /// The interactions without a response.
    pub(crate) open: BTreeSet<u64>,
    /// The messages that only one person sees, with the interactions that they belong to.
    pub(crate) whispers: Vec<(u64, Message)>,
}

/// An interaction, and what people do not see of it.
pub(crate) struct Record {
    pub(crate) seen: Interaction,
    pub(crate) token: String,
    pub(crate) at: Instant,
    /// The name of the button, for the text of a violation.
    pub(crate) what: String,
    /// The message that `@original` names.
    pub(crate) original: Option<MessageRef>,
    /// The flags of a deferred message that has not been sent yet.
    pub(crate) pending: Option<u64>,
}

impl Interactions {
    pub(crate) fn new() -> Self {
        Self {
            window: Duration::from_secs(3),
            life: Duration::from_secs(900),
            records: BTreeMap::new(),
            open: BTreeSet::new(),
            whispers: Vec::new(),
        }
    }

    /// Returns the time at which the next interaction fails without a response.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.open.iter().filter_map(|id| self.records.get(id)).map(|record| record.at + self.window).min()
    }

    /// Fails the interactions that were not responded to in time.
    pub(crate) fn expire(&mut self, now: Instant) -> Vec<Violation> {
        let mut found = Vec::new();
        let open: Vec<u64> = self.open.iter().copied().collect();
        for id in open {
            let Some(record) = self.records.get_mut(&id).filter(|record| record.at + self.window <= now) else {
                continue;
            };
            record.seen.failed = true;
            self.open.remove(&id);
            let what = format!("interaction failed: {} was not responded to within {:?}", record.what, self.window);
            found.push(Violation::request("gateway INTERACTION_CREATE", what));
        }
        found
    }

    pub(crate) fn whisper(&self, at: MessageRef) -> Option<&Message> {
        self.whispers.iter().map(|(_, message)| message).find(|message| MessageRef::from(*message) == at)
    }

    pub(crate) fn whisper_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        self.whispers.iter_mut().map(|(_, message)| message).find(|message| MessageRef::from(&**message) == at)
    }

    /// Drops all but the newest interactions.
    pub(crate) fn forget(&mut self, kept: usize) {
        while self.records.len() > kept {
            let Some((id, _)) = self.records.pop_first() else { return };
            self.open.remove(&id);
            self.whispers.retain(|(interaction, _)| *interaction != id);
        }
    }

    /// Returns the ids of all interactions, oldest first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.records.keys().copied()
    }

    /// Returns an interaction as a person sees it now.
    pub(crate) fn seen(&self, id: u64) -> Option<Interaction> {
        let mut seen = self.records.get(&id)?.seen.clone();
        let own = self.whispers.iter().filter(|(interaction, message)| *interaction == id && !message.deleted);
        seen.whispers = own.map(|(_, message)| message.clone()).collect();
        Some(seen)
    }
}
