//! Constructors for parts of a manifest.

use crate::{
    Answering, ChatKind, ChatSpec, FrameKind, Limits, SecretFrame, SecretHeader, SecretPlace, SecretSpec, SettingKind,
    SettingSpec, Transport, Words,
};

impl Words {
    /// Returns a text in English and in Korean.
    pub fn new(en: &str, ko: &str) -> Self {
        Self { en: en.to_owned(), ko: ko.to_owned() }
    }
}

impl SettingSpec {
    /// Returns the setting for the http(s) URL of a server, with its help in English and in Korean. Without a default the operator
    /// must set it, as where a token must only go to the server that issued it.
    pub fn server(name: &str, en: &str, ko: &str, default: Option<&str>) -> Self {
        let (help, default) = (Words::new(en, ko), default.map(str::to_owned));
        Self { name: name.to_owned(), help, kind: SettingKind::Url, required: default.is_none(), default }
    }
}

impl ChatSpec {
    /// Returns the setting for the id of a room (a chat, group or channel), with its help in English and in Korean.
    pub fn room(name: &str, en: &str, ko: &str) -> Self {
        Self { name: name.to_owned(), help: Words::new(en, ko), kind: ChatKind::Room }
    }

    /// Returns the setting for the id of a person, who is asked in the private chat with them.
    pub fn person(name: &str, en: &str, ko: &str) -> Self {
        Self { kind: ChatKind::Person, ..Self::room(name, en, ko) }
    }
}

impl Transport {
    /// Returns a transport that is called again at once (`poll_interval` 0), loses no press unseen (`presses_kept` none), and has nothing
    /// that is optional: `persistent`, `reads_chat`, `threads`, `commands`, `files` and `drafts` are false.
    pub fn new(name: &str, help: &str, answering: Answering, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            help: help.to_owned(),
            limits,
            answering,
            poll_interval: 0,
            presses_kept: None,
            persistent: false,
            reads_chat: false,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        }
    }
}

impl SecretSpec {
    /// Returns a secret that the provider cannot work without, and that is not exchanged.
    pub fn new(name: &str, help: Words, origins: Vec<String>, places: Vec<SecretPlace>) -> Self {
        Self { name: name.to_owned(), help, required: true, instead_of: None, origins, places, renewal: None }
    }

    /// Returns the same for a bearer token of the requests to one origin, as [`Request::bearer`](crate::http::Request::bearer)
    /// writes it, with its help in English and in Korean.
    pub fn bearer(name: &str, en: &str, ko: &str, origin: &str) -> Self {
        let place = SecretPlace::in_header("authorization", &format!("Bearer {{secret:{name}}}"));
        Self::new(name, Words::new(en, ko), vec![origin.to_owned()], vec![place])
    }
}

/// Constructors for the places in which a secret may stand. A path is written
/// `SecretPlace::Path("/bot{secret:bot-token}/".to_owned())`.
impl SecretPlace {
    /// Returns a header, by its name and its whole value: `authorization` and `Bot {secret:bot-token}`.
    pub fn in_header(name: &str, value: &str) -> Self {
        Self::Header(SecretHeader { name: name.to_owned(), value: value.to_owned() })
    }

    /// Returns the string at a JSON pointer, in every frame whose value at another pointer equals the given JSON:
    /// `/d/token` where `/op` is `2`.
    pub fn in_frame(pointer: &str, kind: &str, value: &str) -> Self {
        let kind = FrameKind { pointer: kind.to_owned(), value: value.to_owned() };
        Self::Frame(SecretFrame { pointer: pointer.to_owned(), kind: Some(kind) })
    }
}
