use super::json;
use super::markup::keyboard;
use super::model::{Document, MessageRef, Revision};
use super::params::Params;
use super::refusal::Refusal;
use super::text::{Formatted, formatted};
use super::world::World;
use serde_json::Value;

/// UTF-16 units of a text message.
pub(crate) const TEXT: usize = 4096;
/// UTF-16 units of a file's caption.
const CAPTION: usize = 1024;
/// Bytes of an uploaded file.
const FILE: usize = 50 << 20;

pub(crate) fn message(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    if params.text("text").is_empty() {
        return Err(Refusal::bad_request("message text is empty"));
    }
    let Formatted { text, entities } = formatted(params, "text", "entities", TEXT, "message is too long")?;
    let keyboard = keyboard(params)?.unwrap_or_default();
    post(world, params, Revision { text, entities, keyboard, document: None })
}

pub(crate) fn document(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let keyboard = keyboard(params)?.unwrap_or_default();
    let Formatted { text, entities } = match params.text("caption").is_empty() {
        true => Formatted::default(),
        false => formatted(params, "caption", "caption_entities", CAPTION, "message caption is too long")?,
    };
    let named = params.text("document");
    let field = named.strip_prefix("attach://").unwrap_or("document");
    let Some(file) = params.files.get(field) else {
        let why = if named.is_empty() {
            "there is no document in the request"
        } else {
            "wrong file identifier/HTTP URL specified"
        };
        return Err(Refusal::bad_request(why));
    };
    if file.bytes.is_empty() {
        return Err(Refusal::bad_request("file must be non-empty"));
    }
    if file.bytes.len() > FILE {
        return Err(Refusal::too_large());
    }
    let document = Document {
        file_id: format!("BQACAgUAAxkDAAI{:016x}", file.bytes.len()),
        name: file.name.clone(),
        mime: file.mime.clone(),
        bytes: file.bytes.clone(),
    };
    post(world, params, Revision { text, entities, keyboard, document: Some(document) })
}

fn post(world: &mut World, params: &Params, shows: Revision) -> Result<Value, Refusal> {
    let chat = world.chat_for_bot(&params.text("chat_id"))?.id;
    let reply_to = answered(world, params, chat)?;
    let bot = world.bot.clone();
    let at = world.post(chat, bot, reply_to, shows);
    if let Some(message) = world.message_mut(at) {
        message.silent = params.truth("disable_notification");
    }
    Ok(shown(world, at))
}

/// The message that a request answers.
fn answered(world: &World, params: &Params, chat: i64) -> Result<Option<i64>, Refusal> {
    let reply = params
        .json("reply_parameters")
        .ok_or_else(|| Refusal::bad_request("can't parse reply parameters JSON object"))?;
    let fields = match reply {
        Value::Null => return Ok(None),
        Value::Object(fields) => fields,
        _ => return Err(Refusal::bad_request("object expected as reply parameters")),
    };
    let id = fields.get("message_id").and_then(Value::as_i64).unwrap_or(0);
    let there = world.message(MessageRef { chat, id }).is_some_and(|message| !message.deleted);
    let lenient = fields.get("allow_sending_without_reply").and_then(Value::as_bool).unwrap_or(false);
    match (there, lenient) {
        (true, _) => Ok(Some(id)),
        (false, true) => Ok(None),
        (false, false) => Err(Refusal::bad_request("message to be replied not found")),
    }
}

/// The message as a reply shows it.
pub(crate) fn shown(world: &World, at: MessageRef) -> Value {
    world.message(at).map_or(Value::Null, |message| json::message(world, message))
}
