//! What a provider may send where. Everything in here is pure; `http` and `network` do as it says.
//!
//! **Origins.** Written `https://host[:port]` or `http://host[:port]`, nothing else: no path, no user, no wildcard.
//! A request's origin must be one that the manifest asks for *and* that is granted:
//!
//! | the manifest asks for | and it is granted by | `http` | may resolve to |
//! |---|---|---|---|
//! | `{setting:NAME}`, and the operator wrote that setting | writing it | yes | public, private and loopback addresses |
//! | anything, and the operator listed its origin ([`Grants::Only`]) | the list | only `localhost` or a literal address | public addresses; a literal or `localhost` also private and loopback ones |
//! | an `https` origin, also as a setting's default ([`Grants::Manifest`]) | being bundled | no | public addresses |
//!
//! Default: nothing is granted. A setting that nobody wrote and that has no default asks for nothing. Which addresses
//! are public is said in `address`; link-local and metadata addresses are never reached.
//!
//! **Secrets.** `{secret:NAME}` stands for a secret, at most once in a request, and only
//!
//! * in the path of the URL (filled in percent-encoded), or in the value of `authorization` or of a header whose name
//!   ends in `-token` or `-key`; not in a query or another header, where a server would show it to strangers;
//! * towards an origin that the manifest gave that secret and that is granted.
//!
//! A reply, an error or a line that holds one, plain or encoded, goes nowhere (`leak`).
//!
//! **Requests.** Caps and forbidden headers are in `request`.

mod address;
mod base64;
mod leak;
mod origin;
mod placeholder;
mod request;
#[cfg(test)]
mod tests;

use dmplz_core::messenger::Manifest;

pub(crate) use address::Reach;
pub(crate) use base64::{Alphabet, encode};
pub(crate) use leak::Leaks;
pub(crate) use origin::Origin;
pub(crate) use request::{Draft, Outgoing};

use crate::{Account, Grants, Secret};

/// The policy of one account.
pub(crate) struct Egress {
    granted: Vec<(Origin, Reach)>,
    secrets: Vec<OwnedSecret>,
    leaks: Leaks,
}

struct OwnedSecret {
    name: String,
    value: Secret,
    origins: Vec<Origin>,
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
    #[error("a secret may stand once, in the path or in a header for credentials")]
    SecretMisplaced,
    #[error("the reply holds a secret")]
    Leak,
    #[error("the reply is compressed")]
    Compressed,
}

impl Egress {
    /// The policy that follows from a valid manifest and what the operator gave.
    pub(crate) fn new(manifest: &Manifest, account: &Account) -> Self {
        let granted: Vec<_> = manifest.origins.iter().filter_map(|asked| grant(asked, manifest, account)).collect();
        let belongs = |asked: &String| grant(asked, manifest, account).map(|(origin, _)| origin);
        let secrets: Vec<_> = manifest
            .secrets
            .iter()
            .filter_map(|secret| {
                let value = account.secrets.get(&secret.name)?.clone();
                let origins = secret.origins.iter().filter_map(belongs).collect();
                Some(OwnedSecret { name: secret.name.clone(), value, origins })
            })
            .collect();
        let leaks = Leaks::new(account.secrets.values().map(Secret::expose));
        Self { granted, secrets, leaks }
    }

    /// How far an origin may be followed, when it is granted at all.
    fn reach(&self, origin: &Origin) -> Result<Reach, Refusal> {
        let granted = self.granted.iter().filter(|(granted, _)| granted == origin).map(|(_, reach)| *reach).max();
        granted.ok_or_else(|| Refusal::Origin(origin.clone()))
    }

    /// A secret's value, towards an origin that it belongs to.
    fn secret(&self, name: &str, origin: &Origin) -> Result<&str, Refusal> {
        let mut named = self.secrets.iter().filter(|secret| secret.name == name);
        let Some(secret) = named.next() else { return Err(Refusal::UnknownSecret(name.chars().take(32).collect())) };
        if secret.origins.contains(origin) {
            Ok(secret.value.expose())
        } else {
            Err(Refusal::SecretElsewhere { name: secret.name.clone(), origin: origin.clone() })
        }
    }

    /// What tells whether something holds a secret.
    pub(crate) fn leaks(&self) -> &Leaks {
        &self.leaks
    }
}

/// The name in `{setting:NAME}`.
pub(crate) fn setting_of(asked: &str) -> Option<&str> {
    asked.strip_prefix("{setting:")?.strip_suffix('}')
}

fn grant(asked: &str, manifest: &Manifest, account: &Account) -> Option<(Origin, Reach)> {
    let origin = match setting_of(asked) {
        None => Origin::parse(asked)?,
        Some(name) => match account.settings.get(name) {
            Some(written) => return Some((Origin::of_url(written)?, Reach::Anywhere)),
            None => {
                let spec = manifest.settings.iter().find(|setting| setting.name == name)?;
                Origin::of_url(spec.default.as_deref()?)?
            }
        },
    };
    match &account.grants {
        Grants::Manifest => origin.is_https().then_some((origin, Reach::Public)),
        Grants::Only(list) => {
            let listed = list.iter().any(|listed| Origin::parse(listed).as_ref() == Some(&origin));
            let literal = origin.is_literal();
            let reach = if literal { Reach::Anywhere } else { Reach::Public };
            (listed && (origin.is_https() || literal)).then_some((origin, reach))
        }
    }
}
