use crate::authoring::examples::checked;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::*;
use crate::call::tool_name::ToolName;
use crate::file::File;
use crate::judge::unit::Unit;
use crate::rules::rule::{Origin, Rule, Tier};
use crate::{Call, commands};

/// Conditions, many of which cover one another.
const CONDITIONS: &[&str] = &[
    r#"toolName = "Bash""#,
    r#"toolName = "Bash"; commandPrefix = "git""#,
    r#"toolName = "Bash"; commandPrefix = "git push""#,
    r#"toolName = "Bash"; commandPrefix = ["git push origin", "ls"]"#,
    r#"toolName = "Bash"; commandRegex = "git (push|pull)""#,
    r#"toolName = "Bash"; commandRegex = "git .*""#,
    r#"toolName = "Bash"; commandRegex = "gi""#,
    r#"toolName = "Bash"; commandRegex = ".*""#,
    r#"toolName = "Read"; paths = "src/**""#,
    r#"toolName = ["Read", "Edit"]; paths = "/src/a/**""#,
    r#"toolName = "Read"; paths = ["./src/a/b.md", "src/*"]"#,
    r#"toolName = "Read"; paths = "**/.env""#,
    r#"toolName = "Read"; paths = ["*.md", ".env"]"#,
    r#"toolName = "Read"; paths = "**""#,
    r#"toolName = "Read"; paths = "//etc/**""#,
    r#"toolName = "Read"; paths = ["//etc/passwd", "~/x"]"#,
    r#"toolName = "Edit"; paths = ["/**", "!/src/a"]"#,
    r#"toolName = "WebFetch"; domains = "*.x.com""#,
    r#"toolName = "WebFetch"; domains = ["a.x.com", "x.com"]"#,
    r#"toolName = "*"; domains = "*""#,
    r#"toolName = "*""#,
    r#"toolName = "mcp_*""#,
    r#"toolName = "mcp__a""#,
    r#"toolName = "mcp__a__*""#,
    r#"toolName = "mcp_a_b""#,
    r#"toolName = "mcp_*_b""#,
    r#"mcpName = "a""#,
    r#"mcpName = "*"; toolName = "b""#,
    r#"mcpName = "a"; toolName = "Read""#,
    r#"toolName = "b""#,
    r#"toolName = "Read"; argsPattern = "a""#,
];

const MORE: &[&str] = &[
    "",
    "",
    "; modes = [\"plan\"]",
    "; modes = [\"plan\", \"default\"]",
    "; interactive = true",
    "; agent = \"claude-code\"",
    "; subagent = \"x*\"",
    "; expires = 2030-01-01",
    "; cwd = \"/w/**\"",
];

fn rule(decision: &str, conditions: &str) -> Rule {
    let text = format!("[[rule]]\ndecision = \"{decision}\"\npriority = 1\n{}\n", conditions.replace("; ", "\n"));
    let file = checked(File::parse(
        &text,
        Origin { tier: Tier::User, path: "x".into(), root: Some("/w".into()), trusted: true },
    ));
    assert_eq!(file.problems, [], "{text}");
    file.rules.into_iter().next().unwrap()
}

fn holds(rule: &Rule, call: &Call<'_>) -> Match {
    let script = (call.tool == "Bash").then(|| commands::read(call.input["command"].as_str().unwrap()));
    let command = script.as_ref().and_then(|script| script.commands.first());
    let tool = ToolName::of(call);
    let unit = Unit::new(call, &tool, command);
    // The index would do the same for prefixes: here the words of a command are literal.
    let words = || command.unwrap().words.iter().map(|word| word.known.clone()).collect::<Vec<_>>();
    let prefix = match &rule.when.arguments {
        Arguments::Prefixes(prefixes) => {
            Some(Match::from(command.is_some() && prefixes.iter().any(|prefix| words().starts_with(prefix.as_slice()))))
        }
        _ => None,
    };
    rule.holds(&unit, prefix).held
}

fn calls() -> impl Strategy<Value = (&'static str, Value, Option<&'static str>)> {
    let shell = select(vec!["git", "git push", "git push origin x", "git pull", "ls -l", "gist"])
        .prop_map(|command| ("Bash", json!({ "command": command })));
    let path =
        select(vec!["/w/src/a/b.md", "/w/src/c", "/w/.env", "/w/src/.env", "/etc/passwd", "~/x", "/w/x.md", "/v/.env"]);
    let file = (select(vec!["Read", "Edit"]), path).prop_map(|(tool, path)| (tool, json!({ "file_path": path })));
    let web = select(vec!["https://x.com", "https://a.x.com", "https://b.x.com/x", "https://y.com"])
        .prop_map(|url| ("WebFetch", json!({ "url": url })));
    let other = select(vec!["mcp__a__b", "mcp__a__c", "mcp__c__b", "mcp__a__Read", "mcp_a_b", "b"])
        .prop_map(|tool| (tool, json!({ "a": 1 })));
    (prop_oneof![shell, file, web, other], select(vec![None, Some("plan"), Some("default")]))
        .prop_map(|((tool, input), mode)| (tool, input, mode))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_covers_a_rule_holds_whenever_it_does(
        decision in select(vec!["allow", "deny"]),
        first in (select(CONDITIONS), select(MORE)),
        second in (select(CONDITIONS), select(MORE)),
        (tool, input, mode) in calls(),
        subagent in select(vec![None, Some("xy")]),
    ) {
        let [first, second] = [first, second].map(|(conditions, more)| rule(decision, &format!("{conditions}{more}")));
        let input: Map<String, Value> = input.as_object().unwrap().clone();
        let call = Call {
            mode,
            subagent,
            cwd: Some(Path::new("/w")),
            home: Some(Path::new("/home/me")),
            ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH)
        };
        let [one, other] = [&first, &second].map(|rule| holds(rule, &call));
        let Sides { first_covers, second_covers, meet } = sides(&first.when, &second.when);
        prop_assert!(!first_covers || one >= other, "{tool} {input:?}: {one:?} {other:?}");
        prop_assert!(!second_covers || other >= one, "{tool} {input:?}: {one:?} {other:?}");
        prop_assert!(meet != Match::No || one.and(other) != Match::Yes, "{tool} {input:?}: they meet");
    }
}
