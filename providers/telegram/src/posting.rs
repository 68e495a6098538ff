//! Posts cards and edits them.

use dmplz_provider_sdk::prelude::*;

use crate::api::refusal::{NOT_MODIFIED, TOPIC_CLOSED, unless_said};
use crate::api::{self, incomplete};
use crate::card::{Rendered, render};
use crate::keyboard::keyboard;
use crate::{chat, limits};

/// The files of the card that was posted last, with their messages. When the host posts a card again because its text
/// was not delivered, files that were delivered are not sent twice, unless it goes elsewhere: files in a topic that was
/// deleted are gone. The list is lost with the instance; then they are sent again.
#[derive(Debug, Default)]
pub(crate) struct SentFiles {
    tag: String,
    /// The chat, and the topic in it.
    chat: (i64, Option<i64>),
    messages: Vec<i64>,
}

/// Sends the card's files, then the card, as a reply to the message that it names, or else to its last file.
pub(crate) fn post(api: Api<'_>, sent: &mut SentFiles, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    let (chat_id, topic) = chat::id(chat)?;
    let mut body = content(chat_id, card)?;
    if let Some(topic) = topic {
        set(&mut body, "message_thread_id", json!(topic));
    }
    if card.silent {
        set(&mut body, "disable_notification", json!(true));
    }
    let reply_to = card.reply_in(&chat.id).map(chat::numbers).transpose()?;
    let reply_to = reply_to.map(|(_, message)| message);
    let last_file = send_files(api, sent, (chat_id, topic), reply_to, card)?;
    if let Some(message) = reply_to.or(last_file) {
        set(&mut body, "reply_parameters", reply_parameters(message));
    }
    let message = sent_in(topic, api::call(api, "sendMessage", &body))?;
    chat::place(&message).ok_or_else(|| incomplete("sendMessage"))
}

/// Shows what is being written, for at most 30 seconds (<https://core.telegram.org/bots/api#sendmessagedraft>). Without a
/// parse mode no markup of the text takes effect.
pub(crate) fn draft(api: Api<'_>, chat: &OpenChat, key: u32, text: &str) -> Result<()> {
    let (chat_id, topic) = chat::id(chat)?;
    let mut body = json!({ "chat_id": chat_id, "draft_id": key, "text": text });
    if let Some(topic) = topic {
        set(&mut body, "message_thread_id", json!(topic));
    }
    Ok(api::call(api, "sendMessageDraft", &body).map(drop)?)
}

/// Edits a message to show another card. Without choices its keyboard is removed.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let (chat_id, message_id) = chat::numbers(message)?;
    let mut body = content(chat_id, card)?;
    set(&mut body, "message_id", json!(message_id));
    match unless_said(api::call(api, "editMessageText", &body), &NOT_MODIFIED) {
        // The messages of a group stay behind when it becomes a supergroup.
        Err(Refusal { error: Error::BadSetting(_), .. }) => Err(Error::NotFound),
        result => Ok(result.map(drop)?),
    }
}

/// Returns the fields that a new and an edited message have in common.
fn content(chat_id: i64, card: &Card) -> Result<Value> {
    let Rendered { text, entities, .. } = render(card)?;
    let mut body = json!({ "chat_id": chat_id, "text": text, "link_preview_options": { "is_disabled": true } });
    if !entities.is_empty() {
        set(&mut body, "entities", Value::Array(entities));
    }
    if let Some(keyboard) = keyboard(card)? {
        set(&mut body, "reply_markup", keyboard);
    }
    Ok(body)
}

/// Sends the files that were not sent yet, and returns the message of the last one.
fn send_files(
    api: Api<'_>,
    sent: &mut SentFiles,
    chat: (i64, Option<i64>),
    reply_to: Option<i64>,
    card: &Card,
) -> Result<Option<i64>> {
    if sent.tag != card.tag || sent.chat != chat {
        *sent = SentFiles { tag: card.tag.clone(), chat, messages: Vec::new() };
    }
    let files = card.files_within(limits::BUTTONS, limits::ATTACHMENT)?;
    let already = sent.messages.len();
    for file in files.into_iter().skip(already) {
        let form = document(chat, reply_to, file);
        let request = api::request(api, "sendDocument").multipart(&form).timeout(UPLOAD);
        let message = sent_in(chat.1, api::send(api, request))?;
        sent.messages.push(message.int("message_id").ok_or_else(|| incomplete("sendDocument"))?);
    }
    Ok(sent.messages.last().copied())
}

/// Returns what was sent in a topic, or in the chat itself. The host posts in the chat where somebody closed the topic.
fn sent_in(topic: Option<i64>, sent: Result<Value, Refusal>) -> Result<Value> {
    match topic {
        Some(_) => unless_said(sent, &TOPIC_CLOSED)?.ok_or(Error::NotFound),
        None => Ok(sent?),
    }
}

/// Returns the form that sends a file. It is sent without a notification, because the card that follows has one.
fn document((chat_id, topic): (i64, Option<i64>), reply_to: Option<i64>, file: &Attachment) -> Multipart<'_> {
    let form = Multipart::new()
        .field("chat_id", chat_id.to_string())
        .field("disable_notification", "true")
        .field("disable_content_type_detection", "true");
    let form = match topic {
        Some(topic) => form.field("message_thread_id", topic.to_string()),
        None => form,
    };
    let form = match reply_to {
        Some(message) => form.json("reply_parameters", &reply_parameters(message)),
        None => form,
    };
    form.file("document", file)
}

fn reply_parameters(message: i64) -> Value {
    json!({ "message_id": message, "allow_sending_without_reply": true })
}
