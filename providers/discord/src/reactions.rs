//! The menu of a card: reactions that the bot adds.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, message_path, pause_after, wanting};
use crate::limits::{REACTION_SPACING, REACTION_TRIES};

/// Adds a reaction for each choice, in order. An existing one is not an error.
pub(crate) fn offer(api: Api<'_>, message: &MessageRef, choices: &[Choice]) -> Result<()> {
    let mut pause = None;
    for choice in choices {
        sleep(api, pause.unwrap_or_default());
        pause = change_one(api, Method::Put, message, &choice.emoji)
            .map_err(|refusal| wanting(refusal, "ADD_REACTIONS or READ_MESSAGE_HISTORY"))?;
    }
    Ok(())
}

/// Makes the menu of a message, as Discord just returned it, equal to the choices. A leftover reaction on an ended
/// card is harmless, so only a reaction that cannot be added is an error.
pub(crate) fn change(api: Api<'_>, message: &MessageRef, shown: &Value, choices: &[Choice]) -> Result<()> {
    let shown = shown.items("reactions");
    if choices.is_empty() {
        clear(api, message, shown);
        return Ok(());
    }
    let is_mine = |emoji: &str| shown.iter().any(|reaction| reaction.flag("me") && is_emoji(reaction, emoji));
    let wanted = |reaction: &Value| choices.iter().any(|choice| is_emoji(reaction, &choice.emoji));
    remove_mine(api, message, shown.iter().filter(|reaction| !wanted(reaction)));
    let missing = choices.iter().filter(|choice| !is_mine(&choice.emoji)).cloned().collect::<Vec<_>>();
    offer(api, message, &missing)
}

/// Returns whether a reaction of a message is this emoji. Discord omits the emoji variation selector where it is the
/// default.
pub(crate) fn is_emoji(reaction: &Value, emoji: &str) -> bool {
    let Some(found) = reaction.get("emoji") else { return false };
    let custom = found.get("id").is_some_and(|id| !id.is_null());
    !custom && found.text("name").is_some_and(|name| emoji::is_same(name, emoji))
}

/// Returns the path of a reaction's users.
pub(crate) fn path(message: &MessageRef, emoji: &str) -> String {
    format!("{}/reactions/{}", message_path(message), percent_encode(emoji))
}

/// Takes all reactions away, which needs MANAGE_MESSAGES and never works in a direct message; then only the bot's own.
fn clear(api: Api<'_>, message: &MessageRef, shown: &[Value]) {
    if shown.is_empty() {
        return;
    }
    let all = format!("{}/reactions", message_path(message));
    match api.touch(Method::Delete, &all).map_err(Error::from) {
        Ok(_) | Err(Error::NotFound) => {}
        Err(error) => {
            if !matches!(error, Error::Denied(_)) {
                api.warn("the reactions could not be removed together", &error);
            }
            remove_mine(api, message, shown.iter());
        }
    }
}

fn remove_mine<'a>(api: Api<'_>, message: &MessageRef, shown: impl Iterator<Item = &'a Value>) {
    let mut pause = None;
    for reaction in shown.filter(|reaction| reaction.flag("me")) {
        let Some(emoji) = reaction.get("emoji").and_then(|emoji| emoji.text("name")) else { continue };
        sleep(api, pause.unwrap_or_default());
        match change_one(api, Method::Delete, message, emoji).map_err(Error::from) {
            Ok(next) => pause = next,
            Err(Error::NotFound) => {}
            Err(error) => api.warn("a reaction could not be removed", &error),
        }
    }
}

/// Adds or removes one reaction of the bot, and says how long to wait before the next. These routes take few requests a
/// second, so it waits where Discord says so, while there is time.
fn change_one(api: Api<'_>, method: Method, message: &MessageRef, emoji: &str) -> Result<Option<u32>, Refusal> {
    let path = format!("{}/@me", path(message, emoji));
    let mut limited = None;
    for _ in 0..REACTION_TRIES {
        match api.touch(method, &path) {
            Ok(response) => return Ok(pause_after(&response)),
            Err(Refusal { error: Error::RateLimited(pause), .. }) => {
                limited = pause;
                if !sleep(api, pause.unwrap_or(REACTION_SPACING)) {
                    break;
                }
            }
            Err(refusal) => return Err(refusal),
        }
    }
    Err(Error::RateLimited(limited).into())
}

/// Waits, if the export has the time.
fn sleep(api: Api<'_>, pause: u32) -> bool {
    let has_time = pause.saturating_add(RESERVE) <= api.remaining();
    if has_time && pause > 0 {
        api.sleep(pause);
    }
    has_time
}
