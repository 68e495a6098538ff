//! Tests that the changes of a grant can be followed afterwards.

use super::*;
use crate::gateway::Gateway;

/// Returns the lines of `grants.jsonl`: the change, the grant, and by whom or why.
fn logged(home: &Home) -> Vec<(String, String, Value)> {
    let log = fs::read_to_string(home.state().join("grants.jsonl")).unwrap_or_default();
    log.lines().map(|line| change(&serde_json::from_str(line).unwrap(), "change")).collect()
}

/// Returns the entries of the gateway's trail about grants.
fn recorded(home: &Home) -> Vec<(String, String, Value)> {
    let trail = home.run(&["audit", "show", "--json"]).stdout;
    let entries = trail.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let about = entries.filter(|entry| entry["kind"].as_str().unwrap().starts_with("grant."));
    about
        .map(|entry| {
            assert_eq!(entry["requestId"], entry["body"]["grant"]["request_id"]);
            change(&entry["body"], "type")
        })
        .collect()
}

fn change(line: &Value, kind: &str) -> (String, String, Value) {
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{line}")).to_owned();
    let by = if line["by"].is_null() { &line["why"] } else { &line["by"] };
    (text(&line[kind]), text(&line["grant"]["id"]), by.clone())
}

fn ann() -> Value {
    json!({ "surface": "cli", "id": "owner", "name": "Ann" })
}

#[test]
fn without_a_gateway_the_log_says_who_took_a_grant_back_and_which_ended_by_itself() {
    let home = Home::new().with("USER", "Ann");
    let old = grant(&home, 1, "Bash", json!({"command": "make"}), None, ago(HALF_HOUR_MS / 60_000 - 1));
    let (mine, ended) = (grant(&home, 2, "Bash", push(), None, ago(0)), json!({"command": "ls"}));
    let ended = grant(&home, 3, "Bash", ended, Some("s1"), ago(0));
    assert_eq!(home.run(&["grants", "revoke", "020a"]).code, Some(0));
    assert_eq!(logged(&home), [("revoked".into(), mine.id, ann())]);
    let over = hook(&home, "SessionEnd", "", &json!({}));
    assert_eq!((over.stdout.as_str(), over.stderr.as_str()), ("", ""));
    assert_eq!(logged(&home)[1], ("ended".into(), ended.id, "session".into()));
    assert_eq!(home.run(&["grants", "revoke", "--all"]).code, Some(0));
    assert_eq!(logged(&home)[2], ("revoked".into(), old.id, ann()));
    let stats = home.run(&["stats", "--json"]).json();
    assert_eq!(stats["unreadable_lines"], 0, "no request is one of these: {stats}");
}

#[test]
fn with_a_gateway_its_trail_says_so_too() {
    let home = Home::new().with("USER", "Ann");
    let _gateway = Gateway::start(&home);
    let (mine, ended) = (grant(&home, 1, "Bash", push(), None, ago(0)), json!({"command": "ls"}));
    let ended = grant(&home, 2, "Bash", ended, Some("s1"), ago(0));
    assert_eq!(home.run(&["grants", "revoke", "010a"]).stderr, "");
    assert_eq!(hook(&home, "SessionEnd", "", &json!({})).stderr, "");
    let both = [("revoked", mine.id, ann()), ("ended", ended.id, "session".into())];
    assert_eq!(logged(&home), both.clone().map(|(what, id, by)| (what.to_owned(), id, by)));
    assert_eq!(recorded(&home), both.map(|(what, id, by)| (format!("grant.{what}"), id, by)));
    assert_eq!(home.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_gateway_takes_no_grant_for_one_that_nobody_could_have_made() {
    let home = Home::new();
    let gateway = Gateway::start(&home);
    let sound = serde_json::to_value(grant(&home, 1, "Bash", push(), None, ago(0))).unwrap();
    let mut longer = sound.clone();
    longer["until_ms"] = json!(longer["until_ms"].as_u64().unwrap() + HALF_HOUR_MS);
    let nobody = json!({ "surface": "cli", "id": "", "name": "" });
    for change in [
        json!({ "change": "made", "grant": longer }),
        json!({ "change": "revoked", "grant": sound, "by": nobody }),
        json!({ "change": "revoked", "grant": sound }),
        json!({ "change": "made" }),
    ] {
        let refused = gateway.line().call("hook.grants", &json!({ "changes": [change] }));
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    assert!(recorded(&home).is_empty());
}

#[test]
fn a_log_that_cannot_be_written_keeps_no_grant_alive_and_is_said() {
    let home = Home::new();
    grant(&home, 1, "Bash", push(), None, ago(0));
    fs::create_dir(home.state().join("grants.jsonl")).unwrap();
    let left = home.run(&["grants", "revoke", "010a"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stderr.contains("cannot be used") && left.stderr.contains("grants.jsonl"), "{left:?}");
    assert!(!allowed(&home, "Bash", push()));
}
