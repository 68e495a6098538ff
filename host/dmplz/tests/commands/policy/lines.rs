use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use super::POLICY;
use crate::command::Home;

/// Asks a running `check -` line by line: each answer must come before the next line is sent.
fn converse(home: &Home, arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let mut command = home.command(&[&["policy", "check", "-"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut output = BufReader::new(output);
    let mut answers = Vec::new();
    for line in lines {
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        answers.push(serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer:?}")));
    }
    drop(input);
    assert_eq!(output.lines().count(), 0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    answers
}

#[test]
fn each_line_is_answered_before_the_next() {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    let answers = converse(
        &home,
        &[],
        &[
            r#"{"tool":"Bash","input":{"command":"git status"}}"#,
            r#"{"tool":"Bash","input":{"command":"git push"},"mode":"plan","cwd":"/tmp"}"#,
            r#"{"tool":"search","input":{},"mcp_server":"github","interactive":false,"subagent":"Explore"}"#,
        ],
    );
    let place = |line: u32| format!("{}:{line}", home.state().join("policy.toml").display());
    assert_eq!((&answers[0]["decision"], &answers[0]["rule"]), (&json!("allow"), &json!(place(1))));
    assert_eq!(answers[1], json!({ "decision": "deny", "rule": place(10), "reason": "pushing is for people" }));
    assert_eq!((&answers[2]["decision"], &answers[2]["rule"]), (&json!("ask_user"), &Value::Null));
}

#[test]
fn the_documents_say_that_0_is_no_allow_where_the_calls_are_lines() {
    let help = Home::new().run(&["policy", "check", "--help"]).stdout;
    assert!(help.contains("with -, 0 when every line was answered, whatever the answers are"), "{help}");
    for document in [include_str!("../../../../../docs/POLICY.md"), include_str!("../../../../../docs/POLICY.ko.md")] {
        let about = document.split("\n\n").find(|paragraph| paragraph.starts_with("`check`")).unwrap();
        assert!(about.contains("`decision`"), "{about}");
    }
}

#[test]
fn a_line_that_cannot_be_read_is_asked() {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    let bad = [
        "x",
        "[]",
        "{}",
        r#"{"tool":"Bash"}"#,
        r#"{"tool":"Bash","input":"git status"}"#,
        r#"{"tool":"Bash","input":{"command":"git status"},"modes":"plan"}"#,
        r#"{"tool":"Bash","input":{"command":"git status"}} {}"#,
        r#"{"tool":"Bash","input":{"command":"git status"},"cwd":""}"#,
        r#"{"tool":"","input":{}}"#,
        r#"{"tool":"Bash","input":{"command":"git status"},"mode":""}"#,
    ];
    for (line, answer) in bad.iter().zip(converse(&home, &[], &bad)) {
        assert_eq!(answer["decision"], "ask_user", "{line}: {answer}");
        assert!(answer["rule"].is_null() && answer["error"].is_string(), "{line}: {answer}");
    }
}

#[test]
fn what_a_line_does_not_say_comes_from_the_command_line() {
    let home = Home::new();
    let rule =
        "[[rule]]\ntoolName = \"Bash\"\nmodes = [\"plan\"]\ncwd = \"//srv/**\"\ndecision = \"deny\"\npriority = 1\n";
    home.keep("policy.toml", rule);
    let call = r#"{"tool":"Bash","input":{"command":"ls"}}"#;
    let other = r#"{"tool":"Bash","input":{"command":"ls"},"mode":"default"}"#;
    let answers = converse(&home, &["--mode", "plan", "--cwd", "/srv/x"], &[call, other]);
    assert_eq!(answers.iter().map(|answer| &answer["decision"]).collect::<Vec<_>>(), ["deny", "ask_user"]);
}

#[test]
fn the_policy_is_that_of_the_folder_where_each_call_works() {
    let home = Home::new();
    home.put("shop/.dmplz/policy.toml", "[[rule]]\ntoolName = \"Bash\"\ndecision = \"deny\"\npriority = 1\n");
    let there = json!({ "tool": "Bash", "input": { "command": "ls" }, "cwd": home.path().join("work/shop/src") });
    let here = json!({ "tool": "Bash", "input": { "command": "ls" } });
    let answers = converse(&home, &[], &[&there.to_string(), &here.to_string(), &there.to_string()]);
    assert_eq!(answers.iter().map(|answer| &answer["decision"]).collect::<Vec<_>>(), ["deny", "ask_user", "deny"]);
}
