//! Configurations in the shapes in which people publish them, written anew: what of each runs for an event.

use serde_json::{Value, json};

use super::*;
use crate::input::Input;
use crate::plan::{Source, Standing, plan};

/// A configuration: what it is for, its `hooks`, an event, and the commands that run, in order.
type Case = (&'static str, Value, (&'static str, Value), &'static [&'static str]);

/// Groups of one event, each a matcher and its commands.
fn on(event: &str, groups: &[(&str, &[&str])]) -> Value {
    let group = |(matcher, commands): &(&str, &[&str])| {
        let hooks: Vec<_> = commands.iter().map(|command| json!({ "type": "command", "command": command })).collect();
        match *matcher {
            "" => json!({ "hooks": hooks }),
            matcher => json!({ "matcher": matcher, "hooks": hooks }),
        }
    };
    json!({ event: groups.iter().map(group).collect::<Vec<_>>() })
}

/// One handler with its options.
fn one(event: &str, matcher: &str, handler: Value) -> Value {
    json!({ event: [{ "matcher": matcher, "hooks": [handler] }] })
}

fn bash(command: &str) -> Value {
    json!({ "tool_name": "Bash", "tool_input": { "command": command } })
}

fn edit(tool: &str, path: &str) -> Value {
    json!({ "tool_name": tool, "tool_input": { "file_path": path } })
}

fn tool(name: &str) -> Value {
    json!({ "tool_name": name, "tool_input": {} })
}

fn command(line: &str, more: Value) -> Value {
    let mut handler = json!({ "type": "command", "command": line });
    if let (Value::Object(handler), Value::Object(more)) = (&mut handler, more) {
        handler.extend(more);
    }
    handler
}

