//! The first frames on a page's WebSocket, by which page and gateway authenticate each other. Each text frame is one
//! JSON object:
//!
//! | from | frame | content |
//! |---|---|---|
//! | page | `{"hello":{"nonce","key"}}` | 32 random bytes, and its public key |
//! | gateway | `{"challenge":{"nonce","key","signature"}}` | 32 random bytes, its key, and its signature as `gateway proves` |
//! | paired page | `{"prove":{"signature"}}` | its signature as `page proves`, once it has checked the gateway's |
//! | page with a code | `{"pair":{"mac"}}` | the HMAC with the code as `page pairs` |
//! | gateway | `{"welcome":{"name","lang","nowMs","mac"?}}` | the page is in; if it paired, the HMAC as `gateway pairs` |
//! | gateway | `{"refused":{"why"}}` | `unpaired` or `wrong_code`; the gateway then closes with 1008 |
//!
//! Signatures and HMACs cover one text of six lines: `dmplz` and the purpose named above; the page's origin; the page's
//! nonce; the gateway's nonce; the page's key; the gateway's key.
//!
//! * No frame holds a secret, and no frame is of use later: the gateway's nonce is new on each connection, and valid on
//!   that connection only, for [`PATIENCE`].
//! * A program that holds the port while the gateway is down cannot sign as the gateway, so a page neither signs for it
//!   nor sends it an answer.
//! * Nor can it relay to a gateway that was started at another port: the origin is part of the signed text, and a
//!   gateway accepts its own origins only. Behind a proxy the origin is the proxy's, so the port that the proxy
//!   forwards to must be the gateway's.
//! * A page that pairs learns the gateway's key under the HMAC with the code, so no other program can take the
//!   gateway's place from the start.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, stream::SplitSink};
use serde::{Deserialize, Serialize};

use super::Web;
use super::secret;
use crate::browsers::PageKey;

/// How long a page may take to prove its identity.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// The longest frame in bytes. The longest one that a page needs is `hello`, with about 250.
const LONGEST: usize = 1_024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum FromPage {
    Hello { nonce: String, key: String },
    Prove { signature: String },
    Pair { mac: String },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum ToPage<'a> {
    Challenge {
        nonce: &'a str,
        key: &'a str,
        signature: &'a str,
    },
    Welcome {
        name: &'a str,
        lang: &'a str,
        now_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        mac: Option<String>,
    },
    Refused {
        why: Why,
    },
}

/// Why a page is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Why {
    /// The gateway does not know the page's key, or the signature was made with another key.
    Unpaired,
    /// No valid code has this HMAC.
    WrongCode,
}

/// Returns the text that both sides sign: its purpose, the origin, the page's and the gateway's nonce, the page's and the
/// gateway's key. None of them holds a line break.
pub(super) fn transcript(what: &str, [origin, page_nonce, gateway_nonce, page_key, gateway_key]: [&str; 5]) -> String {
    format!("dmplz {what}\n{origin}\n{page_nonce}\n{gateway_nonce}\n{page_key}\n{gateway_key}")
}

/// Authenticates a page and returns its key. `None` if the page is refused; it has then been told why, if it could
/// still be told. The caller waits for [`PATIENCE`].
pub(super) async fn greet(
    sink: &mut SplitSink<WebSocket, Message>,
    stream: &mut SplitStream<WebSocket>,
    web: &Web,
    (origin, browser): (&str, &str),
) -> Option<PageKey> {
    let FromPage::Hello { nonce: page_nonce, key: page_key } = hear(stream).await? else { return None };
    let key = PageKey::read(&page_key)?;
    if !secret::is_one(&page_nonce) {
        return None;
    }
    let (ours, gateway_key) = (secret::random().ok()?, web.browsers.key().public());
    let text = |what: &str| transcript(what, [origin, &page_nonce, &ours, &page_key, &gateway_key]);
    let signature = web.browsers.key().sign(&text("gateway proves")).ok()?;
    say(sink, &ToPage::Challenge { nonce: &ours, key: &gateway_key, signature: &signature }).await?;
    let let_in = match hear(stream).await? {
        FromPage::Hello { .. } => return None,
        FromPage::Prove { signature } => {
            let is_paired = web.browsers.counts(key) && key.signed(&text("page proves"), &signature);
            is_paired.then_some(None).ok_or(Why::Unpaired)
        }
        FromPage::Pair { mac } => {
            let redeemed = web.pairing.redeem(&text("page pairs"), &mac);
            redeemed.map(|code| Some(code.mac(&text("gateway pairs")))).ok_or(Why::WrongCode)
        }
    };
    let mac = match let_in {
        Ok(mac) => mac,
        Err(why) => {
            say(sink, &ToPage::Refused { why }).await?;
            return None;
        }
    };
    if mac.is_some() {
        web.browsers.begin(key, browser);
        // Where it cannot be stored, it counts for this run.
        let _ = web.browsers.save().await;
    } else {
        web.browsers.seen(key);
    }
    let (name, lang, now_ms) = (web.owner.name(), web.rpc.lang.name(), web.rpc.approvals.now_ms());
    say(sink, &ToPage::Welcome { name, lang, now_ms, mac }).await?;
    Some(key)
}

/// Returns the next frame. `None` if it is no valid frame of a page.
async fn hear(stream: &mut SplitStream<WebSocket>) -> Option<FromPage> {
    loop {
        match stream.next().await?.ok()? {
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Text(text) if text.len() <= LONGEST => return serde_json::from_str(&text).ok(),
            _ => return None,
        }
    }
}

async fn say(sink: &mut SplitSink<WebSocket, Message>, frame: &ToPage<'_>) -> Option<()> {
    let text = serde_json::to_string(frame).ok()?;
    sink.send(Message::Text(Utf8Bytes::from(text))).await.ok()
}
