//! What the host and a messenger's provider tell each other, as plain data: the Rust side of `wit/types.wit`, where
//! each item is described in full. Lengths in "units" are UTF-16 code units.

/// Where cards go, as the operator configured it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Chat {
    /// A chat, group or channel, by its id.
    Room(String),
    /// One person, by their id.
    Person(String),
}

/// A chat that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenChat {
    /// Its id, as in every [`MessageRef`] of it.
    pub id: String,
    /// The only person in it, when it is private.
    pub owner: Option<String>,
    /// Whether the messenger tells who does something in it.
    pub users: Users,
}

/// A message in a messenger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MessageRef {
    /// The chat that holds it.
    pub chat: String,
    /// Its id in that chat.
    pub id: String,
    /// Grows with every message of the chat.
    pub sequence: u64,
}

/// Somebody in a chat. The name is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct User {
    /// The messenger's stable id.
    pub id: String,
    /// The name that people see, as the messenger tells it.
    pub name: String,
    /// Whether it is a program.
    pub is_bot: bool,
}

impl User {
    /// Somebody of whom the messenger does not tell who they are.
    pub fn anonymous() -> Self {
        Self { id: "anonymous".to_owned(), name: "anonymous".to_owned(), is_bot: false }
    }
}

/// One way to answer a card.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// Names the choice on its card: `[a-z0-9-]{1,16}`.
    pub id: String,
    /// What a button says, at most 64 units.
    pub label: String,
    /// The reaction that stands for it.
    pub emoji: String,
    /// How a button looks.
    pub style: ButtonStyle,
    /// Choices of one row stand side by side.
    pub row: u8,
    /// Words that it asks for at once, where the messenger has forms.
    pub field: Option<TextField>,
}

/// What a choice means, for messengers that colour their buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ButtonStyle {
    /// What most people want.
    Primary,
    /// The choice allows something.
    Success,
    /// The choice denies something.
    Danger,
    /// The choice answers nothing by itself.
    Secondary,
}

/// Words that a choice asks for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextField {
    /// What the form is about, at most 45 units.
    pub title: String,
    /// What to write, at most 45 units.
    pub label: String,
    /// Shown while nothing is written, at most 100 units.
    pub placeholder: String,
    /// Units that are taken.
    pub max: usize,
}

impl Choice {
    /// A choice in the first row, whose label begins with the emoji that is its reaction.
    pub fn new(id: &str, label: &str, style: ButtonStyle) -> Self {
        let emoji = label.split(' ').next().unwrap_or_default();
        Self { id: id.into(), label: label.into(), emoji: emoji.into(), style, row: 0, field: None }
    }
}

/// A file that goes with a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The name under which people save it.
    pub name: String,
    /// For example `text/plain; charset=utf-8`.
    pub media_type: String,
    /// The content of the file.
    pub data: Vec<u8>,
}

/// One part of a card's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Words that are shown literally, without any markup.
    Text(String),
    /// Words of ours with one `code span` between backquotes.
    Hint(String),
    /// A monospaced text that is shown literally.
    Code(String),
    /// A file that is sent with the card.
    File(Attachment),
}

/// How a request, a prompt or a notice looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Identifies the card across processes, [A-Za-z0-9]{1,22}.
    pub tag: String,
    /// The first line of the card, emphasised.
    pub title: String,
    /// In the order shown.
    pub body: Vec<Block>,
    /// Empty for a notice and for a final state.
    pub choices: Vec<Choice>,
    /// The message that it answers.
    pub reply_to: Option<MessageRef>,
    /// Whether it asks somebody to write.
    pub wants_text: bool,
}

/// A card that waits for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The message on which the card is.
    pub message: MessageRef,
    /// The choices that it offered.
    pub choices: Vec<Choice>,
    /// Whether texts after it are wanted too.
    pub text: bool,
}

/// Somebody pressed a button or left a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The message on which the card is.
    pub message: MessageRef,
    /// The card's tag, where the press carries it.
    pub tag: Option<String>,
    /// Id of the choice.
    pub choice: String,
    /// The person who pressed.
    pub user: User,
    /// What an acknowledgement takes; empty where there is none.
    pub token: String,
    /// What they wrote into the choice's field.
    pub text: Option<String>,
}

/// Somebody wrote a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The message that was written.
    pub message: MessageRef,
    /// The message to which it replies, if it does.
    pub reply_to: Option<MessageRef>,
    /// The person who wrote.
    pub user: User,
    /// The words that were written.
    pub text: String,
}

