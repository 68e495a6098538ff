//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::prelude::*;

use crate::api::refusal::{THREAD_LOCKED, UNKNOWN_MESSAGE};
use crate::api::{Api, channel_path, message_path, wanting};
use crate::{card, chat, limits, reactions, threads};

/// `SUPPRESS_EMBEDS`: links are not unfolded (docs/resources/message#message-object-message-flags).
const SUPPRESS_EMBEDS: u32 = 1 << 2;
/// `SUPPRESS_NOTIFICATIONS`: nobody is notified.
const SUPPRESS_NOTIFICATIONS: i64 = 1 << 12;

/// Posts the card, then adds its choices as reactions.
pub(crate) fn post(api: Api<'_>, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    if card.choices.len() > limits::REACTIONS as usize {
        return Err(Error::TooLarge);
    }
    let message = post_once(api, chat, card, content(card::content(card)?))?;
    let offered = reactions::offer(api, &message, &card.choices);
    message.with_menu(&*api, offered, |message| Ok(api.touch(Method::Delete, &message_path(message)).map(drop)?))
}

/// Posts a message that shows a card, with the card's files. The tag is the message's nonce, so that the same card posted
/// twice is one message (docs/resources/message#create-message: `enforce_nonce`).
pub(crate) fn post_once(api: Api<'_>, chat: &OpenChat, card: &Card, mut body: Value) -> Result<MessageRef> {
    if card.tag.len() > limits::NONCE {
        return Err(Error::TooLarge);
    }
    let files = card::files(card)?;
    if card.silent {
        let flags = body.int("flags").unwrap_or_default();
        set(&mut body, "flags", flags | SUPPRESS_NOTIFICATIONS);
    }
    set(&mut body, "nonce", card.tag.as_str());
    set(&mut body, "enforce_nonce", true);
    if let Some(message) = card.reply_in(&chat.id) {
        set(&mut body, "message_reference", reply_to(message));
    }
    create(api, &chat.id, &mut body, &files)
}

/// Replaces the card that a message shows, and its menu.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let body = content(card::content(card)?);
    let path = message_path(message);
    let changed = threads::edit(api, &message.chat, &path, &body)?;
    if !changed.items("components").is_empty() {
        // The other transport posted it, and its process is gone, so nobody receives these presses.
        api.send_json(Method::Patch, &path, &json!({ "components": [], "embeds": [] }))?;
    }
    reactions::change(api, message, &changed, &card.choices)
}

/// Posts a reply to a message, visible to everybody.
pub(crate) fn notify(api: Api<'_>, message: &MessageRef, notice: &str) -> Result<()> {
    let mut body = content(card::notice(notice)?);
    set(&mut body, "message_reference", reply_to(message));
    create(api, &message.chat, &mut body, &[]).map(drop)
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
fn reply_to(message: &MessageRef) -> Value {
    json!({ "message_id": message.id, "fail_if_not_exists": false })
}

/// Sends a message with its files. One with the same nonce that was deleted meanwhile is posted anew.
fn create(api: Api<'_>, channel: &str, body: &mut Value, files: &[&Attachment]) -> Result<MessageRef> {
    let mut created = send(api, channel, body, files);
    // Discord remembers the nonce for some minutes, and has no message to return (discord-api-docs#6647).
    if created.as_ref().is_err_and(|refusal| refusal.code == UNKNOWN_MESSAGE) {
        set(body, "enforce_nonce", false);
        created = send(api, channel, body, files);
    }
    let permissions = if files.is_empty() { "SEND_MESSAGES" } else { "SEND_MESSAGES or ATTACH_FILES" };
    let created = unless(created, &[THREAD_LOCKED]).map_err(|refusal| wanting(refusal, permissions))?;
    // The host posts it in the channel then.
    let created = created.ok_or(Error::NotFound)?;
    let message = chat::reference(&created).ok_or_else(|| incomplete("a message without id"))?;
    if is_shown(body, &created) {
        return Ok(message);
    }
    // Without that permission Discord leaves the embed out, and its buttons would answer what nobody sees.
    if let Err(refusal) = api.touch(Method::Delete, &message_path(&message)) {
        api.warn("a card without its text could not be deleted", &refusal.error);
    }
    Err(Error::denied("EMBED_LINKS is missing"))
}

fn send(api: Api<'_>, channel: &str, body: &mut Value, files: &[&Attachment]) -> Result<Value, Refusal> {
    let path = format!("{}/messages", channel_path(channel));
    if files.is_empty() {
        return api.send_json(Method::Post, &path, body);
    }
    let numbered = files.iter().enumerate();
    let described = numbered.clone().map(|(id, file)| json!({ "id": id, "filename": file.name }));
    set(body, "attachments", described.collect::<Vec<_>>());
    let form = Multipart::new().json("payload_json", body);
    let form = numbered.fold(form, |form, (id, file)| form.file(&format!("files[{id}]"), file));
    api.call(api.request(Method::Post, &path).multipart(&form).timeout(UPLOAD))
}

/// Returns whether a message has the embeds that were sent.
fn is_shown(sent: &Value, created: &Value) -> bool {
    let is_left_out = created.get("embeds").and_then(Value::as_array).is_some_and(Vec::is_empty);
    sent.items("embeds").is_empty() || !is_left_out
}
