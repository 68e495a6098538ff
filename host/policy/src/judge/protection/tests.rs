use std::path::Path;

use serde_json::{Value, json};

use crate::places::Places;
use crate::tests::{object, roots, sound};
use crate::{Call, Decision, Why};

mod by_program;
mod linked;
mod placed;
mod reading;
mod split;
mod tools;
mod unpacked;
mod writing;

const STATE: &str = "/home/me/.claude/dm-plz";

/// A policy that allows the programs with which files are read and written, and every other tool.
const RULES: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["cp", "mv", "ln", "diff", "tee", "touch", "mkdir", "rm", "install", "tar", "unzip", "cat", "head", "grep", "rg", "ls", "wc",
    "find", "xargs cat", "sed", "mytool", "chmod", "cd", "rsync", "dd", "git show", "git checkout", "echo", "curl", "wget", "nc", "socat", "read", "npm test", "rm -rf named", "jaq -i",
    "git clone", "git worktree add", "git submodule add", "zip", "7z a", "gzip", "zcat", "zstd", "zstdcat", "ctags"]
decision = "allow"
priority = 100
allowRedirection = true

[[rule]]
toolName = ["Read", "Write", "Edit", "Grep", "Glob", "LS", "mcp__*"]
decision = "allow"
priority = 100
"#;

fn decide_with(rules: &str, tool: &str, input: Value) -> Decision {
    judge(rules, tool, input).0
}

/// Returns why a command is decided as it is.
fn why(line: &str) -> String {
    judge(RULES, "Bash", json!({ "command": line })).1.to_string()
}

fn judge(rules: &str, tool: &str, input: Value) -> (Decision, Why) {
    let policy = sound(rules);
    let places = Places::of(roots());
    let links = |path: &Path| match path.strip_prefix("/work/link") {
        Ok(rest) => Some(Path::new(STATE).join(rest)),
        Err(_) if path == Path::new("/work/sub/.envrc") => Some("/srv/plain".into()),
        // Of the process that decides, not of the one that is started.
        Err(_) if path.starts_with("/proc/self/cwd") => {
            path.strip_prefix("/proc/self/cwd").ok().map(|rest| Path::new("/srv").join(rest))
        }
        Err(_) => linked::real_path(path),
    };
    let input = object(input);
    let call = Call {
        cwd: Some(Path::new("/work")),
        home: Some(Path::new("/home/me")),
        places: &places,
        real_path: &links,
        entries_in: &linked::entries_in,
        holds_rules: &|path| ["/work/holds", "/work/named"].iter().any(|folder| path == Path::new(folder)),
        links_below: &linked::links_below,
        ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH)
    };
    let judgement = policy.check(&call);
    (judgement.decision, judgement.why)
}

fn decide(tool: &str, input: Value) -> Decision {
    decide_with(RULES, tool, input)
}

