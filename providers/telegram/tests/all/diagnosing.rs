use dmplz_provider_sdk::{Chat, Diagnosis, Error, Provider};

use crate::{FakeHost, telegram};

const NO_WEBHOOK: &str = r#"{"url":"","has_custom_certificate":false,"pending_update_count":0}"#;

fn bot(reads_all: bool) -> String {
    format!(
        r#"{{"id":1,"is_bot":true,"first_name":"B","username":"dm_bot","can_read_all_group_messages":{reads_all}}}"#
    )
}

fn diagnose(chat: Chat, results: &[&str]) -> Result<Diagnosis, Error> {
    let script = results.iter().fold(FakeHost::new(), |host, result| match result.strip_prefix('!') {
        Some(description) => {
            host.reply(400, format!(r#"{{"ok":false,"error_code":400,"description":"{description}"}}"#))
        }
        None => host.reply(200, format!(r#"{{"ok":true,"result":{result}}}"#)),
    });
    let diagnosis = telegram().diagnose(&script, chat);
    assert_eq!(script.left(), 0);
    diagnosis
}

fn lines(diagnosis: Diagnosis) -> String {
    let checks = diagnosis.checks.iter().map(|check| {
        format!("{:?} {}: {}", check.subject, if check.ok { "ok" } else { "FAILED" }, check.detail)
            .replacen("Subject::", "", 1)
    });
    format!("{} {}\n{}", diagnosis.bot.id, diagnosis.bot.name, checks.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_private_chat_needs_only_to_exist() {
    let found = diagnose(Chat::Person("42".into()), &[&bot(false), NO_WEBHOOK, r#"{"id":42,"type":"private"}"#]);
    insta::assert_snapshot!(lines(found.unwrap()), @"
    1 @dm_bot
    Events ok: no webhook
    Chat ok: a private chat; whether the person blocked the bot shows only when it posts
    ");
}

#[test]
fn a_webhook_is_named_without_its_path() {
    let webhook = r#"{"url":"https://example.com/hook/123:SECRET"}"#;
    let found = diagnose(Chat::Room("42".into()), &[&bot(false), webhook, "!Bad Request: chat not found"]);
    insta::assert_snapshot!(lines(found.unwrap()), @"
    1 @dm_bot
    Events FAILED: a webhook at example.com takes the bot's events; remove it with deleteWebhook, or use another bot
    Chat FAILED: no such chat, or the bot never met it: write to the bot, or add it to the group
    ");
}

#[test]
fn a_group_shows_what_the_bot_may_do_there() {
    let group =
        r#"{"id":-100,"type":"supergroup","permissions":{"can_send_messages":true,"can_send_documents":false}}"#;
    let in_group = |bot: &str, member: &str| {
        lines(diagnose(Chat::Room("-100".into()), &[bot, NO_WEBHOOK, group, member]).unwrap())
    };
    insta::assert_snapshot!(in_group(&bot(false), r#"{"status":"member"}"#), @"
    1 @dm_bot
    Events ok: no webhook
    Chat ok: a supergroup; the bot's status there is member
    Post ok: the right to send messages
    Attach FAILED: the right to send files
    Read FAILED: privacy mode is on: the bot sees only replies to its own messages. Make it an administrator of the group, or turn privacy mode off with /setprivacy of @BotFather and add the bot to the group again
    ");
    insta::assert_snapshot!(in_group(&bot(false), r#"{"status":"administrator"}"#), @"
    1 @dm_bot
    Events ok: no webhook
    Chat ok: a supergroup; the bot's status there is administrator
    Post ok: the right to send messages
    Attach ok: the right to send files
    Read ok: the bot sees all messages of the group
    ");
    let restricted = r#"{"status":"restricted","is_member":true,"can_send_messages":false,"can_send_documents":false}"#;
    insta::assert_snapshot!(in_group(&bot(true), restricted), @"
    1 @dm_bot
    Events ok: no webhook
    Chat ok: a supergroup; the bot's status there is restricted
    Post FAILED: the right to send messages
    Attach FAILED: the right to send files
    Read ok: the bot sees all messages of the group
    ");
    insta::assert_snapshot!(in_group(&bot(true), r#"{"status":"kicked"}"#), @"
    1 @dm_bot
    Events ok: no webhook
    Chat FAILED: a supergroup; the bot's status there is kicked
    ");
}

#[test]
fn a_channel_takes_posts_of_administrators_with_that_right() {
    for (member, expected) in [
        (r#"{"status":"administrator","can_post_messages":true}"#, true),
        (r#"{"status":"administrator"}"#, false),
        (r#"{"status":"member"}"#, false),
    ] {
        let channel = r#"{"id":-100,"type":"channel"}"#;
        let found = diagnose(Chat::Room("@our".into()), &[&bot(false), NO_WEBHOOK, channel, member]).unwrap();
        assert_eq!(found.checks.last().map(|check| check.ok), Some(expected), "{member}");
    }
}

#[test]
fn a_wrong_token_means_that_nothing_could_be_checked() {
    let host = FakeHost::new().reply(401, r#"{"ok":false,"error_code":401,"description":"Unauthorized"}"#);
    assert_eq!(telegram().diagnose(&host, Chat::Room("42".into())), Err(Error::Unauthorized));
}
