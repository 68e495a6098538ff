//! Converts updates to events.

use dmplz_provider_sdk::prelude::*;

use crate::chat::{is_private, place, topic_of};
use crate::files;

/// The id and the content of an update.
pub(crate) type Update = (i64, Value);

/// Sorts updates by their ids. An update without an id is left out.
pub(crate) fn in_order(api: Api<'_>, updates: Vec<Value>) -> Vec<Update> {
    let mut numbered =
        updates.into_iter().filter_map(|update| Some((id_of(api, &update)?, update))).collect::<Vec<_>>();
    numbered.sort_by_key(|(id, _)| *id);
    numbered
}

/// Parses updates. One that cannot be parsed is skipped, because a bot that stops at an update would never get past it.
/// Presses are reported from any chat, texts only from watched chats.
pub(crate) fn events(api: Api<'_>, updates: &[Update], watching: &[Watch]) -> Vec<Event> {
    updates.iter().filter_map(|(id, update)| event(api, *id, update, watching)).collect()
}

fn id_of(api: Api<'_>, update: &Value) -> Option<i64> {
    let id = update.int("update_id");
    if id.is_none() {
        api.log(Level::Warn, "passed an update without an id");
    }
    id
}

fn event(api: Api<'_>, id: i64, update: &Value, watching: &[Watch]) -> Option<Event> {
    if let Some(press) = update.get("callback_query") {
        let data = press.text("data")?;
        let chosen = chosen(press, &Payload::parse(data, 0)?);
        if chosen.is_none() {
            api.log(Level::Warn, &format!("passed update {id}: a press that makes no sense"));
        }
        return chosen.map(Event::Chosen);
    }
    said(update.get("message")?, watching).map(Event::Said)
}

/// Parses a press (<https://core.telegram.org/bots/api#callbackquery>).
fn chosen(press: &Value, button: &Payload<'_>) -> Option<Chosen> {
    let (message, user) = (place(press.get("message")?)?, user(press.get("from")?)?);
    Some(Chosen { token: press.text("id")?.to_owned(), ..button.press(message, user) })
}

/// Parses a message (<https://core.telegram.org/bots/api#message>). `None` if it has neither a text nor a file.
fn said(message: &Value, watching: &[Watch]) -> Option<Said> {
    let (text, file) = (message.text("text").or_else(|| message.text("caption")), files::of(message));
    if text.is_none() && file.is_none() {
        return None;
    }
    let mut place_of_it = place(message)?;
    if !watching.has_chat(&place_of_it.chat) {
        // Where the bot has topics in a private chat, a text that replies to nothing begins one of its own.
        let (chat, _) = place_of_it.chat.split_once('/')?;
        let chat = Some(chat).filter(|chat| is_private(chat) && watching.has_chat(chat))?;
        place_of_it.chat = chat.to_owned();
    }
    let user = author(message)?;
    // What replies to nothing in a topic replies to the message that began the topic.
    let is_reply = |to: &&Value| to.int("message_id") != topic_of(message);
    let reply_to = message.get("reply_to_message").filter(is_reply).and_then(place);
    let (text, files) = (text.unwrap_or_default().to_owned(), file.into_iter().collect());
    Some(Said { message: place_of_it, reply_to, user, text, files })
}

/// Returns the author of a message. A message sent in the name of a chat (an anonymous administrator, a linked channel)
/// counts as a bot's, because `from` is then a placeholder; so does one that was sent without its author, such as one that was
/// scheduled (`is_from_offline`), because it answers nothing that was asked since.
pub(crate) fn author(message: &Value) -> Option<User> {
    let mut user = user(message.get("from")?)?;
    user.is_bot |= message.get("sender_chat").is_some() || message.flag("is_from_offline");
    Some(user)
}

/// Parses a user (<https://core.telegram.org/bots/api#user>).
fn user(account: &Value) -> Option<User> {
    let names = [account.text("first_name"), account.text("last_name")];
    let full = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let name = if full.trim().is_empty() { account.text("username").unwrap_or_default() } else { full.trim() };
    let is_bot = account.get("is_bot")?.as_bool()?;
    Some(User { id: account.int("id")?.to_string(), name: name.to_owned(), is_bot })
}
