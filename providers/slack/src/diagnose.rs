//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::{api, chat, socket};

/// What is wrong where Slack refuses a connection.
pub(crate) const WRONG_APP_TOKEN: &str = "the app-level token is wrong or lacks the scope connections:write";

/// Checks who the app is, whether its events arrive, and what it may do in the chat.
pub(crate) fn diagnose(api: Api<'_>, chat: &Chat) -> Result<Diagnosis> {
    if matches!(chat, Chat::Room(_)) {
        chat::checked(chat)?;
    }
    let (bot, scopes) = api::identity(api)?;
    let absent = "no such channel or person, or the app is not in it";
    let place = in_chat(api, chat).or_else(|error| Check::no_chat(error, absent))?;
    let may = |scope: &str| scopes.as_ref().is_none_or(|scopes| scopes.split(',').any(|it| it.trim() == scope));
    let scope =
        |subject, scope: &str, what: &str| Check::new(subject, may(scope), format!("the scope {scope}, {what}"));
    let checks = vec![
        events(api),
        place,
        scope(Subject::Post, "chat:write", "to post and change cards"),
        scope(Subject::Attach, "files:write", "to share long requests as files"),
    ];
    Ok(Diagnosis { bot, checks })
}

/// Checks whether presses will arrive.
fn events(api: Api<'_>) -> Check {
    match socket::probe(api) {
        Err(Error::Unauthorized) => Check::wrong(Subject::Events, WRONG_APP_TOKEN),
        found => Check::tried(Subject::Events, found),
    }
}

fn in_chat(api: Api<'_>, chat: &Chat) -> Result<Check> {
    let opened = chat::open(api, chat)?;
    if opened.owner.is_some() {
        return Ok(Check::fine(Subject::Chat, "a direct message with the app"));
    }
    let reply = api::ask(api, "conversations.info", &[("channel", &opened.id)])?;
    let channel = reply.inner("channel");
    let is_in = channel.flag("is_member") || channel.flag("is_im");
    Ok(match (channel.flag("is_archived"), is_in) {
        (true, _) => Check::wrong(Subject::Chat, "the channel is archived"),
        (_, false) => Check::wrong(Subject::Chat, "the app is not in the channel: write /invite and its name there"),
        _ => Check::fine(Subject::Chat, "the app is in the channel"),
    })
}
