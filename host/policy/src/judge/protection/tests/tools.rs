use serde_json::json;

use super::decide;
use crate::Decision;
use crate::judge::protection::MAX_TEXT;

#[test]
fn file_tools_are_held_to_the_same_places() {
    for (tool, input, expected) in [
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/gateway.token"}), Decision::AskUser),
        ("Read", json!({"file_path": "~/.CLAUDE/dm-plz/../dm-plz/Gateway.Token"}), Decision::AskUser),
        ("Read", json!({"file_path": "link/gateway.token"}), Decision::AskUser),
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/policy.toml"}), Decision::Allow),
        ("Read", json!({"file_path": "/work/.dmplz/policy.toml"}), Decision::Allow),
        ("Grep", json!({"pattern": ".", "path": "/home/me/.claude"}), Decision::AskUser),
        ("Read", json!({"file_path": "/home/me/.claude"}), Decision::Allow),
        ("Grep", json!({"pattern": ".", "path": "/"}), Decision::AskUser),
        ("Grep", json!({"pattern": ".", "path": "link"}), Decision::AskUser),
        ("Grep", json!({"pattern": ".", "path": "/work"}), Decision::Allow),
        ("Grep", json!({"pattern": "."}), Decision::Allow),
        ("LS", json!({"path": "/home/me/.claude/dm-plz"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/a.txt"}), Decision::Allow),
        ("Write", json!({"file_path": "link/policy.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": "src/../.dmplz//./POLICY.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": " /work/.dmplz/policy.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/.claude.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/.claude/plugins/x/hooks.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.mcp.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/sub/.git"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/commondir"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/modules/a/hooks/x"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/COMMIT_EDITMSG"}), Decision::Allow),
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/sessions/5c1b/log"}), Decision::AskUser),
        ("Read", json!({"file_path": "link/stored/bundled-a/a-0123456789abcdef.tokens"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/a/b/.claude/settings.local.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/opt/x/messenger.wasm"}), Decision::AskUser),
        ("Edit", json!({"file_path": "/home/me/.ssh/authorized_keys"}), Decision::AskUser),
    ] {
        assert_eq!(decide(tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn a_path_is_found_anywhere_in_the_input_of_a_tool_that_nobody_knows() {
    for (input, expected) in [
        (json!({"filename": "/home/me/.claude/settings.json"}), Decision::AskUser),
        (json!({"files": [{"path": "/work/.mcp.json"}]}), Decision::AskUser),
        (json!({"args": {"dst": "~/.claude/dm-plz/policy.toml"}}), Decision::AskUser),
        (json!({"uri": "file:///home/me/.claude/dm-plz/gateway.token"}), Decision::AskUser),
        (json!({"uri": "FILE://localhost/home/me/.claude%2Fsettings.json"}), Decision::AskUser),
        (json!({"x": {"y": [["a", {"z": "../work/.dmplz/policy.toml"}]]}}), Decision::AskUser),
        (json!({"p": "src/../../home/me/.zshrc"}), Decision::AskUser),
        (json!({"p": "sub/.claude/settings.json"}), Decision::AskUser),
        (json!({"cmd": "cp e ~/.claude/settings.json"}), Decision::AskUser),
        (json!({"argv": ["cp", "e", "--to=/home/me/.bashrc"]}), Decision::AskUser),
        (json!({"/home/me/.claude/settings.json": "content"}), Decision::AskUser),
        (json!({"edits": [{"file": "link/policy.toml", "text": "x"}]}), Decision::AskUser),
        (json!({"dir": "/home/me/.claude"}), Decision::AskUser),
        (json!({"path": "/work/src/main.rs"}), Decision::Allow),
        (json!({"path": "."}), Decision::Allow),
        (json!({"query": "what is ~5 minutes", "n": 3}), Decision::Allow),
        (json!({"text": "See the file README.md, and src/."}), Decision::Allow),
        (json!({}), Decision::Allow),
    ] {
        assert_eq!(decide("mcp__files__do", input.clone()), expected, "{input}");
    }
    for (length, expected) in [(MAX_TEXT, Decision::Allow), (MAX_TEXT + 1, Decision::AskUser)] {
        let rest = "x".repeat(length - "text".len());
        assert_eq!(decide("mcp__files__do", json!({ "text": rest })), expected, "{length}");
    }
}
