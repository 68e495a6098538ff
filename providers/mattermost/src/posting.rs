//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::http::Method;
use dmplz_provider_sdk::json::{Fields, set};
use dmplz_provider_sdk::serde_json::{Map, Value, json};
use dmplz_provider_sdk::{Card, Chosen, Error, Host, Level, MessageRef, OpenChat, words};

use crate::api::{Api, incomplete, patiently};
use crate::limits::{ATTACHMENT, CHOICES};
use crate::{card, channel, emoji};

/// The property of a post that holds the card's tag, its choices by the names of their reactions, and those that it offered
/// before: for presses on a card that nobody watches.
const CARD: &str = "dmplz";
const MENU: &str = "menu";
const PAST: &str = "past";

/// The id of the error for a post that is older than the server lets posts be edited (`PostEditTimeLimit`).
const TOO_OLD: &str = "update_post.permissions_time_limit";

/// Posts the card with its files, then adds its choices as reactions. For 30 seconds a server answers the same
/// `pending_post_id` with the post that exists (`server/channels/app/post.go`).
pub(crate) fn post(api: &Api, host: &dyn Host, chat: &OpenChat, card: &Card) -> Result<MessageRef, Error> {
    let message = card::message(card)?;
    let menu = emoji::menu(&card.choices)?;
    let files = card.files().collect::<Vec<_>>();
    let is_too_large = files.iter().any(|file| file.data.len() > ATTACHMENT as usize);
    if is_too_large || card.choices.len() > CHOICES as usize {
        return Err(Error::TooLarge);
    }
    let me = api.me(host)?;
    let ids = files.into_iter().map(|file| api.upload(host, &chat.id, file)).collect::<Result<Vec<_>, _>>()?;
    let body = json!({
        "channel_id": chat.id,
        "message": message,
        "file_ids": ids,
        "props": { CARD: properties(card, &menu, &Value::Null) },
        "pending_post_id": format!("{me}:{}", card.tag),
    });
    let created = api.call(host, Method::Post, "posts", &body)?;
    let message = channel::reference(&created).ok_or_else(|| incomplete("a post without id or time"))?;
    match menu.iter().try_for_each(|(name, _)| react(api, host, me, &message.id, name)) {
        Ok(()) => Ok(message),
        // The host calls again with the same tag, and then receives the post that exists.
        Err(error @ (Error::RateLimited(_) | Error::Unavailable(_) | Error::Deadline)) => Err(error),
        Err(error) => {
            // Nobody could answer this card, and no process would know of it to end it.
            if let Err(error) = api.delete(host, &format!("posts/{}", message.id)) {
                host.log(Level::Warn, &format!("a card without its menu could not be deleted: {}", words(&error)));
            }
            Err(error)
        }
    }
}

/// Replaces the card that a post shows, and its menu. Its files stay.
pub(crate) fn revise(api: &Api, host: &dyn Host, message: &MessageRef, card: &Card) -> Result<(), Error> {
    let text = card::message(card)?;
    let menu = emoji::menu(&card.choices)?;
    let me = api.me(host)?;
    let shown = api.get(host, &format!("posts/{}", message.id))?;
    if shown.text("user_id") != Some(me) || shown.text("channel_id") != Some(message.chat.as_str()) {
        return Err(Error::NotFound);
    }
    let mut props = shown.get("props").filter(|props| props.is_object()).cloned().unwrap_or_else(|| json!({}));
    let shows = properties(card, &menu, props.get(CARD).unwrap_or(&Value::Null));
    set(&mut props, CARD, shows);
    if shown.text("message") != Some(text.as_str()) || shown.get("props") != Some(&props) {
        let body = json!({ "message": text, "props": props });
        match api.call(host, Method::Put, &format!("posts/{}/patch", message.id), &body) {
            // The card keeps its text, but no choice that counts no more.
            Err(Error::Rejected(Some(said))) if said.contains(TOO_OLD) => host.log(Level::Warn, &said),
            patched => drop(patched?),
        }
    }
    let mine = reactions(&shown).iter().filter(|reaction| reaction.text("user_id") == Some(me));
    let mine = mine.filter_map(|reaction| reaction.text("emoji_name")).collect::<Vec<_>>();
    for name in mine.iter().filter(|name| !menu.iter().any(|(wanted, _)| wanted == *name)) {
        let path = format!("users/{me}/posts/{}/reactions/{name}", message.id);
        match patiently(host, || api.delete(host, &path)) {
            // The host calls again, and only what is left is removed then.
            Err(error @ (Error::RateLimited(_) | Error::Deadline)) => return Err(error),
            Err(error) => host.log(Level::Warn, &format!("a reaction could not be removed: {}", words(&error))),
            Ok(_) => {}
        }
    }
    let missing = menu.iter().filter(|(name, _)| !mine.contains(name));
    missing.into_iter().try_for_each(|(name, _)| react(api, host, me, &message.id, name))
}

/// Posts a notice, visible to everybody in the channel.
pub(crate) fn notify(api: &Api, host: &dyn Host, press: &Chosen, notice: &str) -> Result<(), Error> {
    let body = json!({ "channel_id": press.message.chat, "message": card::notice(notice)? });
    api.call(host, Method::Post, "posts", &body).map(|_| ())
}

/// Returns the reactions of a post.
pub(crate) fn reactions(post: &Value) -> &[Value] {
    post.get("metadata").map(|metadata| metadata.items("reactions")).unwrap_or_default()
}

/// Returns what a reaction to a card's post means: the card's tag and the choice.
pub(crate) fn offered(post: &Value, name: &str) -> Option<(Option<String>, String)> {
    let card = post.get("props")?.get(CARD)?;
    let choice = [MENU, PAST].iter().find_map(|menu| card.get(menu)?.text(name))?;
    Some((card.text("tag").map(str::to_owned), choice.to_owned()))
}

/// Adds a reaction. One that exists is no error.
fn react(api: &Api, host: &dyn Host, me: &str, post: &str, name: &str) -> Result<(), Error> {
    let body = json!({ "user_id": me, "post_id": post, "emoji_name": name });
    patiently(host, || api.call(host, Method::Post, "reactions", &body)).map(|_| ())
}

/// Returns what a card's post says of its choices. `before` is what it said.
fn properties(card: &Card, menu: &[(&str, &str)], before: &Value) -> Value {
    let menu = menu.iter().map(|(name, choice)| ((*name).to_owned(), Value::from(*choice))).collect::<Map<_, _>>();
    let mut past = before.get(PAST).and_then(Value::as_object).cloned().unwrap_or_default();
    past.extend(before.get(MENU).and_then(Value::as_object).cloned().unwrap_or_default());
    past.retain(|name, _| !menu.contains_key(name));
    json!({ "tag": card.tag, MENU: menu, PAST: past })
}
