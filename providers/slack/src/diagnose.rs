//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::{Chat, Check, Diagnosis, Error, Host, Subject, words};

use crate::api::Api;
use crate::{chat, meeting, socket};

/// What is wrong where Slack refuses a connection.
pub(crate) const WRONG_APP_TOKEN: &str = "the app-level token is wrong or lacks the scope connections:write";

/// Checks who the app is, whether its events arrive, and what it may do in the chat.
pub(crate) fn diagnose(api: &Api, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error> {
    let is_person = matches!(chat, Chat::Person(_));
    if !is_person {
        chat::open(api, host, chat.clone())?;
    }
    let (bot, scopes) = meeting::identity(api, host)?;
    let place = match in_chat(api, host, chat) {
        Ok(check) => check,
        Err(Error::NotFound) => check(Subject::Chat, false, "no such channel or person, or the app is not in it"),
        Err(Error::Denied(said)) => check(Subject::Chat, false, said.unwrap_or_default()),
        Err(error) => return Err(error),
    };
    let may = |scope: &str| match &scopes {
        Some(scopes) => scopes.split(',').any(|it| it.trim() == scope),
        None => true,
    };
    let scope = |subject, scope: &str, what: &str| check(subject, may(scope), format!("the scope {scope}, {what}"));
    let checks = vec![
        events(api, host),
        place,
        scope(Subject::Post, "chat:write", "to post and change cards"),
        scope(Subject::Attach, "files:write", "to share long requests as files"),
    ];
    Ok(Diagnosis { bot, checks })
}

/// Checks whether presses will arrive.
fn events(api: &Api, host: &dyn Host) -> Check {
    let (ok, detail) = match socket::probe(api, host) {
        Ok(detail) => (true, detail),
        Err(Error::Unauthorized) => (false, WRONG_APP_TOKEN.to_owned()),
        Err(error) => (false, words(&error)),
    };
    check(Subject::Events, ok, detail)
}

fn in_chat(api: &Api, host: &dyn Host, chat: Chat) -> Result<Check, Error> {
    let is_person = matches!(chat, Chat::Person(_));
    let opened = chat::open(api, host, chat)?;
    if is_person {
        return Ok(check(Subject::Chat, true, "a direct message with the app"));
    }
    let (reply, _) = api.ask(host, "conversations.info", &[("channel", &opened.id)])?;
    let channel = reply.get("channel").cloned().unwrap_or_default();
    let is_in = channel.flag("is_member") || channel.flag("is_im");
    Ok(match (channel.flag("is_archived"), is_in) {
        (true, _) => check(Subject::Chat, false, "the channel is archived"),
        (_, false) => check(Subject::Chat, false, "the app is not in the channel: write /invite and its name there"),
        _ => check(Subject::Chat, true, "the app is in the channel"),
    })
}

fn check(subject: Subject, ok: bool, detail: impl Into<String>) -> Check {
    Check { subject, ok, detail: detail.into() }
}
