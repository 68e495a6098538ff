//! Reads the reactions of a card as presses.
//!
//! A reaction means what the card offered when it was added: the same emoji can be another choice after an edit. So each
//! revision of a card names its choices, and the card's edits and reactions are read in their order.

use dmplz_provider_sdk::emoji::is_same;
use dmplz_provider_sdk::http::{Api, visible};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::{MessageRef, Press, Result};

use crate::api::{self, path};
use crate::card::CARD;
use crate::menu;
use crate::posting::{relation, sequence};

/// A card of the bot, and the reactions that it has now.
#[derive(Debug)]
pub(crate) struct Reactions {
    pub(crate) message: MessageRef,
    pub(crate) tag: Option<String>,
    pub(crate) presses: Vec<Press>,
}

/// Returns the reactions of people to a message, the first ones first; `None` if it is no card of the bot.
pub(crate) fn of(api: Api<'_>, room: &str, id: &str) -> Result<Option<Reactions>> {
    let me = api::me(api)?;
    // The bot may not be in the room any more.
    let Some(original) = visible(api.get(&path(room, &["event", id])))? else { return Ok(None) };
    let card = original.inner("content").get(CARD);
    let Some((card, sequence)) = card.filter(|_| original.text("sender") == Some(me)).zip(sequence(&original)) else {
        return Ok(None);
    };
    let related = api::relations(api, room, id)?;
    let mut menus = vec![card];
    let mut presses = Vec::new();
    for event in &related {
        let is_mine = event.text("sender") == Some(me);
        if let Some(new) = event.inner("content").get("m.new_content") {
            menus.extend(new.get(CARD).filter(|_| is_mine && relation(event).text("rel_type") == Some("m.replace")));
        } else if let Some(key) = menu::key(event).filter(|_| !is_mine) {
            let mut choices = menus.iter().rev().flat_map(|menu| menu.entries("choices"));
            let choice = choices.find(|(emoji, _)| is_same(emoji, key)).and_then(|(_, choice)| choice.as_str());
            let (Some(choice), Some(event), Some(who)) = (choice, event.text("event_id"), event.text("sender")) else {
                continue;
            };
            presses.push(Press { id: event.to_owned(), who: who.to_owned(), choice: choice.to_owned() });
        }
    }
    let message = MessageRef { chat: room.to_owned(), id: id.to_owned(), sequence };
    Ok(Some(Reactions { message, tag: card.text("tag").map(str::to_owned), presses }))
}
