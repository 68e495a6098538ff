//! A messenger, as its manifest describes it: of a bundled one, what it said when the program was built.

use crate::messenger::{ChatKind, Manifest, SettingKind, Users, Words};
use crate::visible::visible_line;

/// The description of a messenger, which is known before any instance runs.
#[derive(Debug, Clone, Copy)]
pub struct Messenger {
    /// Its provider's name, such as `telegram`.
    pub name: &'static str,
    /// The settings: secrets, then chats, then the others, each in the order of the manifest.
    pub settings: &'static [Setting],
    /// The environment variable that chooses the transport, such as `DMPLZ_TELEGRAM_TRANSPORT`. Its value is a
    /// transport, or `auto`.
    pub transport: &'static str,
    /// The environment variable that lists the ids of the users who may answer on it, such as
    /// `DMPLZ_TELEGRAM_ALLOWED_USERS`.
    pub allowed_users: &'static str,
    /// The transports by which it can be reached.
    pub transports: &'static [Transport],
    /// Whether it identifies its users.
    pub users: Users,
    /// The origins that it wants to reach, as in the manifest.
    pub origins: &'static [&'static str],
}

/// One thing that the operator may set.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in the manifest, such as `bot-token`.
    pub name: &'static str,
    /// Its environment variable, such as `DMPLZ_TELEGRAM_BOT_TOKEN`.
    pub variable: &'static str,
    /// The kind of value that the setting takes.
    pub takes: Takes,
    /// Whether the messenger cannot work without it.
    pub required: bool,
    /// The name of the required secret that is not needed where this one is set.
    pub instead_of: Option<&'static str>,
    /// The default value, if there is one.
    pub default: Option<&'static str>,
    /// The help text in Korean and in English.
    pub help: [&'static str; 2],
}

/// The kind of a setting's value.
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
    /// Whether it needs a long-running process.
    pub persistent: bool,
}

/// Returns the environment variable of a provider's setting, as the contract defines it.
pub fn variable(provider: &str, setting: &str) -> String {
    format!("DMPLZ_{provider}_{setting}").to_uppercase().replace('-', "_")
}

impl Messenger {
    /// Returns the messenger of a manifest. Its texts are kept for the life of the process.
    pub fn of(manifest: &Manifest) -> Self {
        let variable = |name: &str| kept(&variable(&manifest.name, name));
        let setting = |name: &str, takes, required, instead_of: Option<&str>, default: Option<&str>, help: &Words| {
            let ko = if help.ko.is_empty() { &help.en } else { &help.ko };
            Setting {
                name: kept(name),
                variable: variable(name),
                takes,
                required,
                instead_of: instead_of.map(kept),
                default: default.map(kept),
                help: [ko, &help.en].map(|help| kept(&visible_line(help))),
            }
        };
        let secrets = manifest
            .secrets
            .iter()
            .map(|it| setting(&it.name, Takes::Secret, it.required, it.instead_of.as_deref(), None, &it.help));
        let chats =
            manifest.chats.iter().map(|it| setting(&it.name, Takes::Chat(it.kind), false, None, None, &it.help));
        let others = manifest.settings.iter().map(|it| {
            let takes = match it.kind {
                SettingKind::Text => Takes::Text,
                SettingKind::Url => Takes::Url,
                SettingKind::SocketUrl => Takes::SocketUrl,
            };
            setting(&it.name, takes, it.required, None, it.default.as_deref(), &it.help)
        });
        let settings: Vec<Setting> = secrets.chain(chats).chain(others).collect();
        let transport =
            |it: &crate::messenger::Transport| Transport { name: kept(&it.name), persistent: it.persistent };
        let transports: Vec<Transport> = manifest.transports.iter().map(transport).collect();
        let origins: Vec<&'static str> = manifest.origins.iter().map(|origin| kept(origin)).collect();
        Self {
            name: kept(&manifest.name),
            settings: Vec::leak(settings),
            transport: variable("transport"),
            allowed_users: variable("allowed-users"),
            transports: Vec::leak(transports),
            users: manifest.users,
            origins: Vec::leak(origins),
        }
    }

    /// Returns the settings that are secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        self.settings.iter().filter(|setting| setting.takes == Takes::Secret)
    }

    /// Returns the settings that name the chat. The first one that is set is used.
    pub fn chats(&self) -> impl Iterator<Item = (&'static Setting, ChatKind)> + use<> {
        self.settings.iter().filter_map(|setting| match setting.takes {
            Takes::Chat(kind) => Some((setting, kind)),
            _ => None,
        })
    }

    /// Returns the setting of its server: the first one for a URL of requests.
    pub fn server(&self) -> Option<&'static Setting> {
        self.settings.iter().find(|setting| setting.takes == Takes::Url)
    }

    /// Returns the settings that an operator needs to use it: the required secrets or, if there are none, the chat.
    /// The result is never empty.
    pub fn keys(&self) -> Vec<&'static Setting> {
        let needed: Vec<_> = self.secrets().filter(|secret| secret.required).collect();
        if needed.is_empty() { self.chats().map(|(chat, _)| chat).collect() } else { needed }
    }

    /// Returns whether the settings that it needs are set. `is_set` tells whether a variable is set.
    pub fn has_keys(&self, is_set: impl Fn(&str) -> bool) -> bool {
        let needed: Vec<_> = self.secrets().filter(|secret| secret.required).collect();
        match needed.is_empty() {
            true => self.chats().any(|(chat, _)| is_set(chat.variable)),
            false => needed.iter().all(|secret| self.is_met(secret, &is_set)),
        }
    }

    /// Returns whether a setting is set, or another one instead of it.
    pub fn is_met(&self, setting: &Setting, is_set: impl Fn(&str) -> bool) -> bool {
        let instead = |it: &&Setting| it.instead_of == Some(setting.name);
        is_set(setting.variable) || self.settings.iter().filter(instead).any(|it| is_set(it.variable))
    }

    /// Returns the default transports: that of a hook that asks alone, and that under `dmplz serve`.
    pub fn usual_transports(&self) -> Option<(&'static Transport, &'static Transport)> {
        let fits = |persistent| self.transports.iter().find(|transport| transport.persistent == persistent);
        Some((fits(false).or(fits(true))?, fits(true).or(fits(false))?))
    }
}

fn kept(text: &str) -> &'static str {
    String::leak(text.to_owned())
}
