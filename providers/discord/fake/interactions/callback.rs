//! `POST /interactions/{interaction_id}/{interaction_token}/callback`:
//! <https://docs.discord.com/developers/interactions/receiving-and-responding#create-interaction-response>.

use super::answers::{EPHEMERAL, revise, say};
use crate::discord::ask::Ask;
use crate::discord::fields::{id as text, set};
use crate::discord::json;
use crate::discord::modal;
use crate::discord::refusal::Refusal;
use crate::discord::world::World;
use crate::discord::world::interactions::Response;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

pub(crate) fn callback(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let unknown = || Refusal::unknown(10062, "interaction");
    let id = ask.id("interaction_id")?;
    let (now, window) = (ask.at.unwrap_or_else(Instant::now), world.interactions.window);
    let record = world.interactions.records.get(&id).ok_or_else(unknown)?;
    if record.token != ask.variable("interaction_token") || record.seen.failed {
        return Err(unknown());
    }
    if record.seen.response.is_some() {
        let message = "Interaction has already been acknowledged.";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, 40060, message));
    }
    let after = now.saturating_duration_since(record.at);
    if after > window {
        return Err(unknown());
    }
    let (message, is_modal) = (record.seen.message, !record.seen.fields.is_empty());
    let data = ask.below("data");
    let flags = data.body.get("flags").and_then(Value::as_u64).unwrap_or(0);
    let below = |refusal: Refusal| refusal.below(&["data"]);
    let (response, original, pending) = match ask.body.get("type").and_then(Value::as_u64) {
        Some(4) => (Response::Message, Some(say(world, id, &data, flags).map_err(below)?), None),
        Some(5) => (Response::DeferredMessage, None, Some(flags & EPHEMERAL)),
        Some(6) => (Response::DeferredUpdate, Some(message), None),
        Some(7) => {
            revise(world, message, &data).map_err(below)?;
            (Response::Update, Some(message), None)
        }
        Some(9) if !is_modal => {
            let data = Value::Object(data.body);
            (Response::Modal(modal::read(&data).map_err(below)?), None, None)
        }
        _ => {
            let choices = if is_modal { "(4, 5, 6, 7)" } else { "(4, 5, 6, 7, 9)" };
            let message = format!("Value must be one of {choices}.");
            return Err(Refusal::field(&["type"], "BASE_TYPE_CHOICES", message));
        }
    };
    world.interactions.open.remove(&id);
    if let Some(record) = world.interactions.records.get_mut(&id) {
        record.seen.response = Some(response);
        record.seen.after = Some(after);
        (record.original, record.pending) = (original, pending);
    }
    match ask.query.get("with_response").and_then(Value::as_str) {
        Some("true" | "True" | "1") => Ok(told(world, id)),
        _ => Ok(Value::Null),
    }
}

/// Returns the reply to a request with `with_response=true`.
fn told(world: &World, id: u64) -> Value {
    let Some(record) = world.interactions.records.get(&id) else { return Value::Null };
    let kind = if record.seen.fields.is_empty() { 3 } else { 5 };
    let mut interaction = json!({"id": text(id), "type": kind, "channel_id": text(record.seen.channel)});
    let flags = match record.original.and_then(|at| world.any_message(at)) {
        Some(message) => message.flags,
        None => record.pending.unwrap_or(0),
    };
    if record.original.is_some() || record.pending.is_some() {
        set(&mut interaction, "response_message_id", record.original.map(|at| text(at.id)));
        set(&mut interaction, "response_message_loading", Some(record.pending.is_some()));
        set(&mut interaction, "response_message_ephemeral", Some(flags & EPHEMERAL != 0));
    }
    let mut told = json!({ "interaction": interaction });
    let kind = match record.seen.response {
        Some(Response::Message) => Some(4),
        Some(Response::Update) => Some(7),
        _ => None,
    };
    if let (Some(kind), Some(message)) = (kind, record.original.and_then(|at| world.any_message(at))) {
        set(&mut told, "resource", Some(json!({"type": kind, "message": json::message(world, message)})));
    }
    told
}
