//! The Telegram provider against a scripted host: the exact requests it sends, and what it makes of the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_provider_sdk::testing::{self, FakeHost, card};
use dmplz_provider_sdk::{Choice, MessageRef, OpenChat, Provider, Setting};
use dmplz_telegram::Telegram;

mod acknowledging;
mod connecting;
mod diagnosing;
mod failing;
mod files;
mod meeting;
mod posting;
mod receiving;
mod topics;

/// Returns a provider with the real server's URL.
fn telegram() -> Telegram {
    Telegram::connect(&[Setting { name: "api-base".into(), value: "https://api.telegram.org/".into() }], "updates")
        .unwrap()
}

fn private_chat() -> OpenChat {
    OpenChat { id: "42".into(), owner: Some("42".into()) }
}

fn message(chat: &str, id: u64) -> MessageRef {
    MessageRef { chat: chat.into(), id: id.to_string(), sequence: id }
}

fn choice(id: &str, label: &str) -> Choice {
    testing::choice(id, label, "")
}

/// Returns a host that answers the next call with this result.
fn answering(result: &str) -> FakeHost {
    FakeHost::new().reply(200, format!(r#"{{"ok":true,"result":{result}}}"#))
}

/// A message of the bot in the private chat.
const SENT: &str = r#"{"message_id":7,"date":1,"chat":{"id":42,"type":"private"},"text":"x"}"#;
