//! Tests of conversations with the gateway: its frames on one connection after the other, and what the provider sends
//! and does.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::testing::FakeSocket;
use dmplz_provider_sdk::{Batch, Choice, Chosen, Error, Event, MessageRef, Provider, User, Watch};

use crate::{FakeHost, gateway, message};

mod beating;
mod ending;
mod resuming;
mod starting;

/// Returns a reply of `GET /gateway/bot` with this number of remaining sessions.
pub(crate) fn sessions(remaining: u64) -> Value {
    json!({
        "url": "wss://gateway.discord.gg",
        "shards": 1,
        "session_start_limit": { "total": 1000, "remaining": remaining, "reset_after": 14_400_000 },
    })
}

/// Returns a host on which a session can be started.
pub(crate) fn host() -> FakeHost {
    FakeHost::new().reply(200, sessions(999))
}

pub(crate) fn hello(interval: u64) -> Value {
    op(10, json!({ "heartbeat_interval": interval, "_trace": [] }))
}

pub(crate) fn dispatch(name: &str, sequence: u64, data: Value) -> Value {
    json!({ "t": name, "s": sequence, "op": 0, "d": data })
}

pub(crate) fn ready() -> Value {
    let data = json!({ "v": 10, "session_id": "abc", "resume_gateway_url": "wss://us-east.discord.gg", "guilds": [] });
    dispatch("READY", 1, data)
}

pub(crate) fn resumed(sequence: u64) -> Value {
    dispatch("RESUMED", sequence, json!({ "_trace": [] }))
}

pub(crate) fn op(op: u64, data: Value) -> Value {
    json!({ "t": null, "s": null, "op": op, "d": data })
}

/// Returns Kim's press on a button of the message 200.
pub(crate) fn press(custom_id: &str) -> Value {
    json!({
        "id": "700", "application_id": "1", "type": 3, "token": "aW50", "version": 1, "channel_id": "100",
        "data": { "id": 2, "component_type": 2, "custom_id": custom_id },
        "member": { "nick": "kk", "roles": [], "user": { "id": "5", "username": "kim", "global_name": "Kim" } },
        "message": {
            "id": "200", "channel_id": "100",
            "components": [{ "type": 1, "components": [
                { "type": 2, "label": "💬 Tell Claude what to do instead", "custom_id": "tag1:tell:300" },
            ] }],
        },
    })
}

pub(crate) fn pressed(sequence: u64, custom_id: &str) -> Value {
    dispatch("INTERACTION_CREATE", sequence, press(custom_id))
}

/// Returns the event of [`press`] for the host.
pub(crate) fn heard(choice: &str, text: Option<&str>) -> Chosen {
    Chosen {
        message: message(200),
        tag: Some("tag1".into()),
        choice: choice.into(),
        user: User { id: "5".into(), name: "Kim".into(), is_bot: false },
        token: "1:aW50".into(),
        text: text.map(str::to_owned),
    }
}

pub(crate) fn chosen(choice: &str, text: Option<&str>) -> Event {
    Event::Chosen(heard(choice, text))
}

pub(crate) fn batch(events: Vec<Event>, cursor: &str) -> Result<Batch, Error> {
    Ok(Batch { events, cursor: cursor.into() })
}

/// Calls `receive` of a new instance.
pub(crate) fn receive(host: &FakeHost, cursor: &str, wait: u32) -> Result<Batch, Error> {
    gateway().receive(host, cursor, &[], wait)
}

pub(crate) fn watch(message: MessageRef, choices: Vec<Choice>) -> Watch {
    Watch { message, choices, text: false }
}

/// Returns a connection after HELLO, with a heartbeat interval that is longer than each of these tests.
pub(crate) fn greeted() -> FakeSocket {
    FakeSocket::new().frame(hello(600_000))
}

/// Returns the cursor after an event.
pub(crate) fn at(sequence: u64) -> String {
    format!("g1 {sequence} abc wss://us-east.discord.gg")
}

/// Returns the number of connections that were opened or tried.
pub(crate) fn connects(host: &FakeHost) -> usize {
    host.frames().iter().filter(|frame| frame.starts_with("connect")).count()
}
