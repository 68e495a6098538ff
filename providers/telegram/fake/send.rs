use super::json;
use super::markup::keyboard;
use super::model::{ChatKind, Document, Draft, MessageRef, Revision};
use super::params::Params;
use super::refusal::Refusal;
use super::text::{Formatted, formatted};
use super::topics;
use super::world::World;
use serde_json::Value;

/// The maximum length of a text message in UTF-16 units.
pub(crate) const TEXT: usize = 4096;
/// The maximum length of a file's caption in UTF-16 units.
const CAPTION: usize = 1024;
/// The maximum size of an uploaded file in bytes.
const FILE: usize = 50 << 20;

pub(crate) fn message(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    if params.text("text").is_empty() {
        return Err(Refusal::bad_request("message text is empty"));
    }
    let Formatted { text, entities } = formatted(params, "text", "entities", TEXT, "message is too long")?;
    let keyboard = keyboard(params)?.unwrap_or_default();
    post(world, params, Revision { text, entities, keyboard, document: None })
}

/// Shows what is being written. The document says of it: private chats only, and an id that is not 0.
pub(crate) fn draft(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat = world.chat_for_bot(&params.text("chat_id"))?;
    if !matches!(chat.kind, ChatKind::Private(_)) {
        return Err(Refusal::bad_request("the method is available only in private chats"));
    }
    let chat = chat.id;
    let topic = topics::named(world, params, chat)?;
    let id = params.number("draft_id");
    if id == 0 {
        return Err(Refusal::bad_request("invalid draft identifier specified"));
    }
    let Formatted { text, .. } = formatted(params, "text", "entities", TEXT, "message is too long")?;
    world.drafts.push(Draft { chat, topic, id, text });
    Ok(Value::Bool(true))
}

pub(crate) fn document(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let keyboard = keyboard(params)?.unwrap_or_default();
    let Formatted { text, entities } = match params.text("caption").is_empty() {
        true => Formatted::default(),
        false => formatted(params, "caption", "caption_entities", CAPTION, "message caption is too long")?,
    };
    let document = file(world, params)?;
    post(world, params, Revision { text, entities, keyboard, document: Some(document) })
}

/// Returns the file of a request: an uploaded one, or one that was sent before and is named by its id.
fn file(world: &mut World, params: &Params) -> Result<Document, Refusal> {
    let named = params.text("document");
    let Some(file) = params.files.get(named.strip_prefix("attach://").unwrap_or("document")) else {
        let sent = world.chats.values().flat_map(|chat| &chat.messages).flat_map(|message| &message.revisions);
        let sent = sent.filter_map(|shown| shown.document.as_ref()).find(|document| document.file_id == named);
        return sent.cloned().ok_or_else(|| match named.as_str() {
            "" => Refusal::bad_request("there is no document in the request"),
            _ => Refusal::bad_request("wrong remote file identifier specified: Wrong string length"),
        });
    };
    match file.bytes.len() {
        0 => Err(Refusal::bad_request("file must be non-empty")),
        1..=FILE => Ok(Document {
            file_id: world.new_file(),
            name: file.name.clone(),
            mime: file.mime.clone(),
            bytes: file.bytes.clone(),
        }),
        _ => Err(Refusal::too_large()),
    }
}

fn post(world: &mut World, params: &Params, shows: Revision) -> Result<Value, Refusal> {
    let chat = world.chat_for_bot(&params.text("chat_id"))?.id;
    let reply_to = answered(world, params, chat)?;
    let topic = topics::named(world, params, chat)?;
    let bot = world.bot.clone();
    let at = world.post(chat, bot, reply_to, shows);
    if let Some(message) = world.message_mut(at) {
        message.topic = topic;
        message.silent = params.truth("disable_notification");
    }
    Ok(shown(world, at))
}

/// Returns the id of the message that a request replies to.
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

/// Returns the object of a message.
pub(crate) fn shown(world: &World, at: MessageRef) -> Value {
    world.message(at).map_or(Value::Null, |message| json::message(world, message))
}
