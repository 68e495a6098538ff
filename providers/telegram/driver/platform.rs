//! The driver of Telegram for the conformance suite.

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::telegram::{Entity, FakeTelegram, Message, Revision, User};
use dmplz_fakes::{Fake, Fault};

use crate::{Doing, JIN, MINA, Person, Platform, SOON, Shown, Trouble, Visitor};

/// Shows its one transport.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Telegram>("telegram");
}

/// Telegram as the conformance suite drives it.
pub struct Telegram {
    fake: FakeTelegram,
    bot: i64,
}

impl Platform for Telegram {
    const NAME: &'static str = "telegram";
    const HAS_SOCKETS: bool = false;
    const ORIGINS: &'static [&'static str] = &["{setting:api-base}"];
    const SECRET_PLACES: &'static [&'static str] =
        &["path /bot{secret:bot-token}/", "path /file/bot{secret:bot-token}/"];
    const TRANSPORT: &'static str = "updates";
    const ANSWERING: Answering = Answering::Buttons;
    const LONGEST: usize = 4096;
    const REFUSES_COPIES: bool = false;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const PERSISTENT: bool = false;
    const READS_CHAT: bool = true;
    const THREADS: bool = true;
    const COMMANDS: bool = true;
    const FILES: bool = true;
    const AILMENTS: &'static [Subject] = &[Subject::Events, Subject::Chat, Subject::Read];

    async fn start() -> Self {
        let fake = FakeTelegram::start().await;
        Self { bot: fake.bot().id, fake }
    }

    /// Starts the platform. The fake has no limits, because Telegram's are not published.
    async fn start_strict() -> Self {
        Self::start().await
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn group(&self) -> Chat {
        let chat = self.fake.group_chat("office", &[user(JIN), user(MINA)]);
        self.fake.set_admin(chat, true);
        Chat::Room(chat.to_string())
    }

    fn private(&self, person: Person) -> Chat {
        Chat::Room(self.fake.private_chat(&user(person)).to_string())
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("-1009999999999".to_owned())
    }

    fn threaded(&self) -> Chat {
        let group = self.group();
        if let Chat::Room(id) = &group {
            self.fake.enable_topics(number(id));
        }
        group
    }

    fn threads(&self, chat: &str) -> Vec<(String, bool)> {
        self.fake.topics(number(chat)).into_values().map(|topic| (topic.name, topic.closed)).collect()
    }

    fn drafts(&self, chat: &str) -> Vec<String> {
        self.fake.drafts(number(chat)).into_iter().map(|draft| draft.text).collect()
    }

    fn delete_thread(&self, thread: &str) {
        self.fake.delete_topic(number(thread), topic(thread).unwrap());
    }

    fn commands(&self, chat: &str, korean: bool) -> Vec<(String, String)> {
        self.fake.commands(number(chat), if korean { "ko" } else { "" })
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake.messages(number(chat)))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake.watch(number(chat), SOON, |messages| find(&self.see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.fake.press_on_old_screen(place(on), &choice.label, &user(by)).unwrap()
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for data in ["", "deny", ":", "Tag:", ":deny", "Tag:DENY", "Tag with blanks:deny", "T:d:e", "\u{0}:\u{0}", "{}"]
        {
            self.fake.forge_press(place(on), data, &user(by));
        }
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        let said = match topic(chat) {
            Some(topic) => self.fake.say_in(number(chat), topic, &user(by), text),
            None => self.fake.say(number(chat), &user(by), text),
        };
        reference(said, chat)
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        reference(self.fake.reply(place(to), &user(by), text), &to.chat)
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        reference(self.fake.attach(number(chat), &user(by), "notes.txt", "notes", caption), chat)
    }

    fn delete(&self, message: &MessageRef) {
        self.fake.delete(place(message));
    }

    async fn await_told(&self, press: &str, _: &MessageRef, text: &str) -> bool {
        self.fake.await_answer(press, SOON).await.is_some_and(|answer| answer.text == text)
    }

    fn outdate(&self, press: &str, _: &MessageRef) {
        self.fake.expire_press(press);
    }

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Events => self.fake.set_webhook(Some("https://elsewhere.example/hook")),
            Subject::Chat => self.fake.block(number(chat)),
            Subject::Read => self.fake.set_admin(number(chat), false),
            other => panic!("Telegram cannot take away {other:?}"),
        }
    }

    fn withhold_texts(&self, chat: &str) {
        self.fake.set_admin(number(chat), false);
    }

    /// Returns the side effects of messages. The fake does not detect links, so the requests show whether links would
    /// unfold.
    fn side_effects(&self, _: &str) -> Vec<String> {
        let calls = self.fake.wire().calls();
        let sent = calls.iter().filter(|call| call.name == "sendMessage" || call.name == "editMessageText");
        let unfolds = sent.filter(|call| call.params["link_preview_options"]["is_disabled"] != true);
        unfolds.map(|call| format!("{} unfolds links: {}", call.name, call.params)).collect()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Post => "sendMessage",
            Doing::Revise => "editMessageText",
            Doing::Receive | Doing::ReceiveTexts => "getUpdates",
            Doing::Acknowledge => "answerCallbackQuery",
            Doing::Diagnose => "getMe",
        }
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        let refused = |status, message: &str| Fault::Refused { status, code: 0, message: message.to_owned() };
        match trouble {
            Trouble::NoChat => Some(refused(400, "Bad Request: chat not found")),
            Trouble::Conflict => Some(Fault::Status(409)),
            Trouble::Malformed => Some(refused(400, "Bad Request: can't parse the request")),
            other => other.of_any_server(),
        }
    }
}

