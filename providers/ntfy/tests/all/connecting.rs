use dmplz_ntfy::Ntfy;
use dmplz_provider_sdk::{Chat, Error, Provider};

use crate::{FakeHost, card, ntfy, posting, setting, topic};

#[test]
fn a_topic_is_a_name_that_leaves_room_for_the_answers() {
    let host = FakeHost::new();
    for (name, opens) in [
        ("u4J0q-Dmplz_1", true),
        (" u4J0q ", true),
        (&"a".repeat(56), true),
        (&"a".repeat(57), false),
        ("", false),
        ("two words", false),
        ("a/b", false),
        ("a,b", false),
        ("비밀", false),
    ] {
        let opened = ntfy().open(&host, Chat::Room(name.to_owned()));
        assert_eq!(opened.is_ok(), opens, "{name}: {opened:?}");
        assert!(opens || matches!(opened, Err(Error::BadSetting((setting, _))) if setting == "topic"));
    }
    assert_eq!(host.sent(), "");
}

#[test]
fn a_server_and_a_pace_that_make_no_sense_are_bad_settings() {
    for (name, value) in [
        ("api-base", ""),
        ("api-base", "ntfy.sh"),
        ("api-base", "https://"),
        ("api-base", "https://ntfy.sh/?x"),
        ("poll-interval", "5 s"),
        ("poll-interval", "0"),
        ("poll-interval", "60001"),
    ] {
        let others = [setting("api-base", "https://ntfy.sh"), setting("poll-interval", "5000")];
        let settings: Vec<_> = others.into_iter().filter(|it| it.name != name).chain([setting(name, value)]).collect();
        let refused = Ntfy::connect(&settings, "polling").err();
        assert!(matches!(&refused, Some(Error::BadSetting((said, _))) if said == name), "{name}={value}: {refused:?}");
    }
}

#[test]
fn a_token_is_sent_only_where_the_operator_gave_one() {
    for (token, sends) in [(None, None), (Some("{secret:access-token}"), Some("Bearer {secret:access-token}"))] {
        let mut settings = vec![setting("api-base", "https://ntfy.sh"), setting("poll-interval", "5000")];
        settings.extend(token.map(|token| setting("access-token", token)));
        let host = posting();
        Ntfy::connect(&settings, "polling").unwrap().post(&host, topic(), card("t", vec![])).unwrap();
        let requests = host.requests();
        let sent = requests[0].headers.iter().find(|header| header.name == "authorization");
        assert_eq!(sent.map(|header| header.value.as_str()), sends);
    }
}
