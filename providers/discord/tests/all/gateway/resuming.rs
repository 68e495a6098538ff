use dmplz_provider_sdk::socket::SocketError;

use super::*;

fn missed() -> FakeSocket {
    greeted().frame(pressed(6, "tag1:approve")).frame(pressed(7, "tag1:deny")).frame(resumed(8))
}

fn unreachable() -> SocketError {
    SocketError::Unreachable("no route".into())
}

#[test]
fn a_new_instance_goes_on_where_the_cursor_says_and_misses_nothing() {
    let host = FakeHost::new().reply(204, "").reply(204, "").socket(missed());
    assert_eq!(receive(&host, &at(5), 25_000), batch(vec![chosen("approve", None), chosen("deny", None)], &at(8)));
    insta::assert_snapshot!(host.frames().join("\n"), @r#"
    connect wss://us-east.discord.gg/?v=10&encoding=json
    send {"d":{"seq":5,"session_id":"abc","token":"{secret:bot-token}"},"op":6}
    close 4000
    "#);
}

#[test]
fn what_comes_twice_is_told_once() {
    let host = FakeHost::new().reply(204, "").socket(missed());
    assert_eq!(receive(&host, &at(6), 25_000), batch(vec![chosen("deny", None)], &at(8)));
}

#[test]
fn a_line_that_breaks_is_followed_by_the_next_at_once() {
    let again = greeted().frame(pressed(2, "tag1:deny")).frame(resumed(3));
    let host = host().socket(greeted().frame(ready()).cut()).reply(204, "").socket(again);
    assert_eq!(receive(&host, "", 25_000), batch(vec![chosen("deny", None)], &at(3)));
    assert_eq!(host.slept(), 0);
}

#[test]
fn a_press_that_was_told_is_not_lost_with_the_line() {
    let host = host().reply(204, "").socket(greeted().frame(ready()).frame(pressed(2, "tag1:deny")).cut());
    assert_eq!(receive(&host, "", 25_000), batch(vec![chosen("deny", None)], &at(2)));
}

#[test]
fn a_session_that_was_begun_is_not_lost_with_the_line() {
    let host = host().socket(greeted().frame(ready()).cut()).no_socket(unreachable()).no_socket(unreachable());
    assert_eq!(receive(&host, "", 25_000), batch(vec![], &at(1)));
}

#[test]
fn a_gateway_that_hangs_up_again_and_again_is_left_to_the_hosts_patience() {
    let hangs_up = || greeted().frame(resumed(6)).cut();
    let host = FakeHost::new().socket(hangs_up()).socket(hangs_up()).socket(hangs_up()).socket(hangs_up());
    let mut discord = gateway();
    assert_eq!(discord.receive(&host, &at(5), &[], 25_000), batch(vec![], &at(6)));
    assert_eq!(connects(&host), 3);
}

#[test]
fn a_resume_url_that_is_not_granted_or_cannot_be_reached_is_replaced_by_the_configured_one() {
    for error in [SocketError::Refused("not granted".into()), unreachable()] {
        let host = FakeHost::new().no_socket(error).socket(greeted().frame(resumed(6)));
        assert_eq!(receive(&host, &at(5), 100), batch(vec![], &at(6)));
        let frames = host.frames();
        let connects = frames.iter().filter_map(|frame| frame.strip_prefix("connect ")).collect::<Vec<_>>();
        let expected = ["wss://us-east.discord.gg/?v=10&encoding=json", "wss://gateway.discord.gg/?v=10&encoding=json"];
        assert_eq!(connects, expected);
    }
}

#[test]
fn a_path_in_a_url_stays() {
    let host = FakeHost::new().socket(greeted().frame(resumed(6)));
    receive(&host, "g1 5 abc ws://127.0.0.1:9/resume", 100).unwrap();
    assert_eq!(host.frames()[0], "connect ws://127.0.0.1:9/resume?v=10&encoding=json");
}

#[test]
fn a_cursor_of_the_other_way_or_none_begins_a_session() {
    for cursor in ["100:200,101:201", "g2 5 abc", "nonsense"] {
        let host = host().socket(greeted().frame(ready()));
        assert_eq!(receive(&host, cursor, 100), batch(vec![], &at(1)), "{cursor}");
    }
}
