use dmplz_provider_sdk::{Chat, Error, Provider};

use crate::{FakeHost, answering, telegram};

const BOT: &str = r#"{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"B","username":"dm_bot"}}"#;

/// Returns the greetings in these updates: who wrote which code, and where.
fn met(updates: &str) -> Vec<String> {
    let met = telegram().meet(&answering(updates), "100", 25_000).unwrap();
    let line = |greeting: &dmplz_provider_sdk::Greeting| {
        let Chat::Room(chat) = &greeting.chat else { panic!("a room") };
        let bot = if greeting.user.is_bot { " (bot)" } else { "" };
        format!("{chat} {} {}{bot}: {}", greeting.user.id, greeting.user.name, greeting.code)
    };
    met.greetings.iter().map(line).collect()
}

fn update(chat: &str, text: &str) -> String {
    let from = r#"{"id":7,"is_bot":false,"first_name":"Jin"}"#;
    format!(r#"{{"update_id":100,"message":{{"message_id":3,"date":1,"chat":{chat},"from":{from},"text":"{text}"}}}}"#)
}

#[test]
fn the_link_of_the_bot_carries_the_code() {
    let webhook = r#"{"ok":true,"result":{"url":"","has_custom_certificate":false,"pending_update_count":0}}"#;
    let host = FakeHost::new().reply(200, BOT).reply(200, webhook);
    let found = telegram().introduce(&host, "c0de").unwrap().unwrap();
    assert_eq!(found.link.as_deref(), Some("https://t.me/dm_bot?start=c0de"));
    assert_eq!((found.message.as_str(), found.invite, found.bot.name.as_str()), ("/start c0de", None, "@dm_bot"));
    assert!(found.checks.iter().all(|check| check.ok));
}

#[test]
fn a_webhook_is_told_before_anybody_waits_for_a_press() {
    let host = FakeHost::new().reply(200, BOT).reply(200, r#"{"ok":true,"result":{"url":"https://example.org/hook"}}"#);
    let found = telegram().introduce(&host, "c0de").unwrap().unwrap();
    assert_eq!(found.checks.iter().map(|check| check.ok).collect::<Vec<_>>(), [false]);
}

#[test]
fn a_token_that_is_not_accepted_introduces_nobody() {
    let host = FakeHost::new().reply(401, r#"{"ok":false,"error_code":401,"description":"Unauthorized"}"#);
    assert_eq!(telegram().introduce(&host, "c0de"), Err(Error::Unauthorized));
}

#[test]
fn whoever_writes_is_met_with_their_code_in_a_chat_that_nobody_configured() {
    let private = r#"{"id":7,"type":"private","first_name":"Jin"}"#;
    let group = r#"{"id":-100,"type":"supergroup","title":"Shop"}"#;
    for (chat, text, met_as) in [
        (private, "/start c0de", Some("7 7 Jin: c0de")),
        (private, "/start", Some("7 7 Jin: ")),
        (private, "hello", Some("7 7 Jin: hello")),
        (private, "/started c0de", Some("7 7 Jin: /started c0de")),
        (group, "/start@dm_bot c0de", Some("-100 7 Jin: c0de")),
        (group, "what is for lunch?", None),
    ] {
        assert_eq!(met(&format!("[{}]", update(chat, text))).first().map(String::as_str), met_as, "{chat} {text}");
    }
}

#[test]
fn presses_and_pictures_meet_nobody_and_are_passed() {
    let picture = r#"{"update_id":104,"message":{"message_id":3,"date":1,"chat":{"id":7,"type":"private"}}}"#;
    let met = telegram().meet(&answering(&format!("[{picture}]")), "100", 25_000).unwrap();
    assert_eq!((met.greetings, met.cursor.as_str()), (vec![], "105"));
}
