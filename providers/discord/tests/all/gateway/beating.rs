use dmplz_provider_sdk::Host;

use super::*;

fn beats(host: &FakeHost) -> Vec<String> {
    host.frames().into_iter().filter(|frame| frame.ends_with(r#""op":1}"#)).collect()
}

fn ack() -> Value {
    op(11, Value::Null)
}

#[test]
fn heartbeats_begin_somewhere_in_the_first_interval_and_say_how_far_we_heard() {
    let host = host().socket(FakeSocket::new().frame(hello(10_000)).frame(ready()).quiet(10_000).frame(ack()));
    assert_eq!(receive(&host, "", 10_000), batch(vec![], &at(1)));
    assert_eq!(beats(&host), [r#"send {"d":1,"op":1}"#]);
}

#[test]
fn a_line_on_which_heartbeats_are_acknowledged_is_kept() {
    let socket = FakeSocket::new().frame(hello(10_000)).frame(ready());
    let socket = (0..5).fold(socket, |socket, _| socket.quiet(10_000).frame(ack()));
    let host = host().socket(socket);
    assert_eq!(receive(&host, "", 50_000), batch(vec![], &at(1)));
    assert_eq!((beats(&host).len(), connects(&host)), (5, 1));
}

#[test]
fn a_line_on_which_none_came_back_until_the_next_is_dead_and_the_session_resumed() {
    let dead = FakeSocket::new().frame(hello(10_000)).frame(ready());
    let host = host().socket(dead).reply(204, "").socket(greeted().frame(pressed(2, "tag1:deny")).frame(resumed(3)));
    assert_eq!(receive(&host, "", 50_000), batch(vec![chosen("deny", None)], &at(3)));
    assert_eq!(beats(&host).len(), 1);
    assert!((10_000..20_000).contains(&host.slept()), "{}", host.slept());
}

#[test]
fn an_acknowledgement_that_waited_while_nobody_listened_counts() {
    let socket = FakeSocket::new().frame(hello(10_000)).frame(ready()).quiet(10_000);
    let socket = (2..52).fold(socket, |socket, sequence| socket.frame(pressed(sequence, "tag1:deny")));
    let host = host().socket(socket.frame(ack()).frame(pressed(52, "tag1:deny")));
    let host = (0..51).fold(host, |host, _| host.reply(204, ""));
    let mut discord = gateway();
    assert_eq!(discord.receive(&host, "", &[], 25_000).unwrap().events.len(), 50, "as many as a batch takes");
    host.sleep(20_000);
    assert_eq!(discord.receive(&host, &at(51), &[], 1), batch(vec![chosen("deny", None)], &at(52)));
    assert_eq!(connects(&host), 1);
}

#[test]
fn a_heartbeat_that_is_asked_for_comes_at_once_and_at_most_one_a_second() {
    let asked = || op(1, Value::Null);
    let socket = greeted().frame(ready()).frame(asked()).frame(asked()).quiet(1_000).frame(asked());
    let host = host().socket(socket);
    assert_eq!(receive(&host, "", 2_000), batch(vec![], &at(1)));
    assert_eq!(beats(&host), [r#"send {"d":1,"op":1}"#; 2]);
}

#[test]
fn many_frames_do_not_keep_a_heartbeat_from_its_time() {
    let socket = FakeSocket::new().frame(hello(20)).frame(ready());
    let socket =
        (2..60).fold(socket, |socket, sequence| socket.quiet(1).frame(dispatch("X", sequence, json!({}))).frame(ack()));
    let host = host().socket(socket);
    receive(&host, "", 58).unwrap();
    assert!((2..=4).contains(&beats(&host).len()), "{:?}", host.frames());
}
