use std::collections::BTreeMap;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject, User};
use dmplz_fakes::{Fake, Fault, On, Wire};

use crate::Person;

/// A messenger as the cases use it: the actions of its people, its failures, and what its people see.
///
/// Chats are identified by the id that the provider returned when it opened them.
#[allow(async_fn_in_trait, reason = "used within these tests, on one thread")]
pub trait Platform: Sized {
    /// The provider's name.
    const NAME: &'static str;
    /// The name of the setting with its server's URL.
    const SERVER: &'static str = "api-base";
    /// The name of its secret, of the first where it has two.
    const SECRET: &'static str = "bot-token";
    /// The name of its second secret, which is required.
    const OTHER_SECRET: Option<&'static str> = None;
    /// The secret that may be given in place of the first, and that the host exchanges.
    const EXCHANGED: Option<&'static str> = None;
    /// The one of both that the accounts of the tests have: its value is [`Platform::token`].
    const GIVEN: &'static str = Self::SECRET;
    /// The origins to which its secrets belong.
    const SECRET_ORIGINS: &'static [&'static str] = Self::ORIGINS;
    /// What its users' ids have before the number of a [`Person`].
    const ID_PREFIX: &'static str = "";
    /// What they have after it.
    const ID_SUFFIX: &'static str = "";
    /// Whether the provider requires that secret.
    const NEEDS_SECRET: bool = true;
    /// The cases that the platform cannot run, each with the reason: by the name of the case, or of a file all of
    /// whose cases are excluded. A name that does not exist fails a test.
    const LACKS: &'static [(&'static str, &'static str)] = &[];
    /// Whether it identifies its users. If it does not, everybody is the same anonymous user.
    const IDENTIFIES: bool = true;
    /// Ids that are invalid for a chat.
    const MALFORMED: &'static [&'static str] =
        &["", "0", "12a", "../../users/@me", "1 2", "９９", "99999999999999999999999"];
    /// The most choices that one card shows at a time.
    const CHOICES: usize = usize::MAX;
    /// Whether code is displayed differently from text.
    const SHOWS_CODE: bool = true;
    /// Whether a message can reply to another one.
    const HAS_REPLIES: bool = true;
    /// Whether its component imports WebSockets in addition to the imports of all components.
    const HAS_SOCKETS: bool;
    /// The only origins that its manifest names.
    const ORIGINS: &'static [&'static str];
    /// The only places that its manifest declares for its secrets, in the notation of the test.
    const SECRET_PLACES: &'static [&'static str];
    /// The name of its transport.
    const TRANSPORT: &'static str;
    /// How people answer there.
    const ANSWERING: Answering;
    /// The length of the longest message, in UTF-16 units.
    const LONGEST: usize;
    /// The length of the longest text that a form takes.
    const FORM: usize = 4000;
    /// Whether it can reject a duplicate of a message.
    const REFUSES_COPIES: bool;
    /// Whether it reports a message whose text it withholds from bots.
    const TELLS_OF_WITHHELD_TEXTS: bool;
    /// Whether it reports a press on a card even if no process watches that card.
    const TELLS_OF_EVERY_PRESS: bool;
    /// Whether it delivers events over a persistent connection. Events before the connection exists are then lost,
    /// and people see that their press failed; and a silent platform looks like a quiet chat.
    const PERSISTENT: bool;
    /// Whether messages in the chat are read. Otherwise texts arrive only from the form of a prompt.
    const READS_CHAT: bool;
    /// Whether it has threads.
    const THREADS: bool = false;
    /// Whether it has commands.
    const COMMANDS: bool = false;
    /// Whether it delivers the files that people send.
    const FILES: bool = false;
    /// What [`Platform::ail`] can break for the bot.
    const AILMENTS: &'static [Subject];

    /// Starts a server with one bot.
    async fn start() -> Self;
    /// Starts a server that applies the platform's own rate limits.
    async fn start_strict() -> Self;
    /// Returns the fake server that the platform runs on.
    fn server(&self) -> &dyn Fake;
    /// Returns the URL of the server.
    fn base_url(&self) -> String {
        self.server().base_url()
    }
    /// Returns the bot's token.
    fn token(&self) -> String {
        self.server().token().to_owned()
    }
    /// Returns the value of [`Platform::OTHER_SECRET`].
    fn other_token(&self) -> String {
        String::new()
    }
    /// Returns the operator's settings.
    fn settings(&self) -> BTreeMap<String, String> {
        BTreeMap::from([(Self::SERVER.to_owned(), self.base_url())])
    }
    /// Returns the record of its requests.
    fn wire(&self) -> &Wire {
        self.server().wire()
    }

    /// Returns a group of [`crate::JIN`], [`crate::MINA`] and the bot, in which the bot has all permissions that it
    /// needs.
    fn group(&self) -> Chat;
    /// Returns the private chat with a person.
    fn private(&self, person: Person) -> Chat;
    /// Returns a chat that does not exist.
    fn nowhere(&self) -> Chat;
    /// Returns a group as [`Platform::group`] does, that has threads.
    fn threaded(&self) -> Chat {
        self.group()
    }
    /// Returns the threads of a chat, each with its name and whether it is closed.
    fn threads(&self, _chat: &str) -> Vec<(String, bool)> {
        Vec::new()
    }
    /// Returns the drafts that people saw in a private chat, oldest first.
    fn drafts(&self, _chat: &str) -> Vec<String> {
        Vec::new()
    }
    /// Deletes a thread, by the id that the provider returned.
    fn delete_thread(&self, _thread: &str) {}
    /// Returns the names of the commands that people see in a chat, each with its description in their language.
    fn commands(&self, _chat: &str, _korean: bool) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Uses a command in a chat or thread as a person, with what follows it.
    fn command(&self, chat: &str, by: Person, name: &str, text: &str) {
        self.say(chat, by, &format!("/{name} {text}"));
    }

    /// Returns the messages of a chat as people see them now.
    fn shown(&self, chat: &str) -> Vec<Shown>;
    /// Waits until `find` returns a value for the messages of a chat.
    async fn await_shown<R>(&self, chat: &str, find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R>;
    /// Returns the label or reaction of a choice on a card.
    fn face(choice: &Choice) -> String {
        if Self::ANSWERING.has_labels() { choice.label.clone() } else { choice.emoji.clone() }
    }

    /// Presses a choice of a card as a person. Returns the id of the press.
    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String;
    /// Opens the form of a prompt as a person. Returns the id of the press; `None` if the messenger has no forms.
    fn open_form(&self, _prompt: &MessageRef, _by: Person) -> Option<String> {
        None
    }
    /// Writes into the form that a press opened. Returns the id of the submission; `None` if there are no forms.
    async fn fill(&self, _press: &str, _text: &str) -> Option<String> {
        None
    }
    /// Answers a prompt for a text in this messenger's way. Returns the message that carries the text, or the prompt.
    async fn write(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        let Some(press) = self.open_form(prompt, by) else { return self.say(&prompt.chat, by, text) };
        assert!(self.fill(&press, text).await.is_some(), "a form opens");
        prompt.clone()
    }
    /// Answers a card with choices that it never offered, and with invalid data.
    fn forge(&self, on: &MessageRef, by: Person);
    /// Answers as a person who never saw the card and guesses a choice. Does nothing if the messenger itself reports
    /// which message was answered.
    fn guess(&self, _chat: &str, _choice: &str) {}
    /// Writes a message as a person.
    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef;
    /// Lets a program write a message that has a person's id, such as a webhook of theirs. Returns false if the platform has none.
    fn automate(&self, _chat: &str, _of: Person, _text: &str) -> bool {
        false
    }
    /// Replies to a message as a person.
    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef;
    /// Sends a file as a person, with a caption or without.
    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef;
    /// Sends `notes.txt`, which contains `notes`, in the way in which files reach the bot, with a text.
    fn send_file(&self, chat: &str, by: Person, text: &str) {
        self.attach(chat, by, text);
    }
    /// Returns the id of a file that is gone, as the provider would have told it.
    fn gone_file(&self) -> String {
        "gone".to_owned()
    }
    /// Deletes a message as a person.
    fn delete(&self, message: &MessageRef);
    /// Waits until a person sees this notice about their press on a message: a message of the bot, unless the messenger shows it
    /// to them alone. Returns whether it appeared.
    async fn await_told(&self, _press: &str, on: &MessageRef, text: &str) -> bool {
        let is_it = |shown: &&Shown| shown.by_bot && shown.text == text;
        self.await_shown(&on.chat, |shown| shown.iter().find(is_it).map(|_| ())).await.is_some()
    }
    /// Makes a press so old that it cannot be acknowledged. A reaction ends with its message.
    fn outdate(&self, _press: &str, on: &MessageRef) {
        self.delete(on);
    }

    /// Breaks for the bot what a check is about.
    fn ail(&self, chat: &str, what: Subject);
    /// Withholds the texts of messages from the bot.
    fn withhold_texts(&self, chat: &str);
    /// Returns whom messages of the bot mentioned, and which of them unfold links.
    fn side_effects(&self, chat: &str) -> Vec<String>;

    /// Returns the name of the first request of a call; for polls over a persistent connection, of the request that
    /// opens it.
    fn request(doing: Doing) -> &'static str;
    /// Returns the name of the last request that posts a card with a file, and how many of that name precede it.
    fn last_of_post() -> (&'static str, usize) {
        (Self::request(Doing::Post), 0)
    }
    /// Returns the platform's form of a trouble; `None` if it does not have it.
    fn fault(trouble: Trouble) -> Option<Fault>;

    /// Makes the next requests of such a call fail, as many as given. Returns false if the platform does not have the
    /// trouble.
    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let fault = Self::fault(trouble);
        fault.map(|fault| self.wire().fail(On::call(Self::request(doing)).times(times), fault)).is_some()
    }
    /// How often a request is refused before the provider hears of it: a token that was exchanged is renewed once.
    fn refusals() -> usize {
        if Self::EXCHANGED == Some(Self::GIVEN) { 2 } else { 1 }
    }
    /// Returns whether the call succeeds in spite of the trouble, because it was carried out and the reply is not
    /// needed.
    fn needs_no(_doing: Doing, _spoilt: Trouble) -> bool {
        false
    }
    /// Makes the next poll for events fail once. Returns false if the platform does not have the trouble.
    fn strike(&self, trouble: Trouble) -> bool {
        self.fail(Doing::Receive, trouble, 1)
    }
    /// Returns whether events until the next poll are lost with it, which people see.
    fn forgets(_trouble: Trouble) -> bool {
        false
    }
    /// Waits until a press would be delivered.
    async fn heard(&self) {}
    /// Removes failures that have not occurred yet.
    fn heal(&self) {
        self.wire().heal();
    }
    /// Releases requests that hang.
    fn release(&self) {
        self.wire().release();
    }
}

