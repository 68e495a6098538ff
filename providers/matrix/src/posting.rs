//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::http::Method;
use dmplz_provider_sdk::json::{Fields, set};
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Attachment, Card, Chosen, Error, Host, Level, MessageRef, OpenChat, words};

use crate::api::{Api, event_path, incomplete, send_path};
use crate::limits::{ATTACHMENT, CHOICES};
use crate::{card, menu, room};

const MESSAGE: &str = "m.room.message";

/// The card whose files were sent last. When the host posts it again because of an error, they are not uploaded twice.
#[derive(Debug, Default)]
pub(crate) struct SentFiles(String);

/// Sends the card's files and the card, then adds its choices as reactions. All of them are sent under the card's tag, so that
/// they exist once, however often the card is posted.
pub(crate) fn post(
    api: &Api,
    sent: &mut SentFiles,
    host: &dyn Host,
    chat: &OpenChat,
    card: &Card,
) -> Result<MessageRef, Error> {
    let mut content = card::content(card)?;
    let files = card.files().collect::<Vec<_>>();
    let is_too_large = files.iter().any(|file| file.data.len() > ATTACHMENT as usize);
    if is_too_large || card.choices.len() > CHOICES as usize {
        return Err(Error::TooLarge);
    }
    room::ready(api, host, &chat.id)?;
    if sent.0 != card.tag {
        for (number, file) in files.into_iter().enumerate() {
            share(api, host, &chat.id, &format!("{}-{number}", card.tag), file)?;
        }
        card.tag.clone_into(&mut sent.0);
    }
    if let Some(to) = card.reply_to.as_ref().filter(|to| to.chat == chat.id) {
        set(&mut content, "m.relates_to", reply_to(to));
    }
    let id = create(api, host, &chat.id, &card.tag, &content)?;
    let posted = api.get(host, &event_path(&chat.id, &id))?;
    let sequence = sequence(&posted).ok_or_else(|| incomplete("a message without time"))?;
    let message = MessageRef { chat: chat.id.clone(), id, sequence };
    match menu::offer(api, host, &message, &card.tag, &card.choices, &[]) {
        Ok(()) => Ok(message),
        Err(error) if may_come_again(&error) => Err(error),
        Err(error) => {
            // Nobody could answer this card, and no process would know of it to end it.
            if let Err(refusal) = menu::redact(api, host, &message.chat, &message.id) {
                host.log(
                    Level::Warn,
                    &format!("a card without its menu could not be deleted: {}", words(&refusal.error)),
                );
            }
            Err(error)
        }
    }
}

/// Replaces the card that a message shows, and its menu. What it shows now is asked for, because an edit that was sent
/// twice costs as much as a new card, and because an edit of a deleted message would be accepted and never be seen.
pub(crate) fn revise(api: &Api, host: &dyn Host, message: &MessageRef, card: &Card) -> Result<(), Error> {
    let content = card::content(card)?;
    let me = api.me(host)?;
    let original = api.get(host, &event_path(&message.chat, &message.id))?;
    let mut shown = original.get("content").cloned().unwrap_or_default();
    if original.text("sender") != Some(me) || shown.text("body").is_none() {
        return Err(Error::NotFound);
    }
    let related = api.relations(host, (&message.chat, &message.id))?;
    let mine = |event: &&Value| event.text("sender") == Some(me);
    let edit = related.iter().filter(mine).rfind(|event| relation(event).text("rel_type") == Some("m.replace"));
    let mut revision = message.id.clone();
    if let Some((id, new)) = edit.and_then(|edit| edit.text("event_id").zip(edit.get("content")?.get("m.new_content")))
    {
        shown = new.clone();
        id.clone_into(&mut revision);
    }
    shown.as_object_mut().map(|shown| shown.remove("m.relates_to"));
    if shown != content {
        let replaces = json!({ "rel_type": "m.replace", "event_id": message.id });
        let first = content.text("body").unwrap_or_default().lines().next().unwrap_or_default();
        let mut edit = json!({
            "msgtype": "m.text", "body": format!("* {first}"), "m.mentions": {}, "m.relates_to": replaces,
        });
        set(&mut edit, "m.new_content", content);
        revision = create(api, host, &message.chat, &format!("{revision}-edit"), &edit)?;
    }
    let reactions = related.iter().filter(mine).filter_map(|event| Some((event.text("event_id")?, menu::key(event)?)));
    let reactions = reactions.collect::<Vec<_>>();
    menu::change(api, host, message, &revision, &card.choices, &reactions)
}

/// Replies to a message, visible to everybody.
pub(crate) fn notify(api: &Api, host: &dyn Host, press: &Chosen, notice: &str) -> Result<(), Error> {
    let mut content = card::notice(notice)?;
    room::ready(api, host, &press.message.chat)?;
    set(&mut content, "m.relates_to", reply_to(&press.message));
    // A press is answered once, so the transaction is the press.
    let transaction = format!("{}-{}-{}", press.message.id, press.user.id, host.now());
    create(api, host, &press.message.chat, &transaction, &content).map(|_| ())
}

/// Returns the time of an event, by its homeserver.
pub(crate) fn sequence(event: &Value) -> Option<u64> {
    u64::try_from(event.int("origin_server_ts")?).ok()
}

/// Returns how an event relates to another one.
pub(crate) fn relation(event: &Value) -> &Value {
    event.get("content").and_then(|content| content.get("m.relates_to")).unwrap_or(&Value::Null)
}

fn reply_to(message: &MessageRef) -> Value {
    json!({ "m.in_reply_to": { "event_id": message.id } })
}

fn share(api: &Api, host: &dyn Host, chat: &str, transaction: &str, file: &Attachment) -> Result<(), Error> {
    let url = api.upload(host, file)?;
    let content = json!({
        "msgtype": "m.file",
        "body": file.name,
        "filename": file.name,
        "url": url,
        "info": { "mimetype": file.media_type, "size": file.data.len() },
        "m.mentions": {},
    });
    create(api, host, chat, transaction, &content).map(|_| ())
}

fn create(api: &Api, host: &dyn Host, chat: &str, transaction: &str, content: &Value) -> Result<String, Error> {
    let created = api.call(host, Method::Put, &send_path(chat, MESSAGE, transaction), content)?;
    Ok(created.text("event_id").ok_or_else(|| incomplete("a message without id"))?.to_owned())
}

/// Returns whether the host calls again with the same tag, and then receives the message that exists.
fn may_come_again(error: &Error) -> bool {
    matches!(error, Error::RateLimited(_) | Error::Unavailable(_) | Error::Deadline)
}
