//! The request to a webhook, and its signature according to the Standard Webhooks specification
//! (<https://github.com/standard-webhooks/standard-webhooks>), so that receivers verify it with a library.
//!
//! | header | value |
//! |---|---|
//! | `webhook-id` | identifies the notice; the same at every attempt |
//! | `webhook-timestamp` | the time of the attempt, in Unix seconds |
//! | `webhook-signature` | `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` |

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::json;

use super::Outgoing;
use dmplz_core::notify::units_cost;

/// The longest text of a webhook's notice, in UTF-16 code units.
pub const LONGEST: usize = 4_000;
/// The prefix of a secret.
const PREFIX: &str = "whsec_";

/// The key of a webhook.
#[derive(Clone)]
pub struct Key(hmac::Key);

/// A secret is not one of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the secret of a webhook is whsec_ and the base64 of 24 to 64 bytes; `echo whsec_$(openssl rand -base64 32)` makes one"
)]
pub struct InvalidKey;

impl Key {
    /// Reads a secret: `whsec_` and the base64 of 24 to 64 bytes.
    pub fn parse(secret: &str) -> Result<Self, InvalidKey> {
        let bytes = secret.strip_prefix(PREFIX).and_then(|text| STANDARD.decode(text).ok());
        let bytes = bytes.filter(|bytes| (24..=64).contains(&bytes.len())).ok_or(InvalidKey)?;
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// Returns the headers of an attempt at `now_ms` (Unix milliseconds).
    pub fn headers(&self, uid: &str, now_ms: u64, body: &[u8]) -> [(&'static str, String); 3] {
        let (id, timestamp) = (format!("msg_{uid}"), (now_ms / 1_000).to_string());
        let mut context = hmac::Context::with_key(&self.0);
        context.update(format!("{id}.{timestamp}.").as_bytes());
        context.update(body);
        let signature = format!("v1,{}", STANDARD.encode(context.sign()));
        [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signature)]
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Returns the body of a webhook's request, as JSON. A text has at most [`LONGEST`] units; `leftOut` is the number of
/// missing characters.
pub fn body(outgoing: &Outgoing) -> Vec<u8> {
    let fitted = outgoing.notice.fit(LONGEST, units_cost, outgoing.lang);
    let occurrence = &outgoing.occurrence;
    let body = json!({
        "type": "notice",
        "event": occurrence.event,
        "count": outgoing.count,
        "happenedAtMs": occurrence.at_ms,
        "sessionId": Some(&occurrence.session_id).filter(|id| !id.is_empty()),
        "title": fitted.title,
        "text": fitted.body,
        "leftOut": fitted.left_out,
    });
    body.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the example of the specification, with the signature that its own libraries compute.
    #[test]
    fn the_signature_is_the_one_of_the_specifications_example() {
        let key = Key::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let mut context = hmac::Context::with_key(&key.0);
        context.update(b"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}");
        let signature = STANDARD.encode(context.sign());
        assert_eq!(signature, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let headers = key.headers("ab", 1_614_265_330_999, b"{}");
        assert_eq!(headers.each_ref().map(|(name, _)| *name), ["webhook-id", "webhook-timestamp", "webhook-signature"]);
        assert_eq!(headers[..2].iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["msg_ab", "1614265330"]);
    }

    #[test]
    fn a_secret_of_another_shape_is_refused_and_none_is_ever_shown() {
        for bad in ["", "whsec_", "hunter2hunter2hunter2", "whsec_AAAA", "whsec_not base64 at all, not at all"] {
            assert_eq!(Key::parse(bad).unwrap_err(), InvalidKey, "{bad}");
        }
        let key = Key::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        assert_eq!(format!("{key:?}"), "Key(…)");
    }
}
