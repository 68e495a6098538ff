//! Chats of Telegram, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::telegram::{self, Draft, FakeTelegram, User};

use crate::{Chat, Choice, JIN, MIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place::new("telegram", Chat::telegram),
    Place { is_private: false, ..Place::new("telegram_group", Chat::telegram_group) },
];

/// A chat with a bot.
#[derive(Clone, Debug)]
pub struct TelegramRoom {
    /// The server that stands in for Telegram.
    pub fake: FakeTelegram,
    /// The id of the chat where the cards are.
    pub chat: i64,
}

impl Chat {
    /// Creates Jin's private chat with a Telegram bot.
    pub fn telegram() -> Self {
        let fake = FakeTelegram::spawn_thread();
        let chat = fake.private_chat(&user(JIN));
        Self::of(TelegramRoom { fake, chat })
    }

    /// Creates a Telegram group with Jin and Min, in which the bot reads everything.
    pub fn telegram_group() -> Self {
        Self::in_telegram_group(false)
    }

    /// Creates a Telegram group in which the bot reads only replies to it, as new bots do.
    pub fn telegram_group_with_privacy() -> Self {
        Self::in_telegram_group(true)
    }

    /// Creates Jin's private chat with a Telegram bot that has topics.
    pub fn telegram_topics() -> Self {
        let fake = FakeTelegram::spawn_thread();
        let chat = fake.private_chat(&user(JIN));
        fake.enable_topics(chat);
        Self::of(TelegramRoom { fake, chat })
    }

    /// Creates a Telegram group with topics, Jin and Min, in which the bot is an administrator.
    pub fn telegram_forum() -> Self {
        let fake = FakeTelegram::spawn_thread();
        let chat = fake.group_chat("office", &[user(JIN), user(MIN)]);
        fake.set_admin(chat, true);
        fake.enable_topics(chat);
        Self::of(TelegramRoom { fake, chat })
    }

    fn in_telegram_group(privacy: bool) -> Self {
        let fake = FakeTelegram::setup().privacy(privacy).spawn_thread().unwrap();
        let chat = fake.group_chat("office", &[user(JIN), user(MIN)]);
        Self::of(TelegramRoom { fake, chat })
    }
}

impl Room for TelegramRoom {
    fn provider(&self) -> &'static str {
        "telegram"
    }

    fn id(&self) -> String {
        self.chat.to_string()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_TELEGRAM_API_BASE", self.fake.base_url()),
            ("DMPLZ_TELEGRAM_BOT_TOKEN", self.token()),
            ("DMPLZ_TELEGRAM_CHAT_ID", self.id()),
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "sendMessage"
    }

    fn editing(&self) -> &'static str {
        "editMessageText"
    }

    fn polling(&self) -> &'static str {
        "getUpdates"
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        // Asked before, because the server is held while the messages are looked at.
        let bot = self.fake.bot().id;
        let found =
            self.fake.watch_blocking(self.chat, SOON, |messages| is_there(&all_seen(messages, bot)).then_some(()));
        found.is_some()
    }

    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press {
        let (at, label, user) = (self.at(card), choice.label_on(card), user(by));
        let pressed = match is_old {
            true => self.fake.press_on_old_screen(at, label, &user),
            false => self.fake.press(at, label, &user),
        };
        Press(pressed.unwrap())
    }

    fn skip(&self, prompt: &Message, by: Person) {
        self.fake.press(self.at(prompt), &prompt.choices[0], &user(by)).unwrap();
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(self.chat, &user(by), text);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.reply(self.at(to), &user(by), text);
    }

    fn delete(&self, message: &Message) {
        self.fake.delete(self.at(message));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        let other = self.fake.group_chat("another", &[user(by)]);
        self.fake.set_admin(other, true);
        self.fake.say(other, &user(by), text);
    }

    fn await_told(&self, press: &Press, text: &str) {
        let answer = self.fake.await_answer_blocking(&press.0, SOON).expect("an answer to the press");
        assert_eq!((answer.text.as_str(), answer.alert), (text, true));
    }

    fn await_silence(&self, press: &Press) {
        let answer = self.fake.await_answer_blocking(&press.0, SOON).expect("an answer to the press");
        assert_eq!((answer.text.as_str(), answer.alert), ("", false));
    }
}

impl TelegramRoom {
    fn at(&self, message: &Message) -> (i64, i64) {
        (self.chat, i64::try_from(message.id).unwrap())
    }

    /// Begins a topic of the chat for a person. Returns its id.
    pub fn open_topic(&self, by: Person, name: &str) -> i64 {
        self.fake.open_topic(self.chat, &user(by), name)
    }

    /// Waits for a topic whose name contains this.
    #[track_caller]
    pub fn await_topic(&self, name: &str) -> i64 {
        let found = self.fake.await_topic_blocking(self.chat, SOON, |_, topic| topic.name.contains(name));
        found.unwrap_or_else(|| panic!("no topic {name} came: {:?}", self.fake.topics(self.chat)))
    }

    /// Waits for a draft whose text contains this.
    #[track_caller]
    pub fn await_draft(&self, text: &str) -> Draft {
        let found = self.fake.await_draft_blocking(self.chat, SOON, |draft| draft.text.contains(text));
        found.unwrap_or_else(|| panic!("no draft with {text} came: {:?}", self.fake.drafts(self.chat)))
    }

    /// Waits until a topic is closed, or open.
    #[track_caller]
    pub fn await_closed(&self, topic: i64, closed: bool) {
        let found = self.fake.await_topic_blocking(self.chat, SOON, |id, it| id == topic && it.closed == closed);
        assert!(found.is_some(), "{:?}", self.fake.topics(self.chat));
    }

    /// Writes a message into a topic.
    pub fn say_in(&self, topic: i64, by: Person, text: &str) {
        self.fake.say_in(self.chat, topic, &user(by), text);
    }

    /// Sends a file into a topic, with a caption or without.
    pub fn send_in(&self, topic: Option<i64>, by: Person, name: &str, content: &[u8], caption: &str) {
        self.fake.attach_in(self.chat, topic, &user(by), name, content.to_vec(), caption);
    }

    /// Returns whether a message was posted without a sound.
    pub fn is_silent(&self, message: &Message) -> bool {
        self.fake.message(self.at(message)).is_some_and(|message| message.silent)
    }

    /// Returns the topic of a message.
    pub fn topic_of(&self, message: &Message) -> Option<i64> {
        self.fake.message(self.at(message)).and_then(|message| message.topic)
    }
}

fn user(person: Person) -> User {
    User::person(person.id.into(), person.name)
}

fn all_seen(messages: &[telegram::Message], bot: i64) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

fn seen(message: &telegram::Message, bot: i64) -> Message {
    let now = message.now();
    let earlier = &message.revisions[..message.revisions.len() - 1];
    let labels = message.keyboard().iter().flatten().map(|button| button.text.clone());
    Message {
        id: message.id.try_into().unwrap(),
        by_bot: message.from.id == bot,
        text: now.text.clone(),
        choices: labels.collect(),
        files: now.document.into_iter().map(|file| (file.name, file.bytes)).collect(),
        before: earlier.iter().map(|revision| revision.text.clone()).collect(),
        deleted: message.deleted,
    }
}
