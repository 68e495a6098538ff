use dmplz_provider_sdk::{Answering, Chat, Error, OpenChat, Provider, Setting};
use dmplz_telegram::Telegram;

use crate::{FakeHost, answering, telegram};

fn setting(value: &str) -> Vec<Setting> {
    vec![Setting { name: "api-base".into(), value: value.into() }]
}

#[test]
fn the_manifest_lets_the_token_go_to_the_configured_server_only() {
    let manifest = Telegram::describe();
    assert_eq!(
        (
            manifest.name.as_str(),
            manifest.transports[0].answering,
            manifest.transports[0].poll_interval,
            manifest.transports[0].reads_chat
        ),
        ("telegram", Answering::Buttons, 0, true)
    );
    assert_eq!(manifest.origins, ["{setting:api-base}"]);
    let secrets = manifest.secrets.iter().map(|secret| (secret.name.as_str(), secret.origins.clone()));
    assert_eq!(secrets.collect::<Vec<_>>(), [("bot-token", vec!["{setting:api-base}".to_owned()])]);
    assert_eq!(manifest.settings[0].default.as_deref(), Some("https://api.telegram.org"));
}

#[test]
fn a_server_is_an_absolute_url() {
    for value in ["https://api.telegram.org", "http://127.0.0.1:8081/", " https://proxy.example/telegram "] {
        assert!(Telegram::connect(&setting(value), "updates").is_ok(), "{value}");
    }
    for value in ["", "https://", "api.telegram.org", "ftp://x", "https://x/?a=b", "https://{secret:bot-token}"] {
        let error = Telegram::connect(&setting(value), "updates").unwrap_err();
        assert!(matches!(&error, Error::BadSetting((name, _)) if name == "api-base"), "{value}: {error:?}");
    }
    assert!(matches!(Telegram::connect(&[], "updates"), Err(Error::BadSetting(_))));
}

#[test]
fn a_numbered_chat_opens_without_network() {
    let host = FakeHost::new();
    for (chat, id, owner) in [
        (Chat::Room("42".into()), "42", Some("42")),
        (Chat::Room(" 42 ".into()), "42", Some("42")),
        (Chat::Person("9007199254740993".into()), "9007199254740993", Some("9007199254740993")),
        (Chat::Room("-1001234567890".into()), "-1001234567890", None),
        (Chat::Room(" -1001234567890/7 ".into()), "-1001234567890/7", None),
        (Chat::Room("42/7".into()), "42/7", Some("42")),
    ] {
        let expected = OpenChat { id: id.into(), owner: owner.map(str::to_owned) };
        assert_eq!(telegram().open(&host, chat), Ok(expected));
    }
    assert_eq!(host.requests().len(), 0);
}

#[test]
fn a_named_chat_is_opened_by_its_number_because_presses_carry_that() {
    let host = answering(r#"{"id":-1001234567890,"type":"channel","title":"t","username":"our_channel"}"#);
    let opened = telegram().open(&host, Chat::Room("@our_channel".into()));
    assert_eq!(opened, Ok(OpenChat { id: "-1001234567890".into(), owner: None }));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/getChat
    {
      "chat_id": "@our_channel"
    }
    "#);
}

#[test]
fn an_id_that_is_none_is_a_bad_setting() {
    for chat in [
        Chat::Room("".into()),
        Chat::Room("0".into()),
        Chat::Room("@".into()),
        Chat::Room("@na me".into()),
        Chat::Room("-1001/".into()),
        Chat::Room("-1001/0".into()),
        Chat::Room("-1001/7/8".into()),
        Chat::Person("5/7".into()),
        Chat::Room("our_channel".into()),
        Chat::Room("99999999999999999999".into()),
        Chat::Person("-5".into()),
        Chat::Person("@name".into()),
    ] {
        let error = telegram().open(&FakeHost::new(), chat.clone()).unwrap_err();
        assert!(matches!(&error, Error::BadSetting((name, _)) if name == "chat-id"), "{chat:?}: {error:?}");
    }
}
