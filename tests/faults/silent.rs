//! Tests of surfaces that never answer.

use std::net::TcpListener;

use serde_json::json;

use crate::gateway::Gateway;
use crate::line::{Line, Reply};

#[test]
fn a_messenger_that_never_replies_keeps_nobody_from_answering_elsewhere() {
    // A server that accepts connections and never replies.
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", mute.local_addr().unwrap());
    let token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
    let gateway = Gateway::start(&[
        ("DMPLZ_TELEGRAM_BOT_TOKEN", token),
        ("DMPLZ_TELEGRAM_CHAT_ID", "42"),
        ("DMPLZ_TELEGRAM_API_BASE", &base),
    ]);
    let mut person = Line::connect(&gateway.socket()).unwrap();
    assert!(matches!(person.call("events.subscribe", &json!({}), |_| ()), Reply::Result(_)));
    let id = uuid::Uuid::new_v4().to_string();
    let input = json!({ "hook_event_name": "PermissionRequest", "session_id": "silent", "cwd": "/",
        "tool_name": "Bash", "tool_input": { "command": "true" } });
    let asking = std::thread::spawn({
        let (socket, params) =
            (gateway.socket(), json!({ "requestId": id, "input": input, "remarks": [], "expiresInMs": 120_000 }));
        move || Line::connect(&socket).unwrap().call("hook.ask", &params, |_| ())
    });
    loop {
        let message = person.next().expect("an event");
        if message["method"] == "approval.requested" && message["params"]["approval"]["id"] == id {
            break;
        }
    }
    let answer = json!({ "id": id, "decision": "approve" });
    assert!(matches!(person.call("approval.respond", &answer, |_| ()), Reply::Result(_)));
    let Reply::Result(result) = asking.join().unwrap() else { panic!("no result") };
    assert_eq!(result["resolution"]["outcome"], "approved");
}

#[test]
fn a_client_that_subscribes_and_never_reads_delays_nobody() {
    let gateway = Gateway::start(&[]);
    let mut deaf: Vec<Line> = (0..50).map(|_| Line::connect(&gateway.socket()).unwrap()).collect();
    for line in &mut deaf {
        assert!(matches!(line.call("events.subscribe", &json!({}), |_| ()), Reply::Result(_)));
    }
    let load = crate::load::Load::start(gateway.socket(), crate::load::Disk::Roomy, 8, 2);
    let enough = || load.book.lock().unwrap().told.len() >= 500;
    let end = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while !enough() {
        assert!(std::time::Instant::now() < end, "too slow");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    crate::kills::check(&load.finish());
}
