//! The driver of Matrix for the conformance suite.

mod html;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::matrix::{FakeMatrix, Message, User};
use dmplz_fakes::{Fake, Fault};

use self::html::read;
use crate::{Doing, JIN, MINA, Person, Platform, ROBOT, SOON, Shown, Trouble, Visitor, codes};

/// Shows the visitor both transports.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Matrix<false>>("matrix");
    visitor.visit::<Matrix<true>>("matrix_typed");
}

/// Matrix as the conformance suite drives it. `TYPED`: people write codes instead of leaving reactions.
pub struct Matrix<const TYPED: bool> {
    fake: FakeMatrix,
}

/// Users and programs look the same.
const PROGRAMS: &str = "Matrix does not tell programs from people";

/// The cases that Matrix does not have, followed by others.
macro_rules! lacks {
    ($($more:tt)*) => {
        &[
            ("a_program_that_presses_is_called_one", PROGRAMS),
            ("a_server_that_nobody_granted_is_never_reached", "its server is always a setting, and who sets it grants it"),
            ("a_chat_that_is_not_there_is_not_found", "a room that is not there looks like one that the bot is not in"),
            $($more)*
        ]
    };
}

const LACKS: &[(&str, &str)] = lacks![];
/// The cases that codes do not have.
const LACKS_TYPED: &[(&str, &str)] =
    lacks![("each_person_who_comes_late_is_told_once", "who types the code of a denial too late is told so each time")];

impl<const TYPED: bool> Platform for Matrix<TYPED> {
    const NAME: &'static str = "matrix";
    const SERVER: &'static str = "homeserver";
    const SECRET: &'static str = "access-token";
    const EXCHANGED: Option<&'static str> = Some("refresh-token");
    /// The two transports do the same with either secret, so each is tried with one of them.
    const GIVEN: &'static str = if TYPED { "refresh-token" } else { "access-token" };
    const ID_PREFIX: &'static str = "@user";
    const ID_SUFFIX: &'static str = ":example.org";
    const LACKS: &'static [(&'static str, &'static str)] = if TYPED { LACKS_TYPED } else { LACKS };
    const HAS_SOCKETS: bool = false;
    const ORIGINS: &'static [&'static str] = &["{setting:homeserver}"];
    const SECRET_PLACES: &'static [&'static str] =
        &["header authorization: Bearer {secret:access-token}", "header authorization: Bearer {secret:refresh-token}"];
    const TRANSPORT: &'static str = if TYPED { "typed" } else { "sync" };
    const ANSWERING: Answering = if TYPED { Answering::Typed } else { Answering::Reactions };
    const MALFORMED: &'static [&'static str] = &[
        "", "!", "0", "12a", "../../users/@me", "!a b", "!９９", "#room:example.org", "@name", "@:example.org",
        "@name:",
    ];
    const CHOICES: usize = if TYPED { 12 } else { 4 };
    /// Our own limit; 65,536 bytes of an event allow it in any script.
    const LONGEST: usize = 8000;
    const REFUSES_COPIES: bool = true;
    const TELLS_OF_WITHHELD_TEXTS: bool = true;
    const TELLS_OF_EVERY_PRESS: bool = !TYPED;
    const PERSISTENT: bool = false;
    const READS_CHAT: bool = true;
    const FILES: bool = true;
    const AILMENTS: &'static [Subject] =
        if TYPED { &[Subject::Chat, Subject::Post] } else { &[Subject::Chat, Subject::Post, Subject::React] };

    async fn start() -> Self {
        Self { fake: FakeMatrix::start().await }
    }

    async fn start_strict() -> Self {
        let it = Self::start().await;
        it.fake.limit_events();
        it
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn token(&self) -> String {
        if TYPED { self.fake.refresh_token() } else { self.fake.token() }.to_owned()
    }

    fn group(&self) -> Chat {
        Chat::Room(self.fake.room(&[JIN, MINA, ROBOT].map(user)))
    }

    fn private(&self, person: Person) -> Chat {
        self.fake.dm(&user(person));
        Chat::Person(user(person).id)
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("!nowhere".to_owned())
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake.messages(chat))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake.watch(chat, SOON, |messages| find(&self.see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        if !TYPED {
            return self.fake.tap((&on.chat, &on.id), &user(by), &choice.emoji);
        }
        let code = self.fake.messages(&on.chat).iter().find(|message| message.id == on.id).and_then(|message| {
            // People may still see what the card said before.
            let text = |at: usize| {
                let content = &message.contents[at];
                seen(content["formatted_body"].as_str(), content["body"].as_str()).text
            };
            let mut shown = (0..message.contents.len()).rev().flat_map(|at| codes(&text(at)).1);
            shown.find(|(_, label)| *label == choice.label).map(|(code, _)| code)
        });
        self.fake.say(&on.chat, &user(by), &code.expect("a code of the card"))
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for text in ["✅", "approve", "ok", "1", "BCDFG"] {
            TYPED.then(|| self.fake.say(&on.chat, &user(by), text));
        }
        for emoji in ["👍", "✅\u{200d}", "deny", ""] {
            self.fake.react((&on.chat, &on.id), &user(by), emoji);
        }
        let taken_back = self.fake.react((&on.chat, &on.id), &user(by), "✅");
        self.fake.delete((&on.chat, &taken_back), &user(by));
        let theirs = self.fake.imitate((&on.chat, &on.id), &user(by));
        self.fake.react((&on.chat, &theirs), &user(by), "✅");
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        let id = match by.is_bot {
            true => self.fake.notice(chat, &user(by), text),
            false => self.fake.say(chat, &user(by), text),
        };
        self.reference(chat, id)
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        self.reference(&to.chat, self.fake.reply((&to.chat, &to.id), &user(by), text))
    }

    fn gone_file(&self) -> String {
        "example.org/gone".to_owned()
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        self.reference(chat, self.fake.attach(chat, &user(by), "notes.txt", "notes", caption))
    }

    fn delete(&self, message: &MessageRef) {
        self.fake.delete((&message.chat, &message.id), &user(JIN));
    }

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Chat => self.fake.set_bot(chat, "leave"),
            Subject::Post => self.fake.forbid(chat, "m.room.message"),
            Subject::React => self.fake.forbid(chat, "m.reaction"),
            other => panic!("a room cannot take away {other:?}"),
        }
    }

    /// Turns encryption on: then texts come encrypted, and only answers of apps that do not encrypt can be read.
    fn withhold_texts(&self, chat: &str) {
        self.fake.encrypt(chat, &user(JIN));
    }

    /// Returns whom messages notify. Whether links unfold is up to the people's apps.
    fn side_effects(&self, chat: &str) -> Vec<String> {
        let messages = self.fake.messages(chat);
        let contents = messages.iter().filter(|it| it.sender == self.fake.bot()).flat_map(|it| &it.contents);
        let loud = contents.filter(|content| content["m.mentions"].as_object().is_none_or(|it| !it.is_empty()));
        loud.map(|content| content.to_string()).collect()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Post | Doing::Acknowledge => "message",
            Doing::Revise => "edit",
            Doing::Receive | Doing::ReceiveTexts => "sync",
            Doing::Diagnose => "whoami",
        }
    }

    fn last_of_post() -> (&'static str, usize) {
        if TYPED { (Self::request(Doing::Post), 1) } else { ("reaction", 1) }
    }

    /// An edit whose reply is lost is there, and is not sent again.
    fn needs_no(doing: Doing, spoilt: Trouble) -> bool {
        doing == Doing::Revise && matches!(spoilt, Trouble::CutInside | Trouble::Garbled | Trouble::Huge)
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        let refused = |status, code, message: &str| Fault::Refused { status, code, message: message.to_owned() };
        match trouble {
            Trouble::NoChat => Some(Fault::Status(404)),
            Trouble::Malformed => Some(refused(400, 0, "Content not JSON.")),
            // The order of a room's events is the homeserver's.
            Trouble::Reversed => None,
            other => other.of_any_server(),
        }
    }
}

