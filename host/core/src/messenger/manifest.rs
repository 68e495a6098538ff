//! What a provider says of itself.

use super::Chat;

/// How people answer on a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answering {
    /// Buttons; presses can be acknowledged.
    Buttons,
    /// Reactions; a keyword that ends a prompt is typed.
    Reactions,
    /// Texts: each choice of a card has a code, which takes the place of a button.
    Typed,
}

impl Answering {
    /// Whether a choice shows its label, which a revised card may change. Reactions are only symbols.
    pub fn has_labels(self) -> bool {
        self != Self::Reactions
    }
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
    /// The required secret that is not needed where this one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// The only origins to which it may be sent.
    pub origins: Vec<String>,
    /// The only places in which it may stand.
    pub places: Vec<SecretPlace>,
    /// How it is exchanged for what stands there; `None` if that is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewal: Option<Renewal>,
}

/// How a secret is exchanged for a token.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Renewal {
    /// The URL of the request: absolute, or `{setting:NAME}` and a path.
    pub url: String,
    /// Whether its body is a form rather than JSON.
    pub form: bool,
    /// The fields of the body: texts, `{secret:NAME}` or `{setting:NAME}`.
    pub fields: Vec<(String, String)>,
    /// JSON pointer to the token in the reply.
    pub token: String,
    /// JSON pointer to what takes the secret's place.
    pub successor: Option<String>,
    /// Where the reply says how long the token is good.
    pub lifetime: Option<Lifetime>,
}

/// JSON pointer to a number, in this unit.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lifetime {
    /// The number is one of seconds, as `expires_in` of OAuth.
    Seconds(String),
    /// The number is one of milliseconds, as `expires_in_ms` of Matrix.
    Milliseconds(String),
}

impl Renewal {
    /// Returns the setting's name and the path behind it, if the URL is on the server of a setting.
    pub fn on_setting(&self) -> Option<(&str, &str)> {
        self.url.strip_prefix("{setting:")?.split_once('}')
    }
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
    /// A string of a JSON body: JSON pointer to it.
    Json(String),
    /// A field of a form in the body, by its name.
    Form(String),
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
    /// Anybody with access to the chat can send any event: each event is of [`User::anonymous`](super::User::anonymous).
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
    /// The seconds for which the messenger keeps presses while nobody polls; `None` if none of them is lost unseen.
    #[serde(default)]
    pub presses_kept: Option<u32>,
    /// Whether it needs a long-running process, and delivers the events of every card.
    pub persistent: bool,
    /// Whether it delivers the messages of the chat. Otherwise texts arrive only from the field of a choice.
    pub reads_chat: bool,
    /// Whether it can open threads where the chat has them.
    pub threads: bool,
    /// Whether it can register commands, and delivers those that people use.
    pub commands: bool,
    /// Whether it delivers the files that people send.
    pub files: bool,
    /// Whether it can show in a private chat what is being written.
    pub drafts: bool,
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
    /// Returns a secret that the provider cannot work without: neither it is given nor one instead of it.
    pub fn missing_secret(&self, is_given: impl Fn(&str) -> bool) -> Option<&SecretSpec> {
        let takes_place =
            |it: &SecretSpec, of: &SecretSpec| it.name == of.name || it.instead_of.as_ref() == Some(&of.name);
        let is_met = |of| self.secrets.iter().any(|it| takes_place(it, of) && is_given(&it.name));
        self.secrets.iter().find(|spec| spec.required && !is_met(spec))
    }

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
