use super::ask::Ask;
use super::create::revised;
use super::json;
use super::model::{Message, MessageRef, Permissions};
use super::refusal::Refusal;
use super::world::World;
use http::StatusCode;
use serde_json::Value;

/// The default number of messages in a list.
const PAGE: usize = 50;

pub(crate) fn get(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (channel, message) = world.message_for_bot(ask)?;
    channel.need(Permissions::READ_MESSAGE_HISTORY).map_err(|_| Refusal::missing_access())?;
    Ok(json::message(world, message))
}

/// Lists messages, newest first. This is so with `after` as well, whose page begins with the first message after the
/// named one.
pub(crate) fn list(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let limit = ask.limit(PAGE)?;
    let (before, after, around) = (ask.query_id("before")?, ask.query_id("after")?, ask.query_id("around")?);
    let channel = world.channel_for_bot(ask)?;
    if !channel.permissions().has(Permissions::READ_MESSAGE_HISTORY) {
        return Ok(Value::Array(Vec::new()));
    }
    let there: Vec<&Message> = channel.messages.iter().filter(|message| !message.deleted).collect();
    let last = |messages: Vec<&Message>| -> Vec<Value> {
        let newest_first = messages.into_iter().rev().take(limit);
        newest_first.map(|message| json::message(world, message)).collect()
    };
    let page = match (before, after, around) {
        (_, _, Some(around)) => {
            let middle = there.partition_point(|message| message.id < around);
            let from = middle.saturating_sub(limit / 2);
            last(there.into_iter().skip(from).take(limit).collect())
        }
        (_, Some(after), None) => last(there.into_iter().filter(|message| message.id > after).take(limit).collect()),
        (Some(before), None, None) => last(there.into_iter().filter(|message| message.id < before).collect()),
        (None, None, None) => last(there),
    };
    Ok(Value::Array(page))
}

pub(crate) fn edit(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (_, message) = world.message_for_bot(ask)?;
    if message.author.id != world.bot.id {
        let message = "Cannot edit a message authored by another user";
        return Err(Refusal::new(StatusCode::FORBIDDEN, 50005, message));
    }
    let (at, now) = (MessageRef::from(message), message.now());
    world.not_archived(at.channel)?;
    let shows = revised(world, ask, &now)?;
    world.show(at, shows);
    Ok(world.message(at).map_or(Value::Null, |message| json::message(world, message)))
}

pub(crate) fn delete(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (channel, message) = world.message_for_bot(ask)?;
    if message.author.id != world.bot.id {
        if channel.is_dm() {
            return Err(Refusal::new(StatusCode::FORBIDDEN, 50003, "Cannot execute action on a DM channel"));
        }
        channel.need(Permissions::MANAGE_MESSAGES)?;
    }
    let at = MessageRef::from(message);
    if let Some(message) = world.message_mut(at) {
        message.deleted = true;
    }
    world.tell_deleted(at);
    Ok(Value::Null)
}

pub(crate) fn typing(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    world.channel_for_bot(ask)?.need(Permissions::SEND_MESSAGES)?;
    Ok(Value::Null)
}