impl<const TYPED: bool> Matrix<TYPED> {
    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| see(message, self.fake.bot())).collect()
    }

    fn reference(&self, chat: &str, id: String) -> MessageRef {
        let sequence = self.fake.messages(chat).iter().find(|message| message.id == id).unwrap().at;
        MessageRef { chat: chat.to_owned(), id, sequence }
    }
}

fn seen(formatted: Option<&str>, body: Option<&str>) -> html::Read {
    match formatted {
        Some(html) => read(html),
        None => html::Read { text: body.unwrap_or_default().to_owned(), ..html::Read::default() },
    }
}

fn see(message: &Message, bot: &str) -> Shown {
    let now = message.now();
    let read = seen(now["formatted_body"].as_str(), now["body"].as_str());
    // A card either has reactions or codes in its text.
    let (text, codes) = codes(&read.text);
    let codes = codes.into_iter().map(|(_, label)| label);
    Shown {
        id: message.id.clone(),
        sequence: message.at,
        by_bot: message.sender == bot,
        text: if message.file.is_some() { String::new() } else { text },
        bold: read.bold,
        code: read.code,
        markup: read.markup,
        files: message.file.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect(),
        choices: message.reactions_of(bot).into_iter().chain(codes).collect(),
        reply_to: message.reply_to.clone(),
    }
}

fn user(person: Person) -> User {
    User { id: person.id_on::<Matrix<false>>(), name: person.name.to_owned() }
}