/// A call of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// A call of `post`.
    Post,
    /// A call of `revise`.
    Revise,
    /// A call of `receive` that watches a card.
    Receive,
    /// A call of `receive` that reads texts.
    ReceiveTexts,
    /// A call of `acknowledge` with a notice.
    Acknowledge,
    /// A call of `diagnose`.
    Diagnose,
}

/// A failure, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The token was revoked.
    Unauthorized,
    /// The bot lacks a permission.
    Forbidden,
    /// The chat does not exist.
    NoChat,
    /// The platform asks to wait for two seconds.
    RateLimited,
    /// Another program receives the events.
    Conflict,
    /// A proxy reports that the platform is unreachable.
    Down,
    /// The platform reports an internal error.
    Broken,
    /// The connection breaks before the request was read.
    CutBefore,
    /// The connection breaks after the request was carried out.
    CutAfter,
    /// The connection breaks in the middle of the reply.
    CutInside,
    /// The reply is invalid.
    Garbled,
    /// The reply is larger than the host accepts.
    Huge,
    /// No reply arrives until the wire releases it.
    Hangs,
    /// The platform rejects the request as malformed.
    Malformed,
    /// Events arrive twice.
    Doubled,
    /// Events arrive in the opposite order.
    Reversed,
    /// A persistent connection breaks.
    LineCut,
    /// A persistent connection is closed with this code.
    Closed(u16),
    /// The platform asks for a new connection.
    SentAway,
    /// The platform asks for the session to be resumed after a while.
    Doubted,
    /// The platform has forgotten the session.
    Forgotten,
    /// An invalid frame arrives over it.
    Nonsense,
}

