//! Protected places that a single program reaches in a way of its own, each under a rule that allows that program.

use serde_json::json;

use super::decide_with;
use crate::Decision;

/// Checks lines that have the words that the rule names, ` : `, and the other words.
#[track_caller]
fn lines(expected: Decision, lines: &[&str]) {
    let decided = |line: &str| {
        let (named, rest) = line.split_once(" :").unwrap();
        let rule =
            format!("[[rule]]\ntoolName = 'Bash'\ncommandPrefix = \"{named}\"\ndecision = 'allow'\npriority = 100\n");
        decide_with(&rule, "Bash", json!({ "command": format!("{named}{rest}") })) != expected
    };
    let wrong: Vec<&&str> = lines.iter().filter(|line| decided(line)).collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{wrong:#?}");
}

#[test]
fn the_arguments_of_a_script_are_no_protected_places() {
    lines(
        Decision::AskUser,
        &[
            "python3 -m json.tool : a.json .claude/settings.json",
            "python3 -m json.tool : a.json ~/.bashrc",
            "python3 scripts/fmt.py : .claude/settings.json",
            "python3 scripts/fmt.py : src/a.py .claude/settings.json",
            "python3 scripts/fmt.py : --out=.claude/settings.json",
            "python3 scripts/fmt.py : ~/.claude/dm-plz/gateway.token",
            "node x.js : a .mcp.json",
            "ruby x.rb : a .mcp.json",
            "perl x.pl : a .mcp.json",
            "php x.php : a .mcp.json",
            "tsx x.ts : a .mcp.json",
            "bun x.ts : a .mcp.json",
            "bun run fmt : a .mcp.json",
            "pnpm run fmt : a .mcp.json",
            "Rscript x.R : a .mcp.json",
            "lua x.lua : a .mcp.json",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "python3 -m json.tool : a.json",
            "python3 scripts/fmt.py : src/a.py",
            "python3 scripts/fmt.py : src/a.py src/b.py --out=src/c.py",
            "node x.js : a $x",
            "bun run fmt : src",
            "Rscript x.R : data.csv",
        ],
    );
}

#[test]
fn a_copy_that_is_a_second_name_is_as_a_link() {
    lines(
        Decision::AskUser,
        &[
            "cp : -l ~/.claude/dm-plz/policy.toml c",
            "cp : --link ~/.claude/dm-plz/policy.toml c",
            "cp : --li ~/.claude/dm-plz/policy.toml c",
            "cp : -s ~/.claude/dm-plz/policy.toml c",
            "cp : -al ~/.claude c",
            "cp : -t d -l .mcp.json",
            "cp : ~/.claude/dm-plz/policy.toml c --symbolic-link",
        ],
    );
    lines(
        Decision::Allow,
        &["cp : ~/.claude/dm-plz/policy.toml c", "cp : -l a b", "cp : -r a b", "cp : -al src dst", "cp : a b/"],
    );
}