impl Telegram {
    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| see(message, self.bot)).collect()
    }
}

fn see(message: &Message, bot: i64) -> Shown {
    let now = message.now();
    let known = ["bold", "code", "pre"];
    let other = now.entities.iter().filter(|entity| !known.contains(&entity.kind.as_str()));
    Shown {
        id: message.id.to_string(),
        sequence: message.id.try_into().unwrap(),
        by_bot: message.from.id == bot,
        bold: now.marked("bold"),
        // What is code only so that nothing is made of it is shown as text.
        code: now.marked("code").into_iter().filter(|code| !is_live(code)).chain(now.marked("pre")).collect(),
        markup: other.map(|entity| entity.kind.clone()).chain(live(&now)).collect(),
        files: now.document.iter().map(|file| (file.name.clone(), file.bytes.to_vec())).collect(),
        choices: now.keyboard.iter().flatten().map(|button| button.text.clone()).collect(),
        reply_to: message.reply_to.map(|id| id.to_string()),
        text: now.text,
    }
}

/// Returns the words, outside of entities, of which an app makes a mention or a command.
fn live(shown: &Revision) -> Vec<String> {
    let mut units: Vec<u16> = shown.text.encode_utf16().collect();
    for Entity { offset, length, .. } in &shown.entities {
        units[*offset..offset + length].fill(u16::from(b' '));
    }
    let text = String::from_utf16_lossy(&units);
    text.split_whitespace().filter(|word| is_live(word)).map(str::to_owned).collect()
}

fn is_live(word: &str) -> bool {
    let of_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let letters: Vec<char> = std::iter::once(' ').chain(word.chars()).collect();
    letters.windows(3).any(|three| matches!(three[1], '@' | '/') && !of_name(&three[0]) && of_name(&three[2]))
}

fn user(person: Person) -> User {
    User { is_bot: person.is_bot, ..User::person(person.id.try_into().unwrap(), person.name) }
}

/// Returns the number of a chat, also of one whose topic this is.
fn number(id: &str) -> i64 {
    id.split('/').next().unwrap().parse().unwrap()
}

fn topic(id: &str) -> Option<i64> {
    id.split_once('/').map(|(_, topic)| topic.parse().unwrap())
}

fn place(message: &MessageRef) -> (i64, i64) {
    (number(&message.chat), number(&message.id))
}

fn reference(at: dmplz_fakes::telegram::MessageRef, chat: &str) -> MessageRef {
    MessageRef { chat: chat.to_owned(), id: at.id.to_string(), sequence: at.id.try_into().unwrap() }
}
