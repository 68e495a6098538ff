//! Texts of sessions while they are being written.

use super::*;

#[test]
fn a_text_is_told_while_it_is_written_and_only_the_finished_one_is_kept() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let types = ["session.partial", "session.event"];
    line.call("events.subscribe", &json!({ "types": types }));
    let id = desk.start(&mut gateway.line(), "write something");
    let mut text = String::new();
    while text != "Half <b>a</b> **text** \u{202e}" {
        let part = line.told("session.partial");
        assert_eq!(part["sessionId"], id);
        assert_eq!(part["from"], text.encode_utf16().count());
        text.push_str(part["text"].as_str().unwrap());
    }
    assert_eq!(line.call("session.get", &json!({ "id": id }))["result"]["partial"], text);

    line.call("session.send", &json!({ "id": id, "text": "finish it" }));
    let over = line.told("session.partial");
    assert_eq!((&over["from"], &over["text"]), (&json!(0), &json!("")));
    let one = line.call("session.get", &json!({ "id": id }))["result"].take();
    assert!(one.get("partial").is_none(), "{one}");
    let texts = one["events"].as_array().unwrap().iter().filter(|it| it["event"]["kind"] == "text");
    assert_eq!(
        texts.map(|it| it["event"]["text"].clone()).collect::<Vec<_>>(),
        ["Half <b>a</b> **text** \u{202e} and all"]
    );
    let log = fs::read(desk.home.state().join("sessions").join(&id).join("log")).unwrap();
    let log = String::from_utf8_lossy(&log);
    assert!(log.contains("and all") && !log.contains("stream_event"), "parts pass by the log");
    drop(gateway);
}

#[test]
fn a_gateway_that_comes_in_the_middle_tells_the_finished_text() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let id = desk.start(&mut gateway.line(), "write something");
    let mut line = gateway.line();
    until("the beginning", || line.call("session.get", &json!({ "id": id }))["result"]["partial"].is_string());
    drop((gateway, line));
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    until("the session", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] != "starting");
    let one = line.call("session.get", &json!({ "id": id }))["result"].take();
    assert!(one.get("partial").is_none(), "nobody knows how it began: {one}");
    line.call("session.send", &json!({ "id": id, "text": "finish it" }));
    while line.told("session.event")["happened"]["event"]["text"] != "Half <b>a</b> **text** \u{202e} and all" {}
    drop(gateway);
}
