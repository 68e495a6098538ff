//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{ATTACHMENT, BUTTONS};
use crate::{api, blocks, chat};

/// Errors of a reply for which the message goes to the channel.
const NO_THREAD: [&str; 5] = [
    "thread_not_found",
    "message_not_found",
    "cannot_reply_to_message",
    "restricted_action_non_threadable_channel",
    "restricted_action_thread_locked",
];

/// Shares the card's files, then posts the card.
pub(crate) fn post(api: Api<'_>, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    let message = blocks::message(card)?;
    let files = card.files_within(BUTTONS, ATTACHMENT)?;
    api.send_files(card, || share(api, &chat.id, &files))?;
    let place = json!({ "channel": chat.id, "unfurl_links": false, "unfurl_media": false });
    let message = literal(message, place);
    if let Some(to) = card.reply_in(&chat.id) {
        let reply = with(message.clone(), json!({ "thread_ts": to.id, "reply_broadcast": true }));
        // Otherwise the message was deleted meanwhile, or the channel has no threads.
        if let Some(posted) = unless(create(api, &reply), &NO_THREAD)? {
            return Ok(posted);
        }
    }
    Ok(create(api, &message)?)
}

/// Replaces the card that a message shows.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let body = literal(blocks::message(card)?, json!({ "channel": message.chat, "ts": message.id }));
    Ok(api::call(api, "chat.update", &body).map(drop)?)
}

/// Tells the person who pressed, and nobody else.
pub(crate) fn whisper(api: Api<'_>, press: &Chosen, notice: &str) -> Result<()> {
    let place = json!({ "channel": press.message.chat, "user": press.user.id });
    let told = api::call(api, "chat.postEphemeral", &literal(blocks::notice(notice)?, place));
    // A person who left the channel cannot be told.
    Ok(unless(told, &["user_not_in_channel"]).map(drop)?)
}

/// Returns a message for a place. Nothing in a text becomes a mention or a link: neither of the preview, nor of an older app that
/// shows it.
fn literal(message: Value, place: Value) -> Value {
    with(with(message, place), json!({ "parse": "none", "link_names": false }))
}

fn create(api: Api<'_>, message: &Value) -> Result<MessageRef, Refusal> {
    let created = api::call(api, "chat.postMessage", message)?;
    let place = created.text("channel").zip(created.text("ts")).and_then(|(chat, ts)| chat::reference(chat, ts));
    Ok(place.ok_or_else(|| incomplete("a message without time"))?)
}

/// Shares files in one message (<https://docs.slack.dev/messaging/working-with-files#upload>). Slack may show it a moment
/// after the card that follows.
fn share(api: Api<'_>, channel: &str, files: &[&Attachment]) -> Result<()> {
    let mut shared = Vec::new();
    // Slack refuses an empty file.
    for file in files.iter().filter(|file| !file.data.is_empty()) {
        let length = file.data.len().to_string();
        let arguments = [("filename", file.name.as_str()), ("length", &length)];
        let place = api::ask(api, "files.getUploadURLExternal", &arguments)?;
        let (Some(url), Some(id)) = (place.text("upload_url"), place.text("file_id")) else {
            return Err(incomplete("a place for a file without URL or id"));
        };
        api::upload(api, url, &file.data)?;
        shared.push(json!({ "id": id, "title": file.name }));
    }
    if !shared.is_empty() {
        api::call(api, "files.completeUploadExternal", &json!({ "files": shared, "channel_id": channel }))?;
    }
    Ok(())
}
