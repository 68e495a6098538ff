//! Reads reactions as presses.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, message_path};
use crate::chat::user;
use crate::limits::{PAGE, USER_PAGES};
use crate::reactions;

/// The kinds of reactions; a request lists one of them (docs/resources/message#get-reactions-reaction-types).
const NORMAL: &str = "0";
const BURST: &str = "1";

/// Returns everybody but the bot who reacted with one of the card's choices, the last choice first. The message's
/// counts show whether there is anybody, so a card that waits costs one request.
pub(crate) fn read(api: Api<'_>, watch: &Watch) -> Result<Vec<Chosen>> {
    let message = api.get(&message_path(&watch.message))?;
    let me = message.inner("author").need("id", "a message without author")?;
    let press = |choice: &Choice, user| Chosen::new(watch.message.clone(), &choice.id, user);
    let mut presses = Vec::new();
    for choice in watch.choices.iter().rev() {
        let found = message.items("reactions").iter().find(|reaction| reactions::is_emoji(reaction, &choice.emoji));
        for kind in found.map(kinds_of_others).unwrap_or_default() {
            let users = users(api, watch, choice, kind)?;
            presses.extend(users.into_iter().filter(|user| user.id != me).map(|user| press(choice, user)));
        }
    }
    Ok(presses)
}

/// Returns the kinds in which somebody else added this reaction (docs/resources/message#reaction-object).
fn kinds_of_others(reaction: &Value) -> Vec<&'static str> {
    let details = reaction.inner("count_details");
    let mine = |flag: &str| i64::from(reaction.flag(flag));
    let normal = details.int("normal").or_else(|| reaction.int("count")).unwrap_or_default() - mine("me");
    let burst = details.int("burst").unwrap_or_default() - mine("me_burst");
    [(NORMAL, normal), (BURST, burst)].into_iter().filter(|(_, others)| *others > 0).map(|(kind, _)| kind).collect()
}

fn users(api: Api<'_>, watch: &Watch, choice: &Choice, kind: &str) -> Result<Vec<User>> {
    let path = format!("{}?limit={PAGE}&type={kind}", reactions::path(&watch.message, &choice.emoji));
    let mut users = Vec::new();
    let mut page = api.get(&path)?;
    for _ in 1..USER_PAGES {
        let last = add(&mut users, &page)?;
        let Some(last) = last else { return Ok(users) };
        page = api.get(&format!("{path}&after={last}"))?;
    }
    if add(&mut users, &page)?.is_some() {
        api.log(Level::Warn, "more people reacted to a card than are read");
    }
    Ok(users)
}

/// Adds a page, and returns the user after whom the next one begins; `None` after the last page.
fn add(users: &mut Vec<User>, page: &Value) -> Result<Option<String>> {
    let page = page.as_array().ok_or_else(|| incomplete("users that are no list"))?;
    users.extend(page.iter().filter_map(user));
    let is_full = page.len() >= PAGE;
    Ok(page.last().filter(|_| is_full).and_then(|last| last.text("id")).map(str::to_owned))
}
