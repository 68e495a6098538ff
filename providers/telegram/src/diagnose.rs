//! What `dmplz doctor` wants to know.

use dmplz_provider_sdk::{Chat, Check, Diagnosis, Error, Host, Identity, Subject};
use serde::Deserialize;
use serde_json::json;

use crate::api::Api;
use crate::chat;

/// Asks who the bot is, whether a webhook takes its events, and what it may do in the chat.
pub(crate) fn diagnose(api: &Api, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error> {
    let bot: Bot = api.call(host, "getMe", &json!({}))?;
    let webhook: Webhook = api.call(host, "getWebhookInfo", &json!({}))?;
    let mut checks = vec![webhook.check()];
    checks.extend(chat_checks(api, host, &bot, &chat)?);
    let name = bot.username.map_or(bot.first_name, |username| format!("@{username}"));
    Ok(Diagnosis { bot: Identity { id: bot.id.to_string(), name }, checks })
}

fn chat_checks(api: &Api, host: &dyn Host, bot: &Bot, chat: &Chat) -> Result<Vec<Check>, Error> {
    let target = chat::target(chat)?;
    let found: Found = match api.call(host, "getChat", &json!({ "chat_id": target })).map_err(Error::from) {
        Ok(found) => found,
        Err(Error::NotFound) => {
            let detail = "no such chat, or the bot never met it: write to the bot, or add it to the group";
            return Ok(vec![check(Subject::Chat, false, detail)]);
        }
        Err(Error::Denied(said)) => return Ok(vec![check(Subject::Chat, false, said.unwrap_or_default())]),
        Err(Error::BadSetting((_, moved))) => return Ok(vec![check(Subject::Chat, false, moved)]),
        Err(error) => return Err(error),
    };
    if found.kind == "private" {
        let detail = "a private chat; whether the person blocked the bot shows only when it posts";
        return Ok(vec![check(Subject::Chat, true, detail)]);
    }
    let body = json!({ "chat_id": found.id, "user_id": bot.id });
    match api.call::<Member>(host, "getChatMember", &body).map_err(Error::from) {
        Ok(member) => Ok(member_checks(bot, &found, &member)),
        Err(Error::Denied(said) | Error::Rejected(said)) => {
            Ok(vec![check(Subject::Chat, false, said.unwrap_or_default())])
        }
        Err(Error::NotFound) => Ok(vec![check(Subject::Chat, false, "the bot is not in it")]),
        Err(error) => Err(error),
    }
}

fn member_checks(bot: &Bot, chat: &Found, member: &Member) -> Vec<Check> {
    let status = member.status.as_str();
    let is_in = match status {
        "creator" | "administrator" | "member" => true,
        "restricted" => member.is_member.unwrap_or(false),
        _ => false,
    };
    let mut checks = vec![check(Subject::Chat, is_in, format!("a {}; the bot's status there is {status}", chat.kind))];
    if !is_in {
        return checks;
    }
    let is_admin = matches!(status, "creator" | "administrator");
    if chat.kind == "channel" {
        let may_post = status == "creator" || member.can_post_messages.unwrap_or(false);
        let detail = "in a channel only an administrator with the right to post may; no text can be read there";
        checks.push(check(Subject::Post, is_admin && may_post, detail));
        return checks;
    }
    let general = chat.permissions.as_ref();
    let of_member = |own: Option<bool>, of_all: Option<bool>| match status {
        "restricted" => own.unwrap_or(false),
        "member" => of_all.unwrap_or(true),
        _ => true,
    };
    let may_post = of_member(member.can_send_messages, general.and_then(|all| all.can_send_messages));
    checks.push(check(Subject::Post, may_post, "the right to send messages"));
    let may_attach = of_member(member.can_send_documents, general.and_then(|all| all.can_send_documents));
    checks.push(check(Subject::Attach, may_attach, "the right to send files"));
    let sees_all = is_admin || bot.can_read_all_group_messages;
    let detail = if sees_all {
        "the bot sees all messages of the group"
    } else {
        "privacy mode is on: the bot sees only replies to its own messages. Make it an administrator of the group, or \
         turn privacy mode off with /setprivacy of @BotFather and add the bot to the group again"
    };
    checks.push(check(Subject::Read, sees_all, detail));
    checks
}

fn check(subject: Subject, ok: bool, detail: impl Into<String>) -> Check {
    Check { subject, ok, detail: detail.into() }
}

/// <https://core.telegram.org/bots/api#user>, as `getMe` returns it.
#[derive(Deserialize)]
struct Bot {
    id: i64,
    #[serde(default)]
    first_name: String,
    username: Option<String>,
    #[serde(default)]
    can_read_all_group_messages: bool,
}

/// <https://core.telegram.org/bots/api#webhookinfo>
#[derive(Deserialize)]
struct Webhook {
    #[serde(default)]
    url: String,
}

impl Webhook {
    /// Names only the webhook's host: its path is often the token.
    fn check(&self) -> Check {
        if self.url.is_empty() {
            return check(Subject::Events, true, "no webhook");
        }
        let host = self.url.split('/').nth(2).unwrap_or_default();
        let detail =
            format!("a webhook at {host} takes the bot's events; remove it with deleteWebhook, or use another bot");
        check(Subject::Events, false, detail)
    }
}

/// <https://core.telegram.org/bots/api#chatfullinfo>
#[derive(Deserialize)]
struct Found {
    id: i64,
    #[serde(rename = "type")]
    kind: String,
    permissions: Option<Permissions>,
}

/// <https://core.telegram.org/bots/api#chatpermissions>
#[derive(Deserialize)]
struct Permissions {
    can_send_messages: Option<bool>,
    can_send_documents: Option<bool>,
}

/// <https://core.telegram.org/bots/api#chatmember>, all kinds together.
#[derive(Deserialize)]
struct Member {
    status: String,
    is_member: Option<bool>,
    can_post_messages: Option<bool>,
    can_send_messages: Option<bool>,
    can_send_documents: Option<bool>,
}
