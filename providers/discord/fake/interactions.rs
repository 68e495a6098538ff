//! What people do with buttons and modals, and how the bot responds:
//! <https://docs.discord.com/developers/interactions/receiving-and-responding>.
//!
//! An interaction has to be responded to within 3 s, once; after that its token may be used for 15 minutes. One that no
//! session is told of, or that is not responded to in time, fails, and the person reads so.

use super::components::Button;
use super::model::{Message, MessageRef, User};
use super::world::World;
use crate::violation::{Side, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

mod answers;
mod callback;
mod event;
mod human;
mod modal;
mod press;
mod webhook;

pub use modal::{Modal, TextInput};
pub use press::PressError;

pub(crate) use callback::callback;
pub(crate) use webhook::{delete, edit, follow_up, get};

/// What a person did, and what came of it.
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
    /// Of the button, or of the modal.
    pub custom_id: String,
    /// What a modal was submitted with: custom ids and texts. Empty for a press.
    pub fields: Vec<(String, String)>,
    /// How the bot responded first.
    pub response: Option<Response>,
    /// The time from the press to the first response.
    pub after: Option<Duration>,
    /// Whether the person reads "This interaction failed".
    pub failed: bool,
    /// The messages that only this person sees, as they are now.
    pub whispers: Vec<Message>,
    /// The messages that everybody sees.
    pub messages: Vec<MessageRef>,
}

impl Interaction {
    /// The modal that opened.
    pub fn modal(&self) -> Option<&Modal> {
        match &self.response {
            Some(Response::Modal(modal)) => Some(modal),
            _ => None,
        }
    }

    /// The text of the last message that only this person sees; empty without one.
    pub fn whisper(&self) -> &str {
        self.whispers.last().map_or("", Message::content)
    }
}

/// The first response to an interaction.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// A message (4).
    Message,
    /// "Thinking ...", a message is to follow (5).
    DeferredMessage,
    /// Nothing is seen; the message may be edited later (6).
    DeferredUpdate,
    /// The message was edited (7).
    Update,
    /// A modal opened (9).
    Modal(Modal),
}

/// All interactions.
pub(crate) struct Interactions {
    /// How long the first response may take.
    pub(crate) window: Duration,
    /// How long the token can be used.
    pub(crate) life: Duration,
    records: BTreeMap<u64, Record>,
    /// Those that were not responded to yet.
    open: BTreeSet<u64>,
    /// Messages that only one person sees, with the interaction that they belong to.
    whispers: Vec<(u64, Message)>,
}

struct Record {
    seen: Interaction,
    token: String,
    at: Instant,
    /// The button, for the words of a violation.
    what: String,
    /// The message that `@original` names.
    original: Option<MessageRef>,
    /// The flags of a message that was deferred and is not there yet.
    pending: Option<u64>,
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

    /// When the next interaction fails unless it is responded to.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.open.iter().filter_map(|id| self.records.get(id)).map(|record| record.at + self.window).min()
    }

    /// Lets fail what was not responded to in time.
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
            found.push(Violation { call: "gateway INTERACTION_CREATE".to_owned(), side: Side::Request, what });
        }
        found
    }

    pub(crate) fn whisper(&self, at: MessageRef) -> Option<&Message> {
        self.whispers.iter().map(|(_, message)| message).find(|message| MessageRef::from(*message) == at)
    }

    fn whisper_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        self.whispers.iter_mut().map(|(_, message)| message).find(|message| MessageRef::from(&**message) == at)
    }

    /// Drops all but the newest.
    pub(crate) fn forget(&mut self, kept: usize) {
        while self.records.len() > kept {
            let Some((id, _)) = self.records.pop_first() else { return };
            self.open.remove(&id);
            self.whispers.retain(|(interaction, _)| *interaction != id);
        }
    }

    /// An interaction as a person sees it now.
    fn seen(&self, id: u64) -> Option<Interaction> {
        let mut seen = self.records.get(&id)?.seen.clone();
        let own = self.whispers.iter().filter(|(interaction, message)| *interaction == id && !message.deleted);
        seen.whispers = own.map(|(_, message)| message.clone()).collect();
        Some(seen)
    }
}

impl World {
    /// A message of a channel, or one that only one person sees.
    fn any_message(&self, at: MessageRef) -> Option<&Message> {
        self.message(at).or_else(|| self.interactions.whisper(at))
    }

    /// As [`World::any_message`], to change it.
    pub(crate) fn any_message_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        match self.message(at).is_some() {
            true => self.message_mut(at),
            false => self.interactions.whisper_mut(at),
        }
    }
}

impl Message {
    /// The buttons that it shows now, row by row.
    pub fn buttons(&self) -> Vec<Vec<Button>> {
        super::components::buttons(self.revisions.last().map_or(&[], |revision| &revision.components))
    }
}
