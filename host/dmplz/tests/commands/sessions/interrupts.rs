//! An interrupt denies what the session waits for, in the name of the person who interrupts.

use super::*;

/// Asks, interrupts with these arguments, and returns how the request ended, and the session once it has so many events.
fn interrupted(arguments: &[&str], count: usize) -> (Desk, Value, Value, Gateway) {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    let request = asked(&mut line);
    let left = desk.home.run(&[&["sessions", "interrupt", &id], arguments].concat());
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), ""), "{left:?}");
    let mut resolved = line.told("approval.resolved")["approval"].take();
    assert_eq!(resolved["id"], request["id"]);
    let taken = line.told("approval.taken");
    assert_eq!((&taken["requestId"], &taken["taken"]), (&request["id"], &json!(true)));
    until("the end of the turn", || {
        let one = session(&mut line, &id);
        one["session"]["state"] == "idle" && events(&one).len() == count
    });
    let late = desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap()]);
    assert_eq!(late.code, Some(6), "{late:?}");
    let one = session(&mut line, &id);
    assert!(desk.file("ran-1").is_none() && desk.answers().is_empty());
    (desk, resolved["resolution"].take(), one, gateway)
}

fn session(line: &mut Line, id: &str) -> Value {
    line.call("session.get", &json!({ "id": id }))["result"].take()
}

/// Returns the names of the session's events.
fn events(one: &Value) -> Vec<&str> {
    let events = one["events"].as_array().unwrap();
    events.iter().map(|numbered| numbered["event"]["kind"].as_str().unwrap()).collect()
}

#[test]
fn who_interrupts_denies_what_is_asked() {
    let (_desk, resolution, one, _gateway) = interrupted(&[], 3);
    insta::assert_snapshot!(resolution, @r#"{"outcome":"rejected_no_reason","by":{"surface":"cli","id":"owner","name":"Ann"},"reasonSource":"explicit_skip"}"#);
    insta::assert_debug_snapshot!(events(&one), @r#"
    [
        "message",
        "tool",
        "turn",
    ]
    "#);
}

#[test]
fn the_reason_of_an_interrupt_is_kept_and_told_the_agent_with_its_next_message() {
    let (desk, resolution, one, _gateway) = interrupted(&["--reason", " not to main\n"], 4);
    insta::assert_snapshot!(resolution, @r#"{"outcome":"rejected_with_reason","by":{"surface":"cli","id":"owner","name":"Ann"},"reason":"not to main","reasonSource":"user_input"}"#);
    let sent = desk.file("heard").unwrap().lines().rev().find(|line| line.contains("not to main")).unwrap().to_owned();
    let mut sent: Value = serde_json::from_str(&sent).unwrap();
    assert!(sent["uuid"].take().is_string());
    insta::assert_snapshot!(sent, @r#"{"type":"user","message":{"role":"user","content":"not to main"},"parent_tool_use_id":null,"session_id":"","uuid":null,"origin":{"kind":"human"},"shouldQuery":false}"#);
    // It is shown, and neither begins a turn nor ends one.
    insta::assert_debug_snapshot!(events(&one), @r#"
    [
        "message",
        "tool",
        "turn",
        "message",
    ]
    "#);
    assert_eq!(one["session"]["queue"].as_array().unwrap().len(), 1, "{one}");
}

#[test]
fn a_reason_that_is_too_long_interrupts_nothing() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    asked(&mut line);
    let refused = line.call("session.interrupt", &json!({ "id": id, "reason": "x".repeat(300_000) }));
    assert_eq!(refused["error"]["message"], "a message to a session takes 262144 bytes");
    assert_eq!(session(&mut line, &id)["session"]["state"], "asking");
}
