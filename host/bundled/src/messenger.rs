//! A messenger, as its manifest describes it: of a bundled one, what it said when the program was built.

use dmplz_core::messenger::{ChatKind, Users};

/// What is known of a messenger before any instance runs.
#[derive(Debug, Clone, Copy)]
pub struct Messenger {
    /// Its provider's name, such as `telegram`.
    pub name: &'static str,
    /// What the operator may set: secrets, then chats, then the rest, each in the order of the manifest.
    pub settings: &'static [Setting],
    /// The environment variable that chooses among its transports, such as `DMPLZ_TELEGRAM_TRANSPORT`: one of them, or `auto`.
    pub transport: &'static str,
    /// The environment variable that lists the ids of those who may answer on it, such as `DMPLZ_TELEGRAM_ALLOWED_USERS`.
    pub allowed_users: &'static str,
    /// Lists the transports by which it can be reached.
    pub transports: &'static [Transport],
    /// Whether it tells who did something.
    pub users: Users,
    /// The origins that it reaches, as the manifest names them.
    pub origins: &'static [&'static str],
}

/// One thing that the operator may set.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// By the manifest, such as `bot-token`.
    pub name: &'static str,
    /// Its environment variable, such as `DMPLZ_TELEGRAM_BOT_TOKEN`.
    pub variable: &'static str,
    /// The kind of value that the setting takes.
    pub takes: Takes,
    /// Whether the messenger cannot work without it.
    pub required: bool,
    /// Used when the operator sets nothing.
    pub default: Option<&'static str>,
    /// What it is, in Korean and in English.
    pub help: [&'static str; 2],
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A secret, which is never shown.
    Secret,
    /// The id of the chat to ask in.
    Chat(ChatKind),
    /// The setting takes any text.
    Text,
    /// An `http` or `https` URL.
    Url,
    /// A `ws` or `wss` URL.
    SocketUrl,
}

/// One of the ways in which the provider reaches its messenger.
#[derive(Debug, Clone, Copy)]
pub struct Transport {
    /// The name that the manifest gives this transport.
    pub name: &'static str,
    /// Whether it wants a process that stays.
    pub persistent: bool,
}

impl Messenger {
    /// The secrets that the messenger wants.
    pub fn secrets(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        self.settings.iter().filter(|setting| setting.takes == Takes::Secret)
    }

    /// The settings that name the chat; of those that are set the first counts.
    pub fn chats(&self) -> impl Iterator<Item = (&'static Setting, ChatKind)> + use<> {
        self.settings.iter().filter_map(|setting| match setting.takes {
            Takes::Chat(kind) => Some((setting, kind)),
            _ => None,
        })
    }

    /// The setting of its server: the first that takes a URL for requests.
    pub fn server(&self) -> Option<&'static Setting> {
        self.settings.iter().find(|setting| setting.takes == Takes::Url)
    }

    /// What an operator sets to use it: the secrets that it needs or, where it needs none, its chat. Never empty.
    pub fn keys(&self) -> Vec<&'static Setting> {
        let needed: Vec<_> = self.secrets().filter(|secret| secret.required).collect();
        if needed.is_empty() { self.chats().map(|(chat, _)| chat).collect() } else { needed }
    }

    /// Whether the operator set what it takes to use it, as `is_set` tells of a variable.
    pub fn has_keys(&self, is_set: impl Fn(&str) -> bool) -> bool {
        let needed: Vec<_> = self.secrets().filter(|secret| secret.required).collect();
        match needed.is_empty() {
            true => self.chats().any(|(chat, _)| is_set(chat.variable)),
            false => needed.iter().all(|secret| is_set(secret.variable)),
        }
    }

    /// The transport of a hook alone, and the one under `dmplz serve`, where the operator chose none.
    pub fn usual_transports(&self) -> Option<(&'static Transport, &'static Transport)> {
        let fits = |persistent| self.transports.iter().find(|transport| transport.persistent == persistent);
        Some((fits(false).or(fits(true))?, fits(true).or(fits(false))?))
    }
}
