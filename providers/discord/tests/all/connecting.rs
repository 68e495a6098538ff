use dmplz_discord::Discord;
use dmplz_provider_sdk::{Answering, Chat, Error, OpenChat, Provider, Setting};

use crate::{FakeHost, discord};

#[test]
fn the_manifest_lets_the_token_go_to_the_configured_servers_and_where_sessions_are_resumed_only() {
    let manifest = Discord::describe();
    let origins = ["{setting:api-base}", "{setting:gateway-url}", "wss://*.discord.gg"];
    assert_eq!(manifest.name, "discord");
    assert_eq!(manifest.secrets[0].origins, origins);
    let with_files = [&origins[..], &["https://cdn.discordapp.com"]].concat();
    assert_eq!(manifest.origins, with_files, "files are got without the token");
    let defaults = manifest.settings.iter().map(|setting| setting.default.as_deref().unwrap()).collect::<Vec<_>>();
    assert_eq!(defaults, ["https://discord.com/api/v10", "wss://gateway.discord.gg"]);
}

#[test]
fn it_works_by_reactions_where_no_process_stays_and_by_buttons_where_one_does() {
    let transports = Discord::describe().transports;
    let told = transports.iter().map(|transport| {
        (
            transport.name.as_str(),
            transport.answering,
            transport.poll_interval,
            transport.persistent,
            transport.reads_chat,
        )
    });
    let expected =
        [("reactions", Answering::Reactions, 1000, false, true), ("gateway", Answering::Buttons, 0, true, false)];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let limits =
        transports.iter().map(|transport| (transport.limits.text, transport.limits.choices)).collect::<Vec<_>>();
    assert_eq!(limits, [(1920, 20), (4016, 25)]);
}

#[test]
fn a_gateway_is_an_absolute_websocket_url() {
    let connect = |value: &str, transport: &str| {
        let base = Setting { name: "api-base".into(), value: "https://discord.com/api/v10".into() };
        Discord::connect(&[base, Setting { name: "gateway-url".into(), value: value.into() }], transport)
    };
    for value in ["wss://gateway.discord.gg", "ws://127.0.0.1:9/", "wss://proxy.example/discord"] {
        assert!(connect(value, "gateway").is_ok(), "{value}");
    }
    for value in ["", "wss://", "https://discord.com", "wss://x/?v=9"] {
        assert!(
            matches!(connect(value, "gateway"), Err(Error::BadSetting((name, _))) if name == "gateway-url"),
            "{value}"
        );
        assert!(connect(value, "reactions").is_ok(), "{value}");
    }
}

#[test]
fn a_server_is_an_absolute_url() {
    let connect =
        |value: &str| Discord::connect(&[Setting { name: "api-base".into(), value: value.into() }], "reactions");
    assert!(connect("http://127.0.0.1:9/api/v10/").is_ok());
    for value in ["", "http://", "discord.com", "https://x/#y"] {
        assert!(matches!(connect(value), Err(Error::BadSetting((name, _))) if name == "api-base"), "{value}");
    }
}

#[test]
fn a_channel_opens_without_network_and_has_no_owner() {
    let host = FakeHost::new();
    let opened = discord().open(&host, Chat::Room(" 1234567890123456789 ".into()));
    assert_eq!(opened, Ok(OpenChat { id: "1234567890123456789".into(), owner: None }));
    assert_eq!(host.requests().len(), 0);
}

#[test]
fn a_person_is_met_in_a_direct_message_channel_that_is_theirs() {
    let host = FakeHost::new().reply(200, r#"{"id":"300","type":1,"recipients":[{"id":"5"}]}"#);
    let opened = discord().open(&host, Chat::Person("5".into()));
    assert_eq!(opened, Ok(OpenChat { id: "300".into(), owner: Some("5".into()) }));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/users/@me/channels
    {
      "recipient_id": "5"
    }
    "#);
    let nobody = FakeHost::new().reply(400, r#"{"message":"Invalid Recipient(s)","code":50033}"#);
    assert_eq!(discord().open(&nobody, Chat::Person("5".into())), Err(Error::NotFound));
}

#[test]
fn an_id_that_is_none_is_a_bad_setting() {
    for (chat, setting) in [
        (Chat::Room("".into()), "channel-id"),
        (Chat::Room("general".into()), "channel-id"),
        (Chat::Room("+5".into()), "channel-id"),
        (Chat::Room("5/../6".into()), "channel-id"),
        (Chat::Room("99999999999999999999".into()), "channel-id"),
        (Chat::Person("kim#1234".into()), "dm-user-id"),
        (Chat::Person("0".into()), "dm-user-id"),
    ] {
        let host = FakeHost::new();
        let error = discord().open(&host, chat.clone()).unwrap_err();
        assert!(matches!(&error, Error::BadSetting((name, _)) if name == setting), "{chat:?}: {error:?}");
        assert_eq!(host.requests().len(), 0);
    }
}
