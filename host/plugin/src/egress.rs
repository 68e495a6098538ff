//! The policy for what a provider may send where. Everything in this module is pure; `http` and `network` carry it
//! out.
//!
//! **Origins.** Written `https://host[:port]`, or the same with `http`, `wss` or `ws`, without a path or user. The
//! only wildcard is `wss://*.host`, which stands for exactly one more label before a host of at least two labels, at
//! port 443. The origin of a request or a socket must be one that the manifest asks for *and* that is granted:
//!
//! | the manifest asks for | and it is granted by | `http`, `ws` | may resolve to |
//! |---|---|---|---|
//! | `{setting:NAME}`, and the operator wrote that setting | writing it: that server, for requests and sockets (only for sockets if the URL is a socket's) | yes | public, private and loopback addresses |
//! | anything, and the operator listed it, or an origin that its wildcard covers ([`Grants::Only`]) | the list | only `localhost` or a literal address | public addresses; a literal or `localhost` also private and loopback ones |
//! | an `https` or `wss` origin, also as a setting's default ([`Grants::Manifest`]) | being bundled | no | public addresses |
//!
//! Default: nothing is granted. A setting without a value and a default asks for nothing. An `https` origin does not
//! grant the `wss` one, nor the reverse. `address` defines which addresses are public; link-local and metadata
//! addresses are never reached.
//!
//! **Secrets.** `{secret:NAME}` stands for a secret, at most once per request or frame, and only
//!
//! * towards an origin that the manifest assigns to that secret and that is granted;
//! * in a place that the manifest assigns to that secret (`place`): a path (filled in percent-encoded), a credential
//!   header, a string of a JSON frame (`frame`), or a string or field of a body (`body`).
//!
//! Anywhere else a server could show the secret to other people, so the request is refused. What else a body holds, and
//! a longer string of a frame, are sent unchanged: they contain untrusted text, in which nothing is filled in.
//!
//! A reply, frame, error or log line that contains a secret, plain or encoded, is withheld (`leak`).
//!
//! **Requests and sockets.** Size limits and forbidden headers are defined in `request`, handshakes in `socket`.

mod address;
mod body;
mod frame;
mod leak;
mod origin;
mod place;
mod placeholder;
mod request;
mod socket;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use dmplz_core::messenger::Manifest;

pub(crate) use address::Reach;
pub(crate) use leak::{Leaks, is_usable};
pub(crate) use origin::{Origin, Pattern};
pub(crate) use place::Place;
pub(crate) use placeholder::whole;
pub(crate) use request::{Draft, Outgoing};
pub(crate) use socket::Handshake;

use crate::{Account, Grants, Secret};

/// How many tokens, and secrets that follow another, are searched for beside the operator's: a reply may hold an old one.
const LATER: usize = 16;

/// The egress policy of one account.
pub(crate) struct Egress {
    granted: Vec<(Pattern, Reach)>,
    secrets: Vec<OwnedSecret>,
    leaks: RwLock<Arc<Leaks>>,
    /// What is searched for: the operator's secrets.
    given: Vec<Secret>,
    /// And the last that came after them, the oldest first.
    later: Mutex<VecDeque<Secret>>,
}

struct OwnedSecret {
    name: String,
    value: Value,
    /// The granted origins, and for each the path behind which the provider's own paths begin.
    origins: Vec<(Pattern, String)>,
    places: Vec<Place>,
}

/// What is filled in for a secret.
enum Value {
    /// What the operator gave.
    Given(Secret),
    /// What it was exchanged for, and until when that is good, in Unix milliseconds.
    Exchanged(RwLock<Option<(Secret, Option<u64>)>>),
}

