//! `check`, `check --explain`, `check -` and the hook itself are one judge.

use std::fs::File;

use serde_json::{Value, json};

use super::POLICY;
use crate::command::Home;

const COMMANDS: [&str; 16] = [
    "git status", "git status && ls -l | ls", "git status > x", "git status 2>&1 >/dev/null", "git push",
    "/usr/bin/git -C . push", "FOO=1 git 'pu'sh", "sudo git push; ls", "timeout 5 ls", "ls $(git push)", "ls $x", "$x",
    "eval \"$x\"", "sh -c 'git status; ls'", "cat <<EOF\n$(git push)\nEOF", "ls; (",
];

/// Returns what the hook tells Claude Code. If a person has to be asked, there is no decision, because there is no
/// messenger here.
fn hook(home: &Home, command: &str) -> &'static str {
    let cwd = home.path().join("work");
    let event = json!({
        "session_id": "s", "transcript_path": "/tmp/t.jsonl", "cwd": cwd, "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": { "command": command },
    });
    let stdin = home.path().join("event.json");
    std::fs::write(&stdin, event.to_string()).unwrap();
    let left = home.run_with(&["hook"], File::open(stdin).unwrap().into());
    assert_eq!(left.code, Some(0), "{left:?}");
    if left.json()["systemMessage"].is_string() {
        return "ask_user";
    }
    match left.json()["hookSpecificOutput"]["decision"]["behavior"].as_str() {
        Some("allow") => "allow",
        Some("deny") => "deny",
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_way_to_ask_gets_the_same_answer() {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    let lines = COMMANDS.map(|command| json!({ "tool": "Bash", "input": { "command": command } }).to_string());
    let calls = home.put("calls.jsonl", &lines.join("\n"));
    let left = home.run_with(&["policy", "check", "-"], File::open(calls).unwrap().into());
    let answers: Vec<Value> = left.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), COMMANDS.len());
    for (command, answer) in COMMANDS.into_iter().zip(answers) {
        let decision = answer["decision"].as_str().unwrap();
        for arguments in [&["--json"][..], &["--explain", "--json"]] {
            let left = home.run(&[&["policy", "check", command], arguments].concat());
            let json = left.json();
            assert_eq!((&json["decision"], &json["rule"]), (&answer["decision"], &answer["rule"]), "{command}");
            let code = match decision {
                "allow" => 0,
                "deny" => 1,
                _ => 2,
            };
            assert_eq!(left.code, Some(code), "{command}");
        }
        assert_eq!(hook(&home, command), decision, "{command}");
    }
}
