//! Tests of `dmplz approvals watch` in a terminal.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{FIRST, LONG, SECOND, outcome};
use crate::command::Home;
use crate::gateway::Gateway;
use crate::terminal::Terminal;

const PROMPT: &str = "Allow? [Y/N, S for the session, ? for help] ";

fn watching(home: &Home, columns: u16) -> (Gateway, Terminal) {
    let gateway = Gateway::start(home);
    let mut terminal = Terminal::start(home, &["approvals", "watch"], columns);
    terminal.shows(if home.is_english() { "Waiting for requests" } else { "요청을 기다립니다" });
    (gateway, terminal)
}

/// Given a waiting request, the prompt is shown and waits for Y or N.
#[test]
fn the_command_line_prompts_and_waits_for_y_or_n() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push origin main", LONG);
    let card = terminal.shows(PROMPT);
    assert!(
        card.contains("🔐 Claude Code asks for permission: Bash\n") && card.contains("│ git push origin main\n"),
        "{card}"
    );
    for nothing in ["\n", "maybe\n", "?\n"] {
        terminal.types(nothing);
        terminal.shows(PROMPT);
    }
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open", "it waits");
    terminal.types("y\n");
    terminal.shows("→ ✅ Approved: Bash · Ann (cli)");
    assert_eq!(outcome(&hook.decided()), "approved");
    let mut other = gateway.line();
    other.asks(SECOND, "ls", LONG);
    terminal.shows(PROMPT);
    terminal.types("N\n");
    terminal.shows("Why? (Enter: no reason) ");
    terminal.types("\n");
    assert_eq!(outcome(&other.decided()), "rejected_no_reason");
}

#[test]
fn what_is_typed_is_what_the_agent_is_told() {
    let home = Home::new();
    let (_gateway, mut terminal) = watching(&home, 80);
    let input = json!({
        "session_id": "s-1", "transcript_path": "/t", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "git push origin main" },
    });
    let stdin = std::fs::File::open(home.put("request.json", &input.to_string())).unwrap();
    let hook = home.command(&["hook"]).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    terminal.shows(PROMPT);
    terminal.types("n\n");
    terminal.shows("Why? (Enter: no reason) ");
    terminal.types("not to main\n");
    let output = hook.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!(
        said["hookSpecificOutput"]["decision"],
        json!({ "behavior": "deny", "message": "User rejected the request. Reason: not to main" })
    );
}

#[test]
fn a_deny_is_one_before_its_reason_is_typed() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    terminal.shows(PROMPT);
    terminal.types("n\n");
    terminal.shows("Why? (Enter: no reason) ");
    assert_eq!(home.run(&["approvals", "approve", FIRST]).code, Some(6), "nobody can allow it any more");
    terminal.types("not to main, 풀 리퀘스트로\n");
    terminal.shows("Reason: not to main, 풀 리퀘스트로");
    let decided = hook.decided();
    assert_eq!((outcome(&decided), &decided["reason"]), ("rejected_with_reason", &json!("not to main, 풀 리퀘스트로")));
}

#[test]
fn in_korean_and_in_a_narrow_terminal_it_asks_as_well() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    let (gateway, mut terminal) = watching(&home, 24);
    let mut hook = gateway.line();
    hook.asks(FIRST, "echo 한국어로 아주 길게 쓴 명령 && git push", LONG);
    let card = terminal.shows("승인할까요? [Y/N, S 세션 허용, ? 도움말] ");
    let command: Vec<&str> = card.lines().filter(|line| line.starts_with(['│', '┆'])).collect();
    assert!(command.len() > 3 && command.iter().all(|line| line.chars().count() <= 24), "{card}");
    terminal.types("ㅜ\n");
    terminal.shows("거부 사유 (Enter: 사유 없이): ");
    terminal.types("안 돼요\n");
    terminal.shows("→ ❌ 거부됨: Bash · Ann (cli) · 사유: 안 돼요");
    assert_eq!(hook.decided()["reason"], "안 돼요");
}

#[test]
fn what_was_typed_before_the_request_was_shown_is_no_answer() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    terminal.types("y\ny\nn\ny");
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    terminal.shows(PROMPT);
    terminal.types("\n");
    terminal.shows(PROMPT);
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open");
    terminal.types("y\n");
    assert_eq!(outcome(&hook.decided()), "approved");
}

