//! The subscription of one browser, as its push service made it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dmplz_core::text::Lang;
use dmplz_protocol::push::SubscribePush;
use http::Uri;
use ring::error::Unspecified;

use super::seal::{AUTH, Keys, POINT, seal};

/// The longest address of a service, in bytes.
const LONGEST: usize = 2_048;

/// A subscription whose values have the right form.
pub(super) struct Subscription {
    pub(super) endpoint: String,
    pub(super) origin: String,
    pub(super) is_operators: bool,
    pub(super) lang: Lang,
    keys: Keys,
}

/// A page sent something that is no subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSubscription {
    /// The address is not one to post to.
    #[error(
        "the endpoint is no https URL of at most {LONGEST} bytes without a user, nor of a service in DMPLZ_PUSH_SERVICES"
    )]
    Endpoint,
    /// The keys are not those of a browser.
    #[error("the keys are not {POINT} and {AUTH} bytes as base64url")]
    Keys,
}

impl Subscription {
    /// Reads a subscription. `services` are origins that the operator names; all others must use https.
    pub(super) fn read(asked: &SubscribePush, services: &[String]) -> Result<Self, InvalidSubscription> {
        let SubscribePush { endpoint, p256dh, auth, lang } = asked;
        let origin = origin(endpoint).filter(|_| endpoint.len() <= LONGEST).ok_or(InvalidSubscription::Endpoint)?;
        let is_operators = services.iter().any(|service| service.trim_end_matches('/') == origin);
        if !is_operators && !origin.starts_with("https://") {
            return Err(InvalidSubscription::Endpoint);
        }
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public = bytes(p256dh).and_then(|bytes| <[u8; POINT]>::try_from(bytes).ok());
        let auth = bytes(auth).and_then(|bytes| <[u8; AUTH]>::try_from(bytes).ok());
        let (public, auth) = public.zip(auth).ok_or(InvalidSubscription::Keys)?;
        Ok(Self { endpoint: endpoint.clone(), origin, is_operators, lang: *lang, keys: Keys { public, auth } })
    }

    /// Encrypts a message.
    pub(super) fn seal(&self, content: &[u8]) -> Result<Vec<u8>, Unspecified> {
        seal(&self.keys, content)
    }

    /// Returns whether it is of Apple's service.
    pub(super) fn is_apples(&self) -> bool {
        self.origin.ends_with(".push.apple.com")
    }
}

/// Returns scheme, host and port of an address; `None` for what is no address to post to.
fn origin(endpoint: &str) -> Option<String> {
    let uri: Uri = endpoint.parse().ok()?;
    let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "https" | "http"))?;
    let authority = uri.authority().map(|authority| authority.as_str().to_ascii_lowercase())?;
    (!authority.contains('@')).then(|| format!("{scheme}://{authority}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(endpoint: &str) -> SubscribePush {
        SubscribePush {
            endpoint: endpoint.to_owned(),
            p256dh: URL_SAFE_NO_PAD.encode([4; POINT]),
            auth: URL_SAFE_NO_PAD.encode([1; AUTH]),
            lang: Lang::En,
        }
    }

    #[test]
    fn only_https_and_the_operators_own_services_are_taken() {
        let services = ["http://127.0.0.1:9000".to_owned()];
        let read = |endpoint: &str| {
            Subscription::read(&asked(endpoint), &services).map(|read| (read.origin, read.is_operators))
        };
        assert_eq!(read("https://Push.example.net/a/b?c"), Ok(("https://push.example.net".to_owned(), false)));
        assert_eq!(read("http://127.0.0.1:9000/a"), Ok(("http://127.0.0.1:9000".to_owned(), true)));
        let long = format!("https://push.example.net/{}", "a".repeat(LONGEST));
        for bad in
            ["", "/a", "http://push.example.net/a", "ftp://a/b", "https://me:pw@a/b", "http://127.0.0.1:9001/a", &long]
        {
            assert_eq!(read(bad), Err(InvalidSubscription::Endpoint), "{bad}");
        }
    }

    #[test]
    fn keys_have_their_sizes() {
        for (p256dh, auth) in [("", ""), ("AAAA", "AAAA"), ("!", "!")] {
            let asked = SubscribePush { p256dh: p256dh.into(), auth: auth.into(), ..asked("https://a/b") };
            assert!(matches!(Subscription::read(&asked, &[]), Err(InvalidSubscription::Keys)));
        }
    }
}
