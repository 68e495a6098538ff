//! What people allow on cards from then on: it is shown with who allowed it, survives a resume, and is revoked.

use super::*;

/// What the client heard of its permissions and of answers, in order.
fn heard(desk: &Desk) -> Vec<String> {
    let told = desk.file("heard").unwrap_or_default();
    let lines = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of = |line: Value| match (line["request"]["subtype"].as_str(), line["type"].as_str()) {
        (Some("apply_flag_settings"), _) => Some(line["request"]["settings"].to_string()),
        (_, Some("control_response")) => Some(line["response"]["response"].to_string()),
        _ => None,
    };
    lines.filter_map(of).collect()
}

/// Shows the list as a person reads it, without the time.
fn listed(desk: &Desk, id: &str) -> String {
    let left = desk.home.run(&["sessions", "rules", id]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let lines = left.stdout.lines().map(|line| line.rsplit_once(", 2").map_or(line, |(before, _)| before));
    lines.collect::<Vec<_>>().join("\n").replace(id.split('-').next().unwrap(), "ID")
}

/// Has the session ask, and approves it.
fn allowed(desk: &Desk, line: &mut Line, id: &str, prompt: &str, scope: &str) {
    line.call("session.send", &json!({ "id": id, "text": prompt }));
    let request = asked(line);
    let left = desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap(), scope]);
    assert_eq!(left.code, Some(0), "{left:?}");
}

/// A session whose call was always allowed, so that its client has written the rule into the settings of the project.
fn always() -> (Desk, String, Gateway) {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "say hi");
    allowed(&desk, &mut line, &id, "keep it", "--always");
    until("the call", || desk.file("ran-1").is_some());
    (desk, id, gateway)
}

#[test]
fn what_was_allowed_for_the_session_survives_a_resume_and_is_revoked() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "say hi");
    allowed(&desk, &mut line, &id, "ask", "--session");
    until("the call", || desk.file("ran-1").is_some());
    insta::assert_snapshot!(heard(&desk).join("\n"), @r#"
    {"permissions":{"allow":["Bash(touch ran-1)"],"additionalDirectories":[]}}
    {"behavior":"allow","updatedInput":{"command":"touch ran-1"}}
    "#);
    insta::assert_snapshot!(listed(&desk, &id), @"
    ask    Bash(touch *)  userSettings
    Allowed on cards from then on (to revoke one: dmplz sessions revoke ID NUMBER):
      1  Bash(touch ran-1)  this session  Ann (the command line)
    ");

    // The next gateway, and the next client, are told.
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("its end", || desk.file("ended").is_some());
    drop((gateway, line));
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    until("the state", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "ended");
    assert!(listed(&desk, &id).contains("Bash(touch ran-1)"), "also of a session that has ended");
    fs::remove_file(desk.home.path().join("work/heard")).unwrap();
    assert_eq!(desk.home.run(&["sessions", "resume", &id]).code, Some(0));
    until("the permissions", || heard(&desk).iter().any(|told| told.contains("Bash(touch ran-1)")));

    let left = desk.home.run(&["sessions", "revoke", &id, "7"]);
    assert!(left.code == Some(1) && left.stderr.contains("no permission of the session has the number 7"), "{left:?}");
    assert_eq!(desk.home.run(&["sessions", "revoke", &id, "1"]).code, Some(0));
    let last = heard(&desk).pop().unwrap();
    assert_eq!(last, r#"{"permissions":{"allow":[],"additionalDirectories":[]}}"#);
    assert_eq!(listed(&desk, &id), "ask    Bash(touch *)  userSettings");
    drop((gateway, line));
    // A gateway may end before it has told the client all, so the next one tells it again.
    fs::remove_file(desk.home.path().join("work/heard")).unwrap();
    let _gateway = Gateway::start(&desk.home);
    until("the permissions", || heard(&desk).iter().any(|told| told.contains(r#""allow":[]"#)));
    assert_eq!(listed(&desk, &id), "ask    Bash(touch *)  userSettings");
}

#[test]
fn what_the_client_stored_in_its_settings_is_removed_from_them_and_nothing_else_is() {
    let (desk, id, _gateway) = always();
    let answers = heard(&desk).join("\n");
    assert!(answers.contains("updatedPermissions") && !answers.contains("additionalDirectories"), "{answers}");
    insta::assert_snapshot!(listed(&desk, &id), @"
    ask    Bash(touch *)  userSettings
    allow  Bash(touch kept *)  localSettings
    Allowed on cards from then on (to revoke one: dmplz sessions revoke ID NUMBER):
      1  Bash(touch kept *)  this project (just you)  Ann (the command line)
    ");
    // Somebody adds one of their own meanwhile.
    let path = desk.home.path().join("work/.claude/settings.local.json");
    let own = "{\n  \"permissions\": {\n    \"allow\": [\n      \"WebSearch\",\n      \"Bash(touch kept *)\"\n    ]\n  }\n}\n";
    fs::write(&path, own).unwrap();
    assert_eq!(desk.home.run(&["sessions", "revoke", &id, "1"]).code, Some(0));
    let left = own.replace(",\n      \"Bash(touch kept *)\"", "");
    assert_eq!(fs::read_to_string(&path).unwrap(), left);
    assert_eq!(listed(&desk, &id), "ask    Bash(touch *)  userSettings");
}

#[test]
fn a_permission_of_settings_that_cannot_be_changed_stays_in_the_list() {
    let (desk, id, _gateway) = always();
    fs::write(desk.home.path().join("work/.claude/settings.local.json"), "{ // mine\n}").unwrap();
    let left = desk.home.run(&["sessions", "revoke", &id, "1"]);
    assert!(
        left.code == Some(1) && left.stderr.contains("settings.local.json cannot be changed: it is not plain JSON"),
        "{left:?}"
    );
    assert!(listed(&desk, &id).contains("Bash(touch kept *)"));
}
