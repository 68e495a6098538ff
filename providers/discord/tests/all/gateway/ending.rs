use dmplz_provider_sdk::socket::SocketError;

use super::*;

/// Returns what the provider sends on the second connection after the first one ended.
fn after(end: impl FnOnce(FakeSocket) -> FakeSocket) -> &'static str {
    let host = host().socket(end(greeted().frame(ready()))).reply(200, sessions(998)).socket(greeted().frame(ready()));
    receive(&host, "", 10_000).unwrap();
    let frames = host.frames();
    let again = frames.iter().rposition(|frame| frame.starts_with("connect")).unwrap();
    assert_eq!(connects(&host), 2, "{frames:?}");
    match &frames[again + 1] {
        said if said.ends_with(r#""op":6}"#) => "resume",
        said if said.ends_with(r#""op":2}"#) => "identify",
        said => panic!("{said}"),
    }
}

#[test]
fn a_session_goes_on_after_most_ends_and_begins_anew_after_some() {
    for (name, said, frame) in [
        ("reconnect", "resume", op(7, Value::Null)),
        ("invalid session, resumable", "resume", op(9, json!(true))),
        ("invalid session", "identify", op(9, json!(false))),
    ] {
        assert_eq!(after(|socket| socket.frame(frame)), said, "{name}");
    }
    assert_eq!(after(FakeSocket::cut), "resume");
    for (code, said) in [
        (1000, "resume"),
        (1001, "resume"),
        (1006, "resume"),
        (4000, "resume"),
        (4001, "resume"),
        (4002, "resume"),
        (4003, "identify"),
        (4005, "resume"),
        (4007, "identify"),
        (4008, "resume"),
        (4009, "resume"),
        (4999, "resume"),
    ] {
        assert_eq!(after(|socket| socket.closed(code, "")), said, "{code}");
    }
    for error in [SocketError::Overflow, SocketError::TooLarge, SocketError::Unreachable("reset".into())] {
        assert_eq!(after(|socket| socket.ends(error.clone())), "resume", "{error:?}");
    }
}

#[test]
fn a_session_that_was_begun_before_the_gateway_failed_is_kept_and_the_log_says_why_in_words() {
    let host = host().socket(greeted().frame(ready()).cut());
    assert_ne!(receive(&host, "", 10_000).unwrap().cursor, "");
    insta::assert_snapshot!(host.lines().join("\n"), @"
    Info: the session is resumed elsewhere than at its own URL: the messenger cannot be reached: the script has no more sockets
    Warn: what was heard is told first, and the gateway is tried again: the messenger cannot be reached: the script has no more sockets
    ");
}

#[test]
fn after_an_invalid_session_we_stay_away_for_one_to_five_seconds() {
    for resumable in [true, false] {
        let host = host().socket(greeted().frame(ready()).frame(op(9, json!(resumable))));
        let host = if resumable { host } else { host.reply(200, sessions(998)) };
        let host =
            host.reply(204, "").socket(greeted().frame(resumed_or_ready(resumable)).frame(pressed(3, "tag1:deny")));
        assert_eq!(receive(&host, "", 25_000), batch(vec![chosen("deny", None)], &at(3)));
        assert!((1000..=5000).contains(&host.slept()), "{}", host.slept());
    }
}

fn resumed_or_ready(resumable: bool) -> Value {
    if resumable { resumed(2) } else { ready() }
}

#[test]
fn the_time_away_is_kept_over_calls() {
    let host = host().socket(greeted().frame(ready()).frame(op(9, json!(true)))).socket(greeted().frame(resumed(2)));
    let mut discord = gateway();
    assert_eq!(discord.receive(&host, "", &[], 900), batch(vec![], &at(1)));
    assert_eq!((connects(&host), host.slept()), (1, 900), "{:?}", host.frames());
    assert_eq!(discord.receive(&host, &at(1), &[], 5_000), batch(vec![], &at(2)));
}

#[test]
fn what_trying_again_cannot_mend_is_said() {
    let denied = |code| Error::Denied(Some(INTENTS.replace("CODE", code)));
    let version = "the gateway no longer takes version 10 of its protocol (4012): update dmplz";
    for (code, expected) in [
        (4004, Error::Unauthorized),
        (4010, Error::Rejected(Some(SHARDS.into()))),
        (4011, Error::Rejected(Some(SHARDS.into()))),
        (4012, Error::Rejected(Some(version.into()))),
        (4013, denied("4013")),
        (4014, denied("4014")),
    ] {
        let host = host().socket(greeted().closed(code, ""));
        assert_eq!(receive(&host, "", 25_000), Err(expected), "{code}");
    }
}

const SHARDS: &str = "the gateway wants this bot to be sharded (4010, 4011): it is in too many servers";
const INTENTS: &str = "the gateway refused the intents (CODE), though none is asked for and none has to be turned on in \
                       the developer portal; is the gateway-url Discord's?";
