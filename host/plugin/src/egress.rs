//! What a provider may send where. Everything in here is pure; `http` and `network` do as it says.
//!
//! **Origins.** Written `https://host[:port]`, or the same with `http`, `wss` or `ws`: no path, no user. The only wildcard is
//! `wss://*.host`, which stands for exactly one more label before a host of two labels or more, at the port 443. The
//! origin of a request or a socket must be one that the manifest asks for *and* that is granted:
//!
//! | the manifest asks for | and it is granted by | `http`, `ws` | may resolve to |
//! |---|---|---|---|
//! | `{setting:NAME}`, and the operator wrote that setting | writing it: that server, by requests and by sockets (only by sockets, when the URL is of one) | yes | public, private and loopback addresses |
//! | anything, and the operator listed it, or an origin that its wildcard covers ([`Grants::Only`]) | the list | only `localhost` or a literal address | public addresses; a literal or `localhost` also private and loopback ones |
//! | an `https` or `wss` origin, also as a setting's default ([`Grants::Manifest`]) | being bundled | no | public addresses |
//!
//! Default: nothing is granted. A setting that nobody wrote and that has no default asks for nothing. An `https` origin
//! grants no `wss` one, nor the other way round. Which addresses are public is said in `address`; link-local and metadata
//! addresses are never reached.
//!
//! **Secrets.** `{secret:NAME}` stands for a secret, at most once in a request or frame, and only
//!
//! * towards an origin that the manifest gave that secret and that is granted;
//! * in a place that the manifest gave that secret (`place`): a path (filled in percent-encoded), a header for
//!   credentials, or a string of a JSON frame (`frame`).
//!
//! Anywhere else a server could show it to other people, and it is refused. A body and a longer string of a frame are sent
//! as they are: untrusted text stands there, and nothing is filled in.
//!
//! A reply, a frame, an error or a line that holds one, plain or encoded, goes nowhere (`leak`).
//!
//! **Requests and sockets.** Caps and forbidden headers are in `request`, handshakes in `socket`.

mod address;
mod frame;
mod leak;
mod origin;
mod place;
mod placeholder;
mod request;
mod socket;
#[cfg(test)]
mod tests;

use dmplz_core::messenger::Manifest;

pub(crate) use address::Reach;
pub(crate) use leak::Leaks;
pub(crate) use origin::{Origin, Pattern};
pub(crate) use place::Place;
pub(crate) use request::{Draft, Outgoing};
pub(crate) use socket::Handshake;

use crate::{Account, Grants, Secret};

/// The policy of one account.
pub(crate) struct Egress {
    granted: Vec<(Pattern, Reach)>,
    secrets: Vec<OwnedSecret>,
    leaks: Leaks,
}

struct OwnedSecret {
    name: String,
    value: Secret,
    /// Where it may go, and after which path there its own begins.
    origins: Vec<(Pattern, String)>,
    places: Vec<Place>,
}

/// Why a request stays here. Shown to the provider and logged; never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the request is malformed: {0}")]
    Malformed(&'static str),
    #[error("the header {0} belongs to the host")]
    Header(String),
    #[error("{0} is not granted")]
    Origin(Origin),
    #[error("{0} resolves to no address that may be reached")]
    Address(Origin),
    #[error("a redirect from {0} leads elsewhere")]
    Redirect(Origin),
    #[error("there is no secret {0}")]
    UnknownSecret(String),
    #[error("the secret {name} does not belong to {origin}")]
    SecretElsewhere { name: String, origin: Origin },
    #[error("the manifest names no such place for the secret {0}")]
    SecretMisplaced(String),
    #[error("a secret may stand only once in a request or frame")]
    SecretTwice,
    #[error("an object in the frame names one key twice")]
    KeyTwice,
    #[error("the reply holds a secret")]
    Leak,
    #[error("a frame that arrived holds a secret")]
    LeakInFrame,
    #[error("a frame that arrived is not text")]
    Binary,
    #[error("the reply is compressed")]
    Compressed,
}

impl Egress {
    /// The policy that follows from a valid manifest and what the operator gave.
    pub(crate) fn new(manifest: &Manifest, account: &Account) -> Self {
        let granted: Vec<_> = manifest.origins.iter().flat_map(|asked| grants(asked, manifest, account)).collect();
        let belongs = |asked: &String| {
            let base = base_path(asked, manifest, account);
            grants(asked, manifest, account).into_iter().map(move |(pattern, _)| (pattern, base.clone()))
        };
        let secrets: Vec<_> = manifest
            .secrets
            .iter()
            .filter_map(|secret| {
                let value = account.secrets.get(&secret.name)?.clone();
                let origins = secret.origins.iter().flat_map(belongs).collect();
                let places = secret.places.iter().filter_map(|place| Place::parse(&secret.name, place).ok()).collect();
                Some(OwnedSecret { name: secret.name.clone(), value, origins, places })
            })
            .collect();
        let leaks = Leaks::new(account.secrets.values().map(Secret::expose));
        Self { granted, secrets, leaks }
    }

    /// How far an origin may be followed, when it is granted at all.
    fn reach(&self, origin: &Origin) -> Result<Reach, Refusal> {
        let granted = self.granted.iter().filter(|(granted, _)| granted.covers(origin)).map(|(_, reach)| *reach).max();
        granted.ok_or_else(|| Refusal::Origin(origin.clone()))
    }