/// Something a person did in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A press or a reaction.
    Chosen(Chosen),
    /// Somebody wrote in the chat.
    Said(Said),
}

/// What one look for events brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// In the order in which they happened, as far as the messenger tells.
    pub events: Vec<Event>,
    /// Where the next look goes on.
    pub cursor: String,
}

/// How people answer on a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answering {
    /// Buttons; presses can be acknowledged.
    Buttons,
    /// Reactions; a keyword that ends a prompt is typed.
    Reactions,
}

/// What a messenger takes at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Units in all texts of a card.
    pub text: usize,
    /// Choices on a card.
    pub choices: usize,
    /// Bytes of an attachment; 0 where there are none.
    pub attachment: usize,
    /// Units in an acknowledgement.
    pub notice: usize,
}

/// What a setting is, in one line for each language.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Words {
    /// The words in English.
    pub en: String,
    /// Korean; empty where the provider's author wrote none.
    pub ko: String,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingKind {
    /// The setting takes any text.
    Text,
    /// An `http` or `https` URL.
    Url,
    /// A `ws` or `wss` URL.
    SocketUrl,
}

/// A setting that a provider takes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SettingSpec {
    /// Names the setting within its messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Tells people what the setting is for.
    pub help: Words,
    /// The kind of value that the setting takes.
    pub kind: SettingKind,
    /// Whether the provider cannot work without it.
    pub required: bool,
    /// Used when the operator sets nothing.
    pub default: Option<String>,
}

/// A secret that a provider wants used for it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SecretSpec {
    /// Names the secret within its messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Tells people what the secret is, and where it comes from.
    pub help: Words,
    /// Whether the provider cannot work without it.
    pub required: bool,
    /// The only origins that it may be sent to.
    pub origins: Vec<String>,
    /// The only places in what is sent where it may stand.
    pub places: Vec<SecretPlace>,
}

/// A place for a secret in a request or a frame, with its placeholder `{secret:NAME}`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretPlace {
    /// A URL's path: how it begins where this ends in `/`, all of it where not.
    Path(String),
    /// A header, and the whole of its value.
    Header {
        /// `authorization`, or a name that ends in `-token` or `-key`.
        name: String,
        /// With the placeholder once.
        value: String,
    },
    /// A string of a JSON frame.
    Frame {
        /// JSON pointer to the string.
        pointer: String,
        /// The only kind of frame; none for every frame.
        kind: Option<FrameKind>,
    },
}

/// A kind of frame, told by one value in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FrameKind {
    /// JSON pointer to the value.
    pub pointer: String,
    /// The value, as JSON.
    pub value: String,
}

/// What the id in a chat's setting names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatKind {
    /// A chat, group or channel.
    Room,
    /// Direct messages with one person.
    Person,
}

/// A setting in which the operator names the chat to ask in.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChatSpec {
    /// Names the setting that holds the chat's id: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Tells people which chat is meant, and how its id is found.
    pub help: Words,
    /// What its value names.
    pub kind: ChatKind,
}

/// Whether a messenger tells who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Users {
    /// The messenger vouches for the id of each user.
    Identified,
    /// Whoever reaches the chat can send any event: each of them is of [`User::anonymous`].
    Anonymous,
}

/// What a provider says of itself.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Manifest {
    /// Names the messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// The version of the component, by the rules of semantic versioning.
    pub version: String,
    /// The settings that the component takes.
    pub settings: Vec<SettingSpec>,
    /// Secrets it wants used.
    pub secrets: Vec<SecretSpec>,
    /// Settings that name the chat, at least one; of those that are set the first counts.
    pub chats: Vec<ChatSpec>,
    /// Whether it tells who did something.
    pub users: Users,
    /// Origins it wants to reach.
    pub origins: Vec<String>,
    /// How it can work, at least one.
    pub transports: Vec<Transport>,
}

/// One of the ways in which a provider reaches its messenger: long polling, reactions, a connection that is kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Transport {
    /// Names the transport within its messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Tells people in one English line how the transport works.
    pub help: String,
    /// What the messenger takes at most.
    pub limits: Limits,
    /// Whether people answer with buttons or with reactions.
    pub answering: Answering,
    /// Milliseconds between two looks for events; 0 where a look waits by itself.
    pub poll_interval: u32,
    /// Whether it wants a process that stays, and brings what people do on every card.
    pub persistent: bool,
    /// Whether what people write in the chat is brought. Else words come by the field of a choice alone.
    pub reads_chat: bool,
}

