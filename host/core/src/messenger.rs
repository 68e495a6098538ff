//! The data that the host and a messenger's provider exchange: the Rust side of `wit/types.wit`, which describes each
//! item in full. Lengths in "units" are UTF-16 code units.

/// The destination of cards, as the operator configured it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Chat {
    /// A chat, group or channel, by its id.
    Room(String),
    /// One person, by their id.
    Person(String),
}

/// A chat that was opened, or a thread in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenChat {
    /// Its id, as in every [`MessageRef`] in it. A thread has an id of its own.
    pub id: String,
    /// The only person in it, if it is private.
    pub owner: Option<String>,
    /// Whether the messenger identifies its users.
    pub users: Users,
}

/// A message in a messenger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MessageRef {
    /// The chat that holds it.
    pub chat: String,
    /// Its id in that chat.
    pub id: String,
    /// A number that increases with every message of the chat.
    pub sequence: u64,
}

impl OpenChat {
    /// Returns a thread of this chat, or the chat itself, by its id.
    #[must_use]
    pub fn at(&self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self.clone() }
    }

    /// Returns where a card is posted: in the thread of the message that it replies to, if it does, or in this chat.
    #[must_use]
    pub fn of(&self, card: &Card) -> Self {
        self.at(card.reply_to.as_ref().map_or(&self.id, |message| &message.chat))
    }
}

impl MessageRef {
    /// Returns whether both name the same message. The sequence does not count: an event may report another one.
    pub fn is_same(&self, other: &Self) -> bool {
        self.chat == other.chat && self.id == other.id
    }
}

/// A user of a chat. The name is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct User {
    /// The user's stable id in the messenger.
    pub id: String,
    /// The name that people see, as the messenger reports it.
    pub name: String,
    /// Whether the user is a program.
    pub is_bot: bool,
}

impl User {
    /// Returns a user whom the messenger does not identify.
    pub fn anonymous() -> Self {
        Self { id: "anonymous".to_owned(), name: "anonymous".to_owned(), is_bot: false }
    }
}

/// One way to answer a card.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// Names the choice on its card: `[a-z0-9-]{1,16}`.
    pub id: String,
    /// The label of a button, at most 64 units.
    pub label: String,
    /// The emoji of the reaction.
    pub emoji: String,
    /// The style of a button.
    pub style: ButtonStyle,
    /// The row: choices of one row are shown side by side.
    pub row: u8,
    /// The field whose text the choice asks for, if the messenger has forms.
    pub field: Option<TextField>,
}

/// The meaning of a choice, for messengers that colour their buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ButtonStyle {
    /// The most common choice.
    Primary,
    /// The choice allows something.
    Success,
    /// The choice denies something.
    Danger,
    /// The choice answers nothing by itself.
    Secondary,
}

/// The text field of a choice.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextField {
    /// The title of the form, at most 45 units.
    pub title: String,
    /// The label of the field, at most 45 units.
    pub label: String,
    /// The placeholder of the empty field, at most 100 units.
    pub placeholder: String,
    /// The most units that the field takes.
    pub max: usize,
}

impl Choice {
    /// Returns a choice in the first row, whose label begins with the emoji that is its reaction.
    pub fn new(id: &str, label: &str, style: ButtonStyle) -> Self {
        let emoji = label.split(' ').next().unwrap_or_default();
        Self { id: id.into(), label: label.into(), emoji: emoji.into(), style, row: 0, field: None }
    }
}

/// A file attached to a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The name of the file.
    pub name: String,
    /// The media type, for example `text/plain; charset=utf-8`.
    pub media_type: String,
    /// The content of the file.
    pub data: Vec<u8>,
}

/// One part of a card's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text that is shown literally, without any markup.
    Text(String),
    /// Text of dmplz with one `code span` between backquotes.
    Hint(String),
    /// A monospaced text that is shown literally.
    Code(String),
    /// A file that is sent with the card.
    File(Attachment),
}

/// The content of a request, a prompt or a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Identifies the card across processes, [A-Za-z0-9]{1,22}.
    pub tag: String,
    /// The first line of the card, emphasised.
    pub title: String,
    /// The parts of the body, in the order shown.
    pub body: Vec<Block>,
    /// The choices; empty for a notice and for a final state.
    pub choices: Vec<Choice>,
    /// The message to which it replies.
    pub reply_to: Option<MessageRef>,
    /// Whether it asks for a text.
    pub wants_text: bool,
}

/// A card that waits for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The message that shows the card.
    pub message: MessageRef,
    /// The choices that it offers.
    pub choices: Vec<Choice>,
    /// Whether texts that follow it are wanted too.
    pub text: bool,
}

/// A press of a button, or a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The message that shows the card.
    pub message: MessageRef,
    /// The card's tag, if the press carries it.
    pub tag: Option<String>,
    /// The id of the choice.
    pub choice: String,
    /// The person who pressed.
    pub user: User,
    /// The token for acknowledging the press; empty if it cannot be acknowledged.
    pub token: String,
    /// The text in the choice's field.
    pub text: Option<String>,
}

