//! Posts and revises a card, and answers a press.
//!
//! A message has its text, and the same as HTML (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>). In HTML
//! everything is escaped, and blanks that a browser would merge are kept apart. `m.mentions` is empty, so nobody is notified
//! because of words in a card. The content names the card's tag and choices too, for presses on a card that nobody watches yet.

use dmplz_provider_sdk::prelude::*;

use crate::api::{self, CARD, new_content, path, sequence};
use crate::limits::{ATTACHMENT, CHOICES, CONTENT_BYTES, MESSAGE_UNITS};
use crate::{reactions, room};

/// Sends the card's files and the card, then adds its choices as reactions. All of them are sent under the card's tag, so that
/// they exist once, however often the card is posted.
pub(crate) fn post(api: Api<'_>, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    let mut content = content(card)?;
    let files = card.files_within(CHOICES, ATTACHMENT)?;
    room::ready(api, &chat.id)?;
    api.send_files(card, || share(api, &chat.id, &card.tag, &files))?;
    if let Some(to) = card.reply_in(&chat.id) {
        content = with(content, reply_to(to));
    }
    let id = create(api, &chat.id, &card.tag, &content)?;
    let posted = api.get(&path(&chat.id, &["event", &id]))?;
    let sequence = sequence(&posted).ok_or_else(|| incomplete("a message without time"))?;
    let message = MessageRef { chat: chat.id.clone(), id, sequence };
    let offered = reactions::show(api, &message, &card.tag, card, &[]);
    message.with_menu(&*api, offered, |message| reactions::redact(api, &message.chat, &message.id))
}

/// Replaces the card that a message shows, and its menu. What it shows now is asked for, because an edit that was sent
/// twice costs as much as a new card, and because an edit of a deleted message would be accepted and never be seen.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let content = content(card)?;
    let me = api.me()?;
    let original = api::own(api, &message.chat, &message.id)?;
    let mut mine = api::relations(api, &message.chat, &message.id)?;
    mine.retain(|event| event.text("sender") == Some(me));
    let edit = mine.iter().rev().find_map(|event| event.text("event_id").zip(new_content(event)));
    let (revision, shown) = edit.unwrap_or((message.id.as_str(), original.inner("content")));
    let (mut revision, mut shown) = (revision.to_owned(), shown.clone());
    shown.as_object_mut().map(|shown| shown.remove("m.relates_to"));
    if shown != content {
        let first = content.text("body").unwrap_or_default().lines().next().unwrap_or_default();
        let edit = json!({
            "msgtype": "m.text",
            "body": format!("* {first}"),
            "m.mentions": {},
            "m.relates_to": { "rel_type": "m.replace", "event_id": message.id },
            "m.new_content": content,
        });
        revision = create(api, &message.chat, &format!("{revision}-edit"), &edit)?;
    }
    reactions::show(api, message, &revision, card, &mine)
}

/// Replies to a message, visible to everybody.
pub(crate) fn notify(api: Api<'_>, press: &Chosen, notice: &str) -> Result<()> {
    let content = message("m.notice", notice, &html::escape(notice), reply_to(&press.message))?;
    room::ready(api, &press.message.chat)?;
    // A press is answered once, so the transaction is the press.
    let transaction = format!("{}-{}-{}", press.message.id, press.user.id, api.now());
    create(api, &press.message.chat, &transaction, &content).map(drop)
}

/// Returns the content of a card's message, without its files.
fn content(card: &Card) -> Result<Value> {
    let (body, html) = html::card(card);
    let choices = card.choices.iter().map(|choice| (choice.emoji.as_str(), choice.id.as_str())).collect::<Value>();
    let kind = if card.silent { "m.notice" } else { "m.text" };
    message(kind, &body, &html, json!({ CARD: { "tag": card.tag, "choices": choices } }))
}

/// Returns the content of a message, with these further fields, if it fits into an event. A notice does not ring.
fn message(kind: &str, body: &str, html: &str, more: Value) -> Result<Value> {
    let content = json!({
        "msgtype": kind,
        "body": body,
        "format": "org.matrix.custom.html",
        "formatted_body": html,
        "m.mentions": {},
    });
    let content = with(content, more);
    let is_too_large = units(body) > MESSAGE_UNITS || content.to_string().len() > CONTENT_BYTES;
    if is_too_large { Err(Error::TooLarge) } else { Ok(content) }
}

/// Returns the field of a message that replies to another one.
fn reply_to(message: &MessageRef) -> Value {
    json!({ "m.relates_to": { "m.in_reply_to": { "event_id": message.id } } })
}

fn share(api: Api<'_>, chat: &str, tag: &str, files: &[&Attachment]) -> Result<()> {
    for (number, file) in files.iter().enumerate() {
        let request = api.request(Method::Post, &format!("media/v3/upload?filename={}", percent_encode(&file.name)));
        let uploaded = api.call(request.bytes(&file.media_type, file.data.as_slice()).timeout(UPLOAD))?;
        let content = json!({
            "msgtype": "m.file",
            "body": file.name,
            "filename": file.name,
            "url": uploaded.need("content_uri", "a file without address")?,
            "info": { "mimetype": file.media_type, "size": file.data.len() },
            "m.mentions": {},
        });
        create(api, chat, &format!("{tag}-{number}"), &content)?;
    }
    Ok(())
}

fn create(api: Api<'_>, chat: &str, transaction: &str, content: &Value) -> Result<String> {
    let created = api.put(&path(chat, &["send", "m.room.message", transaction]), content)?;
    Ok(created.need("event_id", "a message without id")?.to_owned())
}
