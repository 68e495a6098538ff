//! `dmplz audit`, on a trail as the gateway writes it.

use dmplz_state::StateDir;
use dmplz_state::store::{Happened, Store, StoreOptions};

use crate::command::Home;
use crate::gateway::Gateway;

/// Writes a trail of this number of entries, as a gateway that has ended leaves it.
fn trail(home: &Home, entries: u64) {
    let state = StateDir::open(home.state()).unwrap();
    let mut store = Store::open(&state, StoreOptions::default(), 0).unwrap();
    let mut batch = store.batch().unwrap();
    for at_ms in 0..entries {
        let kind = "audit.tried";
        let happened = Happened { at_ms, kind, request_id: None, body: r#"{"tool":"Bash\u202e"}"# };
        batch.attempt(|writes| writes.record(&happened)).unwrap();
    }
    batch.commit().unwrap();
}

#[test]
fn a_trail_that_is_as_it_was_recorded_ends_with_0_and_its_head_can_be_kept() {
    let home = Home::new();
    trail(&home, 3);
    let left = home.run(&["audit", "verify"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stdout.starts_with("✓ 3 entries, all as recorded.\nhead: 3:"), "{left:?}");
    let json = home.run(&["audit", "verify", "--json"]).json();
    assert_eq!((&json["verified"], &json["entries"], &json["last"]), (&true.into(), &3.into(), &json["head"]));
    let head = json["head"].as_str().unwrap();
    trail(&home, 2);
    assert_eq!(home.run(&["audit", "verify", "--head", head]).code, Some(0), "it still holds the head that was kept");
}

#[test]
fn what_a_gateway_recorded_before_it_was_killed_is_in_order() {
    let home = Home::new();
    let gateway = Gateway::start(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &serde_json::json!({}));
    let id = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
    let mut hook = gateway.asking(id, "git push");
    assert_eq!(home.run(&["approvals", "deny", id, "--reason", "my token is hunter2"]).code, Some(0));
    assert_eq!(hook.decided()["reason"], "my token is hunter2", "whoever waits gets the words as they are");
    assert_eq!(home.run(&["audit", "verify"]).code, Some(0), "beside a gateway that runs");
    drop(gateway);
    let left = home.run(&["audit", "verify"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let trail = home.run(&["audit", "show", "--json"]).stdout;
    let kinds: Vec<String> = trail
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert!(kinds.starts_with(&["approval.requested".into(), "approval.resolved".into()]), "{kinds:?}");
    assert!(!trail.contains("hunter2"), "secrets are masked: {trail}");
}

#[test]
fn a_trail_that_lost_what_a_kept_head_names_ends_with_4() {
    let home = Home::new();
    trail(&home, 1);
    let other = format!("1:{}", "0".repeat(64));
    let left = home.run(&["audit", "verify", "--head", &other]);
    assert_eq!(left.code, Some(4), "{left:?}");
    assert_eq!(left.stdout, "✗ entry 1 is not the one that the given head names\n");
    let later = format!("9:{}", "0".repeat(64));
    let json = home.run(&["audit", "verify", "--json", "--head", &later]).json();
    assert_eq!((&json["verified"], &json["entry"]), (&false.into(), &2.into()));
    assert_eq!(home.run(&["audit", "verify", "--head", "9"]).code, Some(2), "that is no head");
    std::fs::remove_file(home.state().join("audit.head")).unwrap();
    let left = home.run(&["audit", "verify"]);
    assert_eq!(left.code, Some(4));
    assert!(left.stdout.starts_with("✗ audit.head is missing"), "{left:?}");
}

#[test]
fn what_was_recorded_is_shown_without_anything_that_hides() {
    let home = Home::new();
    trail(&home, 2);
    let left = home.run(&["audit", "show"]);
    assert_eq!(
        left.stdout.lines().next().unwrap(),
        r#"1  1970-01-01 00:00:00 UTC  audit.tried  -  {"tool":"Bash\u202e"}"#
    );
    let left = home.run(&["audit", "show", "--json", "--after", "1"]);
    let entry: serde_json::Value = serde_json::from_str(&left.stdout).unwrap();
    assert_eq!((&entry["seq"], &entry["body"]["tool"]), (&2.into(), &"Bash\u{202e}".into()));
}

#[test]
fn where_nothing_was_recorded_nothing_is_wrong_unless_something_should_be_there() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    let left = home.run(&["audit", "verify"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), "✓ 아직 기록이 없습니다.\n"));
    assert!(!home.state().exists(), "looking creates nothing");
    let head = format!("9:{}", "0".repeat(64));
    assert_eq!(home.run(&["audit", "verify", "--head", &head]).code, Some(4));
    home.keep("audit.head", &head);
    let left = home.run(&["audit", "verify"]);
    assert_eq!(left.code, Some(1), "a head without its trail: {left:?}");
}
