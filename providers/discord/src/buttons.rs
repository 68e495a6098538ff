//! Posts and revises a card with buttons.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, message_path};
use crate::{components, embed, posting, reactions, threads};

/// Posts a card whose answers are buttons.
pub(crate) fn post(api: Api<'_>, chat: &OpenChat, card: &Card) -> Result<MessageRef> {
    posting::post_once(api, chat, card, shown(card)?)
}

/// Replaces the card that a message shows. If the other transport posted the message, its content is removed, and its
/// menu too once the card has ended.
pub(crate) fn revise(api: Api<'_>, message: &MessageRef, card: &Card) -> Result<()> {
    let body = with(shown(card)?, json!({ "content": "", "flags": 0 }));
    let changed = threads::edit(api, &message.chat, &message_path(message), &body)?;
    reactions::change(api, message, &changed, &[])
}

fn shown(card: &Card) -> Result<Value> {
    Ok(json!({
        "embeds": embed::embeds(card)?,
        "components": components::rows(&card.tag, &card.choices)?,
        "allowed_mentions": { "parse": [], "replied_user": false },
    }))
}
