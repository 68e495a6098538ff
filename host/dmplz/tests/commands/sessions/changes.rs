//! Forks, names and undoing of sessions, and what MCP servers ask in them.

use super::*;

#[test]
fn what_an_mcp_server_asks_a_person_answers_on_a_card_or_nobody_does() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "form");
    let request = asked(&mut line);
    insta::assert_snapshot!(request["offer"]["questions"], @r#"[{"question":"Who is it?\nname","header":"MCP tiny","multiSelect":false,"options":[]},{"question":"colour","header":"MCP tiny","multiSelect":false,"options":[{"label":"red","description":""},{"label":"blue","description":""},{"label":"Leave it out","description":""}]}]"#);
    drop((gateway, line));

    // The next gateway asks it under the same id.
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    until("the session", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "asking");
    let open = desk.home.run(&["approvals", "list", "--json"]).json();
    assert_eq!(open["approvals"][0]["id"], request["id"]);
    let request = request["id"].as_str().unwrap();
    assert_eq!(desk.home.run(&["approvals", "approve", request]).code, Some(1), "an approval is no answer to it");
    let left = desk.home.run(&["approvals", "answer", request, "--say", "1=Ada", "--choose", "2=blue"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let told = |line: &mut Line| loop {
        let event = line.told("session.event")["happened"]["event"].take();
        match event["kind"].as_str() {
            Some("text") => break event["text"].as_str().unwrap().to_owned(),
            Some("notice") => break event["text"].as_str().unwrap().to_owned(),
            _ => {}
        }
    };
    assert_eq!(told(&mut line), "told: {'action':'accept','content':{'name':'Ada','colour':'blue'}}");

    line.call("session.send", &json!({ "id": id, "text": "form" }));
    let request = asked(&mut line);
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    assert_eq!(told(&mut line), "told: {'action':'decline'}");
    line.call("session.send", &json!({ "id": id, "text": "strange" }));
    assert_eq!(
        told(&mut line),
        "The MCP server tiny asked for what cannot be shown, and it was declined: its field x is of no known type."
    );
    assert_eq!(told(&mut line), "told: {'action':'decline'}");
    drop(gateway);
}

#[test]
fn a_name_is_kept_and_shown_instead_of_the_first_message_and_an_empty_one_takes_it_away() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "say hi");
    let listed = |desk: &Desk| desk.home.run(&["sessions", "list"]).stdout;
    until("the title", || listed(&desk).contains("say hi"));
    line.call("events.subscribe", &json!({ "types": ["session.changed"] }));
    assert_eq!(desk.home.run(&["sessions", "rename", &id, " the\ttests "]).code, Some(0));
    while line.told("session.changed")["session"]["name"] != "the␉tests" {}
    assert!(listed(&desk).contains("the␉tests") && !listed(&desk).contains("say hi"), "{}", listed(&desk));
    let left = desk.home.run(&["sessions", "rename", &id, &"x".repeat(81)]);
    assert!(left.code == Some(1) && left.stderr.contains("takes 80 characters"), "{left:?}");
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("the end", || listed(&desk).contains("ended"));
    drop((gateway, line));

    let _gateway = Gateway::start(&desk.home);
    assert!(listed(&desk).contains("the␉tests"), "{}", listed(&desk));
    assert_eq!(desk.home.run(&["sessions", "rename", &id, ""]).code, Some(0), "one that has ended has a name too");
    until("the title", || listed(&desk).contains("say hi"));
}

