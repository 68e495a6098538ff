use dmplz_provider_sdk::{Error, Provider};

use crate::{FakeHost, card, message, private_chat, telegram};

fn post(host: &FakeHost) -> Error {
    telegram().post(host, private_chat(), card("t", vec![])).unwrap_err()
}

fn said(words: &str) -> Option<String> {
    Some(words.to_owned())
}

#[test]
fn what_telegram_refuses_becomes_what_the_host_acts_on() {
    for (code, description, expected) in [
        (401, "Unauthorized", Error::Unauthorized),
        (404, "Not Found", Error::Unauthorized),
        (404, "Not Found: method not found", Error::Rejected(said("Not Found: method not found"))),
        // A group whose topic "General" is closed.
        (400, "Bad Request: TOPIC_CLOSED", Error::Denied(said("Bad Request: TOPIC_CLOSED"))),
        (400, "Bad Request: message can't be edited", Error::Denied(said("Bad Request: message can't be edited"))),
        (403, "Forbidden: bot was blocked by the user", Error::Denied(said("Forbidden: bot was blocked by the user"))),
        (409, "Conflict: terminated", Error::Conflict(said("Conflict: terminated"))),
        (413, "Request Entity Too Large", Error::TooLarge),
        (429, "Too Many Requests", Error::RateLimited(None)),
        (400, "Bad Request: chat not found", Error::NotFound),
        (400, "Bad Request: message to edit not found", Error::NotFound),
        (400, "Bad Request: MESSAGE_ID_INVALID", Error::NotFound),
        (400, "Bad Request: message is too long", Error::TooLarge),
        (
            400,
            "Bad Request: not enough rights to send text messages to the chat",
            Error::Denied(said("Bad Request: not enough rights to send text messages to the chat")),
        ),
        (400, "Bad Request: BUTTON_DATA_INVALID", Error::Rejected(said("Bad Request: BUTTON_DATA_INVALID"))),
        (502, "Bad Gateway", Error::Unavailable(said("Bad Gateway"))),
    ] {
        let reply = format!(r#"{{"ok":false,"error_code":{code},"description":"{description}"}}"#);
        assert_eq!(post(&FakeHost::new().reply(code, reply)), expected, "{code} {description}");
    }
}

#[test]
fn seconds_to_wait_become_milliseconds() {
    for (parameters, expected) in [("7", Some(7000)), ("0", Some(0)), ("4294967295", Some(u32::MAX)), ("-1", None)] {
        let reply = format!(r#"{{"ok":false,"error_code":429,"parameters":{{"retry_after":{parameters}}}}}"#);
        assert_eq!(post(&FakeHost::new().reply(429, reply)), Error::RateLimited(expected), "{parameters}");
    }
    let proxied = FakeHost::new().reply_with(429, &[("retry-after", "2")], "<html>slow down</html>");
    assert_eq!(post(&proxied), Error::RateLimited(Some(2000)));
}

#[test]
fn a_group_that_became_a_supergroup_is_told_with_its_new_id() {
    let reply = r#"{"ok":false,"error_code":400,
        "description":"Bad Request: group chat was upgraded to a supergroup chat",
        "parameters":{"migrate_to_chat_id":-1001234567890}}"#;
    let expected = "the group became a supergroup: its id is now -1001234567890".to_owned();
    assert_eq!(post(&FakeHost::new().reply(400, reply)), Error::BadSetting(("chat-id".to_owned(), expected)));
    // Its messages stay behind, so nobody tries for ever to close one.
    let host = FakeHost::new().reply(400, reply);
    assert_eq!(telegram().revise(&host, message("42", 7), card("t", vec![])), Err(Error::NotFound));
}

#[test]
fn a_reply_that_makes_no_sense_is_asked_again_and_a_wrong_server_is_not() {
    for (status, body) in [
        (200, ""),
        (200, "<html>"),
        (200, r#"{"ok":tru"#),
        (200, "[]"),
        (200, "{}"),
        (200, r#"{"ok":true}"#),
        (200, r#"{"ok":true,"result":{}}"#),
        (200, r#"{"ok":true,"result":{"message_id":"7","chat":{"id":42}}}"#),
        (502, "<html>Bad Gateway</html>"),
        (400, r#"{"ok":false,"error_code":400,"descr"#),
        (530, ""),
    ] {
        let error = post(&FakeHost::new().reply(status, body));
        assert!(matches!(error, Error::Unavailable(Some(_))), "{status} {body}: {error:?}");
    }
    for (status, body) in [(404, "<html>nginx</html>"), (302, ""), (400, "no")] {
        let error = post(&FakeHost::new().reply(status, body));
        assert!(matches!(error, Error::Other(Some(_))), "{status} {body}: {error:?}");
    }
    assert_eq!(post(&FakeHost::new().reply(413, "<html>")), Error::TooLarge);
}