/// A message that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The message that was written.
    pub message: MessageRef,
    /// The message to which it replies, if it does.
    pub reply_to: Option<MessageRef>,
    /// The person who wrote.
    pub user: User,
    /// The text of the message.
    pub text: String,
}

/// A command that people use in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The command's name, without the slash: `[a-z]{1,32}`.
    pub name: String,
    /// What the command does, at most 100 units in each language.
    pub help: Words,
    /// What may follow it, at most 100 units in each language; `None` if nothing does.
    pub takes: Option<Words>,
}

/// An action of a person in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A press or a reaction.
    Chosen(Chosen),
    /// A message in the chat.
    Said(Said),
}

/// The result of one poll for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The events in the order in which they happened, as far as the messenger reports it.
    pub events: Vec<Event>,
    /// The cursor at which the next poll continues.
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

/// The limits of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// The most units in all texts of a card.
    pub text: usize,
    /// The most choices on a card.
    pub choices: usize,
    /// The most bytes of an attachment; 0 if it takes none.
    pub attachment: usize,
    /// The most units of an acknowledgement.
    pub notice: usize,
}

/// A one-line description in each language.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Words {
    /// The words in English.
    pub en: String,
    /// The text in Korean; empty if the provider's author wrote none.
    pub ko: String,
}

/// The type of a setting.
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
    /// Describes the setting for people.
    pub help: Words,
    /// The kind of value that the setting takes.
    pub kind: SettingKind,
    /// Whether the provider cannot work without it.
    pub required: bool,
    /// The value that is used if the operator sets none.
    pub default: Option<String>,
}

/// A secret that the host inserts for a provider.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SecretSpec {
    /// Names the secret within its messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Describes for people what the secret is, and where to get it.
    pub help: Words,
    /// Whether the provider cannot work without it.
    pub required: bool,
    /// The only origins to which it may be sent.
    pub origins: Vec<String>,
    /// The only places in which it may stand.
    pub places: Vec<SecretPlace>,
}

/// A place for a secret in a request or a frame, with its placeholder `{secret:NAME}`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretPlace {
    /// A URL's path: its beginning if this ends in `/`, else all of it.
    Path(String),
    /// A header, by its name and its whole value.
    Header {
        /// The header's name: `authorization`, or a name that ends in `-token` or `-key`.
        name: String,
        /// The header's value, with the placeholder exactly once.
        value: String,
    },
    /// A string of a JSON frame.
    Frame {
        /// JSON pointer to the string.
        pointer: String,
        /// The only kind of frame; `None` for every frame.
        kind: Option<FrameKind>,
    },
}

/// A kind of frame, identified by one value in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FrameKind {
    /// JSON pointer to the value.
    pub pointer: String,
    /// The value, as JSON.
    pub value: String,
}

/// What the id in a chat's setting identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatKind {
    /// A chat, group or channel.
    Room,
    /// Direct messages with one person.
    Person,
}

/// A setting in which the operator names the chat for requests.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChatSpec {
    /// Names the setting that holds the chat's id: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Describes for people which chat is meant, and how to find its id.
    pub help: Words,
    /// What its value identifies.
    pub kind: ChatKind,
}

/// Whether a messenger identifies its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Users {
    /// The messenger vouches for the id of each user.
    Identified,
    /// Anybody with access to the chat can send any event: each event is of [`User::anonymous`].
    Anonymous,
}

/// A provider's description of itself.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Manifest {
    /// Names the messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// The semantic version of the component.
    pub version: String,
    /// The settings that the component takes.
    pub settings: Vec<SettingSpec>,
    /// The secrets that the host inserts for it.
    pub secrets: Vec<SecretSpec>,
    /// The settings that name the chat, at least one. The first one that is set applies.
    pub chats: Vec<ChatSpec>,
    /// Whether it identifies its users.
    pub users: Users,
    /// The origins that it asks for.
    pub origins: Vec<String>,
    /// Its transports, at least one.
    pub transports: Vec<Transport>,
}

/// A way in which a provider reaches its messenger: long polling, reactions, a persistent connection.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Transport {
    /// Names the transport within its messenger: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// Describes the transport in one English line.
    pub help: String,
    /// The limits of the messenger over this transport.
    pub limits: Limits,
    /// Whether people answer with buttons or with reactions.
    pub answering: Answering,
    /// The milliseconds between two polls for events; 0 if a poll waits by itself.
    pub poll_interval: u32,
    /// Whether it needs a long-running process, and delivers the events of every card.
    pub persistent: bool,
    /// Whether it delivers the messages of the chat. Otherwise texts arrive only from the field of a choice.
    pub reads_chat: bool,
    /// Whether it can open threads where the chat has them.
    pub threads: bool,
    /// Whether it can register commands, and delivers those that people use.
    pub commands: bool,
}