    /// A secret's value, towards an origin that it belongs to, where `stands` finds it in a place of the manifest. It is
    /// asked with each place, and the path of the origin after which paths begin.
    fn secret(&self, name: &str, origin: &Origin, stands: impl Fn(&Place, &str) -> bool) -> Result<&str, Refusal> {
        let mut named = self.secrets.iter().filter(|secret| secret.name == name);
        let Some(secret) = named.next() else { return Err(Refusal::UnknownSecret(shortened(name))) };
        let bases: Vec<_> = secret.origins.iter().filter(|(pattern, _)| pattern.covers(origin)).collect();
        if bases.is_empty() {
            return Err(Refusal::SecretElsewhere { name: secret.name.clone(), origin: origin.clone() });
        }
        let placed = bases.iter().any(|(_, base)| secret.places.iter().any(|place| stands(place, base)));
        if placed { Ok(secret.value.expose()) } else { Err(Refusal::SecretMisplaced(secret.name.clone())) }
    }

    /// What tells whether something holds a secret.
    pub(crate) fn leaks(&self) -> &Leaks {
        &self.leaks
    }
}

/// The origins that a manifest wants whatever the operator sets: those that it names, and those of the URLs that its settings
/// have by default. In its order, none twice.
pub fn wanted(manifest: &Manifest) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for asked in &manifest.origins {
        let origin = match setting_of(asked) {
            None => Some(asked.clone()),
            Some(name) => {
                let spec = manifest.settings.iter().find(|setting| setting.name == name);
                spec.and_then(|spec| origin_of(spec.default.as_deref()?))
            }
        };
        wanted.extend(origin.filter(|origin| !wanted.contains(origin)));
    }
    wanted
}

/// The origin of a URL. None where it has none that could be granted.
pub fn origin_of(url: &str) -> Option<String> {
    Origin::of_url(url).map(|origin| origin.to_string())
}

/// Whether an origin, or every one that `wss://*.host` stands for, is one of those listed. What cannot be read is none.
pub fn is_within(origin: &str, listed: &[String]) -> bool {
    let Some(pattern) = Pattern::parse(origin) else { return false };
    listed.iter().filter_map(|listed| Pattern::parse(listed)).any(|listed| match &pattern {
        Pattern::One(origin) => listed.covers(origin),
        Pattern::Beneath(_) => listed == pattern,
    })
}

/// The name in `{setting:NAME}`.
pub(crate) fn setting_of(asked: &str) -> Option<&str> {
    asked.strip_prefix("{setting:")?.strip_suffix('}')
}

/// The path of the URL in the setting that an origin is taken from, as it is written; empty for any other origin.
fn base_path(asked: &str, manifest: &Manifest, account: &Account) -> String {
    let Some(name) = setting_of(asked) else { return String::new() };
    let default = || manifest.settings.iter().find(|setting| setting.name == name)?.default.as_ref();
    let url = account.settings.get(name).or_else(default).map(|url| url.trim()).unwrap_or_default();
    let path = request::split(url).map_or("", |(_, rest)| rest.split('?').next().unwrap_or_default());
    path.trim_end_matches('/').to_owned()
}

/// A name that nobody checked, for an error.
fn shortened(name: &str) -> String {
    name.chars().take(32).collect()
}

/// What is granted of something that the manifest asks for.
fn grants(asked: &str, manifest: &Manifest, account: &Account) -> Vec<(Pattern, Reach)> {
    let asked = match setting_of(asked) {
        None => Pattern::parse(asked),
        Some(name) => match account.settings.get(name) {
            Some(written) => return Origin::of_url(written).map(|origin| written_by_hand(&origin)).unwrap_or_default(),
            None => {
                let spec = manifest.settings.iter().find(|setting| setting.name == name);
                spec.and_then(|spec| Origin::of_url(spec.default.as_deref()?)).map(Pattern::One)
            }
        },
    };
    let Some(asked) = asked else { return Vec::new() };
    match &account.grants {
        Grants::Manifest => {
            let (Pattern::One(origin) | Pattern::Beneath(origin)) = &asked;
            if origin.is_secure() { vec![(asked, Reach::Public)] } else { Vec::new() }
        }
        Grants::Only(list) => list.iter().filter_map(|listed| Pattern::parse(listed)?.within(&asked)).collect(),
    }
}

/// The server of a setting that the operator wrote, over HTTP and over a WebSocket.
fn written_by_hand(origin: &Origin) -> Vec<(Pattern, Reach)> {
    let mut both = vec![(Pattern::One(origin.as_socket()), Reach::Anywhere)];
    if !origin.scheme().is_socket() {
        both.push((Pattern::One(origin.clone()), Reach::Anywhere));
    }
    both
}

impl Pattern {
    /// What a listed pattern grants of what is asked for: itself, when all of it was asked for.
    fn within(self, asked: &Self) -> Option<(Self, Reach)> {
        match &self {
            Self::One(origin) if asked.covers(origin) => {
                let literal = origin.is_literal();
                let reach = if literal { Reach::Anywhere } else { Reach::Public };
                (origin.is_secure() || literal).then_some((self, reach))
            }
            Self::Beneath(_) if &self == asked => Some((self, Reach::Public)),
            _ => None,
        }
    }
}
