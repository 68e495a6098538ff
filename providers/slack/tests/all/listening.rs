use dmplz_provider_sdk::testing::FakeSocket;
use dmplz_provider_sdk::{Error, Provider};

use crate::{OPENED, connected, envelope, hello, press, slack};

#[test]
fn a_connection_lives_from_one_call_to_the_next() {
    let host = connected(hello().quiet(5000).frame(envelope("interactive", &press("tag1:deny"))));
    let mut slack = slack();
    let first = slack.receive(&host, "", &[], 1000).unwrap();
    assert_eq!((first.events.len(), first.cursor.as_str()), (0, "s1 1800000000000 0"));
    let second = slack.receive(&host, &first.cursor, &[], 10_000).unwrap();
    assert_eq!((second.events.len(), host.requests().len()), (1, 1));
}

#[test]
fn a_connection_that_ends_is_replaced_at_once() {
    let host = connected(hello().closed(1006, "")).reply(200, OPENED);
    let host = host.socket(hello().frame(envelope("interactive", &press("tag1:deny"))));
    assert_eq!(slack().receive(&host, "", &[], 10_000).unwrap().events.len(), 1);
    assert_eq!(host.requests().len(), 2);
}

#[test]
fn a_server_that_never_says_hello_is_unavailable() {
    for socket in [FakeSocket::new().closed(1000, ""), FakeSocket::new().frame("{"), FakeSocket::new().quiet(30_000)] {
        let failed = slack().receive(&connected(socket), "", &[], 20_000);
        assert!(matches!(failed, Err(Error::Unavailable(_))), "{failed:?}");
    }
}

#[test]
fn what_slack_is_about_to_close_is_read_until_it_ends() {
    let leaving = hello()
        .frame(r#"{"type":"disconnect","reason":"refresh_requested"}"#)
        .frame(envelope("interactive", &press("tag1:deny")))
        .closed(1000, "");
    let host = connected(leaving)
        .reply(200, OPENED)
        .socket(FakeSocket::new().frame(r#"{"type":"hello","num_connections":2}"#));
    let mut slack = slack();
    assert_eq!(slack.receive(&host, "", &[], 10_000).unwrap().events.len(), 1);
    assert_eq!(slack.receive(&host, "s1 1800000000000 1", &[], 1000).unwrap().events, []);
    assert_eq!(host.requests().len(), 2);
}

#[test]
fn another_connection_of_the_app_is_a_conflict() {
    let two = || FakeSocket::new().frame(r#"{"type":"hello","num_connections":2}"#);
    let host = connected(two()).reply(200, OPENED).socket(two());
    assert!(matches!(slack().receive(&host, "", &[], 1000), Err(Error::Conflict(Some(_)))));
    let host = connected(two()).reply(200, OPENED).socket(hello());
    let ended = slack().receive(&host, "", &[], 10_000).unwrap();
    assert_eq!(
        (ended.cursor.as_str(), host.slept() >= 1000),
        ("s1 1800000001000 0", true),
        "one of a process that ended"
    );
    let full = r#"{"type":"disconnect","reason":"too_many_websockets"}"#;
    let refused = slack().receive(&connected(FakeSocket::new().frame(full)), "", &[], 1000);
    assert!(matches!(refused, Err(Error::Conflict(Some(_)))), "{refused:?}");
}

#[test]
fn socket_mode_that_is_turned_off_is_told() {
    let off = FakeSocket::new().frame(r#"{"type":"disconnect","reason":"link_disabled"}"#);
    let refused = slack().receive(&connected(off), "", &[], 1000);
    assert!(matches!(&refused, Err(Error::Denied(Some(said))) if said.contains("Socket Mode")), "{refused:?}");
}

#[test]
fn events_that_came_before_an_error_are_told_first() {
    let host = connected(hello().frame(envelope("interactive", &press("tag1:deny"))).closed(1006, ""));
    let mut slack = slack();
    let told = slack.receive(&host, "", &[], 1000).unwrap();
    assert_eq!(told.events.len(), 1);
    assert!(slack.receive(&host, &told.cursor, &[], 1000).is_err(), "there is no second connection in the script");
}

#[test]
fn an_earlier_cursor_brings_again_what_came_after_it() {
    let host = connected(hello().quiet(2000).frame(envelope("interactive", &press("tag1:deny"))));
    let mut slack = slack();
    let begun = slack.receive(&host, "", &[], 1000).unwrap().cursor;
    let first = slack.receive(&host, &begun, &[], 10_000).unwrap();
    assert_eq!(slack.receive(&host, &begun, &[], 10_000).unwrap(), first);
    assert_eq!((first.events.len(), host.requests().len()), (1, 1));
    assert_eq!(slack.receive(&host, &first.cursor, &[], 1000).unwrap().events, []);
}
