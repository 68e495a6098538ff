//! Compares the observed decisions of gemini-cli-core 0.61.0 with ours.

mod differences;

use crate::authoring::examples::checked;
use std::path::Path;

use serde_json::{Map, Value};

use crate::{Call, Decision, File, Origin, Policy, Tier};

#[test]
fn files_of_gemini_cli_load_and_decide_the_same() {
    let mut policies = 0;
    for section in include_str!("tests/agree.txt").split("\n# ").skip(1) {
        let (name, rest) = section.split_once('\n').unwrap();
        let (policy, lines) = rest.split_once("---\n").unwrap();
        let policy = load(policy);
        assert_eq!(policy.problems(), [], "{name}");
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let (expected, call) = line.split_once(' ').unwrap();
            assert_eq!(decide(&policy, call.trim()), expected, "{name}: {call}");
        }
        policies += 1;
    }
    assert_eq!(policies, 35);
}

#[test]
fn files_of_the_shapes_that_it_ships_load_without_problems() {
    for policy in [
        "[[rule]]\nname = \"agents\"\ntoolName = \"invoke_agent\"\ndecision = \"allow\"\npriority = 50\nmodes = [\"default\", \"autoEdit\", \"yolo\"]\n",
        "[[safety_checker]]\ntoolName = \"*\"\npriority = 100\n[safety_checker.checker]\ntype = \"in-process\"\nname = \"x\"\n",
        "[[safety_checker]]\ntoolName = [\"a\", \"b\"]\nmodes = [\"autoEdit\"]\n[safety_checker.checker]\ntype = \"external\"\nname = \"x\"\nrequired_context = [\"environment\"]\nconfig = { a = 1 }\n",
        "[[rule]]\ntoolName = \"x_*\"\ndecision = \"ask_user\"\npriority = 10\ninteractive = true\n[[rule]]\ntoolName = \"x_*\"\ndecision = \"deny\"\npriority = 10\ninteractive = false\n",
        "[[rule]]\ntoolName = \"*\"\nmcpName = \"*\"\ntoolAnnotations = { readOnlyHint = true }\ndecision = \"ask_user\"\npriority = 50\nmodes = [\"plan\"]\ninteractive = true\n",
        "[[rule]]\ntoolName = [\n  \"glob\",\n  # Why.\n  \"read_file\"\n]\ndecision = \"allow\"\npriority = 50\n",
        "[[rule]]\ntoolName = [\"write_file\", \"replace\"]\ndecision = \"allow\"\npriority = 70\nmodes = [\"plan\"]\nargsPattern = \"\\\\x00\\\"file_path\\\":\\\"[^\\\\\\\"]+[\\\\\\\\/]+\\\\.x[\\\\\\\\/]+[\\\\w-]+\\\\.md\\\"\\\\x00\"\n",
        "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 40\nmodes = [\"plan\"]\ndenyMessage = \"Only reading.\"\n",
        "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 998\nmodes = [\"yolo\"]\nallowRedirection = true\n",
    ] {
        assert_eq!(load(policy).problems(), [], "{policy}");
    }
}

fn load(policy: &str) -> Policy {
    let origin = Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true };
    Policy::new(vec![checked(File::parse(policy, origin))])
}

/// Decides `$ command` or `tool {input}`, with `@key=value` after it.
fn decide(policy: &Policy, line: &str) -> &'static str {
    let mut parts = line.split(" @");
    let said = parts.next().unwrap();
    let mut input = Map::new();
    let tool = if let Some(command) = said.strip_prefix("$ ") {
        let command = command.replace("\\t", "\t").replace("\\n", "\n");
        input.insert("command".to_owned(), Value::String(command));
        "run_shell_command"
    } else {
        let (tool, json) = said.split_once(' ').unwrap();
        input = serde_json::from_str(json).unwrap();
        tool
    };
    let mut annotations = None;
    let mut call = Call {
        mode: Some("default"),
        cwd: Some(Path::new("/home/me/project")),
        home: Some(Path::new("/home/me")),
        agent: "gemini-cli",
        ..Call::new(tool, &input, "2026-11-22T00:00:00Z".parse().unwrap())
    };
    for part in parts {
        match part.split_once('=') {
            Some(("mode", mode)) => call.mode = Some(mode),
            Some(("server", server)) => call.server = Some(server),
            Some(("subagent", subagent)) => call.subagent = Some(subagent),
            Some(("annotations", json)) => annotations = serde_json::from_str::<Map<_, _>>(json).ok(),
            None if part == "headless" => call.interactive = false,
            _ => panic!("{part}"),
        }
    }
    call.annotations = annotations.as_ref();
    match policy.check(&call).decision {
        Decision::Allow => "allow",
        Decision::Deny => "deny",
        Decision::AskUser => "ask_user",
    }
}