#[test]
fn an_expiry_under_the_prompt_is_told() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", 2_000);
    terminal.shows(PROMPT);
    terminal.shows("↩ ⌛ Expired: Bash");
    assert_eq!(outcome(&hook.decided()), "expired");
    terminal.types("y\n");
    let mut other = gateway.line();
    other.asks(SECOND, "ls", LONG);
    terminal.shows(PROMPT);
    assert_eq!(
        home.run(&["approvals", "show", SECOND, "--json"]).json()["status"],
        "open",
        "that y was for the other one"
    );
}

#[test]
fn somebody_else_first_is_told_and_the_next_one_is_not_answered_by_what_was_being_typed() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    let (mut first, mut second) = (gateway.line(), gateway.line());
    first.asks(FIRST, "git push", LONG);
    terminal.shows(PROMPT);
    second.asks(SECOND, "rm -rf build", LONG);
    terminal.shows("(+1 waiting)");
    terminal.shows(PROMPT);
    terminal.types("y");
    assert_eq!(home.run(&["approvals", "deny", FIRST, "--reason", "no"]).code, Some(0));
    terminal.shows("↩ ❌ Denied: Bash · Ann (cli) · Reason: no");
    assert!(terminal.shows(PROMPT).contains("rm -rf build"));
    terminal.types("\n");
    terminal.shows(PROMPT);
    assert_eq!(outcome(&first.decided()), "rejected_with_reason");
    assert_eq!(home.run(&["approvals", "show", SECOND, "--json"]).json()["status"], "open");
}

#[test]
fn a_gateway_that_was_killed_is_waited_for_and_what_is_open_is_asked_again() {
    let home = Home::new();
    let (gateway, mut terminal) = watching(&home, 80);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    terminal.shows(PROMPT);
    drop(gateway);
    terminal.shows("The gateway is gone");
    terminal.types("y\n");
    let gateway = Gateway::start(&home);
    let mut hook = gateway.line();
    hook.asks(FIRST, "git push", LONG);
    terminal.shows(PROMPT);
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open", "nobody answered yet");
    terminal.types("s\n");
    assert_eq!(outcome(&hook.decided()), "approved_session");
}

#[test]
fn ctrl_c_and_ctrl_d_leave_without_an_answer() {
    for (key, code) in [("\u{3}", 130), ("\u{4}", 0)] {
        let home = Home::new();
        let (gateway, mut terminal) = watching(&home, 80);
        let mut hook = gateway.line();
        hook.asks(FIRST, "git push", LONG);
        terminal.shows(PROMPT);
        terminal.types(key);
        assert_eq!(terminal.ended().0, Some(code));
        assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open");
    }
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = Home::new();
    let _gateway = Gateway::start(&home);
    let left = home.run(&["approvals", "watch"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(1), ""), "{left:?}");
    assert!(left.stderr.contains("this is no terminal"), "{left:?}");
}

#[test]
fn programs_are_told_one_object_a_line_until_they_stop_reading() {
    use std::io::{BufRead, BufReader};

    let home = Home::new();
    let (gateway, _surface) = super::gateway(&home);
    let (mut first, mut second) = (gateway.line(), gateway.line());
    first.asks(FIRST, "git push", LONG);
    let mut command = home.command(&["approvals", "watch", "--json"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let open = next();
    assert_eq!((&open["type"], &open["approval"]["id"]), (&json!("approval.requested"), &json!(FIRST)));
    assert_eq!(open.get("eventId"), None, "it was open before");
    second.asks(SECOND, "ls", LONG);
    let new = next();
    assert_eq!((&new["type"], &new["approval"]["id"]), (&json!("approval.requested"), &json!(SECOND)));
    assert!(new["eventId"].is_u64());
    assert_eq!(home.run(&["approvals", "approve", SECOND]).code, Some(0));
    let end = next();
    assert_eq!(
        (&end["type"], &end["approval"]["resolution"]["outcome"]),
        (&json!("approval.resolved"), &json!("approved"))
    );
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
