//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, Refusal, incomplete, message_path};
use crate::{card, chat, limits, reactions, threads};

/// `SUPPRESS_EMBEDS`: links are not unfolded (docs/resources/message#message-object-message-flags).
const SUPPRESS_EMBEDS: u32 = 1 << 2;
/// `SUPPRESS_NOTIFICATIONS`: nobody is notified.
const SUPPRESS_NOTIFICATIONS: i64 = 1 << 12;

/// Posts the card, then adds its choices as reactions. The tag is the message's nonce, so that the same card posted
/// twice is one message (docs/resources/message#create-message: `enforce_nonce`).
pub(crate) fn post(api: &Api, host: &dyn Host, chat: &OpenChat, card: &Card) -> Result<MessageRef, Error> {
    if card.tag.len() > limits::NONCE || card.choices.len() > limits::REACTIONS as usize {
        return Err(Error::TooLarge);
    }
    let files = card::files(card)?;
    let mut body = content(card::content(card)?);
    silence(&mut body, card);
    set(&mut body, "nonce", card.tag.as_str());
    set(&mut body, "enforce_nonce", true);
    if let Some(message) = card.reply_in(&chat.id) {
        set(&mut body, "message_reference", reply_to(message));
    }
    let message = create(api, host, &chat.id, &mut body, &files)?;
    let offered = reactions::offer(api, host, &message, &card.choices);
    message.with_menu(host, offered, |message| {
        Ok(api.touch(host, Method::Delete, &message_path(&message.chat, &message.id)).map(drop)?)
    })
}

/// Replaces the card that a message shows, and its menu.
pub(crate) fn revise(api: &Api, host: &dyn Host, message: &MessageRef, card: &Card) -> Result<(), Error> {
    let body = content(card::content(card)?);
    let path = message_path(&message.chat, &message.id);
    let changed = threads::edit(api, host, &message.chat, &path, &body)?;
    if !changed.items("components").is_empty() {
        // The other transport posted it, and its process is gone, so nobody receives these presses.
        api.send_json(host, Method::Patch, &path, &json!({ "components": [], "embeds": [] }))?;
    }
    reactions::change(api, host, message, &changed, &card.choices)
}

/// Posts a reply to a message, visible to everybody.
pub(crate) fn notify(api: &Api, host: &dyn Host, message: &MessageRef, notice: &str) -> Result<(), Error> {
    let mut body = content(card::notice(notice)?);
    set(&mut body, "message_reference", reply_to(message));
    create(api, host, &message.chat, &mut body, &[]).map(|_| ())
}

/// Returns the common fields of every message: it mentions nobody, not even the author of the message that it replies
/// to.
fn content(content: String) -> Value {
    json!({
        "content": content,
        "allowed_mentions": { "parse": [], "replied_user": false },
        "flags": SUPPRESS_EMBEDS,
    })
}

/// Returns the reference of a reply. It is posted even if that message was deleted meanwhile.
pub(crate) fn reply_to(message: &MessageRef) -> Value {
    json!({ "message_id": message.id, "fail_if_not_exists": false })
}

/// Sends a message without a notification, if the card wants none.
pub(crate) fn silence(body: &mut Value, card: &Card) {
    if card.silent {
        let flags = body.int("flags").unwrap_or_default();
        set(body, "flags", flags | SUPPRESS_NOTIFICATIONS);
    }
}

/// Sends a message with its files. One with the same nonce that was deleted meanwhile is posted anew.
pub(crate) fn create(
    api: &Api,
    host: &dyn Host,
    channel: &str,
    body: &mut Value,
    files: &[&Attachment],
) -> Result<MessageRef, Error> {
    let mut created = send(api, host, channel, body, files);
    // Discord remembers the nonce for some minutes, and has no message to return (discord-api-docs#6647).
    if created.as_ref().is_err_and(Refusal::is_unknown_message) {
        set(body, "enforce_nonce", false);
        created = send(api, host, channel, body, files);
    }
    let permissions = if files.is_empty() { "SEND_MESSAGES" } else { "SEND_MESSAGES or ATTACH_FILES" };
    let created = match created {
        // The host posts it in the channel then.
        Err(refusal) if refusal.is_thread_locked() => return Err(Error::NotFound),
        created => created.map_err(|refusal| refusal.wanting(permissions))?,
    };
    let message = chat::reference(&created).ok_or_else(|| incomplete("a message without id"))?;
    if is_shown(body, &created) {
        return Ok(message);
    }
    // Without that permission Discord leaves the embed out, and its buttons would answer what nobody sees.
    if let Err(refusal) = api.touch(host, Method::Delete, &message_path(&message.chat, &message.id)) {
        host.warn("a card without its text could not be deleted", &refusal.error);
    }
    Err(Error::denied("EMBED_LINKS is missing"))
}

fn send(api: &Api, host: &dyn Host, channel: &str, body: &mut Value, files: &[&Attachment]) -> Result<Value, Refusal> {
    let path = format!("/channels/{}/messages", percent_encode(channel));
    if files.is_empty() {
        return api.send_json(host, Method::Post, &path, body);
    }
    let numbered = files.iter().enumerate();
    let described = numbered.clone().map(|(id, file)| json!({ "id": id, "filename": file.name }));
    set(body, "attachments", described.collect::<Vec<_>>());
    let form = Multipart::new().json("payload_json", body);
    let form = numbered.fold(form, |form, (id, file)| form.file(&format!("files[{id}]"), file));
    api.upload(host, &path, &form)
}

/// Returns whether a message has the embeds that were sent.
fn is_shown(sent: &Value, created: &Value) -> bool {
    let is_left_out = created.get("embeds").and_then(Value::as_array).is_some_and(Vec::is_empty);
    sent.items("embeds").is_empty() || !is_left_out
}
