//! Tests of empty arguments, which an unset variable in a script leaves. No command takes one for "all", "any" or
//! "here".

use serde_json::json;

use crate::command::Home;
use crate::gateway::Gateway;

const EVERYTHING: &str = "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 1\n";
const ID: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

#[test]
fn an_empty_argument_is_an_error_of_every_command() {
    let home = Home::new();
    home.keep("policy.toml", EVERYTHING);
    home.put(".dmplz/policy.toml", EVERYTHING);
    for (code, arguments) in [
        (2, &["approvals", "list", "--before", ""][..]),
        (2, &["approvals", "list", "--limit", ""]),
        (2, &["approvals", "show", ""]),
        (2, &["approvals", "approve", ""]),
        (2, &["approvals", "approve", ID, "--for", ""]),
        (2, &["approvals", "approve", ID, "--always", "--scope", ""]),
        (2, &["approvals", "answer", "", "--say", "x"]),
        (2, &["approvals", "deny", ""]),
        (2, &["grants", "revoke", ""]),
        (2, &["grants", "revoke", "--session", ""]),
        (2, &["policy", "trust", "", "--yes"]),
        (2, &["policy", "untrust", ""]),
        (2, &["policy", "lint", "--policy", ""]),
        (2, &["policy", "test", "--policy", ""]),
        (2, &["policy", "import", "--claude", "", "--write", "--yes"]),
        (2, &["policy", "suggest", "--since", ""]),
        (2, &["policy", "suggest", "--min", ""]),
        (2, &["stats", "--since", ""]),
        (2, &["audit", "verify", "--head", ""]),
        (2, &["audit", "show", "--after", ""]),
        (2, &["demo", "--answer", ""]),
        (2, &["provider", "inspect", ""]),
        (2, &["provider", "add", ""]),
        (2, &["provider", "update", ""]),
        (2, &["provider", "remove", ""]),
        (2, &["provider", "test", ""]),
        (2, &["provider", "try", ""]),
        (2, &["provider", "new", ""]),
        (64, &["exec", "--cwd", "", "--", "true"]),
        (64, &["exec", "--env", "", "--", "true"]),
        (64, &["exec", "--timeout", "", "--", "true"]),
        (64, &["policy", "check", "--policy", "", "ls"]),
        (64, &["policy", "check", "--cwd", "", "ls"]),
    ] {
        let left = home.run(arguments);
        assert_eq!((left.code, left.stdout.as_str()), (Some(code), ""), "{arguments:?} {left:?}");
        assert!(!left.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(home.run(&["policy", "trust", "--list"]).stdout, "Nothing is trusted.\n");
}

#[test]
fn nothing_that_is_checked_without_a_name_is_allowed() {
    let home = Home::new();
    home.keep("policy.toml", EVERYTHING);
    assert_eq!(home.run(&["policy", "check", "--tool", "Read"]).code, Some(0), "the rule allows what has a name");
    for arguments in [
        &["--tool", ""][..],
        &["--tool", " "],
        &["--tool", "Read", "--input", ""],
        &["--tool", "Read", "--mode", ""],
        &["--tool", "Read", "--agent", ""],
        &["--tool", "Read", "--subagent", ""],
        &["--tool", "Read", "--mcp-server", ""],
    ] {
        assert_eq!(home.run(&[&["policy", "check"], arguments].concat()).code, Some(3), "{arguments:?}");
    }
    for nothing in ["", " ", "#", "\n"] {
        assert_eq!(home.run(&["policy", "check", nothing]).code, Some(2), "an empty command is asked: {nothing:?}");
    }
}

#[test]
fn a_program_without_a_name_is_not_run() {
    let home = Home::new();
    home.keep("policy.toml", EVERYTHING);
    let gateway = Gateway::start(&home);
    let left = home.run(&["exec", "--", ""]);
    assert_eq!(left.code, Some(71), "{left:?}");
    assert!(left.stderr.contains("argv names no program"), "{left:?}");
    let mut line = gateway.line();
    for call in [json!({ "argv": [""], "cwd": "/" }), json!({ "argv": ["true"], "cwd": "" })] {
        assert_eq!(line.call("tools.invoke", &call)["error"]["code"], -32602, "{call}");
    }
}

#[test]
fn settings_of_which_only_commas_are_left_are_an_error() {
    for name in ["DMPLZ_ALLOWED_USERS", "DMPLZ_GATEWAY_PROVIDERS", "DMPLZ_GATEWAY_HOSTS"] {
        let left = Home::new().with(name, ",").run(&["serve", "--json"]);
        assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""), "{left:?}");
        assert!(left.stderr.contains(name), "{left:?}");
    }
}
