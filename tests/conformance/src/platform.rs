use std::collections::BTreeMap;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::{Fault, On, Wire};

use crate::Person;

/// A messenger from the side of its people, and of those who can break it.
///
/// Chats are named by the id that the provider gave them when it opened them.
#[allow(async_fn_in_trait, reason = "used within these tests, on one thread")]
pub trait Platform: Sized {
    /// The provider's name.
    const NAME: &'static str;
    /// The setting that holds its server's URL.
    const SERVER: &'static str = "api-base";
    /// The name of its one secret.
    const SECRET: &'static str = "bot-token";
    /// Whether it cannot work without that secret.
    const NEEDS_SECRET: bool = true;
    /// Cases that it cannot have, and what it lacks for each: by the name of the case, or of the file whose cases are all
    /// about what it lacks.
    const LACKS: &'static [(&'static str, &'static str)] = &[];
    /// Whether it tells who did something. Where it does not, everybody is the same anonymous person.
    const IDENTIFIES: bool = true;
    /// Ids that name no chat there.
    const MALFORMED: &'static [&'static str] =
        &["", "0", "12a", "../../users/@me", "1 2", "９９", "99999999999999999999999"];
    /// Choices that one card shows there at a time.
    const CHOICES: usize = usize::MAX;
    /// Whether code looks like code there.
    const SHOWS_CODE: bool = true;
    /// Whether a message can answer another one.
    const HAS_REPLIES: bool = true;
    /// Whether its component imports WebSockets, besides what all import.
    const HAS_SOCKETS: bool;
    /// The only origins that its manifest names.
    const ORIGINS: &'static [&'static str];
    /// The only places that its manifest names for the token, as they stand in the test.
    const SECRET_PLACES: &'static [&'static str];
    /// The name of the transport that it is used by.
    const TRANSPORT: &'static str;
    /// How people answer there.
    const ANSWERING: Answering;
    /// UTF-16 units of the longest message.
    const LONGEST: usize;
    /// Whether it can refuse a second copy of one message.
    const REFUSES_COPIES: bool;
    /// Whether it tells of a text that it withholds from bots.
    const TELLS_OF_WITHHELD_TEXTS: bool;
    /// Whether a press on a card is told even when nobody asks about that card.
    const TELLS_OF_EVERY_PRESS: bool;
    /// Whether it is told what people do over a connection that it keeps. What happens before there is one is then never
    /// told, and people read that their press failed; and a platform that says nothing cannot be told from a quiet chat.
    const PERSISTENT: bool;
    /// Whether what people write into the chat is read. Else their words come by the form of a prompt.
    const READS_CHAT: bool;
    /// What [`Platform::ail`] can take from the bot.
    const AILMENTS: &'static [Subject];

    /// A server with one bot.
    async fn start() -> Self;
    /// The same, keeping the platform's own rate limits.
    async fn start_strict() -> Self;
    /// Where it is.
    fn base_url(&self) -> String;
    /// The bot's token.
    fn token(&self) -> String;
    /// What the operator sets.
    fn settings(&self) -> BTreeMap<String, String> {
        BTreeMap::from([(Self::SERVER.to_owned(), self.base_url())])
    }
    /// Its wire.
    fn wire(&self) -> &Wire;

    /// A group of [`crate::JIN`], [`crate::MINA`] and the bot, which may do there what it needs.
    fn group(&self) -> Chat;
    /// The private chat with a person.
    fn private(&self, person: Person) -> Chat;
    /// A chat that is not there.
    fn nowhere(&self) -> Chat;

    /// The messages of a chat as people see them now.
    fn shown(&self, chat: &str) -> Vec<Shown>;
    /// Waits until `find` finds something among the messages of a chat.
    async fn await_shown<R>(&self, chat: &str, find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R>;
    /// How a choice looks on a card.
    fn face(choice: &Choice) -> String;

    /// Somebody answers a card. What comes back names the press.
    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String;
    /// Somebody opens the form of a prompt. What comes back names the press; none where the messenger has no forms.
    fn open_form(&self, _prompt: &MessageRef, _by: Person) -> Option<String> {
        None
    }
    /// Whoever pressed writes into the form that opened. What comes back names that; none where there are no forms.
    async fn fill(&self, _press: &str, _text: &str) -> Option<String> {
        None
    }
    /// Somebody writes what a prompt asks for, as this messenger's people do. What carries it: a message, or the prompt.
    async fn write(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        let Some(press) = self.open_form(prompt, by) else { return self.say(&prompt.chat, by, text) };
        assert!(self.fill(&press, text).await.is_some(), "a form opens");
        prompt.clone()
    }
    /// Somebody answers a card with what it never offered, and with what makes no sense.
    fn forge(&self, on: &MessageRef, by: Person);
    /// Somebody who never saw a card answers what it may offer. Nothing where the messenger itself tells which message was
    /// answered.
    fn guess(&self, _chat: &str, _choice: &str) {}
    /// Somebody writes.
    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef;
    /// Somebody answers a message.
    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef;
    /// Somebody sends a file with a caption, or none.
    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef;
    /// Somebody deletes a message.
    fn delete(&self, message: &MessageRef);
    /// Waits until a person was told this about their press on a message.
    async fn await_told(&self, press: &str, on: &MessageRef, text: &str) -> bool;
    /// Lets a press grow so old that nothing can be said about it.
    fn outdate(&self, press: &str, on: &MessageRef);

    /// Takes from the bot what a check is about.
    fn ail(&self, chat: &str, what: Subject);
    /// Withholds from the bot what people write.
    fn withhold_texts(&self, chat: &str);
    /// Whom messages of the bot pinged, and which of them unfold links.
    fn side_effects(&self, chat: &str) -> Vec<String>;

    /// The request that a call of the provider makes first; for looks over a connection that is kept, what opens it.
    fn request(doing: Doing) -> &'static str;
    /// The last request of a card with a file, and how many of that name come before it.
    fn last_of_post() -> (&'static str, usize) {
        (Self::request(Doing::Post), 0)
    }
    /// A trouble in the platform's terms; none where it has no such.
    fn fault(trouble: Trouble) -> Option<Fault>;

    /// Lets this go wrong with the next so many requests of such calls; false where it has no such trouble.
    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let fault = Self::fault(trouble);
        fault.map(|fault| self.wire().fail(On::call(Self::request(doing)).times(times), fault)).is_some()
    }
    /// Whether such a call does without what this spoils: it was carried out, and no word of the reply matters.
    fn needs_no(_doing: Doing, _spoilt: Trouble) -> bool {
        false
    }
    /// Lets this happen to who looks for events, once; false where it has no such trouble.
    fn strike(&self, trouble: Trouble) -> bool {
        self.fail(Doing::Receive, trouble, 1)
    }
    /// Whether what people do until the next look is lost with it, and they see that.
    fn forgets(_trouble: Trouble) -> bool {
        false
    }
    /// Waits until somebody would hear of a press.
    async fn heard(&self) {}
    /// Forgets what has not gone wrong yet.
    fn heal(&self) {
        self.wire().heal();
    }
    /// Lets go what hangs.
    fn release(&self) {
        self.wire().release();
    }
}

