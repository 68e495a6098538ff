//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, channel_path};
use crate::chat;
use crate::gateway::Gateway;
use crate::permissions::{Permissions, effective};

/// `GATEWAY_MESSAGE_CONTENT` and its form for bots in few guilds
/// (docs/resources/application#application-object-application-flags).
const MESSAGE_CONTENT: i64 = 1 << 18 | 1 << 19;

/// Kinds of channels (docs/resources/channel#channel-object-channel-types): direct messages, and threads.
const DM: i64 = 1;
const THREADS: [i64; 3] = [10, 11, 12];

/// Checks who the bot is, its permissions in the chat, and for that transport whether the gateway can be reached.
pub(crate) fn diagnose(api: Api<'_>, gateway: Option<&Gateway>, chat: &Chat) -> Result<Diagnosis> {
    let bot = api.get("/users/@me")?;
    let id = bot.need("id", "a bot without id")?;
    let name = bot.text("username").unwrap_or_default();
    let identity = Identity::new(id, name);
    let mut checks = match chat_checks(api, gateway.is_some(), id, chat) {
        Ok(checks) => checks,
        Err(error) => vec![Check::no_chat(error, "no such channel or person")?],
    };
    if let Some(gateway) = gateway {
        let application = api.get("/applications/@me")?;
        checks.insert(0, events(&application, gateway.diagnose(api)));
    }
    Ok(Diagnosis { bot: identity, checks })
}

/// Checks whether presses will arrive. An endpoint of the application takes all of them away from the gateway
/// (docs/interactions/receiving-and-responding#receiving-an-interaction). Its URL may hold a secret, so only its host is named.
pub(crate) fn events(application: &Value, found: Result<String, Error>) -> Check {
    if let Some(endpoint) = application.text("interactions_endpoint_url").filter(|url| !url.is_empty()) {
        let server = endpoint.split('/').nth(2).unwrap_or_default();
        let detail = format!(
            "the server {server} takes the presses: remove the Interactions Endpoint URL in the developer portal, or use another bot"
        );
        return Check::wrong(Subject::Events, detail);
    }
    match found {
        Err(Error::RateLimited(_)) => Check::wrong(Subject::Events, "no session may be begun today any more"),
        Err(Error::Unavailable(said) | Error::Denied(said)) => Check::wrong(Subject::Events, said.unwrap_or_default()),
        Err(Error::Refused(said)) => Check::wrong(Subject::Events, format!("gateway-url: {said}")),
        found => Check::tried(Subject::Events, found),
    }
}

fn chat_checks(api: Api<'_>, has_buttons: bool, bot: &str, chat: &Chat) -> Result<Vec<Check>> {
    let is_person = matches!(chat, Chat::Person(_));
    let opened = chat::open(api, chat)?;
    if is_person {
        return Ok(direct_checks(has_buttons));
    }
    let channel = api.get(&channel_path(&opened.id))?;
    if channel.int("type") == Some(DM) {
        return Ok(direct_checks(has_buttons));
    }
    let guild = channel.need("guild_id", "a channel without guild")?;
    let has_content = !has_buttons && {
        let application = api.get("/applications/@me")?;
        application.int("flags").unwrap_or_default() & MESSAGE_CONTENT != 0
    };
    let roles = api.get(&format!("/guilds/{}/roles", percent_encode(guild)))?;
    let roles = roles.as_array().ok_or_else(|| incomplete("roles that are no list"))?;
    let member = api.get(&format!("/guilds/{}/members/{}", percent_encode(guild), percent_encode(bot)))?;
    let is_thread = channel.int("type").is_some_and(|kind| THREADS.contains(&kind));
    let parent = match channel.text("parent_id").filter(|_| is_thread) {
        Some(parent) => Some(api.get(&channel_path(parent))?),
        None => None,
    };
    let has = effective(guild, roles, &member, parent.as_ref().unwrap_or(&channel));
    Ok(if has_buttons { button_checks(has, is_thread) } else { guild_checks(has, is_thread, has_content) })
}

/// Returns the checks of a direct message, in which a bot has all permissions that it needs, and reads all messages.
fn direct_checks(has_buttons: bool) -> Vec<Check> {
    let detail = "a direct message channel; whether the person takes messages of the bot shows only when it posts";
    let mut checks = vec![Check::fine(Subject::Chat, detail)];
    if !has_buttons {
        checks.push(Check::fine(Subject::Read, "texts of direct messages are always there"));
    }
    checks
}

fn sending(is_thread: bool) -> (Permissions, &'static str) {
    match is_thread {
        true => (Permissions::SEND_MESSAGES_IN_THREADS, "SEND_MESSAGES_IN_THREADS"),
        false => (Permissions::SEND_MESSAGES, "SEND_MESSAGES"),
    }
}

/// Returns the checks with buttons. The channel is not read, because texts arrive in forms, and no intent is needed.
fn button_checks(has: Permissions, is_thread: bool) -> Vec<Check> {
    let (send, send_name) = sending(is_thread);
    let post = send.and(Permissions::EMBED_LINKS).and(Permissions::READ_MESSAGE_HISTORY);
    let detail = format!("{send_name}, EMBED_LINKS for cards, and READ_MESSAGE_HISTORY for answers to them");
    vec![
        Check::new(Subject::Chat, has.has(Permissions::VIEW_CHANNEL), "VIEW_CHANNEL"),
        Check::new(Subject::Post, has.has(post), detail),
        Check::new(Subject::Attach, has.has(Permissions::ATTACH_FILES), "ATTACH_FILES"),
    ]
}

fn guild_checks(has: Permissions, is_thread: bool, has_content: bool) -> Vec<Check> {
    let (send, send_name) = sending(is_thread);
    let react = Permissions::ADD_REACTIONS.and(Permissions::READ_MESSAGE_HISTORY);
    let removes = match has.has(Permissions::MANAGE_MESSAGES) {
        true => "MANAGE_MESSAGES is there: reactions are removed when a card ends",
        false => "without MANAGE_MESSAGES the reactions of people stay on cards that ended",
    };
    let content = match has_content {
        true => "READ_MESSAGE_HISTORY; the message content intent is on",
        false => {
            "READ_MESSAGE_HISTORY, and the message content intent, which is off: turn it on in the developer portal, \
             page Bot, or no reason can be read"
        }
    };
    let may_read = has.has(Permissions::READ_MESSAGE_HISTORY) && has_content;
    vec![
        Check::new(Subject::Chat, has.has(Permissions::VIEW_CHANNEL), "VIEW_CHANNEL"),
        Check::new(Subject::Post, has.has(send), send_name),
        Check::new(Subject::React, has.has(react), format!("ADD_REACTIONS and READ_MESSAGE_HISTORY; {removes}")),
        Check::new(Subject::Attach, has.has(Permissions::ATTACH_FILES), "ATTACH_FILES"),
        Check::new(Subject::Read, may_read, content),
    ]
}
