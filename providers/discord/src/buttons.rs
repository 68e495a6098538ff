//! Posts and revises a card with buttons.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, message_path};
use crate::{card, components, embed, limits, posting, reactions, threads};

/// Posts the card. The tag is the message's nonce, so that the same card posted twice is one message
/// (docs/resources/message#create-message: `enforce_nonce`).
pub(crate) fn post(api: &Api, host: &dyn Host, chat: &OpenChat, card: &Card) -> Result<MessageRef, Error> {
    if card.tag.len() > limits::NONCE {
        return Err(Error::TooLarge);
    }
    let files = card::files(card)?;
    let mut body = shown(card)?;
    posting::silence(&mut body, card);
    set(&mut body, "nonce", card.tag.as_str());
    set(&mut body, "enforce_nonce", true);
    if let Some(message) = card.reply_in(&chat.id) {
        set(&mut body, "message_reference", posting::reply_to(message));
    }
    posting::create(api, host, &chat.id, &mut body, &files)
}

/// Replaces the card that a message shows. If the other transport posted the message, its content is removed, and its
/// menu too once the card has ended.
pub(crate) fn revise(api: &Api, host: &dyn Host, message: &MessageRef, card: &Card) -> Result<(), Error> {
    let mut body = shown(card)?;
    set(&mut body, "content", "");
    set(&mut body, "flags", 0);
    let path = message_path(&message.chat, &message.id);
    let changed = threads::edit(api, host, &message.chat, &path, &body)?;
    reactions::change(api, host, message, &changed, &[])
}

fn shown(card: &Card) -> Result<Value, Error> {
    Ok(json!({
        "embeds": embed::embeds(card)?,
        "components": components::rows(&card.tag, &card.choices)?,
        "allowed_mentions": { "parse": [], "replied_user": false },
    }))
}