#[track_caller]
fn lines(expected: Decision, lines: &[&str]) {
    let decided = |line: &&str| decide("Bash", json!({ "command": line })) != expected;
    let wrong: Vec<&&str> = lines.iter().filter(|line| decided(line)).collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{wrong:#?}");
}

#[test]
fn what_no_protected_place_is_near_stays_allowed() {
    lines(
        Decision::Allow,
        &[
            "cp a b",
            "cp a.txt .",
            "cp -r src dst",
            "cp a ~/x.txt",
            "mv a b",
            "mv src/*.rs old/",
            "rm -rf node_modules target",
            "mv old new",
            "rm -f -- *.o",
            "mkdir -p a/b",
            "touch a/{b,c}.txt",
            "tar xf e.tar -C out",
            "wget -q https://example.com/a.tar.gz",
            "wget -qO- \"https://example.com/$x\"",
            "wget \"https://$x/a.tar.gz\"",
            "cat README.md src/*.rs",
            "cat /proc/cpuinfo /proc/1/status",
            "head -3 /proc/*/stat",
            "ls /proc/1/environ",
            "cat environ src/mem",
            "cat /dev/stdin < a",
            "cat /dev/fd/3 3< a",
            "ls /proc/1/fd",
            "cat ~/.zshrc",
            "cat ~//.zshrc ~//notes.md",
            "ls [a-c]*",
            "ls [[:upper:]]*",
            "cat src/[[:lower:]]*.rs",
            "cat src/[]a]x.rs src/[!a].rs src/[ab]/[cd].rs",
            "touch out/[[:lower:]].txt",
            "cat .claude/settings.json",
            "cat .git/config",
            "ls ~/.claude",
            "ls *",
            "grep -r x s*",
            "cat *.md",
            "ls $x",
            "wc -l $x",
            "for f in a b; do cat $f; done",
            "for f in src/*.rs; do grep -n x \"$f\"; done",
            "d=src; cat $d/main.rs",
            "d=a; d+=b; cat \"$d/README.md\"",
            "d='[a]'; cat \"$d\" \"$d/main.rs\"",
            "cd src && cat main.rs",
            "cat \"$(echo x)\"/README.md",
            "cat \"$(echo x)\"/my-notes.md",
            "cat \"$(echo x)\"/src/*.rs",
            "cat ~/**/README.md",
            "cd $x && cat a-01234.log",
            "touch .git/x",
            "grep -rn x .",
            "rg x src",
            "find . -name '*.rs' -exec grep -n x {} +",
            "find src -name '*.rs' -exec grep -n x {} ;",
            "find src -name '*.rs' -execdir cat README.md \\;",
            "find src -name '*.rs' -execdir ls -l {} \\;",
            "git clone https://x/y.git",
            "git clone --depth 1 -b main git@x:me/y.git sub/y",
            "git worktree add ../w main",
            "git submodule add https://x/y vendor/y",
            "echo ~/.claude/settings.json",
            "echo x > out.txt",
            "echo x > /tmp/x",
            "git show HEAD:.claude/settings.json",
            "mytool src a.txt",
            "mytool ~",
            "mytool /home",
            "rm -rf '' -",
            "rm -rf named",
            "cat holds",
            "ls $x/**",
            "cat .*rc .*.md",
            "ls -d .*",
            "cat .*",
            "cat src/.*/x",
            "cd ~/src && ls .*",
            "cd src/sub && cat .*/gateway.token",
            "npm test -- $x",
            "cat $HOME/gateway.token",
            "cat \"$PWD/gateway.token\"",
            "cat ~/gateway.*",
            "cd src* && touch settings.json",
        ],
    );
}

#[test]
fn a_rule_that_names_what_is_run_later_may_allow_it() {
    let rules = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["tee ~/.zshrc", "tee .claude/settings.json", "tee"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Write"
paths = [".husky/**", "**/*.md", "~/bin/**", "~/Library/LaunchAgents/*", "~/.cargo/bin/*"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Edit"
paths = ["//home/me/*", "./*"]
decision = "allow"
priority = 100
"#;
    for (tool, input, expected) in [
        ("Bash", json!({"command": "tee ~/.zshrc"}), Decision::Allow),
        ("Bash", json!({"command": "tee ~/.zshenv"}), Decision::AskUser),
        ("Bash", json!({"command": "tee .claude/settings.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.husky/pre-commit"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/README.md"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/.git/hooks/a.md"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/worktrees/a.md"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/bin/x"}), Decision::Allow),
        ("Write", json!({"file_path": "/home/me/Library/LaunchAgents/x"}), Decision::Allow),
        ("Write", json!({"file_path": "/home/me/.cargo/bin/x"}), Decision::Allow),
        ("Edit", json!({"file_path": "/home/me/.zshrc"}), Decision::AskUser),
        ("Edit", json!({"file_path": "./.envrc"}), Decision::AskUser),
    ] {
        assert_eq!(decide_with(rules, tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn what_is_held_back_says_which_place_it_is_about() {
    for (line, expected) in [
        ("tee .dmplz/x", "it may change what is allowed (.dmplz/x)"),
        ("tee .mcp.json", "it may change what an agent is allowed or loads (.mcp.json)"),
        ("tee /opt/x/messenger.wasm", "it may replace a program that decides (/opt/x/messenger.wasm)"),
        ("cat link/push.key", "it may show what proves who somebody is (link/push.key)"),
        ("tee .envrc", "it may change what is run later (.envrc)"),
    ] {
        assert_eq!(why(line), format!("a rule allows it, but {expected}"), "{line}");
    }
}
