//! `dmplz approvals`, with requests that hooks ask over the gateway's socket.

mod naming;
mod screen;
mod watching;

use serde_json::{Value, json};

use crate::command::Home;
use crate::gateway::{Gateway, Line};

const FIRST: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
const SECOND: &str = "3f0dddd2-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
const LONG: u64 = 200_000;

/// Starts a gateway, and a surface, so that requests can be asked.
fn gateway(home: &Home) -> (Gateway, Line) {
    let gateway = Gateway::start(home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({ "types": ["approval.requested"] }));
    (gateway, surface)
}

#[test]
fn without_a_gateway_every_command_says_how_to_start_one_and_ends_with_5() {
    let home = Home::new();
    for arguments in
        [&["approvals", "list"][..], &["approvals", "approve", FIRST], &["approvals", "watch", "--json"], &["pair"]]
    {
        let left = home.run(arguments);
        assert_eq!((left.code, left.stdout.as_str()), (Some(5), ""), "{left:?}");
        assert!(left.stderr.contains("none is running\nhint: start the gateway: dmplz serve\n"), "{left:?}");
    }
    assert!(!home.state().exists(), "looking creates nothing");
}

#[test]
fn what_waits_is_listed_and_shown() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let left = home.run(&["approvals", "list"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), "Nothing waits for an answer.\n"));
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push\nrm -rf \u{202e}x", LONG);
    let list = home.run(&["approvals", "list"]).stdout;
    assert!(list.contains(FIRST) && list.contains("Bash  git push ⋯") && list.contains("/home/ann/shop"), "{list}");
    assert!(!list.contains('\u{1b}'), "no colours where there is no terminal: {list:?}");
    let json = home.run(&["approvals", "list", "--json"]).json();
    assert_eq!((&json["approvals"][0]["id"], &json["approvals"][0]["status"]), (&json!(FIRST), &json!("open")));
    let shown = home.run(&["approvals", "show", FIRST]).stdout;
    assert!(shown.contains(&format!("  id      {FIRST}\n  status  open, ")), "{shown}");
    assert!(shown.contains("│ git push\n│ rm -rf ⟨U+202E⟩x\n"), "{shown}");
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["tool"], "Bash");
}

#[test]
fn a_deny_carries_its_reason_and_who_comes_too_late_is_told_who_was_first() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    let left = home.run(&["approvals", "deny", FIRST, "--reason", "not to main"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stdout.contains("❌ Denied: Bash · Ann (cli) · Reason: not to main"), "{left:?}");
    let decided = hook.decided();
    assert_eq!((&decided["outcome"], &decided["reason"]), (&json!("rejected_with_reason"), &json!("not to main")));
    let late = home.run(&["approvals", "approve", FIRST]);
    assert_eq!((late.code, late.stdout.as_str()), (Some(6), ""));
    assert!(late.stderr.contains("it was answered already: ❌ Denied: Bash · Ann (cli)"), "{late:?}");
    let late = home.run(&["approvals", "approve", FIRST, "--json"]);
    assert_eq!((late.code, &late.json()["resolution"]["reason"]), (Some(6), &json!("not to main")));
}

#[test]
fn a_grant_that_was_not_offered_cannot_be_given() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let (mut hook, mut offering) = (gateway.line(), gateway.line());
    hook.asks_for(FIRST, "ExitPlanMode", &json!({ "plan": "1. push" }), LONG);
    offering.asks(SECOND, "git push", LONG);
    assert_eq!(home.run(&["approvals", "approve", SECOND, "--session"]).code, Some(0));
    assert_eq!(offering.decided()["outcome"], "approved_session");
    let left = home.run(&["approvals", "approve", FIRST, "--session"]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(
        left.stderr.contains("it offers no grant for the session; it takes approve, auto-accept, manual, deny"),
        "{left:?}"
    );
    assert!(left.stderr.contains("hint: dmplz approvals show tells what it takes"), "{left:?}");
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open");
}

#[test]
fn in_korean_it_is_korean() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    for arguments in [&["approvals", "list"][..], &["exec", "--", "true"]] {
        let socket = home.state().join("gateway.sock").display().to_string();
        let expected = format!(
            "dmplz: 실행 중인 게이트웨이가 없습니다: {socket}\n힌트: `dmplz serve`로 게이트웨이를 시작해 주세요.\n"
        );
        assert_eq!(home.run(arguments).stderr, expected, "{arguments:?}");
    }
    let (gateway, _surface) = gateway(&home);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    let list = home.run(&["approvals", "list"]).stdout;
    assert!(list.starts_with("id ") && list.contains("  경과"), "{list}");
    let left = home.run(&["approvals", "approve", FIRST]);
    assert!(left.stdout.starts_with("✅ 승인됨: Bash · Ann (cli) · "), "{left:?}");
}

fn outcome(resolution: &Value) -> &str {
    resolution["outcome"].as_str().unwrap_or_default()
}
