//! Checks a manifest against the rules of the contract.
//!
//! | part | rule |
//! |---|---|
//! | names | [a-z0-9-]{1,32}, unique among settings, secrets and chats together, and none of them `transport`: they become environment variables |
//! | version | `MAJOR.MINOR.PATCH` with an optional `-` or `+` suffix |
//! | texts | at most 300 bytes on one line |
//! | settings, secrets, origins | at most 32, 8, 16 |
//! | chats | 1 to 4 |
//! | a setting that an origin names | takes a URL |
//! | a secret | belongs to at least one origin, and only to origins that the provider asks for; has 1 to 8 places (`egress::place`) |
//! | an origin | `https://host[:port]`, `http://host[:port]`, the same with `wss` or `ws`, `wss://*.host`, or `{setting:NAME}` of a setting that it declares |
//! | transports | 1 to 4 with unique names; buttons if the chat is not read |
//! | limits | texts of at least 100 units, at least 3 choices, attachments of at most 16 MiB |

use std::collections::BTreeSet;

use dmplz_core::messenger::{Answering, Lifetime, Limits, Manifest, Renewal, SecretSpec, SettingKind, Transport};

use dmplz_core::text::Lang;

use crate::egress::{Pattern, Place, origin_of, setting_of, whole};
use crate::typed;

/// The settings that the host adds for every messenger: which transport is taken, and who may answer.
const OF_HOST: [&str; 2] = ["transport", "allowed-users"];
const TEXT: usize = 300;
const PLACES: usize = 8;
const LEAST_TEXT: usize = 100;
/// An approval, a refusal, and a choice that shows more of them.
const LEAST_CHOICES: usize = 3;
const LARGEST_ATTACHMENT: usize = 16 << 20;

/// What is wrong with a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// A name is not [a-z0-9-]{1,32}.
    #[error("the name {0:?} must be of [a-z0-9-], at most 32")]
    Name(String),
    /// Two settings, secrets, chats or transports have the same name.
    #[error("two of its settings, secrets, chats or transports are named {0}")]
    Twice(String),
    /// The version is not a semantic version.
    #[error("the version {0:?} is no semantic one")]
    Version(String),
    /// A text is too long or has more than one line.
    #[error("the text of {0} must be one line of at most 300 bytes")]
    Text(String),
    /// It has more items than a manifest may have.
    #[error("its manifest has too many {0}")]
    TooMany(&'static str),
    /// An origin has an invalid form.
    #[error("the origin {0:?} must be https://host[:port], wss://host[:port], wss://*.host or {{setting:NAME}}")]
    Origin(String),
    /// It declares no chat, so cards could not be posted.
    #[error("its manifest names no setting for the chat to ask in")]
    NoChat,
    /// A secret belongs to no origin, or to one that the provider does not ask for.
    #[error("the origins of the secret {0} must be among those that the provider asks for")]
    SecretOrigin(String),
    /// A secret has no place.
    #[error("the secret {0} names no place where it may stand")]
    NoPlace(String),
    /// A secret takes the place of one that is not needed anyway, or is needed itself.
    #[error("the secret {0} must be one that is not required, instead of one that is")]
    InsteadOf(String),
    /// A place of a secret has an invalid form.
    #[error("a place of the secret {0} cannot be used: {1}")]
    SecretPlace(String, &'static str),
    /// A secret cannot be exchanged as it says.
    #[error("the renewal of the secret {0} cannot be used: {1}")]
    Renewal(String, &'static str),
    /// It declares no transport.
    #[error("its manifest names no transport")]
    NoTransport,
    /// A transport has neither buttons nor reads the chat, so nobody could give a reason.
    #[error(
        "its transport {0} takes no words: where the chat is not read, they come by forms, and forms open by buttons"
    )]
    Words(String),
    /// A card of typed answers has no room for anything but their codes.
    #[error("its transport {0} has too little text for the codes of so many choices: 75 units each, and 200 more")]
    Codes(String),
    /// Its limits are too small to show a card.
    #[error("its limits must be at least 100 units of text and 3 choices, and at most 16 MiB of attachments")]
    Limits,
}

/// Checks a manifest before anything in it is used.
pub(crate) fn validate(manifest: &Manifest) -> Result<(), ManifestError> {
    name(&manifest.name)?;
    version(&manifest.version)?;
    at_most(32, manifest.settings.len(), "settings")?;
    at_most(8, manifest.secrets.len(), "secrets")?;
    at_most(4, manifest.chats.len(), "chats")?;
    at_most(16, manifest.origins.len(), "origins")?;
    if manifest.chats.is_empty() {
        return Err(ManifestError::NoChat);
    }
    let settings = manifest.settings.iter().map(|setting| (&setting.name, &setting.help, &setting.default));
    let secrets = manifest.secrets.iter().map(|secret| (&secret.name, &secret.help, &None));
    let chats = manifest.chats.iter().map(|chat| (&chat.name, &chat.help, &None));
    let mut seen = BTreeSet::from(OF_HOST);
    for (of, help, default) in settings.chain(secrets).chain(chats) {
        name(of)?;
        if !seen.insert(of.as_str()) {
            return Err(ManifestError::Twice(of.clone()));
        }
        text(of, &help.en)?;
        text(of, &help.ko)?;
        text(of, default.as_deref().unwrap_or_default())?;
    }
    manifest.origins.iter().try_for_each(|origin| self::origin(manifest, origin))?;
    for secret in &manifest.secrets {
        let asked_for = secret.origins.iter().all(|origin| manifest.origins.contains(origin));
        if secret.origins.is_empty() || !asked_for {
            return Err(ManifestError::SecretOrigin(secret.name.clone()));
        }
        let is_instead_of =
            |it: &SecretSpec| it.required && !secret.required && Some(&it.name) == secret.instead_of.as_ref();
        if secret.instead_of.is_some() && !manifest.secrets.iter().any(is_instead_of) {
            return Err(ManifestError::InsteadOf(secret.name.clone()));
        }
        places(secret)?;
        secret.renewal.iter().try_for_each(|it| renewal(it, secret, manifest))?;
    }
    transports(&manifest.transports)
}

