//! The Discord provider against a scripted host: the exact requests it sends, and what it makes of the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_discord::Discord;
use dmplz_provider_sdk::testing::{FakeHost, card, choice};
use dmplz_provider_sdk::{Attachment, Block, Choice, MessageRef, OpenChat, Provider, Setting, serde_json};

mod acknowledging;
mod buttons;
mod connecting;
mod diagnosing;
mod failing;
mod files;
mod forms;
mod gateway;
mod meeting;
mod posting;
mod pressing;
mod reacting;
mod reading;
mod threads;

/// Returns a provider with the real server's URL.
fn discord() -> Discord {
    Discord::connect(&[Setting { name: "api-base".into(), value: "https://discord.com/api/v10".into() }], "reactions")
        .unwrap()
}

/// Returns a provider with the real gateway.
fn gateway() -> Discord {
    let setting = |name: &str, value: &str| Setting { name: name.into(), value: value.into() };
    let base = setting("api-base", "https://discord.com/api/v10");
    Discord::connect(&[base, setting("gateway-url", "wss://gateway.discord.gg")], "gateway").unwrap()
}

fn channel() -> OpenChat {
    OpenChat { id: "100".into(), owner: None }
}

fn message(id: u64) -> MessageRef {
    MessageRef { chat: "100".into(), id: id.to_string(), sequence: id }
}

/// Returns the three choices of a request.
fn choices() -> Vec<Choice> {
    [("approve", "✅"), ("session", "🔄"), ("deny", "❌")]
        .map(|(id, emoji)| choice(id, &format!("{emoji} {id}"), emoji))
        .to_vec()
}

fn file(name: &str, data: &str) -> Block {
    Block::File(Attachment { name: name.into(), media_type: "text/plain; charset=utf-8".into(), data: data.into() })
}

/// Returns the content of the first message that was sent.
fn content(host: &FakeHost) -> String {
    let body: serde_json::Value = serde_json::from_slice(&host.requests()[0].body).unwrap();
    body["content"].as_str().unwrap().to_owned()
}

/// A message of the bot in the channel.
const SENT: &str =
    r#"{"id":"200","channel_id":"100","type":0,"content":"x","author":{"id":"1","username":"bot","bot":true}}"#;
