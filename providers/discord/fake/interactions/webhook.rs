//! Follow-up messages:
//! <https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages>.

use super::answers::{EPHEMERAL, revise, say};
use crate::discord::ask::Ask;
use crate::discord::json;
use crate::discord::model::MessageRef;
use crate::discord::refusal::Refusal;
use crate::discord::world::World;
use http::StatusCode;
use serde_json::Value;

/// Writes another message. The first one after "Thinking ..." replaces it.
pub(crate) fn follow_up(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let id = interaction(world, ask)?;
    let pending = world.interactions.records.get_mut(&id).and_then(|record| record.pending);
    let flags = ask.body.get("flags").and_then(Value::as_u64).unwrap_or(0);
    let at = say(world, id, ask, pending.unwrap_or(flags))?;
    if pending.is_some() {
        arrived(world, id, at);
    }
    written(world, at)
}

pub(crate) fn get(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let at = named(world, ask)?.ok_or_else(unknown)?;
    written(world, at)
}

pub(crate) fn edit(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let id = interaction(world, ask)?;
    let pending = world.interactions.records.get(&id).and_then(|record| record.pending);
    let at = match (named(world, ask)?, pending) {
        (Some(at), _) => {
            revise(world, at, ask)?;
            at
        }
        (None, Some(flags)) => {
            let at = say(world, id, ask, flags)?;
            arrived(world, id, at);
            at
        }
        (None, None) => return Err(unknown()),
    };
    written(world, at)
}

pub(crate) fn delete(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let at = named(world, ask)?.ok_or_else(unknown)?;
    let public = world.message(at).is_some();
    world.any_message_mut(at).into_iter().for_each(|message| message.deleted = true);
    if public {
        world.tell_deleted(at);
    }
    Ok(Value::Null)
}

/// Records that the deferred message has been sent.
fn arrived(world: &mut World, id: u64, at: MessageRef) {
    if let Some(record) = world.interactions.records.get_mut(&id) {
        (record.original, record.pending) = (Some(at), None);
    }
}

/// Returns the interaction whose token is in the path.
fn interaction(world: &World, ask: &Ask) -> Result<u64, Refusal> {
    let (application, token) = (ask.id("webhook_id")?, ask.variable("webhook_token"));
    let mut records = world.interactions.records.iter();
    let found = records.find(|(_, record)| record.token == token).filter(|_| application == world.bot.id);
    let (id, record) = found.ok_or_else(|| Refusal::unknown(10015, "Webhook"))?;
    if record.at.elapsed() > world.interactions.life {
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, 50027, "Invalid Webhook Token"));
    }
    match record.seen.response {
        Some(_) => Ok(*id),
        None => Err(Refusal::unknown(10015, "Webhook")),
    }
}

/// Returns the message that the path names; `None` for an `@original` that is deferred or does not exist.
fn named(world: &World, ask: &Ask) -> Result<Option<MessageRef>, Refusal> {
    let id = interaction(world, ask)?;
    let record = world.interactions.records.get(&id);
    if matches!(ask.variable("message_id"), "" | "@original") {
        return Ok(record.and_then(|record| record.original));
    }
    let wanted = ask.id("message_id")?;
    let own = world.interactions.whispers.iter().filter(|(interaction, _)| *interaction == id);
    let own = own.map(|(_, message)| MessageRef::from(message));
    let public = record.map(|record| record.seen.messages.as_slice()).unwrap_or_default().iter().copied();
    own.chain(public).find(|at| at.id == wanted).map(Some).ok_or_else(unknown)
}

fn written(world: &World, at: MessageRef) -> Result<Value, Refusal> {
    let message = world.any_message(at).filter(|message| !message.deleted).ok_or_else(unknown)?;
    debug_assert!(message.flags & EPHEMERAL == 0 || world.message(at).is_none(), "a whisper is in no channel");
    Ok(json::message(world, message))
}

fn unknown() -> Refusal {
    Refusal::unknown(10008, "Message")
}
