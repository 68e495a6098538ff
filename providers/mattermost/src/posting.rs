//! Posts and revises a card, and answers a press.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::Map;

use crate::limits::{ATTACHMENT, CARD_UNITS, CHOICES, PAUSE, POST_CHARS};
use crate::{api, channel};

/// The property of a post that holds the card's tag, its choices by the names of their reactions, and those that it offered
/// before: for presses on a card that nobody watches.
const CARD: &str = "dmplz";
const MENU: &str = "menu";
const PAST: &str = "past";

/// The id of the error for a post that is older than the server lets posts be edited (`PostEditTimeLimit`).
const TOO_OLD: &str = "update_post.permissions_time_limit";

/// Posts the card with its files, then adds its choices as reactions. For 30 seconds a server answers the same
/// `pending_post_id` with the post that exists (`server/channels/app/post.go`).
pub(crate) fn post(api: Api<'_>, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    let message = checked(markdown::card(card))?;
    let menu = named(&card.choices)?;
    let files = card.files_within(CHOICES, ATTACHMENT)?;
    let me = api.me()?;
    let ids = files.into_iter().map(|file| api::upload(api, &chat.id, file)).collect::<Result<Vec<_>, _>>()?;
    let body = json!({
        "channel_id": chat.id,
        "message": message,
        "file_ids": ids,
        "props": { CARD: properties(card, &menu, &Value::Null) },
        "pending_post_id": format!("{me}:{}", card.tag),
    });
    let created = api.post("posts", &body)?;
    let message = channel::reference(&created).ok_or_else(|| incomplete("a post without id or time"))?;
    let offered = menu.iter().try_for_each(|(name, _)| react(api, me, &message.id, name));
    message.with_menu(&*api, offered, |message| Ok(api.delete(&format!("posts/{}", message.id)).map(drop)?))
}

/// Replaces the card that a post shows, and its menu. Its files stay.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let text = checked(markdown::card(card))?;
    let menu = named(&card.choices)?;
    let me = api.me()?;
    let shown = api.get(&format!("posts/{}", message.id))?;
    if shown.text("user_id") != Some(me) || shown.text("channel_id") != Some(message.chat.as_str()) {
        return Err(Error::NotFound);
    }
    let mut props = shown.get("props").filter(|props| props.is_object()).cloned().unwrap_or_else(|| json!({}));
    let shows = properties(card, &menu, props.inner(CARD));
    set(&mut props, CARD, shows);
    if shown.text("message") != Some(text.as_str()) || shown.get("props") != Some(&props) {
        let body = json!({ "message": text, "props": props });
        match api.put(&format!("posts/{}/patch", message.id), &body) {
            // The card keeps its text, but no choice that counts no more.
            Err(Refusal { error: Error::Rejected(Some(said)), .. }) if said.contains(TOO_OLD) => {
                api.log(Level::Warn, &said);
            }
            patched => drop(patched?),
        }
    }
    let mine = reactions(&shown).iter().filter(|reaction| reaction.text("user_id") == Some(me));
    let mine = mine.filter_map(|reaction| reaction.text("emoji_name")).collect::<Vec<_>>();
    for name in mine.iter().filter(|name| !menu.iter().any(|(wanted, _)| wanted == *name)) {
        let path = format!("users/{me}/posts/{}/reactions/{name}", message.id);
        api.optional("a reaction could not be removed", api.patiently(PAUSE, || api.delete(&path)))?;
    }
    let missing = menu.iter().filter(|(name, _)| !mine.contains(name));
    missing.into_iter().try_for_each(|(name, _)| react(api, me, &message.id, name))
}

/// Posts a notice, visible to everybody in the channel.
pub(crate) fn notify(api: Api<'_>, press: &Chosen, notice: &str) -> Result<()> {
    let body =
        json!({ "channel_id": press.message.chat, "message": checked((markdown::escape(notice), units(notice)))? });
    Ok(api.post("posts", &body).map(drop)?)
}

/// Returns the Markdown of a text, if it fits into a post. Web, desktop and mobile apps read its character references.
fn checked((markdown, shown): (String, usize)) -> Result<String> {
    let is_too_large = shown > CARD_UNITS || markdown.chars().count() > POST_CHARS;
    if is_too_large { Err(Error::TooLarge) } else { Ok(markdown) }
}

/// Returns the reactions of a post.
pub(crate) fn reactions(post: &Value) -> &[Value] {
    post.inner("metadata").items("reactions")
}

/// Returns what a reaction means on a card that nobody watches: its message, its tag and the choice.
pub(crate) fn offered(post: &Value, name: &str) -> Option<(MessageRef, Option<String>, String)> {
    let card = post.inner("props").inner(CARD);
    let choice = [MENU, PAST].iter().find_map(|menu| card.inner(menu).text(name))?;
    Some((channel::reference(post)?, card.text("tag").map(str::to_owned), choice.to_owned()))
}

/// Adds a reaction. One that exists is no error.
fn react(api: Api<'_>, me: &str, post: &str, name: &str) -> Result<()> {
    let body = json!({ "user_id": me, "post_id": post, "emoji_name": name });
    Ok(api.patiently(PAUSE, || api.post("reactions", &body)).map(drop)?)
}

/// Returns the choices of a card by the names of their reactions.
fn named(choices: &[Choice]) -> Result<Vec<(&'static str, &str)>> {
    let named = choices.iter().map(|choice| match emoji::name(&choice.emoji) {
        Some(name) => Ok((name, choice.id.as_str())),
        None => Err(Error::other(format!("the emoji {} has no name here", choice.emoji))),
    });
    named.collect()
}

/// Returns what a card's post says of its choices. `before` is what it said.
fn properties(card: &Card, menu: &[(&str, &str)], before: &Value) -> Value {
    let menu = menu.iter().map(|(name, choice)| ((*name).to_owned(), Value::from(*choice))).collect::<Map<_, _>>();
    let mut past = before.inner(PAST).as_object().cloned().unwrap_or_default();
    past.extend(before.entries(MENU).map(|(name, choice)| (name.to_owned(), choice.clone())));
    past.retain(|name, _| !menu.contains_key(name));
    json!({ "tag": card.tag, MENU: menu, PAST: past })
}
