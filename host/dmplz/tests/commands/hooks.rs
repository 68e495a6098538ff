//! `dmplz hooks` by the real binary, with real scripts.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::command::{Home, Left};
use crate::gateway::Gateway;
use crate::policy_docs::{blocks, path};
use crate::terminal::Terminal;

const PATH: &str = "/usr/bin:/bin";

/// A home in which the hooks of all sources are switched on.
fn home() -> Home {
    Home::new().with("PATH", PATH).with("DMPLZ_HOOKS", "user,project,local")
}

/// Writes the user's own settings.
fn user(home: &Home, hooks: Value) -> PathBuf {
    let path = home.path().join(".claude/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, json!({ "hooks": hooks }).to_string()).unwrap();
    path
}

fn project(home: &Home, hooks: Value) {
    home.put(".claude/settings.json", &json!({ "hooks": hooks }).to_string());
}

fn script(home: &Home, name: &str, text: &str) {
    let path = home.put(&format!(".claude/hooks/{name}"), text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn one(event: &str, command: &str) -> Value {
    json!({ event: [{ "hooks": [{ "type": "command", "command": command }] }] })
}

/// The rows of `hooks run`, as JSON.
#[track_caller]
fn run(home: &Home, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let left = home.run(&[&["hooks", "run", "--json"], arguments].concat());
    (left.code, left.json()["hooks"].as_array().unwrap().clone())
}

#[test]
fn nothing_is_switched_on_by_default() {
    let home = Home::new().with("PATH", PATH);
    user(&home, one("Stop", "touch ran"));
    let (code, rows) = run(&home, &["Stop"]);
    assert_eq!(
        (code, rows[0]["ran"].as_bool(), rows[0]["whyNot"]["code"].as_str()),
        (Some(0), Some(false), Some("source_off"))
    );
    assert!(!home.path().join("work/ran").exists());
    let (_, rows) = run(&home, &["Stop", "--source", "user"]);
    assert_eq!(rows[0]["ran"], true);
    assert!(home.path().join("work/ran").exists());
}

#[test]
fn a_recorded_event_reaches_a_hook_whole_with_both_sets_of_variables() {
    let home = home();
    user(
        &home,
        json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "description": "d",
            "command": "cat > got; env | grep -E '^(CLAUDE|DMPLZ)' | sort > env; pwd > cwd" }] }] }),
    );
    let event = format!("{}/../../tests/e2e/stdin/PreToolUse-Bash.json", env!("CARGO_MANIFEST_DIR"));
    let home = home.with("DMPLZ_TELEGRAM_BOT_TOKEN", "123:secret");
    let (code, rows) = run(&home, &["PreToolUse", &event]);
    assert_eq!((code, rows[0]["exitCode"].as_i64()), (Some(0), Some(0)), "{rows:?}");
    let read = |name: &str| std::fs::read_to_string(home.path().join("work").join(name)).unwrap();
    let sent: Value = serde_json::from_reader(File::open(&event).unwrap()).unwrap();
    let got: Value = serde_json::from_str(&read("got")).unwrap();
    assert_eq!(got, sent);
    assert_eq!(read("got").lines().count(), 1);
    let environment = read("env");
    for line in [
        "CLAUDE_HOOK_EVENT_NAME=PreToolUse",
        "CLAUDE_TOOL_NAME=Bash",
        "CLAUDE_HOOK_DESCRIPTION=d",
        "CLAUDE_HOOK_MATCHER=Bash",
    ] {
        assert!(environment.lines().any(|other| other == line), "{environment}");
    }
    assert!(!environment.contains("secret") && !environment.contains("CLAUDE_ENV_FILE"), "{environment}");
    let work = home.path().join("work").canonicalize().unwrap();
    assert_eq!(read("cwd").trim(), work.to_str().unwrap());
}

#[test]
fn a_deny_is_shown_and_changes_nothing() {
    let home = home();
    user(
        &home,
        json!({ "PreToolUse": [{ "hooks": [
        { "type": "command", "command": "echo never >&2; exit 2" },
        { "type": "command", "command": "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"no\"}}'" },
        { "type": "command", "command": "true" }] }] }),
    );
    let (code, rows) = run(&home, &["PreToolUse"]);
    assert_eq!(code, Some(0));
    let wanted: Vec<_> =
        rows.iter().map(|row| (row["reading"]["wanted"].clone(), row["reading"]["reason"].clone())).collect();
    assert_eq!(wanted, [(json!("deny"), json!("never")), (json!("deny"), json!("no")), (Value::Null, Value::Null)]);
    let left = home.run(&["hooks", "run", "PreToolUse"]);
    assert!(left.stdout.contains("it wanted: deny (never) - recorded only"), "{left:?}");
    let log = home.run(&["hooks", "log", "--json", "--failed"]).json();
    assert_eq!(log.as_array().unwrap().len(), 4, "{log}");
    assert_eq!((&log[0]["wanted"], &log[0]["exitCode"]), (&json!("deny"), &json!(2)));
}

