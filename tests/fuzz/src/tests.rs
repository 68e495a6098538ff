use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dmplz_policy::authoring::starter::STARTER;

const ROUNDS: usize = 400;
const PRESS: &str = r#"[{"update_id":5,"callback_query":{"id":"1","from":{"id":42,"is_bot":false,"first_name":"A"},
"message":{"message_id":7,"date":1,"chat":{"id":42,"type":"private"}},"data":"tag:approve"}},
{"update_id":6,"message":{"message_id":8,"date":1,"from":{"id":42,"is_bot":false},"chat":{"id":42},"text":"no 한 😀"}}]"#;
const MESSAGES: &str = r#"[{"id":"303","channel_id":"100","type":19,"content":"words","attachments":[],
"message_reference":{"message_id":"200"},"author":{"id":"5","username":"kim"}}]"#;
const QUESTIONS: &str = r#"{"hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"One?","options":[{"label":"a"},{"label":"b"}]},{"question":"Many?","multiSelect":true,"options":[{"label":"c"},{"label":"d"}]}]}}
ann q1-o2
eve q2-o1
ann q2-o1
ann q2-x1
ann q2-o2
ann q2-other
ann posted
ann said words of mine
ann q2-other more words
ann q2-next
ann q3-back
ann q2-x0
ann q2-next
ann submit"#;
const ALWAYS: &str = r#"{"hook_event_name":"PermissionRequest","cwd":"/p","tool_name":"Bash","tool_input":{"command":"git push"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push *"},{"toolName":"Bash","ruleContent":"git *"}],"behavior":"allow"}]}
ann scope-user
eve widen
ann always-user-w
ann widen
ann always-project-w
- clock 900001
ann always-user
ann tell something else
ann deny"#;
const TEXT: &str = "TOKEN=abc \u{202e}gnp\u{1b}[31m 👩\u{200d}💻 ghp_0123456789abcdefghijklmnopqrstuvwxyz\r\n\u{0}";
const LINE: &str =
    r#"{"timestamp":"2026-11-22T03:08:20Z","provider":"telegram","request_id":"a","outcome":"approved"}"#;
const POLICY: &str = r#"[[rule]]
toolName = ["Bash", "Read", "mcp__*"]
decision = "allow"
priority = 100
match = { command = "ls" }
toolAnnotations = { readOnlyHint = true }
expires = 2027-01-01
[[rule]]
mcpName = "github"
argsPattern = '"q":"[a-z]+"'
decision = "allow"
priority = 5
reason = """
several
lines"""
[[safety_checker]]
toolName = "write_file"
[safety_checker.checker]
type = "external"
name = "x"
"#;

/// Returns the inputs of `corpus/<target>.txt`, which has one in Base64 on each line; none if there is no such file.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target).with_extension("txt");
    let lines = std::fs::read_to_string(kept).unwrap_or_default();
    lines.lines().map(|line| STANDARD.decode(line).unwrap()).collect()
}

/// Runs a target on real input and on its corpus, unchanged and damaged: bytes are replaced or removed, and pieces of
/// the inputs are inserted.
fn damage(name: &str, target: fn(&[u8]), seeds: &[Vec<u8>]) {
    let seeds = [seeds, &corpus(name)].concat();
    let mut random = fastrand::Rng::with_seed(7);
    for seed in &seeds {
        target(seed);
    }
    for _ in 0..ROUNDS {
        let mut bytes = seeds[random.usize(..seeds.len())].clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..=bytes.len());
            let end = (at + random.usize(..16)).min(bytes.len());
            let other = &seeds[random.usize(..seeds.len())];
            let piece = other[..random.usize(..=other.len().min(16))].to_vec();
            drop(bytes.splice(at..end, if random.bool() { piece } else { vec![random.u8(..)] }));
        }
        target(&bytes);
    }
}

#[test]
fn hook_input_is_read_or_refused() {
    let captured = Path::new(env!("CARGO_MANIFEST_DIR")).join("../e2e/stdin");
    let read = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read(entry.unwrap().path()).unwrap();
    let mut seeds: Vec<Vec<u8>> = captured.read_dir().unwrap().map(read).collect();
    seeds.sort();
    damage("hook_input", crate::hook_input, &seeds);
}

#[test]
fn presses_and_answers_reach_no_further_than_the_card() {
    damage("presses", crate::presses, &[QUESTIONS.into(), ALWAYS.into()]);
}

#[test]
fn updates_of_telegram_are_read_or_passed() {
    damage("telegram_updates", crate::telegram_updates, &[PRESS.into()]);
}

#[test]
fn messages_of_discord_are_read_or_passed() {
    damage("discord_messages", crate::discord_messages, &[MESSAGES.into()]);
}

#[test]
fn any_text_can_be_masked() {
    damage("mask", crate::mask, &[TEXT.into(), PRESS.into()]);
}

#[test]
fn any_text_can_be_shown() {
    damage("visible", crate::visible, &[TEXT.into(), PRESS.into()]);
}

#[test]
fn a_line_is_counted_or_unreadable() {
    damage("journal_line", crate::journal_line, &[LINE.into()]);
}

#[test]
fn a_command_line_is_read_or_unclear() {
    let lines = include_str!("../../../host/policy/src/commands/tests/bash.txt");
    let written =
        lines.split("\n\n").map(|case| case.lines().filter_map(|line| line.get(2..)).collect::<Vec<_>>().join("\n"));
    damage("command", crate::command, &written.map(String::into_bytes).collect::<Vec<_>>());
}

#[test]
fn a_line_that_names_its_shell_is_as_clear_as_that_shell_makes_it() {
    crate::command(b"[[ $~ ]]\necho");
}

#[test]
fn a_policy_file_is_read_as_far_as_it_can_be_and_never_allows_too_much() {
    damage("policy", crate::policy, &[STARTER.into(), POLICY.into()]);
}
