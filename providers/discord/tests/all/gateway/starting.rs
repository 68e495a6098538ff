use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::socket::SocketError;

use super::*;

#[test]
fn a_session_is_begun_without_any_intent_and_a_press_is_acknowledged_before_the_host_hears_of_it() {
    let host = host().reply(204, "").socket(greeted().frame(ready()).frame(pressed(2, "tag1:deny")));
    assert_eq!(receive(&host, "", 25_000), batch(vec![chosen("deny", None)], &at(2)));
    insta::assert_snapshot!(host.frames().join("\n"), @r#"
    connect wss://gateway.discord.gg/?v=10&encoding=json
    send {"d":{"intents":0,"presence":{"activities":[],"afk":false,"since":null,"status":"invisible"},"properties":{"browser":"dmplz","device":"dmplz","os":"wasm"},"token":"{secret:bot-token}"},"op":2}
    close 4000
    "#);
    insta::assert_snapshot!(host.sent(), @r#"
    Get https://discord.com/api/v10/gateway/bot

    Post https://discord.com/api/v10/interactions/700/aW50/callback
    {
      "type": 6
    }
    "#);
    let headers = host.requests()[1].headers.iter().map(|header| header.name.clone()).collect::<Vec<_>>();
    assert_eq!(headers, ["user-agent", "content-type"], "the token of the bot stays here");
    assert_eq!(host.slept(), 0);
}

#[test]
fn presses_that_are_there_come_together_and_nothing_is_waited_for() {
    let two = greeted().frame(ready()).frame(pressed(2, "tag1:approve")).frame(pressed(3, "tag1:deny"));
    let host = host().reply(204, "").reply(204, "").socket(two.quiet(10).frame(pressed(4, "tag1:skip")));
    let expected = batch(vec![chosen("approve", None), chosen("deny", None)], &at(3));
    assert_eq!((receive(&host, "", 25_000), host.slept()), (expected, 0));
}

#[test]
fn a_quiet_time_is_waited_out_and_leaves_a_cursor() {
    let host = host().socket(greeted().frame(ready()));
    assert_eq!(receive(&host, "", 25_000), batch(vec![], &at(1)));
    assert_eq!(host.slept(), 25_000);
}

#[test]
fn the_connection_is_gone_on_with_where_the_host_goes_on() {
    let host = host().reply(204, "").socket(greeted().frame(ready()).quiet(1000).frame(pressed(2, "tag1:deny")));
    let mut discord = gateway();
    assert_eq!(discord.receive(&host, "", &[], 500), batch(vec![], &at(1)));
    assert_eq!(discord.receive(&host, &at(1), &[], 25_000), batch(vec![chosen("deny", None)], &at(2)));
    assert_eq!((host.frames().len(), host.slept()), (2, 1000), "one connection, one IDENTIFY");
    assert_eq!(discord.receive(&host, &at(2), &[], 100), batch(vec![], &at(2)));
}

#[test]
fn where_the_host_goes_on_elsewhere_the_session_is_resumed_there() {
    let host = host()
        .reply(204, "")
        .reply(204, "")
        .socket(greeted().frame(ready()).frame(pressed(2, "tag1:deny")))
        .socket(greeted().frame(pressed(2, "tag1:deny")).frame(resumed(3)));
    let mut discord = gateway();
    assert_eq!(discord.receive(&host, "", &[], 500), batch(vec![chosen("deny", None)], &at(2)));
    // The batch was lost on its way.
    assert_eq!(discord.receive(&host, &at(1), &[], 500), batch(vec![chosen("deny", None)], &at(3)));
}

#[test]
fn no_session_is_begun_where_none_is_left() {
    let host = FakeHost::new().reply(200, sessions(0)).socket(greeted());
    assert_eq!(receive(&host, "", 25_000), Err(Error::RateLimited(Some(14_400_000))));
    assert_eq!(host.frames().len(), 0);
}

#[test]
fn what_keeps_a_connection_away_is_told_as_it_is() {
    let unreachable = || SocketError::Unreachable("no route".into());
    let closed = || Error::Unavailable(Some("the connection was closed".into()));
    for (host, expected) in [
        (FakeHost::new().reply(401, "{}"), Error::Unauthorized),
        (FakeHost::new().fail(HttpError::Unreachable("down".into())), Error::Unavailable(Some("down".into()))),
        (host().no_socket(unreachable()), Error::Unavailable(Some("no route".into()))),
        (host().no_socket(SocketError::Refused("not granted".into())), Error::Refused("not granted".into())),
        (host().socket(FakeSocket::new().cut()), closed()),
        (host().socket(greeted().cut()), closed()),
    ] {
        assert_eq!(receive(&host, "", 25_000), Err(expected));
    }
}

#[test]
fn nonsense_is_passed_over() {
    let nonsense = ["", "{", "[]", "7", r#"{"op":"0"}"#, r#"{"op":0}"#, r#"{"op":0,"t":"X","s":-1}"#, r#"{"op":99}"#];
    let socket = nonsense.iter().fold(greeted().frame(ready()), |socket, frame| socket.frame(frame));
    let strange = [json!(null), json!({}), json!({ "type": 2 }), press("somebody elses"), press("tag1:deny:0")];
    let socket = strange
        .into_iter()
        .zip(2..)
        .fold(socket, |socket, (data, sequence)| socket.frame(dispatch("INTERACTION_CREATE", sequence, data)));
    let host = host().reply(204, "").socket(socket.frame(pressed(9, "tag1:deny")));
    assert_eq!(receive(&host, "", 25_000), batch(vec![chosen("deny", None)], &at(9)));
    assert_eq!(host.requests().len(), 2, "nothing strange is responded to");
}

#[test]
fn a_greeting_that_makes_no_sense_is_left_at_once() {
    for nonsense in ["", r#"{"op":10,"d":{"heartb"#, r#"{"op":10,"d":{}}"#, r#"{"op":11}"#] {
        let strange = FakeSocket::new().frame(nonsense);
        let host = host().socket(strange).reply(200, sessions(998)).socket(greeted().frame(ready()));
        // Sooner than a gateway is left that says nothing at all.
        assert_eq!(receive(&host, "", 10_000), batch(vec![], &at(1)));
        assert_eq!(connects(&host), 2, "{:?}", host.frames());
    }
}

#[test]
fn a_gateway_that_never_gets_ready_is_left() {
    for socket in [FakeSocket::new(), greeted()] {
        let host = host().socket(socket).reply(200, sessions(998)).socket(greeted().frame(ready()));
        assert_eq!(receive(&host, "", 25_000), batch(vec![], &at(1)));
        assert_eq!(connects(&host), 2, "{:?}", host.frames());
    }
}
