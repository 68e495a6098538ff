use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use dmplz_fakes::{Fault, On, Wire};

use crate::message::{Choice, Message};

/// Somebody in the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The messenger's number for them.
    pub id: u32,
    /// The name that cards show.
    pub name: &'static str,
}

/// The person whom the hook asks.
pub const JIN: Person = Person { id: 7001, name: "jin" };
/// A person who may not answer.
pub const MIN: Person = Person { id: 7002, name: "min" };

/// A chat of a messenger: the one that the hook asks in.
#[derive(Clone, Debug)]
pub struct Chat(Arc<dyn Room>);

/// A press, by which its answer can be found.
#[derive(Clone, Debug)]
pub struct Press(pub(crate) String);

/// A kind of chat that cases run in.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// As in the names of the cases.
    pub name: &'static str,
    /// Whether Jin is alone with the bot; else it is a group of Jin and Min.
    pub is_private: bool,
    /// Whether a hook alone asks in it.
    pub is_for_hooks: bool,
    /// Whether people answer in it by buttons.
    pub has_buttons: bool,
    /// Cases that it cannot have, and what it lacks for each.
    pub lacks: &'static [(&'static str, &'static str)],
    /// Opens one, with a server of its own.
    pub open: fn() -> Chat,
}

/// A chat and the server that it is on, from the side of its people. Each messenger's is in its folder:
/// `providers/<messenger>/driver/chat.rs` is a module of this crate, whose `PLACES` are its kinds of chats.
pub trait Room: Debug + Send + Sync + Any {
    /// The messenger, as settings and logs name it.
    fn provider(&self) -> &'static str;
    /// The bot's token.
    fn token(&self) -> String;
    /// The chat's id, as a setting names it.
    fn id(&self) -> String;
    /// The settings by which the hook asks here; the last one names the chat.
    fn settings(&self) -> Vec<(&'static str, String)>;
    /// The requests of the bot.
    fn wire(&self) -> &Wire;
    /// The name of the request that posts.
    fn posting(&self) -> &'static str;
    /// The name of the request that changes a message.
    fn editing(&self) -> &'static str;
    /// The name of the request that looks for presses.
    fn polling(&self) -> &'static str;
    /// All messages, as people see them.
    fn messages(&self) -> Vec<Message>;
    /// Waits until `is_there` finds what it looks for among all messages, for at most [`crate::SOON`].
    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool;
    /// Presses a choice; `is_old` on a screen that may still show it although the card is retired.
    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press;
    /// Answers a prompt so that there is no reason.
    fn skip(&self, prompt: &Message, by: Person);
    /// Writes into the chat.
    fn say(&self, by: Person, text: &str);
    /// Answers a message.
    fn reply(&self, to: &Message, by: Person, text: &str);
    /// Deletes a message.
    fn delete(&self, message: &Message);
    /// Writes into another chat of the same bot.
    fn say_elsewhere(&self, by: Person, text: &str);
    /// Whether one request posts a card with all that can be pressed on it.
    fn posts_whole(&self) -> bool {
        true
    }
    /// The name of the request that looks for words.
    fn polling_texts(&self) -> &'static str {
        self.polling()
    }
    /// What lets somebody answer there, as the messenger's own list of users takes it.
    fn listing(&self, person: Person) -> String {
        person.id.to_string()
    }
    /// The name by which cards tell of somebody there.
    fn name_of(&self, person: Person) -> &'static str {
        person.name
    }
    /// Waits until somebody who pressed is told this.
    fn await_told(&self, press: &Press, text: &str);
    /// Waits until a press is acknowledged without a word, where a press shows a sign that waits for one.
    fn await_silence(&self, _press: &Press) {}
}

impl Chat {
    /// A chat of a messenger.
    pub fn of(room: impl Room) -> Self {
        Self(Arc::new(room))
    }

    /// The chat as the messenger's own, for cases that are about one messenger.
    #[track_caller]
    pub fn room<R: Room>(&self) -> &R {
        self.find_room().expect("a chat of this messenger")
    }

    /// The same; none where the chat is on another messenger.
    pub fn find_room<R: Room>(&self) -> Option<&R> {
        let room: &dyn Any = &*self.0;
        room.downcast_ref()
    }

