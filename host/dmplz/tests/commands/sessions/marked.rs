//! Hooks that Claude Code starts in a session of the gateway, which carry its mark.

use std::process::Child;

use super::*;

/// Starts the hook of a session that asks about a call, with a mark.
fn hook(desk: &Desk, session: &str, mark: &str) -> Child {
    let event = json!({
        "session_id": session, "cwd": "/", "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": { "command": "ls" },
    });
    let input = desk.home.path().join("event.json");
    fs::write(&input, event.to_string()).unwrap();
    let mut command = desk.home.command(&["hook"]);
    command.env("DMPLZ_SESSION", mark).env("DMPLZ_QUESTION_TIMEOUT_MS", "300");
    command.stdin(fs::File::open(&input).unwrap()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_hook_is_silent_in_its_own_session_and_in_no_other() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    asked(&mut line);
    let hook = |session: &str, mark: &str| ended(hook(&desk, session, mark)).1;
    assert_eq!(hook(&id, &id), "", "the client asks by itself");
    for (session, mark) in [("another", id.as_str()), ("another", "another"), (id.as_str(), "another")] {
        assert!(hook(session, mark).contains("systemMessage"), "somebody is asked, and does not answer");
        assert_eq!(asked(&mut line)["source"]["kind"], "hook");
    }
    desk.home.run(&["sessions", "stop", &id]).code.unwrap();
    while line.told("session.event")["happened"]["event"]["kind"] != "ended" {}
    assert!(hook(&id, &id).contains("systemMessage"), "a session that has ended asks nothing");
}

#[test]
fn a_hook_waits_for_the_next_gateway_so_that_nobody_is_asked_twice() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    let first = asked(&mut line);
    drop((gateway, line));
    let hook = hook(&desk, &id, &id);
    let gateway = Gateway::start(&desk.home);
    assert_eq!(ended(hook), (Some(0), String::new()));
    let open = gateway.line().call("approvals.list", &json!({ "status": "open" }))["result"]["approvals"].take();
    let ids: Vec<&Value> = open.as_array().unwrap().iter().map(|request| &request["id"]).collect();
    assert_eq!(ids, [&first["id"]]);
}
