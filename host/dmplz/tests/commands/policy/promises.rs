//! Tests of the statements of `docs/POLICY.md` about commands, one by one.

use std::fs::File;

use serde_json::{Value, json};

use crate::command::Home;

const RULES: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["git log", "find", "cat", "ls", "cd", "./run", "python", "node", "npm test", "rm -i", "dmplz"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Bash"
commandPrefix = ["rm", "git push"]
decision = "deny"
priority = 100

[[rule]]
toolName = "*"
paths = ".env"
decision = "deny"
priority = 100

[[rule]]
toolName = ["Write", "Edit", "AskUserQuestion", "ExitPlanMode"]
decision = "allow"
priority = 1
"#;

#[track_caller]
fn holds(calls: impl Iterator<Item = (Value, &'static str)>) {
    let home = Home::new();
    home.keep("policy.toml", RULES);
    let (calls, expected): (Vec<Value>, Vec<&str>) = calls.unzip();
    let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
    let file = home.put("calls.jsonl", &lines.replace("~/.claude", home.path().join(".claude").to_str().unwrap()));
    let left = home.run_with(&["policy", "check", "-"], File::open(file).unwrap().into());
    assert_eq!(left.stderr, "");
    let answers: Vec<Value> = left.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), calls.len());
    for ((call, expected), answer) in calls.iter().zip(expected).zip(answers) {
        assert_eq!(answer["decision"], expected, "{call}: {answer}");
    }
}

#[test]
fn about_commands() {
    let commands = [
        ("git log", "allow"),
        ("git log > notes", "ask_user"),
        ("cat < notes", "allow"),
        ("node < notes", "ask_user"),
        ("git log 2>&1", "allow"),
        ("git log > /dev/null", "allow"),
        ("git log || true", "allow"),
        ("export CI=1; git log", "allow"),
        ("export PATH=.; git log", "ask_user"),
        ("cd sub && npm test", "allow"),
        ("npm --prefix sub test", "allow"),
        ("npm test --prefix ../sub", "ask_user"),
        ("git log --output=x", "ask_user"),
        ("find . -delete", "ask_user"),
        ("find . -exec touch {} \\;", "ask_user"),
        ("find . -exec ls {} \\;", "allow"),
        ("PATH=. git log", "ask_user"),
        ("GIT_PAGER=x git log", "ask_user"),
        ("./run", "allow"),
        ("cd /tmp && ./run", "ask_user"),
        ("python -c 'print(1)'", "ask_user"),
        ("node -e 1", "ask_user"),
        ("ls (", "ask_user"),
        ("ls $x", "allow"),
        ("$x", "ask_user"),
        ("cat .env", "ask_user"),
        ("cat < .env", "deny"),
        ("ls > .env", "deny"),
        // Spellings and wrappers of what is denied.
        ("/bin/rm x", "deny"),
        ("\\rm x", "deny"),
        ("'rm' x", "deny"),
        ("FOO=1 rm x", "deny"),
        ("RM x", "deny"),
        ("git -C x push", "deny"),
        ("sudo rm x", "deny"),
        ("eval \"rm x\"", "deny"),
        ("\"rm\" x", "deny"),
        ("ls | xargs rm", "deny"),
        ("$(rm x)", "deny"),
        ("ls <(rm x)", "deny"),
        ("bash <<EOF\nrm x\nEOF", "deny"),
        ("f() { rm x; }", "deny"),
        ("for i in 1; do rm x; done", "deny"),
        ("git $x", "ask_user"),
        // Transparent wrappers, and those that must be allowed themselves.
        ("timeout 5 git log", "allow"),
        ("nice git log", "allow"),
        ("nohup git log", "allow"),
        ("env git log", "allow"),
        ("time git log", "allow"),
        ("command git log", "allow"),
        ("sh -c 'git log; ls'", "allow"),
        ("bash -lc 'git log'", "allow"),
        ("eval 'git log'", "allow"),
        ("sudo git log", "ask_user"),
        ("ls | xargs cat", "ask_user"),
        ("ssh host git log", "ask_user"),
        ("docker exec c ls", "ask_user"),
        ("watch ls", "ask_user"),
        // The rules are for people to change.
        ("dmplz policy check ls", "allow"),
        ("dmplz policy trust --yes", "ask_user"),
        ("timeout 5 dmplz policy import --claude x --write --yes", "ask_user"),
    ];
    holds(
        commands
            .into_iter()
            .map(|(command, decision)| (json!({ "tool": "Bash", "input": { "command": command } }), decision)),
    );
}

#[test]
fn about_what_no_rule_allows() {
    let write = |path: &str| json!({ "tool": "Write", "input": { "file_path": path, "content": "" } });
    let calls = [
        (write("src/x"), "allow"),
        (write("~/.claude/dm-plz/policy.toml"), "ask_user"),
        (write("~/.claude/settings.json"), "ask_user"),
        (write(".dmplz/policy.toml"), "ask_user"),
        (write("src/../.env"), "deny"),
        (json!({ "tool": "AskUserQuestion", "input": { "questions": [] } }), "ask_user"),
        (json!({ "tool": "ExitPlanMode", "input": { "plan": "x" } }), "ask_user"),
        (json!({ "tool": "Bash", "input": { "command": "ls", "metadata": { "command": "rm x" } } }), "allow"),
        (json!({ "tool": "Bash", "input": { "command": "curl x", "metadata": { "command": "git log" } } }), "ask_user"),
    ];
    holds(calls.into_iter());
}