#[test]
fn the_hooks_of_a_project_run_only_after_a_person_trusted_them_as_they_are() {
    let home = home();
    script(&home, "stop.sh", "#!/bin/sh\ntouch ran\n");
    project(&home, one("Stop", "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/stop.sh"));
    let ran = home.path().join("work/ran");
    let why = |home: &Home| run(home, &["Stop"]).1[0]["whyNot"]["code"].as_str().map(str::to_owned);
    assert_eq!(why(&home).as_deref(), Some("untrusted"));
    let refused = home.run(&["hooks", "trust"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("this is no terminal"), "{refused:?}");
    assert_eq!(why(&home).as_deref(), Some("untrusted"));

    let mut terminal = Terminal::start(&home, &["hooks", "trust"], 120);
    terminal.shows("=== \".claude/hooks/stop.sh\"");
    terminal.shows("touch ran");
    terminal.shows("[y/N]");
    terminal.types("no\n");
    assert_eq!(terminal.ended().0, Some(1));
    assert_eq!(why(&home).as_deref(), Some("untrusted"));
    assert!(!ran.exists());

    let mut terminal = Terminal::start(&home, &["hooks", "trust"], 120);
    terminal.shows("[y/N]");
    terminal.types("y\n");
    assert_eq!(terminal.ended().0, Some(0));
    assert_eq!(why(&home), None);
    assert!(ran.exists());

    // A change of the script counts as new, is shown as a diff, and a change of something else does not.
    let settings = json!({ "permissions": { "allow": ["Bash(ls)"] }, "hooks": one("Stop", "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/stop.sh") });
    home.put(".claude/settings.json", &settings.to_string());
    assert_eq!(why(&home), None);
    script(&home, "stop.sh", "#!/bin/sh\ntouch elsewhere\n");
    std::fs::remove_file(&ran).unwrap();
    assert_eq!(why(&home).as_deref(), Some("changed"));
    let mut terminal = Terminal::start(&home, &["hooks", "trust"], 120);
    terminal.shows("- touch ran");
    terminal.shows("+ touch elsewhere");
    terminal.shows("[y/N]");
    terminal.types("\u{4}");
    assert_eq!(terminal.ended().0, Some(1));
    assert_eq!(why(&home).as_deref(), Some("changed"));
    assert!(!ran.exists() && !home.path().join("work/elsewhere").exists());

    let left = home.run(&["hooks", "trust", "--without-asking"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(why(&home), None);
    assert_eq!(home.run(&["hooks", "trust", "--list", "--json"]).json().as_array().unwrap().len(), 1);
    assert_eq!(home.run(&["hooks", "untrust"]).code, Some(0));
    assert_eq!(why(&home).as_deref(), Some("untrusted"));
}

#[test]
fn a_broken_file_is_named_with_its_line_and_the_others_go_on() {
    let home = home();
    user(&home, one("Stop", "true"));
    let broken = "{\n  \"hooks\": {,}\n}";
    let path = home.put(".claude/settings.json", broken);
    let left = home.run(&["hooks", "list"]);
    assert!(left.stdout.contains("line 2, column 13: this is not JSON"), "{left:?}");
    assert_eq!(left.code, Some(0));
    let (code, rows) = run(&home, &["Stop"]);
    assert_eq!((code, rows.len(), rows[0]["ran"].as_bool()), (Some(0), 1, Some(true)));
    assert_eq!(home.run(&["hooks", "validate"]).code, Some(4));
    assert_eq!(home.run(&["hooks", "trust", "--without-asking"]).code, Some(1));
    assert_eq!(std::fs::read_to_string(path).unwrap(), broken);
}

#[test]
fn the_hooks_of_the_user_are_those_of_claude_codes_own_settings_folder() {
    let home = home();
    user(&home, one("Stop", "echo of the usual folder"));
    let folder = home.path().join("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    let settings = json!({ "hooks": one("Stop", "echo of the other folder") });
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    let home = home.with("CLAUDE_CONFIG_DIR", folder.to_str().unwrap());
    let left = home.run(&["hooks", "list"]);
    assert!(left.stdout.contains("of the other folder") && !left.stdout.contains("usual"), "{left:?}");
}

#[test]
fn list_says_what_would_run_and_why_the_rest_would_not() {
    let home = home();
    let path = user(
        &home,
        json!({ "PreToolUse": [
        { "matcher": "Bash", "hooks": [
            { "type": "command", "command": "curl -d x https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdef", "timeout": 5, "async": true, "if": "Bash(git push *)" },
            { "type": "prompt", "prompt": "is it safe?" }] },
        { "matcher": "Edit(", "hooks": [{ "type": "command", "command": "x" }] }],
        "PermissionRequest": [{ "hooks": [{ "type": "command", "command": "dmplz", "args": ["hook"], "timeout": 300 }] }] }),
    );
    let before = std::fs::read(&path).unwrap();
    let left = home.run(&["hooks", "list", "--json"]);
    let report = left.json();
    assert!(!left.stdout.contains("abcdefghijklmnopqrstuvwxyz"), "{left:?}");
    let rows: Vec<_> = report["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["runs"].clone(), row["whyNot"]["code"].clone()))
        .collect();
    assert_eq!(
        rows,
        [
            (json!(true), Value::Null),
            (json!(false), json!("type")),
            (json!(false), json!("unreadable_matcher")),
            (json!(false), json!("ours"))
        ]
    );
    assert_eq!(report["unsupported"], json!({ "prompt": 1 }));
    assert_eq!(
        (&report["hooks"][0]["async"], &report["hooks"][0]["if"], &report["hooks"][0]["timeoutMs"]),
        (&json!(true), &json!("Bash(git push *)"), &json!(5000))
    );
    let home = home.with("DMPLZ_LANG", "ko");
    let korean = home.run(&["hooks", "list"]);
    assert!(korean.stdout.contains("prompt 종류의 훅은 실행하지 않음"), "{korean:?}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn list_says_of_an_event_that_dmplz_does_not_raise_it() {
    let home = home();
    user(
        &home,
        json!({ "PreCompact": [{ "hooks": [{ "type": "command", "command": "true" }] }], "PreToolUse": [{ "hooks": [{ "type": "command", "command": "true" }] }] }),
    );
    let left = home.run(&["hooks", "list"]);
    assert_eq!(left.stdout.matches("dmplz does not; to try it: dmplz hooks run").count(), 1, "{left:?}");
    let report = home.run(&["hooks", "list", "--json"]).json();
    let rows: Vec<_> = report["hooks"].as_array().unwrap().iter().map(|row| (&row["event"], &row["raised"])).collect();
    assert_eq!(rows, [(&json!("PreCompact"), &json!(false)), (&json!("PreToolUse"), &json!(true))]);
    let (code, rows) = run(&home, &["PreCompact"]);
    assert_eq!((code, rows[0]["ran"].as_bool()), (Some(0), Some(true)), "{rows:?}");
}

#[test]
fn validate_is_a_doctor_of_settings_and_scripts_in_three_dialects() {
    let home = home();
    home.put(".claude/hooks/plain.sh", "echo hi\n");
    project(
        &home,
        json!({ "PreToolUSe": [], "Stop": [{ "hooks": [
        { "type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/plain.sh" },
        { "type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/none.sh", "timeout": 60000 },
        { "type": "command", "command": "no-such-program --x" }] }] }),
    );
    let left = home.run(&["hooks", "validate", "--json"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    let report = left.json();
    let codes: Vec<_> = report["files"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["code"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(codes, ["unknown_event", "looks_like_milliseconds", "not_executable", "not_found", "not_on_path"]);
    let gemini = home.put(".gemini/settings.json", r#"{"hooks":{"BeforeTool":[{"matcher":"write_file","hooks":[{"type":"command","command":"true","timeout":30}]}]}}"#);
    let left = home.run(&["hooks", "validate", gemini.to_str().unwrap()]);
    assert!(left.code == Some(4) && left.stdout.contains("means 30 milliseconds in gemini-cli"), "{left:?}");
    let codex = home.put(
        ".codex/hooks.json",
        r#"{"hooks":{"Interrupt":[{"hooks":[{"type":"command","command":"true","timeout":30}]}]}}"#,
    );
    assert_eq!(home.run(&["hooks", "validate", codex.to_str().unwrap()]).code, Some(0));
    assert_eq!(home.run(&["hooks", "validate", codex.to_str().unwrap(), "--dialect", "claude"]).code, Some(4));
}

#[test]
fn stray_output_and_failures_are_found_by_running_a_hook() {
    let home = home();
    user(
        &home,
        json!({ "Stop": [{ "hooks": [
        { "type": "command", "command": "echo checking; echo '{\"decision\":\"block\"}'" },
        { "type": "command", "command": "exec sleep 1000", "timeout": 0.3 },
        { "type": "command", "command": "nosuchprogram" },
        { "type": "command", "command": "/nonexistent", "args": [] }] }] }),
    );
    let (code, rows) = run(&home, &["Stop"]);
    assert_eq!(code, Some(4));
    assert_eq!(rows[0]["reading"]["slips"][0]["code"], "stray_text");
    assert_eq!(rows[1]["ended"], "timed_out");
    assert_eq!(rows[2]["exitCode"], 127);
    assert_eq!(rows[3]["ended"], "not_started");
}

#[test]
fn variables_for_later_hooks_are_read_and_never_executed() {
    let home = home();
    user(
        &home,
        one("SessionStart", "printf 'export STAGE=\"dev\"\\nexport BAD=$(touch executed)\\n' >> \"$CLAUDE_ENV_FILE\""),
    );
    let (code, rows) = run(&home, &["SessionStart"]);
    assert_eq!(code, Some(4));
    assert_eq!((&rows[0]["exported"], &rows[0]["passedOver"]), (&json!(["STAGE"]), &json!([2])));
    assert!(!home.path().join("work/executed").exists());
}

#[test]
fn what_is_no_event_is_refused_before_anything_runs() {
    let home = home();
    user(&home, one("Stop", "touch ran"));
    let stdin = |text: &str| Stdio::from(File::open(home.put("event.json", text)).unwrap());
    let refused = |left: Left, words: &str| {
        assert_eq!(left.code, Some(1), "{left:?}");
        assert!(left.stderr.contains(words) && left.stdout.is_empty(), "{left:?}");
    };
    refused(home.run_with(&["hooks", "run", "Stop", "-"], stdin("[]")), "the event is no JSON object");
    let says =
        "stdin is empty: give an event, as in `dmplz hooks run Stop - < event.json`, or leave `-` out for an example";
    refused(home.run(&["hooks", "run", "Stop", "-"]), says);
    refused(
        home.run_with(&["hooks", "run", "Stop", "-"], stdin(r#"{"hook_event_name":"Setup"}"#)),
        "the event is Setup, not Stop",
    );
    refused(home.run(&["hooks", "run", "PreToolUSe"]), "PreToolUse was probably meant");
    refused(home.run(&["hooks", "run", "Foo"]), "there is no event Foo; the events are ");
    refused(home.run(&["hooks", "run", "Foo"]), "UserPromptSubmit");
    refused(home.run(&["hooks", "run", "Stop", "nowhere.json"]), "nowhere.json cannot be read");
    assert!(!home.path().join("work/ran").exists());
    let left = home.run_with(&["hooks", "run", "Stop", "-"], stdin(r#"{"hook_event_name":"Stop"}"#));
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(home.path().join("work/ran").exists());
}

#[test]
fn an_unknown_source_is_an_error_of_the_settings() {
    let left = Home::new().with("DMPLZ_HOOKS", "user,everyone").run(&["hooks", "list"]);
    assert_eq!(left.code, Some(3), "{left:?}");
    assert!(left.stderr.contains("user, project and local"), "{left:?}");
}

#[test]
fn exec_tells_the_hooks_of_its_command_and_a_deny_of_theirs_changes_nothing() {
    let home = home();
    let log =
        |event: &str| json!({ "type": "command", "command": format!("cat >> told; echo {event} >> events; exit 2") });
    let quiet = json!({ "type": "command", "command": "touch quiet", "async": true });
    user(
        &home,
        json!({
        "PreToolUse": [{ "matcher": "Bash", "hooks": [log("before"), quiet] }],
        "PostToolUse": [{ "matcher": "Bash", "hooks": [log("after")] }],
        "PostToolUseFailure": [{ "hooks": [log("failed")] }],
        "PermissionDenied": [{ "hooks": [log("denied")] }] }),
    );
    home.keep("policy.toml", "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = [\"/bin/echo\", \"/bin/false\"]\ndecision = \"allow\"\npriority = 100\n\n[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"/bin/ls\"\ndecision = \"deny\"\npriority = 100\n");
    let _gateway = Gateway::start(&home);
    let events = || {
        let file = home.path().join("work/events");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let _ = std::fs::remove_file(file);
        text.replace('\n', " ")
    };
    let left = home.run(&["exec", "--", "/bin/echo", "a b"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), "a b\n"), "{left:?}");
    assert_eq!(events(), "before after ");
    let told = std::fs::read_to_string(home.path().join("work/told")).unwrap();
    let first: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((&first["tool_name"], &first["tool_input"]), (&json!("Bash"), &json!({ "command": "/bin/echo 'a b'" })));
    assert_eq!(home.run(&["exec", "--", "/bin/false"]).code, Some(1));
    assert_eq!(events(), "before failed ");
    assert_eq!(home.run(&["exec", "--", "/bin/ls"]).code, Some(77));
    assert_eq!(events(), "before denied ");
    let log = home.run(&["hooks", "log", "--json", "--event", "PreToolUse"]).json();
    assert!(log.as_array().unwrap().len() >= 3, "{log}");
}

#[test]
fn a_command_of_a_program_tells_the_hooks_as_exec_does_and_nothing_runs_twice() {
    let home = home();
    let log = |event: &str| json!([{ "hooks": [{ "type": "command", "command": format!("echo {event} >> events; exit 2") }] }]);
    user(
        &home,
        json!({ "PreToolUse": log("before"), "PermissionRequest": log("asked"), "PostToolUse": log("after"),
            "PostToolUseFailure": log("failed"), "PermissionDenied": log("denied") }),
    );
    home.keep("policy.toml", "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = [\"/bin/echo\", \"/bin/false\"]\ndecision = \"allow\"\npriority = 100\n\n[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"/bin/ls\"\ndecision = \"deny\"\npriority = 100\n");
    let gateway = Gateway::start(&home);
    let work = home.path().join("work");
    let until = |wanted: &str| {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        loop {
            let events = std::fs::read_to_string(work.join("events")).unwrap_or_default().replace('\n', " ");
            if events == wanted {
                return std::fs::remove_file(work.join("events")).unwrap();
            }
            assert!(std::time::Instant::now() < end, "{events:?} is not {wanted:?}");
            std::thread::yield_now();
        }
    };
    let mut program = gateway.line();
    let mut invoke = |command: &[&str]| {
        program.call("tools.invoke", &json!({ "argv": command, "cwd": work, "env": {} }))["result"].clone()
    };
    invoke(&["/bin/echo", "a"]);
    until("before after ");
    invoke(&["/bin/false"]);
    until("before failed ");
    invoke(&["/bin/ls"]);
    until("before denied ");
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let asked = invoke(&["/bin/cat", "/dev/null"]);
    until("before asked ");
    surface.call("approval.respond", &json!({ "id": asked["approvalId"], "decision": "approve" }));
    until("after ");
    // What `exec` asks for has the hooks of `exec`, and no others.
    assert_eq!(home.run(&["exec", "--", "/bin/echo"]).code, Some(0));
    until("before after ");
}

#[test]
fn the_documented_commands_work_and_every_option_is_documented() {
    for (document, lang) in [("HOOKS.md", "en"), ("HOOKS.ko.md", "ko")] {
        let text = std::fs::read_to_string(path(document)).unwrap();
        let home = home().with("DMPLZ_LANG", lang);
        let settings = blocks(&text, "json").next().unwrap().join("\n");
        let value: Value = serde_json::from_str(&settings).unwrap();
        home.put(".claude/settings.json", &settings);
        script(&home, "notify.sh", "#!/bin/sh\ncat > /dev/null\n");
        assert_eq!(home.run(&["hooks", "trust", "--without-asking"]).code, Some(0));
        assert!(value["hooks"].is_object());
        let commands: Vec<&str> = blocks(&text, "sh").flatten().collect();
        assert!(commands.len() >= 5, "{document}");
        for command in commands {
            let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
            let left = home.run(&arguments);
            assert_eq!(left.code, Some(0), "{document}: {command}\n{left:?}");
        }
        let rows = run(&home, &["PreToolUse"]).1;
        assert_eq!(rows[0]["whyNot"]["code"], "other_subject", "{rows:?}");
    }
}