/// The lifetime of the process that uses a messenger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tenure {
    /// As long as one request is open.
    #[default]
    Request,
    /// As long as the gateway runs.
    Service,
}

impl ChatKind {
    /// Returns the setting of the chat with that name.
    pub fn chat(self, id: String) -> Chat {
        match self {
            Self::Room => Chat::Room(id),
            Self::Person => Chat::Person(id),
        }
    }
}

impl Manifest {
    /// Returns the transport to use: the one that the operator chose, or else the one that fits the process. `None`
    /// if there is none of that name.
    pub fn transport(&self, named: Option<&str>, tenure: Tenure) -> Option<&Transport> {
        let fits = |persistent| self.transports.iter().find(|transport| transport.persistent == persistent);
        match (named, tenure) {
            (Some(name), _) => self.transports.iter().find(|transport| transport.name == name),
            (None, Tenure::Request) => fits(false).or_else(|| fits(true)),
            (None, Tenure::Service) => fits(true).or_else(|| fits(false)),
        }
    }
}

/// The subject of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// No other program receives the bot's events.
    Events,
    /// The chat exists and the bot is in it.
    Chat,
    /// Whether the bot may post in the chat.
    Post,
    /// Whether the bot may leave reactions.
    React,
    /// The bot may attach files.
    Attach,
    /// The bot may read messages.
    Read,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The subject of the check.
    pub subject: Subject,
    /// Whether the check passed.
    pub ok: bool,
    /// What was found, in English.
    pub detail: String,
}

/// A provider's findings about token, chat and permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The bot's id at the messenger.
    pub bot_id: String,
    /// The bot's name, as people see it.
    pub bot_name: String,
    /// The results of the checks.
    pub checks: Vec<Check>,
}

/// How a person reaches a bot that has no chat yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// The bot's id at the messenger.
    pub bot_id: String,
    /// The bot's name, as people see it.
    pub bot_name: String,
    /// The results of the checks.
    pub checks: Vec<Check>,
    /// A link that adds the bot to a chat, if that is necessary.
    pub invite: Option<String>,
    /// A link that opens the chat with the bot and sends the code with one press.
    pub link: Option<String>,
    /// The text that the person sends if no link does it.
    pub message: String,
}

/// A message by which a person pairs with the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// The chat, as the operator would configure it.
    pub chat: Chat,
    /// The person who wrote.
    pub user: User,
    /// The code that they sent. Untrusted.
    pub code: String,
}

/// The result of one poll for greetings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The greetings in the order in which they were written.
    pub greetings: Vec<Greeting>,
    /// The cursor at which the next poll continues.
    pub cursor: String,
}

/// Why a provider did not do what it was asked. The message states what happened; the caller, who knows the
/// messenger, adds what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Too many requests; the milliseconds to wait, if known.
    #[error("the messenger takes no more requests for now")]
    RateLimited(Option<u32>),
    /// The token is invalid or revoked.
    #[error("the bot cannot log in: its token was not accepted")]
    Unauthorized,
    /// The bot lacks a permission.
    #[error("the bot may not act there{}", detail(.0))]
    Denied(Option<String>),
    /// No such chat or message.
    #[error("the chat or message was not found")]
    NotFound,
    /// Another program receives this bot's events.
    #[error("another program receives this bot's events{}", detail(.0))]
    Conflict(Option<String>),
    /// Larger than the messenger accepts.
    #[error("the message is too large for the messenger")]
    TooLarge,
    /// A setting is missing or malformed: its name, and the expected value.
    #[error("the setting {0} cannot be used: {1}")]
    BadSetting(String, String),
    /// Down, unreachable, or sending invalid replies.
    #[error("the messenger cannot be reached{}", detail(.0))]
    Unavailable(Option<String>),
    /// No connection could be opened during the whole call, so certainly nothing was sent: what the last attempt failed
    /// with. Only the host returns it, never a component.
    #[error("the messenger cannot be reached: {0}")]
    Unreachable(String),
    /// The call did not return in time.
    #[error("the messenger did not answer in time")]
    Deadline,
    /// The sandbox refused a request.
    #[error("the sandbox refused a request: {0}")]
    Refused(String),
    /// The messenger rejects the request as malformed.
    #[error("the messenger calls the request malformed{}", detail(.0))]
    Rejected(Option<String>),
    /// Any other failure, with the component's message if it gave one.
    #[error("the provider failed{}", detail(.0))]
    Other(Option<String>),
    /// The component itself failed: a trap, a limit, or a breach of the contract. Its instance is discarded.
    #[error("the provider broke: {0}")]
    Broken(String),
}

fn detail(text: &Option<String>) -> String {
    text.as_deref().map(|text| format!(": {text}")).unwrap_or_default()
}
