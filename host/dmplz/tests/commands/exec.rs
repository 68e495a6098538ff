//! Tests of `dmplz exec`: a command runs as if it ran here, after a person allowed it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::command::Home;
use crate::gateway::{Gateway, Line};

/// Starts a gateway and a surface that is shown requests, so that they can be asked.
fn watched(home: &Home) -> (Gateway, Line) {
    let gateway = Gateway::start(home);
    let mut line = gateway.line();
    line.call("events.subscribe", &json!({}));
    (gateway, line)
}

/// Starts a command that waits for an answer. Returns it with the id of its request.
fn waiting(home: &Home, arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut command = home.command(&[&["exec"], arguments].concat());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut told = String::new();
    stderr.read_line(&mut told).unwrap();
    assert!(told.starts_with("dmplz: waiting for an approval: "), "{told}");
    let id = told.trim_end().rsplit(' ').next().unwrap().to_owned();
    (child, stderr, id)
}

fn ended(mut child: Child, mut stderr: impl Read) -> (Option<i32>, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code(), out, err)
}

#[test]
fn an_approved_command_runs_here_and_its_exit_code_is_ours() {
    let home = Home::new().with("MINE", "a b");
    let (_gateway, _line) = watched(&home);
    let script = "echo \"$MINE\"; pwd; echo oops >&2; exit 42";
    let (child, stderr, id) = waiting(&home, &["--env", "MINE", "--", "/bin/sh", "-c", script]);
    let shown = home.run(&["approvals", "show", &id, "--json"]).json();
    assert_eq!(shown["input"]["environment"], json!(["MINE"]), "{shown}");
    assert!(!shown.to_string().contains("a b"), "the value is shown to nobody: {shown}");
    assert_eq!(home.run(&["approvals", "approve", &id]).code, Some(0));
    let work = home.path().join("work").canonicalize().unwrap();
    assert_eq!(ended(child, stderr), (Some(42), format!("a b\n{}\n", work.display()), "oops\n".to_owned()));
}

#[test]
fn a_denied_command_does_not_run() {
    let home = Home::new();
    let (_gateway, _line) = watched(&home);
    let (child, stderr, id) = waiting(&home, &["--", "/bin/sh", "-c", "touch ran"]);
    assert_eq!(home.run(&["approvals", "deny", &id, "--reason", "not here"]).code, Some(0));
    let told = "dmplz: User rejected the request. Reason: not here\n".to_owned();
    assert_eq!(ended(child, stderr), (Some(77), String::new(), told));
    assert!(!home.path().join("work/ran").exists());
}

#[test]
fn a_command_that_nobody_answers_expires() {
    let home = Home::new().with("DMPLZ_QUESTION_TIMEOUT_MS", "1000");
    let (_gateway, _line) = watched(&home);
    let (child, stderr, _) = waiting(&home, &["--json", "--", "/bin/sh", "-c", "touch ran"]);
    let (code, out, _) = ended(child, stderr);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &report["state"], &report["error"]["code"]),
        (Some(75), &json!("expired"), &json!("ERR_EXPIRED"))
    );
    assert!(!home.path().join("work/ran").exists());
}

#[test]
fn rules_decide_without_asking_anybody() {
    let home = Home::new();
    let rules = r#"
        [[rule]]
        toolName = "run_shell_command"
        commandPrefix = "/bin/echo"
        decision = "allow"
        priority = 100

        [[rule]]
        toolName = "run_shell_command"
        commandPrefix = "/bin/ls"
        decision = "deny"
        priority = 100
        denyMessage = "Use find."
    "#;
    home.keep("policy.toml", rules);
    let _gateway = Gateway::start(&home);
    let allowed = home.run(&["exec", "--", "/bin/echo", "hello  there"]);
    assert_eq!((allowed.code, allowed.stdout.as_str(), allowed.stderr.as_str()), (Some(0), "hello  there\n", ""));
    let denied = home.run(&["exec", "--", "/bin/ls"]);
    assert_eq!((denied.code, denied.stdout.as_str(), denied.stderr.as_str()), (Some(77), "", "dmplz: Use find.\n"));
    let asked = home.with("LD_PRELOAD", "").run(&["exec", "--env", "LD_PRELOAD", "--", "/bin/echo", "x"]);
    assert_eq!(asked.code, Some(75), "a variable may change what the command does, and nobody is there: {asked:?}");
}

#[test]
fn a_command_ends_with_whoever_asked_for_it() {
    let home = Home::new();
    let (_gateway, mut line) = watched(&home);
    let (mut child, _stderr, id) = waiting(&home, &["--", "/bin/sh", "-c", "touch ran; exec sleep 1000"]);
    child.kill().unwrap();
    child.wait().unwrap();
    while line.call("approvals.list", &json!({}))["result"]["approvals"] != json!([]) {
        std::thread::yield_now();
    }
    assert_eq!(home.run(&["approvals", "approve", &id]).code, Some(6), "it is not open any more");
    assert!(!home.path().join("work/ran").exists());
}

#[test]
fn what_cannot_be_asked_says_why() {
    let home = Home::new();
    let without = home.run(&["exec", "--", "/bin/true"]);
    assert_eq!(without.code, Some(69), "{without:?}");
    assert!(without.stderr.contains("dmplz serve"), "{without:?}");
    for arguments in [&["exec"][..], &["exec", "--env", "NOT_SET", "--", "/bin/true"]] {
        assert_eq!(home.run(arguments).code, Some(64), "{arguments:?}");
    }
    let (_gateway, _line) = watched(&home);
    let missing = home.run(&["exec", "--", "/bin/no-such-program"]);
    assert_eq!(missing.code, Some(71), "{missing:?}");
    assert!(missing.stderr.contains("/bin/no-such-program"), "{missing:?}");
}
