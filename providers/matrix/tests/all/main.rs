//! The Matrix provider against a scripted host: the exact requests it sends, and what it makes of the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_matrix::Matrix;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::testing::{self, FakeHost, card};
use dmplz_provider_sdk::{Block, Card, Choice, MessageRef, OpenChat, Provider, Setting, Style, Watch};

mod connecting;
mod failing;
mod meeting;
mod posting;
mod receiving;
mod revising;

const ROOM: &str = "!room:example.org";
const CARD: &str = "$card";
const BOT: &str = "@dmplz:example.org";
const JIN: &str = "@jin:example.org";
/// The place of the card.
const AT: u64 = 1_800_000_000_000;

/// Returns a provider that is connected to a homeserver.
fn matrix() -> Matrix {
    let homeserver = Setting { name: "homeserver".into(), value: "https://matrix.example/".into() };
    Matrix::connect(&[homeserver], "sync").unwrap()
}

fn room() -> OpenChat {
    OpenChat { id: ROOM.into(), owner: None }
}

fn message() -> MessageRef {
    MessageRef { chat: ROOM.into(), id: CARD.into(), sequence: AT }
}

fn choices() -> Vec<Choice> {
    let session = Choice { style: Style::Secondary, ..testing::choice("session", "🔄 Session", "🔄") };
    let approve = Choice { style: Style::Success, ..testing::choice("approve", "✅ Approve", "✅") };
    vec![approve, session, Choice { style: Style::Danger, ..testing::choice("deny", "❌ Deny", "❌") }]
}

fn watching(text: bool) -> [Watch; 1] {
    [Watch { message: message(), choices: choices(), text }]
}

fn question() -> Card {
    Card { choices: choices(), ..card("🔐 May I?", vec![Block::Code("git push".into())]) }
}

/// Adds the refusal of a homeserver to the script.
fn refused(host: FakeHost, status: u16, code: &str) -> FakeHost {
    host.reply(status, json!({ "errcode": code, "error": format!("{code} it is") }))
}

/// The script of a room that the bot is in and that is not encrypted.
fn plain() -> FakeHost {
    refused(FakeHost::new(), 404, "M_NOT_FOUND")
}

/// Adds the reply to an event that was sent.
fn sent(host: FakeHost, id: &str) -> FakeHost {
    host.reply(200, json!({ "event_id": id }))
}

fn event(id: &str, sender: &str, kind: &str, content: Value) -> Value {
    json!({ "event_id": id, "sender": sender, "type": kind, "content": content, "origin_server_ts": AT })
}

/// Returns the card's event, whose content names its choices.
fn posted() -> Value {
    let choices = json!({ "✅": "approve", "🔄": "session", "❌": "deny" });
    event(CARD, BOT, "m.room.message", json!({ "body": "?", "dmplz.card": { "tag": "tag1", "choices": choices } }))
}

fn reaction(id: &str, sender: &str, key: &str) -> Value {
    let relation = json!({ "rel_type": "m.annotation", "event_id": CARD, "key": key });
    event(id, sender, "m.reaction", json!({ "m.relates_to": relation }))
}

/// Returns the paths and queries of all requests, without what all of them begin with.
fn paths(host: &FakeHost) -> Vec<String> {
    let base = "https://matrix.example/_matrix/client/";
    host.requests().iter().map(|request| request.url.replacen(base, "", 1)).collect()
}
