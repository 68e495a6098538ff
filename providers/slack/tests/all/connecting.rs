use dmplz_provider_sdk::{Chat, Error, Provider};

use crate::{FakeHost, Slack, setting, slack};

#[test]
fn a_server_must_be_an_absolute_url() {
    for nonsense in
        ["", "slack.example", "ftp://slack.example", "https://", "https://x/?a=b", "https://{secret:bot-token}"]
    {
        let refused = Slack::connect(&[setting(nonsense)], "socket-mode").err();
        assert!(matches!(refused, Some(Error::BadSetting((name, _))) if name == "api-base"), "{nonsense}");
    }
}

#[test]
fn a_channel_is_opened_without_a_request_and_a_person_by_one() {
    let host = FakeHost::new().reply(200, r#"{"ok":true,"channel":{"id":"D012AB3CD"}}"#);
    let room = slack().open(&host, Chat::Room(" C012AB3CD\n".into())).unwrap();
    assert_eq!((room.id.as_str(), room.owner, host.requests().len()), ("C012AB3CD", None, 0));
    let direct = slack().open(&host, Chat::Person("U012AB3CD".into())).unwrap();
    assert_eq!((direct.id.as_str(), direct.owner.as_deref()), ("D012AB3CD", Some("U012AB3CD")));
    assert!(host.sent().starts_with("Post https://slack.example/api/conversations.open"), "{}", host.sent());
}

#[test]
fn an_id_of_another_kind_names_its_setting() {
    for (chat, setting) in [
        (Chat::Room("U012AB3CD".into()), "channel-id"),
        (Chat::Room("general".into()), "channel-id"),
        (Chat::Person("C012AB3CD".into()), "dm-user-id"),
    ] {
        let refused = slack().open(&FakeHost::new(), chat);
        assert!(matches!(&refused, Err(Error::BadSetting((name, _))) if name == setting), "{refused:?}");
    }
}

#[test]
fn tokens_are_only_ever_placeholders_in_their_header() {
    let host = FakeHost::new().reply(200, crate::POSTED);
    slack().post(&host, crate::channel(), crate::card("t", Vec::new())).unwrap();
    let request = &host.requests()[0];
    let credentials: Vec<_> = request.headers.iter().filter(|header| header.name == "authorization").collect();
    assert_eq!(credentials.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["Bearer {secret:bot-token}"]);
}