fn places(secret: &SecretSpec) -> Result<(), ManifestError> {
    if secret.places.is_empty() {
        return Err(ManifestError::NoPlace(secret.name.clone()));
    }
    at_most(PLACES, secret.places.len(), "places of a secret")?;
    let place = |place| Place::parse(&secret.name, place).map(drop);
    secret.places.iter().try_for_each(place).map_err(|why| ManifestError::SecretPlace(secret.name.clone(), why))
}

fn renewal(renewal: &Renewal, secret: &SecretSpec, manifest: &Manifest) -> Result<(), ManifestError> {
    let wrong = |why| ManifestError::Renewal(secret.name.clone(), why);
    let origin = match renewal.on_setting() {
        Some((setting, _)) => Some(format!("{{setting:{setting}}}")),
        None => origin_of(&renewal.url),
    };
    if renewal.url.len() > TEXT || !origin.is_some_and(|origin| secret.origins.contains(&origin)) {
        return Err(wrong("its URL is not of an origin of the secret"));
    }
    if !(1..=PLACES).contains(&renewal.fields.len()) {
        return Err(wrong("it needs 1 to 8 fields"));
    }
    for (name, value) in &renewal.fields {
        text(name, name)?;
        text(name, value)?;
        let is_known = match (setting_of(value), whole(value)) {
            (Some(setting), _) => manifest.settings.iter().any(|spec| spec.name == setting),
            (None, Some(other)) => other == secret.name || is_always_there(manifest, other),
            (None, None) => !value.contains("{secret:"),
        };
        if !is_known {
            return Err(wrong("a field names what it may not"));
        }
    }
    if renewal.fields.iter().filter(|(_, value)| whole(value) == Some(&secret.name)).count() != 1 {
        return Err(wrong("the secret stands in one of its fields"));
    }
    let lifetime =
        renewal.lifetime.as_ref().map(|(Lifetime::Seconds(pointer) | Lifetime::Milliseconds(pointer))| pointer);
    let pointers = [Some(&renewal.token), renewal.successor.as_ref(), lifetime];
    let is_pointer = |pointer: &&String| pointer.starts_with('/') && pointer.len() <= 128;
    if !pointers.into_iter().flatten().all(|pointer| is_pointer(&pointer)) {
        return Err(wrong("its pointers are JSON pointers of at most 128 bytes"));
    }
    Ok(())
}

/// Returns whether a secret is there in any case, and is not exchanged itself.
fn is_always_there(manifest: &Manifest, name: &str) -> bool {
    let is_plain = |spec: &SecretSpec| spec.name == name && spec.required && spec.renewal.is_none();
    let is_replaced = |spec: &SecretSpec| spec.instead_of.as_deref() == Some(name);
    manifest.secrets.iter().any(is_plain) && !manifest.secrets.iter().any(is_replaced)
}

fn transports(transports: &[Transport]) -> Result<(), ManifestError> {
    at_most(4, transports.len(), "transports")?;
    let mut seen = BTreeSet::new();
    for transport in transports {
        name(&transport.name)?;
        text(&transport.name, &transport.help)?;
        if !seen.insert(&transport.name) {
            return Err(ManifestError::Twice(transport.name.clone()));
        }
        if !transport.reads_chat && transport.answering != Answering::Buttons {
            return Err(ManifestError::Words(transport.name.clone()));
        }
        let Limits { text, choices, attachment, .. } = transport.limits;
        let is_short = [Lang::En, Lang::Ko].into_iter().any(|lang| {
            transport.answering == Answering::Typed
                && typed::with_room(transport.clone(), lang).limits.text < LEAST_TEXT
        });
        if is_short {
            return Err(ManifestError::Codes(transport.name.clone()));
        }
        if text < LEAST_TEXT || choices < LEAST_CHOICES || attachment > LARGEST_ATTACHMENT {
            return Err(ManifestError::Limits);
        }
    }
    if transports.is_empty() { Err(ManifestError::NoTransport) } else { Ok(()) }
}

fn name(name: &str) -> Result<(), ManifestError> {
    let ok = (1..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if ok { Ok(()) } else { Err(ManifestError::Name(shortened(name))) }
}

fn version(version: &str) -> Result<(), ManifestError> {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<_> = core.split('.').map(|number| number.parse::<u32>().is_ok()).collect();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".+-".contains(&byte);
    if numbers == [true; 3] && version.len() <= 64 && version.bytes().all(plain) {
        Ok(())
    } else {
        Err(ManifestError::Version(shortened(version)))
    }
}

fn text(of: &str, text: &str) -> Result<(), ManifestError> {
    let ok = text.len() <= TEXT && !text.chars().any(char::is_control);
    if ok { Ok(()) } else { Err(ManifestError::Text(of.to_owned())) }
}

fn origin(manifest: &Manifest, text: &str) -> Result<(), ManifestError> {
    let ok = match setting_of(text) {
        Some(name) => manifest.settings.iter().any(|it| it.name == name && it.kind != SettingKind::Text),
        None => Pattern::parse(text).is_some(),
    };
    if ok { Ok(()) } else { Err(ManifestError::Origin(shortened(text))) }
}

fn at_most(most: usize, count: usize, what: &'static str) -> Result<(), ManifestError> {
    if count <= most { Ok(()) } else { Err(ManifestError::TooMany(what)) }
}

fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}
