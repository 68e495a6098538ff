use super::markup::keyboard;
use super::model::{MessageRef, Revision};
use super::params::Params;
use super::refusal::Refusal;
use super::send::{TEXT, shown};
use super::text::{Formatted, formatted};
use super::world::World;
use crate::clock::unix_seconds;
use serde_json::Value;

const UNCHANGED: &str = "message is not modified: specified new message content and reply markup are exactly the same \
                         as a current content and reply markup of the message";

pub(crate) fn text(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    if params.text("text").is_empty() {
        return Err(Refusal::bad_request("message text is empty"));
    }
    let Formatted { text, entities } = formatted(params, "text", "entities", TEXT, "message is too long")?;
    let keyboard = keyboard(params)?.unwrap_or_default();
    let at = own(world, params, "message to edit not found")?;
    revise(world, at, |now| match now.document {
        Some(_) => Err(Refusal::bad_request("there is no text in the message to edit")),
        None => Ok(Revision { text, entities, keyboard, document: None }),
    })
}

pub(crate) fn keyboard_only(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let keyboard = keyboard(params)?.unwrap_or_default();
    let at = own(world, params, "message to edit not found")?;
    revise(world, at, |now| Ok(Revision { keyboard, ..now }))
}

pub(crate) fn delete(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let at = named(world, params, "message to delete not found")?;
    let bot = world.bot.id;
    let admin = world.chats.get(&at.chat).is_some_and(|chat| chat.bot_is_admin || chat.id > 0);
    let message = world.message_mut(at).filter(|message| admin || message.from.id == bot);
    let message = message.ok_or_else(|| Refusal::bad_request("message can't be deleted for everyone"))?;
    message.deleted = true;
    Ok(Value::Bool(true))
}

fn revise(
    world: &mut World,
    at: MessageRef,
    change: impl FnOnce(Revision) -> Result<Revision, Refusal>,
) -> Result<Value, Refusal> {
    if let Some(message) = world.message_mut(at) {
        let now = message.now();
        let new = change(now.clone())?;
        if new == now {
            return Err(Refusal::bad_request(UNCHANGED));
        }
        message.revisions.push(new);
        message.edited = Some(unix_seconds());
    }
    Ok(shown(world, at))
}

/// Returns the message that a request names, if the bot wrote it.
fn own(world: &mut World, params: &Params, missing: &str) -> Result<MessageRef, Refusal> {
    let at = named(world, params, missing)?;
    match world.message(at).is_some_and(|message| message.from.id == world.bot.id) {
        true => Ok(at),
        false => Err(Refusal::bad_request("message can't be edited")),
    }
}

fn named(world: &mut World, params: &Params, missing: &str) -> Result<MessageRef, Refusal> {
    let (chat, id) = (params.text("chat_id"), params.number("message_id"));
    if chat.is_empty() && id == 0 {
        return Err(Refusal::bad_request("message identifier is not specified"));
    }
    let chat = world.chat_for_bot(&chat)?.id;
    let at = MessageRef { chat, id };
    match world.message(at).is_some_and(|message| !message.deleted) {
        true => Ok(at),
        false => Err(Refusal::bad_request(missing)),
    }
}
