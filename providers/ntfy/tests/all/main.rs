//! The ntfy provider against a scripted host: the exact requests it sends, and what it makes of the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_ntfy::Ntfy;
use dmplz_provider_sdk::testing::{self, FakeHost, card};
use dmplz_provider_sdk::{Choice, MessageRef, OpenChat, Provider, Setting, Watch};

mod connecting;
mod diagnosing;
mod failing;
mod posting;
mod receiving;

fn setting(name: &str, value: &str) -> Setting {
    Setting { name: name.into(), value: value.into() }
}

/// Returns a provider that is connected to a server, without a token.
fn ntfy() -> Ntfy {
    Ntfy::connect(&[setting("api-base", "https://ntfy.example/"), setting("poll-interval", "5000")], "polling").unwrap()
}

fn topic() -> OpenChat {
    OpenChat { id: "secret_topic".into(), owner: None }
}

fn message(id: &str, sequence: u64) -> MessageRef {
    MessageRef { chat: "secret_topic".into(), id: id.into(), sequence }
}

fn watching(card: MessageRef) -> [Watch; 1] {
    [Watch { message: card, choices: vec![choice("deny", "❌ Deny")], text: true }]
}

fn choice(id: &str, label: &str) -> Choice {
    testing::choice(id, label, "")
}

/// The server's reply to a published message.
const POSTED: &str = r#"{"id":"sPs71M8A2Tzx","time":1800000000,"event":"message","topic":"secret_topic","sequence_id":"tag1","message":"x"}"#;
/// The reply of a server without sequences.
const POSTED_BEFORE_2_16: &str =
    r#"{"id":"sPs71M8A2Tzx","time":1800000000,"event":"message","topic":"secret_topic","message":"x"}"#;

fn posting() -> FakeHost {
    FakeHost::new().reply(200, POSTED)
}