/// A message as people see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The id of the message.
    pub id: String,
    /// Its position among the messages of its chat, as in its events.
    pub sequence: u64,
    /// Whether the bot wrote it.
    pub by_bot: bool,
    /// Its text, without markup.
    pub text: String,
    /// The emphasized parts of its text.
    pub bold: Vec<String>,
    /// The parts of its text that are displayed as code.
    pub code: Vec<String>,
    /// Other markup that took effect.
    pub markup: Vec<String>,
    /// Its files: names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// The labels of its buttons, or the bot's reactions.
    pub choices: Vec<String>,
    /// The message to which it replies.
    pub reply_to: Option<String>,
}

impl Shown {
    /// Returns its reference in that chat.
    pub fn place(&self, chat: &str) -> MessageRef {
        MessageRef { chat: chat.to_owned(), id: self.id.clone(), sequence: self.sequence }
    }
}

impl Trouble {
    /// All troubles that can happen to a poll for events.
    pub const OF_A_LOOK: [Self; 19] = [
        Self::Unauthorized,
        Self::Forbidden,
        Self::RateLimited,
        Self::Conflict,
        Self::Down,
        Self::Broken,
        Self::CutBefore,
        Self::CutAfter,
        Self::CutInside,
        Self::Garbled,
        Self::Huge,
        Self::Hangs,
        Self::LineCut,
        Self::Closed(4000),
        Self::Closed(4007),
        Self::SentAway,
        Self::Doubted,
        Self::Forgotten,
        Self::Nonsense,
    ];

