//! Tests of surfaces that never answer.

use std::net::TcpListener;

use dmplz_e2e::Surface;
use serde_json::json;

use crate::gateway::Gateway;

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
    let mut person = gateway.connect();
    person.call("events.subscribe", json!({})).unwrap();
    let id = uuid::Uuid::new_v4().to_string();
    let input = json!({ "hook_event_name": "PermissionRequest", "session_id": "silent", "cwd": "/",
        "tool_name": "Bash", "tool_input": { "command": "true" } });
    let asking = std::thread::spawn({
        let (socket, params) =
            (gateway.socket(), json!({ "requestId": id, "input": input, "remarks": [], "expiresInMs": 120_000 }));
        move || Surface::to(&socket).call("hook.ask", params)
    });
    let request = person.await_request();
    assert_eq!(request["id"], id);
    person.answer(&request, "approve").unwrap();
    let result = asking.join().unwrap().unwrap();
    assert_eq!(result["resolution"]["outcome"], "approved");
}

#[test]
fn a_client_that_subscribes_and_never_reads_delays_nobody() {
    let gateway = Gateway::start(&[]);
    let mut deaf: Vec<Surface> = (0..50).map(|_| gateway.connect()).collect();
    for surface in &mut deaf {
        surface.call("events.subscribe", json!({})).unwrap();
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