/// A call of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// `post`.
    Post,
    /// `revise`.
    Revise,
    /// `receive`, looking at a card.
    Receive,
    /// `receive`, looking for texts.
    ReceiveTexts,
    /// `acknowledge`, with a notice.
    Acknowledge,
    /// `diagnose`.
    Diagnose,
}

/// What goes wrong, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The token was revoked.
    Unauthorized,
    /// The bot may not.
    Forbidden,
    /// There is no such chat.
    NoChat,
    /// Wait for two seconds.
    RateLimited,
    /// Somebody else receives the events.
    Conflict,
    /// A gateway in between says that nobody is there.
    Down,
    /// The platform says that it broke.
    Broken,
    /// The connection breaks before the request was read.
    CutBefore,
    /// The connection breaks after the request was carried out.
    CutAfter,
    /// The connection breaks in the middle of the reply.
    CutInside,
    /// The reply makes no sense.
    Garbled,
    /// The reply is larger than the host takes.
    Huge,
    /// No reply comes, until the wire releases it.
    Hangs,
    /// The platform calls the request malformed.
    Malformed,
    /// What happened comes twice.
    Doubled,
    /// What happened comes in the opposite order.
    Reversed,
    /// A connection that is kept breaks.
    LineCut,
    /// It is closed with this code.
    Closed(u16),
    /// The platform wants another one to be opened.
    SentAway,
    /// The platform wants what it carries to be taken up again after a while.
    Doubted,
    /// The platform has forgotten what it carries.
    Forgotten,
    /// What makes no sense comes over it.
    Nonsense,
}

/// A message as people see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The id of the message.
    pub id: String,
    /// Its place among the messages of its chat, as events of it say.
    pub sequence: u64,
    /// Whether the bot wrote it.
    pub by_bot: bool,
    /// Its words, without markup.
    pub text: String,
    /// The parts of it that are emphasised.
    pub bold: Vec<String>,
    /// The parts of it that are shown as code.
    pub code: Vec<String>,
    /// Markup that took effect besides.
    pub markup: Vec<String>,
    /// Its files: name and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What can be pressed: labels of buttons, or reactions that the bot left.
    pub choices: Vec<String>,
    /// The message that it answers.
    pub reply_to: Option<String>,
}

impl Shown {
    /// Where it is, in that chat.
    pub fn place(&self, chat: &str) -> MessageRef {
        MessageRef { chat: chat.to_owned(), id: self.id.clone(), sequence: self.sequence }
    }
}

impl Trouble {
    /// Everything that can happen to who looks for events.
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

    /// A fault that means the same on every platform.
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
