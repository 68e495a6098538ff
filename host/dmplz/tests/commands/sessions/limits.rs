//! What sessions may cost, and how long one may be idle. A turn of the script costs half a dollar.

use super::*;

/// Starts a session, and waits until its turn is over.
fn turned(desk: &Desk, line: &mut Line) -> String {
    let id = desk.start(line, "say it");
    until("the turn", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["costUsd"] == 0.5);
    id
}

#[test]
fn the_client_is_told_what_is_left_of_a_sessions_budget() {
    let desk = Desk::with(&[("DMPLZ_RUN_BUDGET", "5")]);
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let id = turned(&desk, &mut line);
    assert!(desk.file("started").unwrap().contains("--max-budget-usd=5.00"), "{:?}", desk.file("started"));
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("its end", || desk.file("ended").is_some());
    until("the state", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "ended");
    assert_eq!(desk.home.run(&["sessions", "resume", &id]).code, Some(0));
    until("another client", || desk.file("started").unwrap().contains("--max-budget-usd=4.50"));
}

#[test]
fn without_a_limit_the_client_is_told_none() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    turned(&desk, &mut gateway.line());
    assert!(!desk.file("started").unwrap().contains("budget"), "{:?}", desk.file("started"));
}

#[test]
fn once_the_days_budget_is_spent_nothing_is_started_or_sent_in_the_next_gateway_neither() {
    let desk = Desk::with(&[("DMPLZ_RUN_DAILY_BUDGET", "1")]);
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let first = turned(&desk, &mut line);
    assert!(desk.file("started").unwrap().contains("--max-budget-usd=1.00"));
    let client = desk.client();
    turned(&desk, &mut line);
    assert!(desk.file("started").unwrap().contains("--max-budget-usd=0.50"));
    drop((gateway, line));
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let wanted = json!({ "cwd": desk.home.path().join("work"), "prompt": "say more" });
    let refused = line.call("session.start", &wanted)["error"]["message"].take();
    assert_eq!(
        refused,
        "sessions have cost their budget of $1 for 24 hours: wait, or set a higher DMPLZ_RUN_DAILY_BUDGET"
    );
    let sent = line.call("session.send", &json!({ "id": first, "text": "say more" }));
    assert_eq!(sent["error"]["message"], refused);
    let left = desk.home.run(&["sessions", "send", &first, "say more"]);
    assert!(left.code == Some(1) && left.stderr.contains("DMPLZ_RUN_DAILY_BUDGET"), "{left:?}");
    let _ = kill_process(client, Signal::KILL);
}

#[test]
fn a_session_that_waits_for_a_message_too_long_is_ended_and_says_why() {
    let desk = Desk::with(&[("DMPLZ_RUN_IDLE", "1s")]);
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    let request = asked(&mut line);
    // A session that waits for an answer is not idle.
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(desk.file("ended").is_none());
    assert_eq!(desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap()]).code, Some(0));
    let notice = loop {
        let event = line.told("session.event")["happened"]["event"].take();
        if event["kind"] == "notice" {
            break event["text"].as_str().unwrap().to_owned();
        }
    };
    assert_eq!(notice, "It waited 1 s for a message, so it was ended (DMPLZ_RUN_IDLE). It can be resumed.");
    until("its end", || desk.file("ended").is_some());
    until("the state", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "ended");
}