#[test]
fn a_fork_goes_on_from_a_conversation_under_an_id_of_its_own_also_if_nothing_was_said_to_it() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut line, "ask");
    let request = asked(&mut line);
    let left = desk.home.run(&["sessions", "fork", &id]);
    assert!(left.code == Some(1) && left.stderr.contains("is at work"), "{left:?}");
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    let state =
        |id: &str| gateway.line().call("session.get", &json!({ "id": id }))["result"]["session"]["state"].take();
    until("the turn", || state(&id) == "idle");
    assert_eq!(desk.home.run(&["sessions", "mode", &id, "plan"]).code, Some(0));
    until("the mode", || desk.home.run(&["sessions", "list"]).stdout.contains("plan"));
    let forked = desk.home.run(&["sessions", "fork", &id, "--json"]).json();
    let fork = forked["session"]["id"].as_str().unwrap().to_owned();
    assert_eq!((&forked["session"]["name"], &forked["session"]["mode"]), (&json!("↳ ask"), &json!("plan")), "{forked}");
    let wanted = format!("--permission-mode=plan --resume={id} --fork-session --session-id={fork}");
    until("the client", || desk.file("started").is_some_and(|started| started.contains(&wanted)));
    assert_eq!(state(&id), "idle", "the other one goes on");
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("the end", || state(&id) == "ended");

    // Nothing was said to it, so its client has stored nothing under its id.
    assert_eq!(desk.home.run(&["sessions", "stop", &fork]).code, Some(0));
    until("the end", || state(&fork) == "ended");
    fs::remove_file(desk.home.path().join("work/started")).unwrap();
    assert_eq!(desk.home.run(&["sessions", "resume", &fork]).code, Some(0));
    until("the client", || desk.file("started").is_some_and(|started| started.contains(&wanted)));
    line.call("session.send", &json!({ "id": fork, "text": "say hi" }));
    until("the turn", || {
        gateway.line().call("session.get", &json!({ "id": fork }))["result"]["session"]["costUsd"] == 0.5
    });
    assert_eq!(desk.home.run(&["sessions", "stop", &fork]).code, Some(0));
    until("the end", || state(&fork) == "ended");
    fs::remove_file(desk.home.path().join("work/started")).unwrap();
    assert_eq!(desk.home.run(&["sessions", "resume", &fork]).code, Some(0));
    let wanted = format!("--permission-mode=plan --resume={fork} --add-dir=");
    until("the client", || desk.file("started").is_some_and(|started| started.contains(&wanted)));
}

#[test]
fn edits_are_undone_only_as_they_were_shown_and_while_the_session_is_idle() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut line, "ask");
    let request = asked(&mut line);
    let busy = desk.home.run(&["sessions", "undo", &id, "--yes"]);
    assert!(busy.code == Some(1) && busy.stderr.contains("is at work"), "{busy:?}");
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    until("the turn", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "idle");

    let seen = desk.home.run(&["sessions", "undo", &id, "--json"]).json();
    let message = seen["undo"]["messageId"].clone();
    let shown = seen.to_string().replace(message.as_str().unwrap(), "ID");
    insta::assert_snapshot!(shown, @r#"{"undo":{"messageId":"ID","files":["/work/a","/work/b"],"insertions":1,"deletions":2},"text":"ask","done":false}"#);
    let unasked = desk.home.run(&["sessions", "undo", &id]);
    assert!(unasked.code == Some(1) && unasked.stderr.contains("--yes is needed"), "{unasked:?}");
    fs::write(desk.home.path().join("work/edited"), "3").unwrap();
    let changed = line.call("session.undo", &json!({ "id": id, "confirm": seen["undo"] }));
    assert_eq!(changed["error"]["code"], -32003, "{changed}");
    assert!(desk.file("undone").is_none(), "nothing was undone yet");

    let done = desk.home.run(&["sessions", "undo", &id, "--yes"]);
    insta::assert_snapshot!(done.stdout, @r"
    Edits since the message: ask
      /work/a
      /work/b
    Undoing changes lines: +1 -3
    Undone. The agent does not know.
    ");
    let undone = desk.file("undone").unwrap();
    let command: Value = serde_json::from_str(undone.trim()).unwrap();
    assert_eq!(command["request"]["user_message_id"], message);
    assert_eq!(undone.lines().count(), 1, "it was undone once");
}
