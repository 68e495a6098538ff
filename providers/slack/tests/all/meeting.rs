use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Chat, Error, Provider, Subject};

use crate::{FakeHost, connected, envelope, hello, slack};

const JIN: &str = r#"{"ok":true,"user":{"id":"U012AB3CD","name":"jin","profile":{"display_name":"Jin 진"}}}"#;

fn event(event: &Value) -> String {
    envelope("events_api", &json!({ "type": "event_callback", "event": event }))
}

#[test]
fn a_code_comes_by_direct_message_or_by_a_mention() {
    let direct =
        json!({ "type": "message", "channel_type": "im", "channel": "D1", "user": "U012AB3CD", "text": "1234" });
    let mention =
        json!({ "type": "app_mention", "channel": "C012AB3CD", "user": "U012AB3CD", "text": "<@U0BOT> 1234" });
    for (told, chat) in [(direct, Chat::Person("U012AB3CD".into())), (mention, Chat::Room("C012AB3CD".into()))] {
        let host = connected(hello().frame(event(&told))).reply(200, JIN);
        let meeting = slack().meet(&host, "", 10_000).unwrap();
        let [greeting] = meeting.greetings.as_slice() else { panic!("{meeting:?}") };
        assert_eq!((greeting.code.as_str(), &greeting.chat), ("1234", &chat));
        assert_eq!((greeting.user.name.as_str(), greeting.user.is_bot), ("Jin 진", false));
    }
}

#[test]
fn a_change_of_a_message_and_what_others_write_is_no_greeting() {
    for told in [
        json!({ "type": "message", "channel_type": "im", "subtype": "message_changed", "user": "U1", "text": "1" }),
        json!({ "type": "message", "channel_type": "channel", "user": "U1", "text": "1" }),
        json!({ "type": "reaction_added", "user": "U1" }),
        json!({}),
    ] {
        let host = connected(hello().frame(event(&told)));
        assert!(slack().meet(&host, "", 1000).unwrap().greetings.is_empty(), "{told}");
    }
}

#[test]
fn without_a_scope_for_names_a_person_is_called_by_their_id() {
    let told = json!({ "type": "message", "channel_type": "im", "channel": "D1", "user": "U012AB3CD", "text": "1" });
    let host = connected(hello().frame(event(&told)))
        .reply(200, r#"{"ok":false,"error":"missing_scope","needed":"users:read"}"#);
    assert_eq!(slack().meet(&host, "", 1000).unwrap().greetings[0].user.name, "U012AB3CD");
    assert!(host.lines().iter().any(|line| line.contains("users:read")), "{:?}", host.lines());
}

const BOT: &str = r#"{"ok":true,"user_id":"U0BOT1234","user":"dmplz"}"#;

#[test]
fn an_introduction_checks_that_events_arrive() {
    let host = FakeHost::new().reply(200, BOT).reply(200, crate::OPENED).socket(hello());
    let introduction = slack().introduce(&host, "1234").unwrap().unwrap();
    assert_eq!((introduction.bot.name.as_str(), introduction.message.as_str()), ("dmplz", "1234"));
    assert!(introduction.checks[0].ok && introduction.checks[0].subject == Subject::Events);
    let host = FakeHost::new().reply(200, BOT).reply(200, r#"{"ok":false,"error":"not_allowed_token_type"}"#);
    let refused = slack().introduce(&host, "1234");
    assert!(matches!(&refused, Err(Error::Denied(Some(said))) if said.contains("connections:write")), "{refused:?}");
}

#[test]
fn a_diagnosis_names_what_is_missing() {
    let host = FakeHost::new()
        .reply_with(200, &[("x-oauth-scopes", "chat:write,im:write")], BOT)
        .reply(200, r#"{"ok":true,"channel":{"id":"C012AB3CD","is_member":false}}"#)
        .reply(200, crate::OPENED)
        .socket(hello());
    let found = slack().diagnose(&host, Chat::Room("C012AB3CD".into())).unwrap();
    let failed: Vec<_> = found.checks.iter().filter(|check| !check.ok).map(|check| check.subject).collect();
    assert_eq!(failed, [Subject::Chat, Subject::Attach], "{found:?}");
}
