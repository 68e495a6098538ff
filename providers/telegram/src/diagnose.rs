//! The checks of `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::api::{self, incomplete};
use crate::chat;

/// Checks the bot's account, whether a webhook receives its events, and its permissions in the chat.
pub(crate) fn diagnose(api: Api<'_>, chat: Chat) -> Result<Diagnosis> {
    let bot = bot(api)?;
    let identity = identity(&bot)?;
    let mut checks = vec![events(api)?];
    checks.extend(chat_checks(api, &bot, &chat)?);
    Ok(Diagnosis { bot: identity, checks })
}

/// Returns the bot's own account (<https://core.telegram.org/bots/api#getme>).
pub(crate) fn bot(api: Api<'_>) -> Result<Value> {
    Ok(api::call(api, "getMe", &json!({}))?)
}

pub(crate) fn identity(bot: &Value) -> Result<Identity> {
    let id = bot.int("id").ok_or_else(|| incomplete("getMe"))?;
    let name = match bot.text("username") {
        Some(username) => format!("@{username}"),
        None => bot.text("first_name").unwrap_or_default().to_owned(),
    };
    Ok(Identity { id: id.to_string(), name })
}

/// Checks whether a webhook receives the bot's events, because long polling then receives none.
pub(crate) fn events(api: Api<'_>) -> Result<Check> {
    Ok(webhook_check(&api::call(api, "getWebhookInfo", &json!({}))?))
}

/// Checks that no webhook is set. It names only the webhook's host, because its path often contains the token.
fn webhook_check(webhook: &Value) -> Check {
    let url = webhook.text("url").unwrap_or_default();
    if url.is_empty() {
        return Check::fine(Subject::Events, "no webhook");
    }
    let host = url.split('/').nth(2).unwrap_or_default();
    let detail =
        format!("a webhook at {host} takes the bot's events; remove it with deleteWebhook, or use another bot");
    Check::wrong(Subject::Events, detail)
}

fn chat_checks(api: Api<'_>, bot: &Value, chat: &Chat) -> Result<Vec<Check>> {
    let target = chat::target(chat)?;
    let found = match api::call(api, "getChat", &json!({ "chat_id": target })).map_err(Error::from) {
        Ok(found) => found,
        Err(Error::BadSetting((_, moved))) => return Ok(vec![Check::wrong(Subject::Chat, moved)]),
        Err(error) => {
            let absent = "no such chat, or the bot never met it: write to the bot, or add it to the group";
            return Ok(vec![Check::no_chat(error, absent)?]);
        }
    };
    if found.text("type") == Some("private") {
        let detail = "a private chat; whether the person blocked the bot shows only when it posts";
        return Ok(vec![Check::fine(Subject::Chat, detail)]);
    }
    let body = json!({ "chat_id": found.get("id"), "user_id": bot.get("id") });
    match api::call(api, "getChatMember", &body).map_err(Error::from) {
        Ok(member) => Ok(member_checks(bot, &found, &member)),
        Err(Error::Rejected(said)) => Ok(vec![Check::wrong(Subject::Chat, said.unwrap_or_default())]),
        Err(error) => Ok(vec![Check::no_chat(error, "the bot is not in it")?]),
    }
}

/// Reads a `ChatMember` (<https://core.telegram.org/bots/api#chatmember>) together with the `permissions` of its chat.
fn member_checks(bot: &Value, chat: &Value, member: &Value) -> Vec<Check> {
    let status = member.text("status").unwrap_or("unknown");
    let kind = chat.text("type").unwrap_or("chat");
    let is_in = match status {
        "creator" | "administrator" | "member" => true,
        "restricted" => member.flag("is_member"),
        _ => false,
    };
    let mut checks = vec![Check::new(Subject::Chat, is_in, format!("a {kind}; the bot's status there is {status}"))];
    if !is_in {
        return checks;
    }
    let is_admin = matches!(status, "creator" | "administrator");
    if kind == "channel" {
        let may_post = status == "creator" || is_admin && member.flag("can_post_messages");
        let detail = "in a channel only an administrator with the right to post may; no text can be read there";
        checks.push(Check::new(Subject::Post, may_post, detail));
        return checks;
    }
    let may = |right: &str| match status {
        "restricted" => member.flag(right),
        "member" => chat.get("permissions").is_none_or(|all| all.get(right).is_none() || all.flag(right)),
        _ => true,
    };
    checks.push(Check::new(Subject::Post, may("can_send_messages"), "the right to send messages"));
    checks.push(Check::new(Subject::Attach, may("can_send_documents"), "the right to send files"));
    let sees_all = is_admin || bot.flag("can_read_all_group_messages");
    let detail = if sees_all {
        "the bot sees all messages of the group"
    } else {
        "privacy mode is on: the bot sees only replies to its own messages. Make it an administrator of the group, or \
         turn privacy mode off with /setprivacy of @BotFather and add the bot to the group again"
    };
    checks.push(Check::new(Subject::Read, sees_all, detail));
    checks
}
