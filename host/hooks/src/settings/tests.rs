use std::path::Path;
use std::time::Duration;

use super::*;

mod corpus;

fn parse(text: &str, dialect: Dialect) -> Hooks {
    Hooks::parse(text, dialect, Base { file: Path::new("/p/.claude/settings.json"), home: Some(Path::new("/home/u")) })
}

fn findings(text: &str, dialect: Dialect) -> String {
    let hooks = parse(text, dialect);
    let line = |finding: &Finding| format!("{:?} {}: {}", finding.problem.severity(), finding.place, finding.problem);
    hooks.findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One command handler with these options.
fn handler(event: &str, options: &str) -> Handler {
    let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"x"{options}}}]}}]}}}}"#);
    parse(&text, Dialect::Claude).groups[0].handlers[0].clone()
}

#[test]
fn wrong_json_is_said_with_its_line_and_column() {
    assert_eq!(
        findings("{\n  \"hooks\": {\n    \"Stop\": [,]\n  }\n}", Dialect::Claude),
        "Error : line 3, column 14: this is not JSON: expected value"
    );
    let hooks = parse("{", Dialect::Claude);
    assert!(hooks.broken().is_some() && hooks.groups.is_empty());
}

#[test]
fn an_empty_file_and_one_without_hooks_are_fine() {
    for text in ["", "  \n", "{}", r#"{"permissions":{}}"#, "\u{feff}{}", r#"{"hooks":{}}"#] {
        assert_eq!(findings(text, Dialect::Claude), "", "{text}");
    }
}

#[test]
fn every_mistake_has_a_place_and_the_rest_counts() {
    let text = r#"{"hooks":{
      "preToolUse": [],
      "Stop": {"hooks": []},
      "PreToolUse": [
        7,
        {"matcher": 7, "hooks": []},
        {"matcher": "Bash"},
        {"matcher": "Bash(git *)", "hooks": []},
        {"matcher": "*Edit", "hooks": []},
        {"matcher": "bash|Edit", "hooks": []},
        {"matcher": "[", "hooks": []},
        {"hooks": [
          "x",
          {"type": "command"},
          {"type": "command", "command": " "},
          {"type": "command", "command": "x", "args": "y"},
          {"type": "command", "command": "x", "timeout": 60000},
          {"type": "command", "command": "x", "timeout": -1},
          {"type": "command", "command": "x", "timeout": "5"},
          {"type": "command", "command": "x", "timout": 5},
          {"type": "command", "command": "x", "onFailure": "deny"},
          {"type": "command", "command": "x", "if": "tool == Bash"},
          {"type": "command", "command": "x", "shell": "powershell"},
          {"type": "prompt", "prompt": "safe?"},
          {"type": "agent"}, {"type": "http", "url": "http://127.0.0.1"}, {"type": "mcp_tool"},
          {"type": "comand", "command": "x"},
          {"command": "x"},
          {"type": "command", "command": "good"}]}],
      "UserPromptSubmit": [{"matcher": "x", "hooks": [{"type": "command", "command": "y", "if": "Bash"}]}]
    }}"#;
    insta::assert_snapshot!(findings(text, Dialect::Claude), @r#"
    Error preToolUse: there is no event preToolUse; PreToolUse was probably meant
    Error Stop: this must be a list
    Error PreToolUse[0]: this must be an object
    Error PreToolUse[1].matcher: this must be a text
    Error PreToolUse[2].hooks: this must be a list
    Error PreToolUse[3]: the matcher "Bash(git *)" is a permission rule: write the tool's name as the matcher, and the rule as "if" of the hook
    Warning PreToolUse[4]: the matcher "*Edit" is no regular expression, so Claude Code runs nothing for it; it is read as a name with * here
    Warning PreToolUse[5]: the matcher names "bash", and names are case-sensitive: the tool is Bash
    Error PreToolUse[6]: the matcher "[" is no name and no regular expression: the regular expression cannot be read: unclosed character class
    Error PreToolUse[7].hooks[0]: this must be an object
    Error PreToolUse[7].hooks[1]: there is no "command" to run
    Error PreToolUse[7].hooks[2]: there is no "command" to run
    Error PreToolUse[7].hooks[3].args: this must be a list of texts
    Warning PreToolUse[7].hooks[4]: "timeout": 60000 means 60000 seconds; write 60 if milliseconds were meant
    Warning PreToolUse[7].hooks[5]: "timeout" must be a number of seconds above 0; the default is used
    Warning PreToolUse[7].hooks[6]: "timeout" must be a number of seconds above 0; the default is used
    Warning PreToolUse[7].hooks[7]: there is no option "timout"; timeout was probably meant
    Warning PreToolUse[7].hooks[8]: "onFailure" must be "continue" or "block", not "deny"
    Error PreToolUse[7].hooks[9]: "if" must be a permission rule such as Bash(git push *), not "tool == Bash"; the hook is not run
    Error PreToolUse[7].hooks[10]: "shell": "powershell" is not supported: it takes "bash"
    Note PreToolUse[7].hooks[11]: hooks of type prompt are not run by dmplz
    Note PreToolUse[7].hooks[12]: hooks of type agent are not run by dmplz
    Note PreToolUse[7].hooks[13]: hooks of type http are not run by dmplz
    Note PreToolUse[7].hooks[14]: hooks of type mcp_tool are not run by dmplz
    Error PreToolUse[7].hooks[15]: there is no hook type "comand"
    Error PreToolUse[7].hooks[16]: there is no hook type ""
    Note UserPromptSubmit[0]: UserPromptSubmit has no matcher: its hooks always run
    Error UserPromptSubmit[0].hooks[0]: "if" is about tool calls, and UserPromptSubmit has none: the hook never runs
    "#);
    let good = parse(text, Dialect::Claude);
    assert!(good.handlers().any(|(_, handler)| handler.command.as_ref().is_some_and(|command| command.line == "good")));
}

