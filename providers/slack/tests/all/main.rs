//! The Slack provider against a scripted host: the exact requests it sends, and what it makes of the replies and frames.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::testing::{self, FakeHost, FakeSocket, card};
use dmplz_provider_sdk::{Choice, MessageRef, OpenChat, Provider, Setting, Style, TextField, Watch};
use dmplz_slack::Slack;

mod connecting;
mod failing;
mod listening;
mod meeting;
mod posting;
mod pressing;

fn setting(value: &str) -> Setting {
    Setting { name: "api-base".into(), value: value.into() }
}

fn slack() -> Slack {
    Slack::connect(&[setting("https://slack.example/api/")], "socket-mode").unwrap()
}

fn channel() -> OpenChat {
    OpenChat { id: "C012AB3CD".into(), owner: None }
}

fn message(ts: &str) -> MessageRef {
    MessageRef { chat: "C012AB3CD".into(), id: ts.into(), sequence: ts.replace('.', "").parse().unwrap() }
}

fn choice(id: &str, label: &str, style: Style) -> Choice {
    Choice { style, ..testing::choice(id, label, "") }
}

/// A choice that asks for words.
fn write() -> Choice {
    let field = TextField {
        title: "A title that is longer than Slack takes".into(),
        label: "A reason".into(),
        placeholder: "because".into(),
        max: 4000,
    };
    Choice { field: Some(field), ..choice("deny", "❌ Deny", Style::Danger) }
}

const POSTED: &str = r#"{"ok":true,"channel":"C012AB3CD","ts":"1800000000.000100","message":{}}"#;
const OPENED: &str = r#"{"ok":true,"url":"wss://wss-primary.slack.com/link/?ticket=1"}"#;
const HELLO: &str = r#"{"type":"hello","num_connections":1}"#;

/// A host that connects once, to a server that says hello.
fn connected(socket: FakeSocket) -> FakeHost {
    FakeHost::new().reply(200, OPENED).socket(socket)
}

fn hello() -> FakeSocket {
    FakeSocket::new().frame(HELLO)
}

/// What a press of a button says.
fn press(value: &str) -> Value {
    json!({
        "type": "block_actions",
        "trigger_id": "13345224609.738474920.8fd887",
        "user": { "id": "U012AB3CD", "username": "jin", "name": "jin", "team_id": "T1" },
        "container": { "type": "message", "message_ts": "1800000000.000100", "channel_id": "C012AB3CD" },
        "actions": [{ "type": "button", "action_id": "x", "value": value, "text": { "type": "plain_text", "text": "❌ Deny" } }],
    })
}

fn envelope(kind: &str, payload: &Value) -> String {
    json!({ "envelope_id": "e1", "type": kind, "payload": payload, "accepts_response_payload": true }).to_string()
}

fn watching(choices: Vec<Choice>) -> [Watch; 1] {
    [Watch { message: message("1800000000.000100"), choices, text: true }]
}
