//! The messenger's server: messages, people's actions on them, and the events that it reports.
//!
//! With buttons it keeps events until a poll confirms them by its cursor, as Telegram does. With reactions a poll
//! returns, for the watched messages, every present reaction, as Discord does without its gateway.

use std::collections::BTreeMap;

use dmplz_core::messenger::{Batch, Card, Chosen, Event, MessageRef, ProviderError, Said, User, Watch};

use crate::script::{Answers, HookId, Person};

/// The id of the only chat. All ids have Telegram's form.
pub const CHAT: &str = "-1001000000001";
/// The id of Ann.
pub const ANN: &str = "101";
/// The id of Bob.
pub const BOB: &str = "102";
/// The id of the program.
pub const ROBOT: &str = "104";

/// The messenger's server, as a run needs it.
#[derive(Debug)]
pub struct Server {
    way: Answers,
    /// The messages by their position in the chat.
    messages: BTreeMap<u64, Message>,
    /// The last ids of messages and events, which only increase.
    last_message: u64,
    last_event: u64,
    events: Vec<(u64, Event)>,
    /// The events of the last poll, for a server that repeats itself.
    before: Vec<Event>,
}

/// A message that a process posted.
#[derive(Debug)]
pub struct Message {
    /// The hook, by the tag with which it was posted.
    pub hook: Option<HookId>,
    /// The card that it shows now.
    pub card: Card,
    /// Every choice that it has offered.
    pub offered: Vec<String>,
    /// The choices that have had a form.
    forms: Vec<String>,
    /// Whether it was deleted.
    pub is_deleted: bool,
    /// When a process first knew of it, by the reply to its posting.
    pub known: Option<u64>,
    /// When a process was first sent a press on it.
    pub pressed: Option<u64>,
    /// Whether it shows an edit of a dead process that arrived after an edit that was sent later.
    pub is_overtaken: bool,
    /// When the newest arrived edit was sent.
    edited: u64,
    reactions: Vec<(Person, String)>,
}

impl Server {
    /// Returns a chat without messages.
    pub fn new(way: Answers) -> Self {
        Self { way, messages: BTreeMap::new(), last_message: 0, last_event: 0, events: Vec::new(), before: Vec::new() }
    }

    /// Adds a message to the chat.
    pub fn post(&mut self, card: Card) -> MessageRef {
        self.last_message += 10;
        let offered = card.choices.iter().map(|choice| choice.id.clone()).collect();
        let hook = hook_of(&card.tag);
        let forms = forms(&card);
        let message = Message {
            hook,
            card,
            offered,
            forms,
            is_deleted: false,
            known: None,
            pressed: None,
            is_overtaken: false,
            edited: 0,
            reactions: Vec::new(),
        };
        self.messages.insert(self.last_message, message);
        reference(self.last_message)
    }

    /// Records that a process was sent a press on a message.
    pub fn pressed(&mut self, message: &MessageRef, at: u64) {
        if let Some(message) = self.messages.get_mut(&message.sequence) {
            message.pressed.get_or_insert(at);
        }
    }

    /// Records that a process knows of a message.
    pub fn known(&mut self, message: &MessageRef, at: u64) {
        if let Some(message) = self.messages.get_mut(&message.sequence) {
            message.known = Some(at);
        }
    }

    /// Replaces the card of a message. `sent` is when the edit was sent, `is_awaited` whether its process still
    /// waits.
    pub fn revise(
        &mut self,
        message: &MessageRef,
        card: Card,
        sent: u64,
        is_awaited: bool,
    ) -> Result<(), ProviderError> {
        let message = self.messages.get_mut(&message.sequence).filter(|message| !message.is_deleted);
        let message = message.ok_or(ProviderError::NotFound)?;
        message.is_overtaken = !is_awaited && sent < message.edited;
        message.edited = message.edited.max(sent);
        message.offered.extend(card.choices.iter().map(|choice| choice.id.clone()));
        message.forms.extend(forms(&card));
        if message.card.choices.iter().any(|choice| !card.choices.contains(choice)) {
            let left: Vec<_> = card.choices.iter().map(|choice| choice.id.as_str()).collect();
            message.reactions.retain(|(_, choice)| left.contains(&choice.as_str()));
        }
        message.card = card;
        Ok(())
    }

