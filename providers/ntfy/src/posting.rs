//! Publishes a card, and the message that replaces it.
//!
//! ntfy keeps published messages. A message with the sequence id of an earlier one replaces it on people's screens
//! (<https://docs.ntfy.sh/publish/#updating-deleting-notifications>, servers from 2.16 on, Android and the web app);
//! elsewhere it is shown below it.

use dmplz_provider_sdk::prelude::*;

use crate::card::{Text, actions, text};
use crate::limits::{ATTACHMENT, MESSAGE_UNITS, PUSH_BYTES, PUSH_REST};
use crate::{server, topic};

/// Priorities (<https://docs.ntfy.sh/publish/#message-priority>): only a message that waits for an answer makes a sound. Android
/// delivers one below "high" whenever it likes (`server/server_firebase.go`).
const HIGH: u8 = 4;
const LOW: u8 = 2;

/// The files of the card that was last posted. If the host posts a card again because its text failed, files that
/// were sent are not sent twice. It is an optimization, and lost with the instance.
#[derive(Debug, Default)]
pub(crate) struct SentFiles {
    tag: String,
    count: usize,
}

/// Sends the card's files, then the card under its tag: a second copy replaces the first one.
pub(crate) fn post(api: Api<'_>, sent: &mut SentFiles, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    parts(api, &chat.id, card)?;
    send_files(api, sent, &chat.id, card)?;
    publish(api, &chat.id, &card.tag, card)
}

/// Publishes the card in place of a message.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    if !topic::is_name(&message.id) {
        return Err(Error::NotFound);
    }
    publish(api, &message.chat, &message.id, card).map(drop)
}

/// Publishes a message that replaces nothing.
pub(crate) fn say(api: Api<'_>, topic: &str, words: &str) -> Result<()> {
    if units(words) > MESSAGE_UNITS {
        return Err(Error::TooLarge);
    }
    Ok(api.post("", &json!({ "topic": topic, "message": words, "priority": LOW })).map(drop)?)
}

fn publish(api: Api<'_>, topic: &str, sequence: &str, card: &Card) -> Result<MessageRef> {
    let (text, actions) = parts(api, topic, card)?;
    let priority = if card.silent || (actions.is_empty() && !card.wants_text) { LOW } else { HIGH };
    let mut message = json!({ "topic": topic, "message": text.message, "priority": priority, "sequence_id": sequence });
    let title = Some(text.title).filter(|title| !title.is_empty()).map(Value::from);
    let actions = Some(actions).filter(|actions| !actions.is_empty()).map(Value::from);
    // Tapping a prompt opens the topic in which its text is written.
    let click = card.wants_text.then(|| api.url(&topic::answers(topic)).into());
    for (key, value) in [("title", title), ("actions", actions), ("click", click)] {
        value.into_iter().for_each(|value| set(&mut message, key, value));
    }
    // As JSON, because header values would be interpreted.
    let posted = api.post("", &message)?;
    let (Some(id), Some(time)) = (posted.text("id"), posted.int("time")) else {
        return Err(Error::unavailable("a message without id or time"));
    };
    // A server without sequences does not report one.
    let id = posted.text("sequence_id").unwrap_or(id).to_owned();
    Ok(MessageRef { chat: topic.to_owned(), id, sequence: of_ours(time) })
}

/// Returns a card's text and its buttons, if all of it reaches people.
fn parts(api: Api<'_>, topic: &str, card: &Card) -> Result<(Text, Vec<Value>)> {
    let (text, actions) = (text(card)?, actions(api, topic, card)?);
    match server::pushes(api) && push_bytes(&text, &actions) > PUSH_BYTES {
        true => Err(Error::TooLarge),
        false => Ok((text, actions)),
    }
}

/// Returns the bytes of a message on its way to phones: its title and text are in it three times, its actions twice.
fn push_bytes(text: &Text, actions: &[Value]) -> usize {
    let shown = escaped(&text.title) + escaped(&text.message);
    let actions = if actions.is_empty() { 0 } else { escaped(&Value::from(actions).to_string()) };
    3 * shown + 2 * actions + PUSH_REST
}

/// Returns the bytes of a text in JSON as the server writes it (`encoding/json` of Go).
fn escaped(text: &str) -> usize {
    let bytes = |c: char| match c {
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => 6,
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        c if c.is_control() => 6,
        c => c.len_utf8(),
    };
    text.chars().map(bytes).sum()
}

/// Returns the place of a message of the provider among others. Its time is in whole seconds.
fn of_ours(time: i64) -> u64 {
    u64::try_from(time).unwrap_or_default().saturating_mul(2)
}

/// Returns the place of an answer: after messages published in the same second, because people answer existing ones.
pub(crate) fn of_an_answer(time: i64) -> u64 {
    of_ours(time).saturating_add(1)
}

fn send_files(api: Api<'_>, sent: &mut SentFiles, topic: &str, card: &Card) -> Result<()> {
    if sent.tag != card.tag {
        *sent = SentFiles { tag: card.tag.clone(), count: 0 };
    }
    let files = card.files();
    if files.clone().any(|file| file.data.len() > ATTACHMENT as usize) {
        return Err(Error::TooLarge);
    }
    let already = sent.count;
    for file in files.skip(already) {
        api.call(upload(api, topic, file))?;
        sent.count += 1;
    }
    Ok(())
}

/// Returns the request that publishes a file. The name is in the query, which the server uses unchanged.
fn upload(api: Api<'_>, topic: &str, file: &Attachment) -> Request {
    let path = format!("{topic}?filename={}&priority={LOW}", percent_encode(&file.name));
    api.request(Method::Put, &path).bytes("application/octet-stream", file.data.clone()).timeout(UPLOAD)
}