#[test]
fn seconds_are_seconds_and_the_defaults_are_the_clients() {
    for (event, options, limit) in [
        ("PreToolUse", "", Duration::from_secs(600)),
        ("UserPromptSubmit", "", Duration::from_secs(30)),
        ("SessionEnd", "", Duration::from_millis(1_500)),
        ("SessionEnd", r#","timeout":10"#, Duration::from_secs(10)),
        ("SessionEnd", r#","timeout":600"#, Duration::from_secs(60)),
        ("Stop", r#","timeout":5"#, Duration::from_secs(5)),
        ("Stop", r#","timeout":0.5"#, Duration::from_millis(500)),
        ("Stop", r#","timeout":60000"#, Duration::from_secs(60_000)),
        ("Stop", r#","timeout":1e300"#, Duration::from_secs(86_400)),
    ] {
        assert_eq!(handler(event, options).limit, limit, "{event} {options}");
    }
}

#[test]
fn the_options_of_a_handler_are_read() {
    let handler = handler(
        "PreToolUse",
        r#","async":true,"once":true,"if":"Bash(git push *)","description":"d","statusMessage":"s","onFailure":"block","args":["a b"]"#,
    );
    assert!(handler.is_async && handler.once && matches!(handler.condition, Some(Ok(_))));
    assert_eq!((handler.description.as_deref(), handler.status_message.as_deref()), (Some("d"), Some("s")));
    assert_eq!(handler.on_failure, OnFailure::Block);
    assert_eq!(handler.command.unwrap().shown(), "x 'a b'");
}

#[test]
fn our_own_hook_is_known_in_every_form() {
    for (options, ours) in [
        (r#""command":"dmplz","args":["hook"]"#, true),
        (r#""command":"/opt/bin/dmplz","args":["hook"]"#, true),
        (r#""command":"dmplz hook""#, true),
        (r#""command":"\"/opt/my bin/dmplz\" hook""#, true),
        (r#""command":"dmplz notify send phone hi""#, false),
        (r#""command":"my-dmplz hook""#, false),
        (r#""command":"echo hook""#, false),
    ] {
        let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command",{options}}}]}}]}}}}"#);
        assert_eq!(parse(&text, Dialect::Claude).groups[0].handlers[0].is_ours(), ours, "{options}");
    }
}

#[test]
fn the_dialects_differ_in_events_and_units() {
    let gemini = r#"{"hooks":{"enabled":true,"BeforeTool":[{"matcher":"write_.*","sequential":true,
      "hooks":[{"type":"command","name":"n","command":"x","timeout":5000},{"type":"command","command":"y","timeout":60}]}],
      "PreToolUse":[]}}"#;
    insta::assert_snapshot!(findings(gemini, Dialect::Gemini), @r#"
    Warning BeforeTool[0].hooks[1]: "timeout": 60 means 60 milliseconds in gemini-cli; write 60000 if seconds were meant
    Error PreToolUse: there is no event PreToolUse; BeforeTool was probably meant
    "#);
    let codex =
        r#"{"hooks":{"Interrupt":[{"hooks":[{"type":"command","command":"x","timeout":5000}]}],"Notification":[]}}"#;
    insta::assert_snapshot!(findings(codex, Dialect::Codex), @r#"
    Warning Interrupt[0].hooks[0]: "timeout": 5000 means 5000 seconds; write 5 if milliseconds were meant
    Error Notification: there is no event Notification
    "#);
}