    /// Returns the fault, if it has the same form on every platform.
    pub(crate) fn of_any_server(self) -> Option<Fault> {
        Some(match self {
            Self::Unauthorized => Fault::Status(401),
            Self::Forbidden => Fault::Status(403),
            Self::RateLimited => Fault::RateLimited { retry_after: std::time::Duration::from_secs(2), global: false },
            Self::Down => Fault::Html(502),
            Self::Broken => Fault::Status(500),
            Self::CutBefore => Fault::CutBefore,
            Self::CutAfter => Fault::CutAfter,
            Self::CutInside => Fault::CutInside,
            Self::Garbled => Fault::Garbled,
            Self::Huge => Fault::Huge(5 << 20),
            Self::Hangs => Fault::HeldBefore,
            Self::Doubled => Fault::Doubled,
            Self::Reversed => Fault::Reversed,
            _ => return None,
        })
    }
}

impl Person {
    /// Returns the person's id on this platform.
    pub fn id_on<P: Platform>(self) -> String {
        format!("{}{}{}", P::ID_PREFIX, self.id, P::ID_SUFFIX)
    }

    /// Returns the user as the host knows them on this platform.
    pub fn known<P: Platform>(self) -> User {
        match P::IDENTIFIES {
            true => User { id: self.id_on::<P>(), name: self.name.to_owned(), is_bot: self.is_bot },
            false => User::anonymous(),
        }
    }
}
