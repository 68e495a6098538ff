//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::json::{Fields, set};
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Attachment, Card, Chosen, Error, Host, MessageRef, OpenChat};

use crate::api::{self, Api, Refusal, incomplete};
use crate::{blocks, chat, limits};

/// Errors of a reply for which the message goes to the channel.
const NO_THREAD: [&str; 5] = [
    "thread_not_found",
    "message_not_found",
    "cannot_reply_to_message",
    "restricted_action_non_threadable_channel",
    "restricted_action_thread_locked",
];

/// The card whose files were shared last. When the host posts it again because its text was not delivered, they are not
/// sent twice. The tag is lost with the instance; then they are.
#[derive(Debug, Default)]
pub(crate) struct SentFiles(String);

/// Shares the card's files, then posts the card.
pub(crate) fn post(
    api: &Api,
    sent: &mut SentFiles,
    host: &dyn Host,
    chat: &OpenChat,
    card: &Card,
) -> Result<MessageRef, Error> {
    let mut message = blocks::message(card)?;
    let files = card.files().collect::<Vec<_>>();
    if files.iter().any(|file| file.data.len() > limits::ATTACHMENT as usize) {
        return Err(Error::TooLarge);
    }
    if !files.is_empty() && sent.0 != card.tag {
        share(api, host, &chat.id, &files)?;
        card.tag.clone_into(&mut sent.0);
    }
    for (key, value) in
        [("channel", Value::from(chat.id.as_str())), ("unfurl_links", false.into()), ("unfurl_media", false.into())]
    {
        set(&mut message, key, value);
    }
    literal(&mut message);
    if let Some(to) = card.reply_to.as_ref().filter(|to| to.chat == chat.id) {
        let mut reply = message.clone();
        set(&mut reply, "thread_ts", to.id.as_str());
        set(&mut reply, "reply_broadcast", true);
        match create(api, host, &reply) {
            // The message was deleted meanwhile, or the channel has no threads.
            Err(refusal) if NO_THREAD.contains(&refusal.name.as_str()) => {}
            posted => return Ok(posted?),
        }
    }
    Ok(create(api, host, &message)?)
}

/// Replaces the card that a message shows.
pub(crate) fn revise(api: &Api, host: &dyn Host, message: &MessageRef, card: &Card) -> Result<(), Error> {
    let mut body = blocks::message(card)?;
    set(&mut body, "channel", message.chat.as_str());
    set(&mut body, "ts", message.id.as_str());
    literal(&mut body);
    api.call(host, "chat.update", &body)?;
    Ok(())
}

/// Tells the person who pressed, and nobody else.
pub(crate) fn whisper(api: &Api, host: &dyn Host, press: &Chosen, notice: &str) -> Result<(), Error> {
    let mut body = blocks::notice(notice)?;
    set(&mut body, "channel", press.message.chat.as_str());
    set(&mut body, "user", press.user.id.as_str());
    literal(&mut body);
    match api.call(host, "chat.postEphemeral", &body) {
        // A person who left the channel cannot be told.
        Err(Refusal { name, .. }) if name == "user_not_in_channel" => Ok(()),
        told => Ok(told.map(|_| ())?),
    }
}

/// Nothing in a text becomes a mention or a link: neither of the preview, nor of an older app that shows it.
fn literal(message: &mut Value) {
    set(message, "parse", "none");
    set(message, "link_names", false);
}

fn create(api: &Api, host: &dyn Host, message: &Value) -> Result<MessageRef, Refusal> {
    let created = api.call(host, "chat.postMessage", message)?;
    let place = created.text("channel").zip(created.text("ts")).and_then(|(chat, ts)| chat::reference(chat, ts));
    Ok(place.ok_or_else(|| incomplete("a message without time"))?)
}

/// Shares files in one message (<https://docs.slack.dev/messaging/working-with-files#upload>). Slack may show it a moment
/// after the card that follows.
fn share(api: &Api, host: &dyn Host, channel: &str, files: &[&Attachment]) -> Result<(), Error> {
    let mut shared = Vec::new();
    for file in files {
        // Slack refuses an empty file.
        if file.data.is_empty() {
            continue;
        }
        let length = file.data.len().to_string();
        let arguments = [("filename", file.name.as_str()), ("length", &length)];
        let (place, _) = api.ask(host, "files.getUploadURLExternal", &arguments)?;
        let (Some(url), Some(id)) = (place.text("upload_url"), place.text("file_id")) else {
            return Err(incomplete("a place for a file without URL or id"));
        };
        api::upload(host, url, &file.data)?;
        shared.push(json!({ "id": id, "title": file.name }));
    }
    if !shared.is_empty() {
        api.call(host, "files.completeUploadExternal", &json!({ "files": shared, "channel_id": channel }))?;
    }
    Ok(())
}