/// How long the process that uses a messenger lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tenure {
    /// As long as one request is open.
    #[default]
    Request,
    /// As long as the gateway runs.
    Service,
}

impl ChatKind {
    /// The chat of that id.
    pub fn chat(self, id: String) -> Chat {
        match self {
            Self::Room => Chat::Room(id),
            Self::Person => Chat::Person(id),
        }
    }
}

impl Manifest {
    /// The transport to use: the one that the operator named, or else the one that fits. None where there is none of that
    /// name.
    pub fn transport(&self, named: Option<&str>, tenure: Tenure) -> Option<&Transport> {
        let fits = |persistent| self.transports.iter().find(|transport| transport.persistent == persistent);
        match (named, tenure) {
            (Some(name), _) => self.transports.iter().find(|transport| transport.name == name),
            (None, Tenure::Request) => fits(false),
            (None, Tenure::Service) => fits(true).or_else(|| fits(false)),
        }
    }
}

/// What a check was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Nothing else takes the bot's events.
    Events,
    /// The chat exists and the bot is in it.
    Chat,
    /// Whether the bot may post in the chat.
    Post,
    /// Whether the bot may leave reactions.
    React,
    /// It may attach files.
    Attach,
    /// It may read what people write.
    Read,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub subject: Subject,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was seen, in English.
    pub detail: String,
}

/// What a provider found about token, chat and rights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The bot's id at the messenger.
    pub bot_id: String,
    /// The bot's name, as people see it.
    pub bot_name: String,
    /// What was looked at, and what was found.
    pub checks: Vec<Check>,
}

/// How a person reaches a bot that knows no chat yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// The bot's id at the messenger.
    pub bot_id: String,
    /// The bot's name, as people see it.
    pub bot_name: String,
    /// What was looked at, and what was found.
    pub checks: Vec<Check>,
    /// Lets the bot into a chat, where somebody has to.
    pub invite: Option<String>,
    /// Opens the chat with the bot and sends the code with one press.
    pub link: Option<String>,
    /// What the person writes where no link does it.
    pub message: String,
}

/// Somebody who wrote to the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// Where they wrote, as the operator would configure it.
    pub chat: Chat,
    /// The person who wrote.
    pub user: User,
    /// The code that they gave. Untrusted.
    pub code: String,
}

/// What one look for greetings brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// In the order in which they were written.
    pub greetings: Vec<Greeting>,
    /// Where the next look goes on.
    pub cursor: String,
}

/// Why a provider did not do what it was asked. One message names what happened; what to do about it is said at the
/// edge, where the messenger is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Too many requests; milliseconds to wait, where known.
    #[error("the messenger takes no more requests for now")]
    RateLimited(Option<u32>),
    /// The token is wrong or revoked.
    #[error("the bot cannot log in: its token was not accepted")]
    Unauthorized,
    /// The bot may not do this here.
    #[error("the bot may not act there{}", detail(.0))]
    Denied(Option<String>),
    /// No such chat or message.
    #[error("the chat or message was not found")]
    NotFound,
    /// Somebody else receives this bot's events.
    #[error("another program receives this bot's events{}", detail(.0))]
    Conflict(Option<String>),
    /// Larger than the messenger takes.
    #[error("the message is too large for the messenger")]
    TooLarge,
    /// A setting is missing or malformed: its name, and what it should be.
    #[error("the setting {0} cannot be used: {1}")]
    BadSetting(String, String),
    /// Down, unreachable, or answering nonsense.
    #[error("the messenger cannot be reached{}", detail(.0))]
    Unavailable(Option<String>),
    /// The call did not return within its time.
    #[error("the messenger did not answer in time")]
    Deadline,
    /// The sandbox refused a request.
    #[error("the sandbox refused a request: {0}")]
    Refused(String),
    /// The messenger calls the request malformed.
    #[error("the messenger calls the request malformed{}", detail(.0))]
    Rejected(Option<String>),
    /// Any other failure, in the component's words if it gave some.
    #[error("the provider failed{}", detail(.0))]
    Other(Option<String>),
    /// The component itself broke: trap, limits, a contract not kept. Its instance is gone.
    #[error("the provider broke: {0}")]
    Broken(String),
}

fn detail(text: &Option<String>) -> String {
    text.as_deref().map(|text| format!(": {text}")).unwrap_or_default()
}
