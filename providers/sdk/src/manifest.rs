//! Builds a provider's manifest part by part.

use crate::{
    Answering, ChatKind, ChatSpec, FrameKind, Lifetime, Limits, Manifest, Renewal, SecretFrame, SecretHeader,
    SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport, Users, Words,
};

/// Builds a manifest part by part. Parts of a kind stand in the order in which they are added.
///
/// ```
/// use dmplz_provider_sdk::{Answering, Limits, Manifest, Transport};
///
/// let limits = Limits { text: 4_000, choices: 8, attachment: 0, notice: 200 };
/// let manifest = Manifest::new("acme", "1.0.0")
///     .server("server", "the Acme server", "Acme 서버", Some("https://chat.acme.example"))
///     .bearer("token", "the bot's token", "봇의 토큰")
///     .room("room", "the id of the room", "채팅방의 id")
///     .transport(Transport::new("polling", "asks what happened", Answering::Buttons, limits));
/// assert_eq!(manifest.origins, ["{setting:server}"]);
/// assert_eq!(manifest.secrets[0].origins, manifest.origins);
/// ```
impl Manifest {
    /// Returns the manifest of a messenger that vouches for the id of each person. Everything else is added.
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            settings: Vec::new(),
            secrets: Vec::new(),
            chats: Vec::new(),
            users: Users::Identified,
            origins: Vec::new(),
            transports: Vec::new(),
        }
    }

    /// Says that nobody is identified, as where everybody who can reach the chat can send any event.
    #[must_use]
    pub fn anonymous(self) -> Self {
        Self { users: Users::Anonymous, ..self }
    }

    /// Adds a setting that `connect` gets.
    #[must_use]
    pub fn setting(mut self, setting: SettingSpec) -> Self {
        self.settings.push(setting);
        self
    }

    /// Adds a server: the setting for its URL, as [`SettingSpec::server`] returns it, and the origin of that URL.
    #[must_use]
    pub fn server(self, name: &str, en: &str, ko: &str, default: Option<&str>) -> Self {
        self.setting(SettingSpec::server(name, en, ko, default)).origin(SettingSpec::origin(name))
    }

    /// Adds an origin that requests and sockets may reach.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Adds a secret that the host fills in.
    #[must_use]
    pub fn secret(mut self, secret: SecretSpec) -> Self {
        self.secrets.push(secret);
        self
    }

    /// Adds the bearer token of the requests to the first origin, as [`SecretSpec::bearer`] returns it.
    #[must_use]
    pub fn bearer(self, name: &str, en: &str, ko: &str) -> Self {
        let origin = self.origins.first().cloned().unwrap_or_default();
        self.secret(SecretSpec::bearer(name, en, ko, &origin))
    }

    /// Adds the setting for the id of a room, as [`ChatSpec::room`] returns it.
    #[must_use]
    pub fn room(mut self, name: &str, en: &str, ko: &str) -> Self {
        self.chats.push(ChatSpec::room(name, en, ko));
        self
    }

    /// Adds the setting for the id of a person, as [`ChatSpec::person`] returns it.
    #[must_use]
    pub fn person(mut self, name: &str, en: &str, ko: &str) -> Self {
        self.chats.push(ChatSpec::person(name, en, ko));
        self
    }

    /// Adds one of the ways to reach the messenger.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transports.push(transport);
        self
    }
}

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

    /// Returns the origin of the URL in the setting of this name, as a manifest and a secret write it: `{setting:server}`.
    pub fn origin(name: &str) -> String {
        format!("{{setting:{name}}}")
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

    /// Says that the provider can work without it.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    /// Says that the secret of this name is not needed where the operator gives this one, which is then not required itself.
    #[must_use]
    pub fn instead_of(self, secret: &str) -> Self {
        Self { instead_of: Some(secret.to_owned()), ..self.optional() }
    }

    /// Says how the host exchanges it for what stands in its places.
    #[must_use]
    pub fn renewed(self, renewal: Renewal) -> Self {
        Self { renewal: Some(renewal), ..self }
    }
}

impl Renewal {
    /// Returns the exchange of a refresh token, the secret of this name, for an access token at a URL, with OAuth's names of both in a
    /// body of JSON. The reply's refresh token takes the secret's place, and the access token lives for its `expires_in` seconds.
    pub fn refresh(url: &str, secret: &str) -> Self {
        Self {
            url: url.to_owned(),
            form: false,
            fields: vec![("refresh_token".to_owned(), format!("{{secret:{secret}}}"))],
            token: "/access_token".to_owned(),
            successor: Some("/refresh_token".to_owned()),
            lifetime: Some(Lifetime::Seconds("/expires_in".to_owned())),
        }
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