fn cases() -> Vec<Case> {
    const FORMAT: &str = "jq -r '.tool_input.file_path' | xargs npx prettier --write";
    const GUARD: &str = "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh";
    vec![
        (
            "a formatter after edits",
            on("PostToolUse", &[("Edit|MultiEdit|Write", &[FORMAT])]),
            ("PostToolUse", edit("Write", "/p/a.ts")),
            &[FORMAT],
        ),
        (
            "the same after a read",
            on("PostToolUse", &[("Edit|MultiEdit|Write", &[FORMAT])]),
            ("PostToolUse", tool("Read")),
            &[],
        ),
        (
            "a formatter for two tools, with blanks",
            on("PostToolUse", &[("Edit | Write", &["gofmt -w ."])]),
            ("PostToolUse", edit("Edit", "/p/a.go")),
            &["gofmt -w ."],
        ),
        (
            "commas between tools",
            on("PostToolUse", &[("Edit, Write", &["black ."])]),
            ("PostToolUse", edit("Write", "/p/a.py")),
            &["black ."],
        ),
        (
            "a log of every command",
            on("PreToolUse", &[("Bash", &["jq -r .tool_input.command >> ~/commands.log"])]),
            ("PreToolUse", bash("ls")),
            &["jq -r .tool_input.command >> ~/commands.log"],
        ),
        (
            "a guard of all tools by a star",
            on("PreToolUse", &[("*", &[GUARD])]),
            ("PreToolUse", tool("mcp__memory__add")),
            &[GUARD],
        ),
        (
            "a guard of all tools by an expression",
            on("PreToolUse", &[(".*", &[GUARD])]),
            ("PreToolUse", tool("WebFetch")),
            &[GUARD],
        ),
        ("a guard without a matcher", on("PreToolUse", &[("", &[GUARD])]), ("PreToolUse", tool("Task")), &[GUARD]),
        (
            "protected files",
            on("PreToolUse", &[("Edit|Write", &["python3 ~/.claude/hooks/protect.py"])]),
            ("PreToolUse", edit("Edit", "/p/.env")),
            &["python3 ~/.claude/hooks/protect.py"],
        ),
        (
            "all tools of a server",
            on("PreToolUse", &[("mcp__github__.*", &["audit.sh"])]),
            ("PreToolUse", tool("mcp__github__create_issue")),
            &["audit.sh"],
        ),
        (
            "writing tools of any server",
            on("PreToolUse", &[("mcp__.*__write.*", &["audit.sh"])]),
            ("PreToolUse", tool("mcp__fs__write_file")),
            &["audit.sh"],
        ),
        (
            "the bare name of a server matches nothing",
            on("PreToolUse", &[("mcp__github", &["audit.sh"])]),
            ("PreToolUse", tool("mcp__github__create_issue")),
            &[],
        ),
        (
            "a prefix with a star",
            on("PreToolUse", &[("mcp__github__*", &["audit.sh"])]),
            ("PreToolUse", tool("mcp__github__create_issue")),
            &["audit.sh"],
        ),
        ("a lower-case name matches nothing", on("PreToolUse", &[("bash", &["x"])]), ("PreToolUse", bash("ls")), &[]),
        (
            "a permission rule as a matcher matches nothing",
            on("PreToolUse", &[("Bash(git push *)", &["x"])]),
            ("PreToolUse", bash("git push")),
            &[],
        ),
        ("anchored names", on("PreToolUse", &[("^(Write|Edit)$", &["x"])]), ("PreToolUse", tool("MultiEdit")), &[]),
        (
            "a push by if",
            one("PreToolUse", "Bash", command("notify.sh", json!({ "if": "Bash(git push *)" }))),
            ("PreToolUse", bash("git add -A && git push origin main")),
            &["notify.sh"],
        ),
        (
            "another command than that of if",
            one("PreToolUse", "Bash", command("notify.sh", json!({ "if": "Bash(git push *)" }))),
            ("PreToolUse", bash("git status")),
            &[],
        ),
        (
            "files by if",
            one("PostToolUse", "Edit|Write", command("tsc --noEmit", json!({ "if": "Edit(*.ts)" }))),
            ("PostToolUse", edit("Edit", "/p/src/a.ts")),
            &["tsc --noEmit"],
        ),
        (
            "files by if, of another tool",
            one("PostToolUse", "Edit|Write", command("tsc --noEmit", json!({ "if": "Edit(*.ts)" }))),
            ("PostToolUse", edit("Write", "/p/src/a.ts")),
            &[],
        ),
        (
            "a server by if",
            one("PreToolUse", "", command("audit.sh", json!({ "if": "mcp__github" }))),
            ("PreToolUse", tool("mcp__github__create_issue")),
            &[],
        ),
        (
            "a sound when it waits",
            on("Notification", &[("", &["afplay /System/Library/Sounds/Glass.aiff"])]),
            ("Notification", json!({ "notification_type": "idle_prompt" })),
            &["afplay /System/Library/Sounds/Glass.aiff"],
        ),
        (
            "a notice for permissions only",
            on(
                "Notification",
                &[("permission_prompt", &["notify-send Claude 'needs you'"]), ("idle_prompt", &["true"])],
            ),
            ("Notification", json!({ "notification_type": "permission_prompt" })),
            &["notify-send Claude 'needs you'"],
        ),
        (
            "one script for two kinds",
            on("Notification", &[("permission_prompt|idle_prompt", &["ding"])]),
            ("Notification", json!({ "notification_type": "idle_prompt" })),
            &["ding"],
        ),
        (
            "macOS's own notice",
            on("Notification", &[("", &["osascript -e 'display notification \"Claude waits\"'"])]),
            ("Notification", json!({ "notification_type": "permission_prompt" })),
            &["osascript -e 'display notification \"Claude waits\"'"],
        ),
        (
            "ntfy by curl",
            on("Notification", &[("", &["curl -s -d \"$(jq -r .message)\" ntfy.sh/my-topic"])]),
            ("Notification", json!({ "notification_type": "x", "message": "hi" })),
            &["curl -s -d \"$(jq -r .message)\" ntfy.sh/my-topic"],
        ),
        (
            "tests at the end of a turn",
            on("Stop", &[("", &["npm test --silent"])]),
            ("Stop", json!({ "stop_hook_active": false })),
            &["npm test --silent"],
        ),
        ("a matcher at Stop is ignored", on("Stop", &[("Bash", &["say done"])]), ("Stop", json!({})), &["say done"]),
        ("a star at Stop", on("Stop", &[("*", &["say done"])]), ("Stop", json!({})), &["say done"]),
        ("several commands of a group", on("Stop", &[("", &["a", "b", "c"])]), ("Stop", json!({})), &["a", "b", "c"]),
        ("the same command twice", on("Stop", &[("", &["a", "a"]), ("", &["a"])]), ("Stop", json!({})), &["a"]),
        (
            "a summary of subagents",
            on("SubagentStop", &[("", &["log.sh"])]),
            ("SubagentStop", json!({ "agent_type": "Explore" })),
            &["log.sh"],
        ),
        (
            "one kind of subagent",
            on("SubagentStop", &[("Plan", &["log.sh"])]),
            ("SubagentStop", json!({ "agent_type": "Explore" })),
            &[],
        ),
        (
            "context at the start",
            on("SessionStart", &[("startup|resume", &["git log --oneline -5"])]),
            ("SessionStart", json!({ "source": "startup" })),
            &["git log --oneline -5"],
        ),
        (
            "context after clear only",
            on("SessionStart", &[("clear", &["cat NOTES.md"])]),
            ("SessionStart", json!({ "source": "startup" })),
            &[],
        ),
        (
            "an environment for the session",
            on("SessionStart", &[("", &["echo 'export NODE_ENV=test' >> \"$CLAUDE_ENV_FILE\""])]),
            ("SessionStart", json!({ "source": "resume" })),
            &["echo 'export NODE_ENV=test' >> \"$CLAUDE_ENV_FILE\""],
        ),
        (
            "cleaning up",
            on("SessionEnd", &[("", &["rm -f /tmp/session.lock"])]),
            ("SessionEnd", json!({ "reason": "other" })),
            &["rm -f /tmp/session.lock"],
        ),
        (
            "cleaning up after logout",
            on("SessionEnd", &[("logout", &["x"])]),
            ("SessionEnd", json!({ "reason": "logout" })),
            &["x"],
        ),
        (
            "a check of prompts",
            on("UserPromptSubmit", &[("", &["uv run .claude/hooks/prompt.py"])]),
            ("UserPromptSubmit", json!({ "prompt": "x" })),
            &["uv run .claude/hooks/prompt.py"],
        ),
        (
            "a copy before compacting",
            on("PreCompact", &[("manual", &["cp t b"]), ("auto", &["cp t c"])]),
            ("PreCompact", json!({ "trigger": "auto" })),
            &["cp t c"],
        ),
        (
            "failures of tools",
            on("PostToolUseFailure", &[("Bash", &["report.sh"])]),
            ("PostToolUseFailure", bash("false")),
            &["report.sh"],
        ),
        (
            "permission requests",
            on("PermissionRequest", &[("Bash", &["ask.sh"])]),
            ("PermissionRequest", bash("rm x")),
            &["ask.sh"],
        ),
        (
            "dmplz beside another hook",
            json!({ "PermissionRequest": [{ "hooks": [command("dmplz", json!({ "args": ["hook"], "timeout": 300 })), command("log.sh", json!({}))] }] }),
            ("PermissionRequest", bash("rm x")),
            &["log.sh"],
        ),
        (
            "a prompt beside a command",
            json!({ "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "is it done?" }, command("a", json!({}))] }] }),
            ("Stop", json!({})),
            &["a"],
        ),
        (
            "http, agent and mcp_tool",
            json!({ "Stop": [{ "hooks": [{ "type": "http", "url": "http://127.0.0.1:1" }, { "type": "agent", "prompt": "x" }, { "type": "mcp_tool", "server": "s", "tool": "t" }] }] }),
            ("Stop", json!({})),
            &[],
        ),
        (
            "arguments without a shell",
            one(
                "PreToolUse",
                "Write",
                command("node", json!({ "args": ["${CLAUDE_PROJECT_DIR}/check.js"], "timeout": 10 })),
            ),
            ("PreToolUse", tool("Write")),
            &["node '${CLAUDE_PROJECT_DIR}/check.js'"],
        ),
        (
            "in the background, with a message",
            one(
                "PostToolUse",
                "",
                command("index.sh", json!({ "async": true, "statusMessage": "Indexing", "description": "d" })),
            ),
            ("PostToolUse", tool("Write")),
            &["index.sh"],
        ),
        (
            "milliseconds as seconds",
            one("PreToolUse", "Write", command("slow.sh", json!({ "timeout": 60000 }))),
            ("PreToolUse", tool("Write")),
            &["slow.sh"],
        ),
        ("options of the future", one("Stop", "", command("a", json!({ "retries": 3 }))), ("Stop", json!({})), &["a"]),
        (
            "a broken group beside a good one",
            json!({ "Stop": [7, { "matcher": "x" }, { "hooks": [command("good", json!({}))] }] }),
            ("Stop", json!({})),
            &["good"],
        ),
        ("an event of another client", on("BeforeTool", &[("", &["x"])]), ("PreToolUse", tool("Write")), &[]),
        ("a misspelt event", on("preToolUse", &[("", &["x"])]), ("PreToolUse", tool("Write")), &[]),
        (
            "an expression that is none",
            on("PreToolUse", &[("Edit(|Write", &["x"]), ("", &["y"])]),
            ("PreToolUse", tool("Write")),
            &["y"],
        ),
        (
            "a changed file by its name",
            on("FileChanged", &[(".envrc|.env", &["direnv export bash"])]),
            ("FileChanged", json!({ "file_path": "/p/.env" })),
            &["direnv export bash"],
        ),
    ]
}

#[test]
fn what_people_publish_runs_as_in_the_client() {
    let cases = cases();
    assert!(cases.len() >= 40);
    for (name, hooks, (event, fields), expected) in cases {
        let text = json!({ "hooks": hooks }).to_string();
        let source = Source {
            kind: dmplz_core::claude::SettingsFile::User,
            path: "/home/u/.claude/settings.json".into(),
            standing: Standing::On,
            hooks: parse(&text, Dialect::Claude),
        };
        let input = Input::new(event, fields.as_object().unwrap().clone());
        let sources = [source];
        let planned = plan(&sources, &input, Some(Path::new("/home/u")));
        let runs = planned.iter().filter(|planned| planned.skip.is_none());
        let runs: Vec<String> = runs.filter_map(|planned| Some(planned.handler.command.as_ref()?.shown())).collect();
        assert_eq!(runs, expected, "{name}: {text}");
    }
}
