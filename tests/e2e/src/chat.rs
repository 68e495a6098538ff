use std::any::Any;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

use dmplz_fakes::{Call, Fake, Fault, On, Wire};

use crate::SOON;
use crate::message::{Choice, Message};

/// A user of the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The user's number in the messenger.
    pub id: u32,
    /// The name that cards show.
    pub name: &'static str,
}

/// The person whom the hook asks.
pub const JIN: Person = Person { id: 7001, name: "jin" };
/// A person who is not an approver.
pub const MIN: Person = Person { id: 7002, name: "min" };

/// The chat in which the hook asks.
#[derive(Clone, Debug)]
pub struct Chat(Arc<dyn Room>);

/// A press, which identifies its answer.
#[derive(Clone, Debug)]
pub struct Press(pub(crate) String);

/// A kind of chat in which cases run.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The name in the names of the tests.
    pub name: &'static str,
    /// Whether Jin is alone with the bot; otherwise it is a group of Jin and Min.
    pub is_private: bool,
    /// Whether a hook alone can ask in it.
    pub is_for_hooks: bool,
    /// Whether people answer by buttons in it.
    pub has_buttons: bool,
    /// The cases that it cannot run, each with the reason. A name that does not exist fails a test.
    pub lacks: &'static [(&'static str, &'static str)],
    /// Opens a chat on a server of its own.
    pub open: fn() -> Chat,
}

impl Place {
    /// Returns a private chat with buttons, in which a hook alone can ask, and in which every case runs.
    pub const fn new(name: &'static str, open: fn() -> Chat) -> Self {
        Self { name, is_private: true, is_for_hooks: true, has_buttons: true, lacks: &[], open }
    }
}

/// A chat and its server, as its people use it. Each messenger's is in its folder:
/// `providers/<messenger>/driver/chat.rs` is a module of this crate, whose `PLACES` are its kinds of chats.
pub trait Room: Debug + Send + Sync + Any {
    /// Returns the messenger's name in settings and logs.
    fn provider(&self) -> &'static str;
    /// Returns the server that stands in for the messenger.
    fn server(&self) -> &dyn Fake;
    /// Returns the bot's token.
    fn token(&self) -> String {
        self.server().token().to_owned()
    }
    /// Returns the chat's id, as in a setting.
    fn id(&self) -> String;
    /// Returns the settings with which the hook asks here; the first one is the address of the server, the last one names the chat.
    fn settings(&self) -> Vec<(&'static str, String)>;
    /// Returns the record of the bot's requests.
    fn wire(&self) -> &Wire {
        self.server().wire()
    }
    /// Returns the name of the request that posts.
    fn posting(&self) -> &'static str;
    /// Returns the name of the request that changes a message.
    fn editing(&self) -> &'static str;
    /// Returns the name of the request that polls for presses.
    fn polling(&self) -> &'static str;
    /// Lets the bot hear of no press before [`Room::tell`], which then tells it of all of them at once.
    fn withhold(&self) {
        self.wire().fail(self.polling(), Fault::HeldBefore);
    }
    /// Ends what [`Room::withhold`] began.
    fn tell(&self) {
        let polled = self.wire().await_call_blocking(SOON, |call: &Call| call.name == self.polling());
        polled.expect("a poll");
        self.wire().release();
    }
    /// Returns all messages, as people see them.
    fn messages(&self) -> Vec<Message> {
        let mut all = Vec::new();
        self.watch(&mut |messages| {
            all = messages.to_vec();
            true
        });
        all
    }
    /// Waits until `is_there` accepts all messages, for at most [`crate::SOON`].
    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool;
    /// Presses a choice. `is_old`: on a screen that may still show it although the card is retired.
    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press;
    /// Answers a prompt without a reason.
    fn skip(&self, prompt: &Message, by: Person);
    /// Writes a message into the chat.
    fn say(&self, by: Person, text: &str);
    /// Replies to a message.
    fn reply(&self, to: &Message, by: Person, text: &str);
    /// Deletes a message.
    fn delete(&self, message: &Message);
    /// Writes a message into another chat of the same bot.
    fn say_elsewhere(&self, by: Person, text: &str);
    /// Returns whether one request posts a card with all its choices.
    fn posts_whole(&self) -> bool {
        true
    }
    /// Returns the name of the request that polls for texts.
    fn polling_texts(&self) -> &'static str {
        self.polling()
    }
    /// Returns a user's id in the messenger.
    fn id_of(&self, person: Person) -> String {
        person.id.to_string()
    }
    /// Returns the value of the messenger's own list of allowed users that makes a user an approver.
    fn listing(&self, person: Person) -> String {
        self.id_of(person)
    }
    /// Returns the name of a user on cards.
    fn name_of(&self, person: Person) -> &'static str {
        person.name
    }
    /// Returns a message's id as the program stores it.
    fn recorded(&self, message: &Message) -> String {
        message.id.to_string()
    }
    /// Waits until the person who pressed sees this notice: a message of the bot, unless the messenger shows it to them alone.
    fn await_told(&self, _press: &Press, text: &str) {
        let told = self.watch(&mut |messages| messages.iter().any(|it| it.by_bot && it.text == text));
        assert!(told, "{text} did not come; the chat shows {:#?}", self.messages());
    }
    /// Waits until a press is acknowledged without a notice, if a press has a progress indicator.
    fn await_silence(&self, _press: &Press) {}
}

/// What every chat can do, [`Room`] says.
impl Deref for Chat {
    type Target = dyn Room;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl Chat {
    /// Returns a chat of a messenger.
    pub fn of(room: impl Room) -> Self {
        Self(Arc::new(room))
    }

    /// Returns the messenger's own type, for cases about one messenger.
    #[track_caller]
    pub fn room<R: Room>(&self) -> &R {
        self.find_room().expect("a chat of this messenger")
    }

    /// Returns the messenger's own type; `None` if the chat is on another messenger.
    pub fn find_room<R: Room>(&self) -> Option<&R> {
        let room: &dyn Any = &*self.0;
        room.downcast_ref()
    }

    /// Returns the last line of a card that a user answered, up to the time.
    pub fn signed(&self, person: Person) -> String {
        format!("{} · ", self.name_of(person))
    }

    /// Makes calls fail from now on.
    pub fn fail(&self, on: impl Into<On>, fault: Fault) {
        self.wire().fail(on, fault);
    }

    /// Returns the message with this id, as it is now.
    #[track_caller]
    pub fn message(&self, id: u64) -> Message {
        self.messages().into_iter().find(|message| message.id == id).expect("a message with this id")
    }

    /// Returns the cards of all requests so far.
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

    /// Waits for the prompt for a reason of the newest card, because an earlier one may not have ended yet.
    #[track_caller]
    pub fn await_prompt(&self) -> Message {
        let card = self.cards().last().map_or(0, |card| card.id);
        let is_prompt = |message: &Message| message.text.contains("(선택)") || message.text.contains("(optional)");
        self.await_message("a prompt for a reason", |message| message.id > card && is_prompt(message))
    }

    /// Waits until a message shows this text, and has no more choices.
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

    /// Checks that no request broke the platform's rules.
    #[track_caller]
    pub fn assert_clean(&self) {
        self.wire().assert_clean();
    }
}