/// Why a request is refused. It is shown to the provider and logged, and never contains a secret.
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
    #[error("there is no token for the secret {0} yet")]
    NoToken(String),
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
    /// Returns the policy that follows from a valid manifest and the operator's grants.
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
                let given = account.secrets.get(&secret.name)?.clone();
                let value = match secret.renewal {
                    Some(_) => Value::Exchanged(RwLock::default()),
                    None => Value::Given(given),
                };
                let origins = secret.origins.iter().flat_map(belongs).collect();
                let places = secret.places.iter().filter_map(|place| Place::parse(&secret.name, place).ok()).collect();
                Some(OwnedSecret { name: secret.name.clone(), value, origins, places })
            })
            .collect();
        let given: Vec<Secret> = account.secrets.values().cloned().collect();
        let leaks = RwLock::new(Arc::new(Leaks::new(given.iter().map(Secret::expose))));
        Self { granted, secrets, leaks, given, later: Mutex::default() }
    }

    /// Returns the token that a secret was exchanged for, and until when it is good, in Unix milliseconds.
    pub(crate) fn token(&self, name: &str) -> Option<(Secret, Option<u64>)> {
        match &self.secrets.iter().find(|secret| secret.name == name)?.value {
            Value::Exchanged(token) => token.read().unwrap_or_else(PoisonError::into_inner).clone(),
            Value::Given(_) => None,
        }
    }

    /// Takes a token that a secret was exchanged for. Like the secret, it is found wherever it would be seen.
    pub(crate) fn renew(&self, name: &str, token: Secret, until_ms: Option<u64>) {
        self.hide(token.clone());
        let mut named = self.secrets.iter().filter(|secret| secret.name == name);
        if let Some(OwnedSecret { value: Value::Exchanged(current), .. }) = named.next() {
            *current.write().unwrap_or_else(PoisonError::into_inner) = Some((token, until_ms));
        }
    }

    /// Searches for one more text wherever a secret would be seen. It is forgotten once there are many newer ones.
    pub(crate) fn hide(&self, text: Secret) {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.push_back(text);
        if later.len() > LATER {
            later.pop_front();
        }
        let leaks = Arc::new(Leaks::new(self.given.iter().chain(later.iter()).map(Secret::expose)));
        *self.leaks.write().unwrap_or_else(PoisonError::into_inner) = leaks;
    }

    /// Returns a secret of the operator that belongs to an origin, for an exchange.
    pub(crate) fn belongs(&self, name: &str, origin: &Origin) -> Result<Secret, Refusal> {
        self.secret(name, origin, |_, _| true)
    }

    /// Returns which addresses an origin may resolve to, or `None` if it is not granted.
    pub(crate) fn reach(&self, origin: &Origin) -> Result<Reach, Refusal> {
        let granted = self.granted.iter().filter(|(granted, _)| granted.covers(origin)).map(|(_, reach)| *reach).max();
        granted.ok_or_else(|| Refusal::Origin(origin.clone()))
    }

    /// Returns the value of a secret for an origin that it belongs to, if `stands` accepts one of the manifest's
    /// places. `stands` gets each place, and the path of the origin behind which paths begin.
    fn secret(&self, name: &str, origin: &Origin, stands: impl Fn(&Place, &str) -> bool) -> Result<Secret, Refusal> {
        let mut named = self.secrets.iter().filter(|secret| secret.name == name);
        let Some(secret) = named.next() else { return Err(Refusal::UnknownSecret(shortened(name))) };
        let bases: Vec<_> = secret.origins.iter().filter(|(pattern, _)| pattern.covers(origin)).collect();
        if bases.is_empty() {
            return Err(Refusal::SecretElsewhere { name: secret.name.clone(), origin: origin.clone() });
        }
        let placed = bases.iter().any(|(_, base)| secret.places.iter().any(|place| stands(place, base)));
        if !placed {
            return Err(Refusal::SecretMisplaced(secret.name.clone()));
        }
        match &secret.value {
            Value::Given(given) => Ok(given.clone()),
            Value::Exchanged(_) => {
                self.token(name).map(|(token, _)| token).ok_or_else(|| Refusal::NoToken(secret.name.clone()))
            }
        }
    }

    /// Returns the check of whether a text contains a secret.
    pub(crate) fn leaks(&self) -> Arc<Leaks> {
        Arc::clone(&self.leaks.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the origins that a manifest asks for whatever the operator sets: those that it names, and those of its
/// settings' default URLs. They are in the manifest's order, without duplicates.
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

/// Returns the origin of a URL. `None` if it has none that could be granted.
pub fn origin_of(url: &str) -> Option<String> {
    Origin::of_url(url).map(|origin| origin.to_string())
}

/// Returns whether an origin, or every one that `wss://*.host` stands for, is listed. An unreadable one is not.
pub fn is_within(origin: &str, listed: &[String]) -> bool {
    let Some(pattern) = Pattern::parse(origin) else { return false };
    listed.iter().filter_map(|listed| Pattern::parse(listed)).any(|listed| match &pattern {
        Pattern::One(origin) => listed.covers(origin),
        Pattern::Beneath(_) => listed == pattern,
    })
}

/// Returns the name in `{setting:NAME}`.
pub(crate) fn setting_of(asked: &str) -> Option<&str> {
    asked.strip_prefix("{setting:")?.strip_suffix('}')
}

/// Returns the path, as written, of the setting's URL from which an origin is taken; empty for any other origin.
fn base_path(asked: &str, manifest: &Manifest, account: &Account) -> String {
    let Some(name) = setting_of(asked) else { return String::new() };
    let url = account.setting(manifest, name).unwrap_or_default().trim();
    let path = request::split(url).map_or("", |(_, rest)| rest.split('?').next().unwrap_or_default());
    path.trim_end_matches('/').to_owned()
}

/// Makes an unchecked name safe to show in an error.
fn shortened(name: &str) -> String {
    name.chars().take(32).collect()
}

/// Returns the grants for something that the manifest asks for.
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

/// Returns the server of a setting that the operator wrote, over HTTP and over a WebSocket.
fn written_by_hand(origin: &Origin) -> Vec<(Pattern, Reach)> {
    let mut both = vec![(Pattern::One(origin.as_socket()), Reach::Anywhere)];
    if !origin.scheme().is_socket() {
        both.push((Pattern::One(origin.clone()), Reach::Anywhere));
    }
    both
}

impl Pattern {
    /// Returns what a listed pattern grants of what a manifest asks for: the pattern itself, if the manifest asks for
    /// all of it.
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