    /// Presses a choice. Returns whether there was one.
    pub fn press(&mut self, who: Person, hook: HookId, choice: &str, text: Option<String>) -> bool {
        let newest = self.messages.iter_mut().rev().find(|(_, message)| {
            message.hook == Some(hook) && !message.is_deleted && message.offered.iter().any(|offered| offered == choice)
        });
        let Some((id, message)) = newest else { return false };
        if self.way == Answers::Reactions {
            // A reaction exists once.
            if !message.reactions.contains(&(who, choice.to_owned())) {
                message.reactions.push((who, choice.to_owned()));
            }
            return true;
        }
        self.last_event += 1;
        let chosen = Chosen {
            message: reference(*id),
            tag: Some(message.card.tag.clone()),
            choice: choice.to_owned(),
            user: user(who),
            token: format!("t{}", self.last_event),
            text: text.filter(|_| message.forms.iter().any(|form| form == choice)),
        };
        self.events.push((self.last_event, Event::Chosen(chosen)));
        true
    }

    /// Deletes the newest message of a hook.
    pub fn delete(&mut self, hook: HookId) {
        let mut newest = self.messages.values_mut().rev().filter(|message| message.hook == Some(hook));
        newest.next().into_iter().for_each(|message| message.is_deleted = true);
    }

    /// Adds a user's message to the chat.
    pub fn say(&mut self, who: Person, text: &str) {
        self.last_message += 10;
        if self.way == Answers::Forms {
            return;
        }
        self.last_event += 1;
        let message = reference(self.last_message);
        let said = Said { message, reply_to: None, user: user(who), text: text.to_owned(), files: Vec::new() };
        self.events.push((self.last_event, Event::Said(said)));
    }

    /// Removes the events up to a number.
    pub fn after(&mut self, confirmed: u64) -> &[(u64, Event)] {
        self.events.retain(|(id, _)| *id > confirmed);
        &self.events
    }

    /// Returns an existing message.
    pub fn message(&self, id: u64) -> Option<&Message> {
        self.messages.get(&id).filter(|message| !message.is_deleted)
    }

    /// Returns the result of a poll with this cursor; `None` if it has to wait.
    pub fn look(&mut self, cursor: &str, watching: &[Watch], repeats: bool) -> Option<Batch> {
        let after: u64 = cursor.parse().unwrap_or_default();
        let news: Vec<Event> = self.after(after).iter().map(|(_, event)| event.clone()).collect();
        // Each reaction is reported once, or a poll that does not wait would repeat as fast as the network permits.
        let mut events = if repeats { std::mem::take(&mut self.before) } else { Vec::new() };
        events.extend(news.iter().cloned());
        if self.way == Answers::Reactions {
            events.extend(watching.iter().flat_map(|watch| self.standing(watch)));
        } else if events.is_empty() {
            return None;
        }
        let cursor = self.events.last().map_or(after, |(id, _)| *id);
        if !news.is_empty() {
            self.before = news;
        }
        Some(Batch { events, cursor: cursor.to_string() })
    }

    fn standing(&self, watch: &Watch) -> Vec<Event> {
        let message = self.messages.get(&watch.message.sequence).filter(|message| !message.is_deleted);
        let Some(message) = message else { return Vec::new() };
        let wanted = |choice: &str| watch.choices.iter().any(|wanted| wanted.id == choice);
        let left = message.reactions.iter().filter(|(_, choice)| wanted(choice));
        let event = |(who, choice): &(Person, String)| {
            Event::Chosen(Chosen {
                message: watch.message.clone(),
                tag: None,
                choice: choice.clone(),
                user: user(*who),
                token: String::new(),
                text: None,
            })
        };
        left.map(event).collect()
    }

    /// Returns the hook of a message.
    pub fn hook_of(&self, message: &MessageRef) -> Option<HookId> {
        self.messages.get(&message.sequence)?.hook
    }

    /// Returns all messages of processes.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }
}

/// Returns the choices of a card that ask for a text.
fn forms(card: &Card) -> Vec<String> {
    card.choices.iter().filter(|choice| choice.field.is_some()).map(|choice| choice.id.clone()).collect()
}

/// Returns the hook of a tag: `card7`, which may have a suffix.
fn hook_of(tag: &str) -> Option<HookId> {
    let rest = tag.strip_prefix("card")?;
    rest.get(..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))?.parse().ok()
}

/// Returns a user as the messenger reports them.
pub fn user(who: Person) -> User {
    let (id, name, is_bot) = match who {
        Person::Ann => (ANN, "Ann", false),
        Person::Bob => (BOB, "Bob", false),
        Person::Eve => ("103", "Eve", false),
        Person::Robot => (ROBOT, "Robot", true),
    };
    User { id: id.into(), name: name.into(), is_bot }
}

/// Returns the reference of a message.
pub fn reference(id: u64) -> MessageRef {
    MessageRef { chat: CHAT.into(), id: id.to_string(), sequence: id }
}
