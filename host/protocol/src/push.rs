//! Methods about web push, for a paired page. A subscription belongs to the browser of the connection, and ends with its
//! session.

use dmplz_core::text::Lang;
use serde::{Deserialize, Serialize};

/// Params of `push.status`, which tells a page what it needs in order to subscribe.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetPush {}

/// The result of `push.status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushStatus {
    /// The key by which push services know this gateway (RFC 8292): an uncompressed point of P-256, as base64url.
    pub key: String,
    /// Whether this browser is subscribed.
    pub on: bool,
}

/// Params of `push.subscribe`, which replaces the subscription of this browser. The members are those of a browser's
/// `PushSubscription`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubscribePush {
    /// The address at the push service. Whoever knows it can send to the browser, so it is a secret.
    pub endpoint: String,
    /// The browser's public key, as base64url.
    pub p256dh: String,
    /// The secret that the browser shares with the sender, as base64url.
    pub auth: String,
    /// The language of the page.
    #[serde(with = "lang")]
    pub lang: Lang,
}

/// Params of `push.unsubscribe`, which forgets the subscription of this browser.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsubscribePush {}

/// Params of `push.test`, which sends a notice to this browser alone and waits for the service's reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestPush {}

/// Writes a language as `ko` or `en`.
pub(crate) mod lang {
    use dmplz_core::text::Lang;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(lang: &Lang, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(lang.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Lang, D::Error> {
        Lang::named(&String::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("a language is ko or en"))
    }
}