    /// The messenger, as settings and logs name it.
    pub fn provider(&self) -> &'static str {
        self.0.provider()
    }

    /// The token of the bot.
    pub fn token(&self) -> String {
        self.0.token()
    }

    /// The chat's id, as a setting names it.
    pub fn id(&self) -> String {
        self.0.id()
    }

    /// The settings by which the hook asks here; the last one names the chat.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        self.0.settings()
    }

    /// The requests of the bot.
    pub fn wire(&self) -> &Wire {
        self.0.wire()
    }

    /// The name of the request that posts, for faults.
    pub fn posting(&self) -> &'static str {
        self.0.posting()
    }

    /// The name of the request that changes a message.
    pub fn editing(&self) -> &'static str {
        self.0.editing()
    }

    /// The name of the request that looks for presses.
    pub fn polling(&self) -> &'static str {
        self.0.polling()
    }

    /// The name by which cards tell of somebody there.
    pub fn name_of(&self, person: Person) -> &'static str {
        self.0.name_of(person)
    }

    /// The last line of a card that somebody answered, up to the time.
    pub fn signed(&self, person: Person) -> String {
        format!("{} · ", self.name_of(person))
    }

    /// Whether one request posts a card with all that can be pressed on it.
    pub fn posts_whole(&self) -> bool {
        self.0.posts_whole()
    }

    /// The name of the request that looks for words.
    pub fn polling_texts(&self) -> &'static str {
        self.0.polling_texts()
    }

    /// What lets somebody answer there, as the messenger's own list of users takes it.
    pub fn listing(&self, person: Person) -> String {
        self.0.listing(person)
    }

    /// Lets calls fail from now on.
    pub fn fail(&self, on: impl Into<On>, fault: Fault) {
        self.wire().fail(on, fault);
    }

    /// All messages, as people see them.
    pub fn messages(&self) -> Vec<Message> {
        self.0.messages()
    }

    /// The message with this id, as it is now.
    #[track_caller]
    pub fn message(&self, id: u64) -> Message {
        self.messages().into_iter().find(|message| message.id == id).expect("a message with this id")
    }

    /// The cards of all requests so far.
    pub fn cards(&self) -> Vec<Message> {
        self.messages().into_iter().filter(Message::is_card).collect()
    }

    /// Waits for a message of the bot.
    #[track_caller]
    pub fn await_message(&self, what: &str, mut wanted: impl FnMut(&Message) -> bool) -> Message {
        let mut found = None;
        self.0.watch(&mut |messages| {
            found = messages.iter().find(|message| message.by_bot && wanted(message)).cloned();
            found.is_some()
        });
        found.unwrap_or_else(|| panic!("{what} did not come; the chat shows {:#?}", self.messages()))
    }

    /// Waits for a card that can be answered.
    #[track_caller]
    pub fn await_card(&self) -> Message {
        self.await_message("an open card", Message::is_open)
    }

    /// Waits for the prompt for a reason of the newest card: an earlier one may still be on its way to its end.
    #[track_caller]
    pub fn await_prompt(&self) -> Message {
        let card = self.cards().last().map_or(0, |card| card.id);
        let is_prompt = |message: &Message| message.text.contains("(선택)") || message.text.contains("(optional)");
        self.await_message("a prompt for a reason", |message| message.id > card && is_prompt(message))
    }

    /// Waits until a message shows this somewhere, and nothing to press any more.
    #[track_caller]
    pub fn await_retired(&self, card: &Message, shows: &str) -> Message {
        self.await_message(&format!("the end {shows:?} of {card:#?}"), |message| {
            message.id == card.id && message.text.contains(shows) && message.choices.is_empty()
        })
    }

    /// Presses a choice of a card.
    #[track_caller]
    pub fn press(&self, card: &Message, choice: Choice, by: Person) -> Press {
        self.0.press(card, choice, by, false)
    }

    /// Presses a choice that a screen may still show although the card is retired.
    #[track_caller]
    pub fn press_late(&self, card: &Message, choice: Choice, by: Person) -> Press {
        self.0.press(card, choice, by, true)
    }

    /// Denies without a reason: the button of the prompt, or the keyword.
    #[track_caller]
    pub fn skip(&self, by: Person) {
        self.0.skip(&self.await_prompt(), by);
    }

    /// Writes into the chat.
    pub fn say(&self, by: Person, text: &str) {
        self.0.say(by, text);
    }

    /// Replies to a message of the bot.
    pub fn reply(&self, to: &Message, by: Person, text: &str) {
        self.0.reply(to, by, text);
    }

    /// Deletes a message of the bot.
    pub fn delete(&self, message: &Message) {
        self.0.delete(message);
    }

    /// Writes into another chat of the same bot.
    pub fn say_elsewhere(&self, by: Person, text: &str) {
        self.0.say_elsewhere(by, text);
    }

    /// Waits until somebody who pressed is told something: in a dialog, or by a message that answers the card.
    #[track_caller]
    pub fn await_told(&self, press: &Press, text: &str) {
        self.0.await_told(press, text);
    }

    /// Waits until a press is acknowledged without a word. A reaction shows no sign that waits for one.
    #[track_caller]
    pub fn await_silence(&self, press: &Press) {
        self.0.await_silence(press);
    }

    /// Insists that nothing broke the platform's rules.
    #[track_caller]
    pub fn assert_clean(&self) {
        self.wire().assert_clean();
    }
}
