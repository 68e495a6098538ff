//! Tests of malformed data from and to the gateway's socket. None of it ever becomes an allow.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixListener;
use std::thread;

use dmplz_e2e::{Ended, Home, Surface, stdin};
use serde_json::{Value, json};

use super::gateway;
use crate::bare_home;

tests! {
    once:
        allow_without_the_person_who_gave_it_is_none,
        allow_by_a_rule_is_none,
        garbage_after_the_request_was_accepted_is_no_decision,
        garbage_before_is_no_gateway,
        allow_for_another_call_is_none,
        answer_that_never_ends_is_none,
        gateway_that_hangs_up_at_once_is_none,
        garbage_on_the_socket_harms_nobody,
        hook_methods_want_their_params;
}

/// Runs a hook against a fake gateway that sends these lines, with `ID` for the request's id.
fn asks_a_fake(lines: &[&str]) -> (Home, Ended) {
    let mut home = bare_home();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "1500");
    std::fs::create_dir_all(home.state()).unwrap();
    let fake = UnixListener::bind(home.state().join("gateway.sock")).unwrap();
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    thread::spawn(move || {
        for stream in fake.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut asked = String::new();
            stream.read_line(&mut asked).unwrap();
            let asked: Value = serde_json::from_str(&asked).unwrap_or_default();
            let id = asked["params"]["requestId"].as_str().unwrap_or_default().to_owned();
            for line in &lines {
                let _ = stream.get_mut().write_all(line.replace("ID", &id).as_bytes());
            }
            // Until the hook has had enough.
            let _ = stream.read_line(&mut String::new());
        }
    });
    let ended = home.hook(&stdin::push()).ended();
    (home, ended)
}

const ACCEPTED: &str =
    "{\"jsonrpc\":\"2.0\",\"method\":\"hook.accepted\",\"params\":{\"requestId\":\"ID\",\"protocol\":1}}\n";

fn allow_without_the_person_who_gave_it_is_none() {
    let allow = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resolution\":{\"outcome\":\"approved\"}}}\n";
    let (home, ended) = asks_a_fake(&[ACCEPTED, allow]);
    ended.decides_nothing();
    assert_eq!(
        ended.complaint(),
        "nobody could be asked through the gateway: it is not known how the request ended: Approved without what belongs to it"
    );
    assert_eq!(home.requests()[0]["outcome"], "expired");
}

fn allow_by_a_rule_is_none() {
    let allow = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resolution\":{\"outcome\":\"allowed_by_rule\",\"rule\":\"x:1\"}}}\n";
    let (_home, ended) = asks_a_fake(&[ACCEPTED, allow]);
    ended.decides_nothing();
}

fn garbage_after_the_request_was_accepted_is_no_decision() {
    for garbage in [
        "{\n",
        "allow\n",
        "{\"id\":1,\"result\":{}}\n",
        "{\"id\":1,\"result\":{\"resolution\":{\"outcome\":\"yes\"}}}\n",
    ] {
        let (_home, ended) = asks_a_fake(&[ACCEPTED, garbage]);
        ended.decides_nothing();
    }
}

fn garbage_before_is_no_gateway() {
    let (_home, ended) = asks_a_fake(&["HTTP/1.1 200 OK\r\n"]);
    ended.decides_nothing();
    assert!(ended.complaint().starts_with("what the gateway says cannot be read: "), "{ended:?}");
}

fn allow_for_another_call_is_none() {
    let by = "{\"surface\":\"web\",\"id\":\"owner\",\"name\":\"Ada\"}";
    let allow = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{{\"resolution\":{{\"outcome\":\"approved\",\"by\":{by}}}}}}}\n"
    );
    let (_home, ended) = asks_a_fake(&[ACCEPTED, &allow]);
    ended.decides_nothing();
}

fn answer_that_never_ends_is_none() {
    let (_home, ended) = asks_a_fake(&[ACCEPTED, &"x".repeat(2 << 20)]);
    ended.decides_nothing();
}

fn gateway_that_hangs_up_at_once_is_none() {
    let home = bare_home();
    std::fs::create_dir_all(home.state()).unwrap();
    let fake = UnixListener::bind(home.state().join("gateway.sock")).unwrap();
    thread::spawn(move || fake.incoming().for_each(drop));
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert_eq!(ended.complaint(), "the gateway went away");
}

fn garbage_on_the_socket_harms_nobody() {
    let (home, gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    for garbage in [&b"{"[..], b"\xff\xfe\x00", b"[]", b"[[[[[[", b"GET / HTTP/1.1\r\n\r\n", b"null"] {
        let mut stranger = Surface::to(&gateway.socket());
        stranger.write(garbage);
        assert!(stranger.read().unwrap()["error"]["code"].as_i64().unwrap() <= -32600);
    }
    person.answer(&request, "approve").unwrap();
    hook.ended().decides(json!({ "behavior": "allow" }));
}

fn hook_methods_want_their_params() {
    let (_home, gateway, _person) = gateway();
    let mut stranger = gateway.connect();
    let event = json!({ "hook_event_name": "Stop", "session_id": "s" });
    for params in [
        json!({}),
        json!({ "requestId": "x", "input": {}, "expiresInMs": 1 }),
        json!({ "requestId": "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11", "input": event, "expiresInMs": 1000 }),
        json!({ "requestId": "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11", "input": {}, "expiresInMs": -1 }),
    ] {
        assert_eq!(stranger.call("hook.ask", params).unwrap_err()["code"], -32602);
    }
}
