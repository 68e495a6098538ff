//! The index finds every rule that holds.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::call::tool_name::ToolName;
use crate::judge;
use crate::judge::index::Candidate;
use crate::judge::unit::Unit;
use crate::rules::decision::Match;

const CONDITIONS: [&str; 24] = [
    "toolName = \"*\"",
    "toolName = \"Bash\"",
    "toolName = \"Read\"",
    "toolName = [\"Write\", \"replace\"]",
    "toolName = \"Read\"\npaths = [\"src/**\"]",
    "toolName = \"Read\"\npaths = [\"*.md\", \"!x.md\"]",
    "toolName = \"*\"\npaths = [\"**/.env\", \"~/.ssh/**\"]",
    "toolName = [\"Write\", \"Edit\"]\npaths = [\"//etc/**\", \"//etc/x*\"]",
    "toolName = [\"Read\", \"Grep\", \"Glob\"]\npaths = [\"secret/\"]",
    "toolName = \"mcp_*\"",
    "mcpName = \"git_hub\"",
    "mcpName = \"git_hub\"\ntoolName = \"search\"",
    "mcpName = \"*\"\ntoolName = \"search\"",
    "toolName = \"mcp__git_hub__search\"",
    "toolName = \"mcp_git_hub_search\"",
    "toolName = \"mcp__git_hub\"",
    "toolName = \"search\"",
    "toolName = \"WebFetch\"\ndomains = [\"*.example.com\"]",
    "toolName = \"helper\"",
    "toolName = \"Bash\"\ncommandPrefix = [\"git push\", \"rm\"]",
    "toolName = \"Bash\"\ncommandRegex = \"git (push|pull)( .*)?$\"",
    "toolName = \"Bash\"\ncommandRegex = \"(git|rm) .*\"",
    "toolName = \"Bash\"\nargsPattern = \"push\"",
    "toolName = \"Bash\"\ncwd = [\"//work\"]",
];

const CALLS: [(&str, &str, Option<&str>); 19] = [
    ("Bash", r#"{"command":"git push && rm x"}"#, None),
    ("run_shell_command", r#"{"command":"git -C x push; $x; /bin/rm"}"#, None),
    ("Bash", r#"{"command":"cat .env > secret/x"}"#, None),
    ("Read", r#"{"file_path":"/work/src/a.md"}"#, None),
    ("Read", r#"{"file_path":"src/../x.md"}"#, None),
    ("read_file", r#"{"file_path":"/work/a/.env"}"#, None),
    ("Read", r#"{"file_path":"~/.ssh/id"}"#, None),
    ("Write", r#"{"file_path":"/etc/passwd"}"#, None),
    ("replace", r#"{"file_path":"../etc/xyz"}"#, None),
    ("Grep", r#"{"pattern":"x","path":"/work"}"#, None),
    ("Glob", r#"{"pattern":"**"}"#, None),
    ("Write", r#"{}"#, None),
    ("mcp__git_hub__search", r#"{"path":"/work/.env"}"#, None),
    ("mcp_git_hub_search", r#"{}"#, None),
    ("mcp_git_hub_search", r#"{}"#, Some("git_hub")),
    ("search", r#"{}"#, Some("git_hub")),
    ("search", r#"{}"#, None),
    ("WebFetch", r#"{"url":"https://a.example.com/"}"#, None),
    ("Task", r#"{"subagent_type":"helper"}"#, None),
];

#[test]
fn the_index_leaves_out_what_is_about_something_else() {
    for (condition, tool, input) in [
        ("toolName = \"Read\"", "Bash", json!({"command": "ls"})),
        ("mcpName = \"git_hub\"", "Read", json!({})),
        ("mcpName = \"git_hub\"\ntoolName = \"search\"", "mcp__git_hub__list", json!({})),
        ("toolName = \"Read\"\npaths = [\"**/.env\"]", "Read", json!({"file_path": "/work/a"})),
        ("toolName = \"Bash\"\ncommandPrefix = \"git push\"", "Bash", json!({"command": "git pull"})),
        ("toolName = \"Bash\"\ncommandRegex = \"git push\"", "Bash", json!({"command": "ls"})),
    ] {
        for decision in ["allow", "deny"] {
            let policy = sound(&format!("[[rule]]\n{condition}\ndecision = \"{decision}\"\npriority = 1\n"));
            let input = object(input.clone());
            let mut call = Call::new(tool, &input, now());
            (call.cwd, call.home) = (Some(Path::new("/work")), Some(Path::new("/home/me")));
            let (tool, script) = (ToolName::of(&call), judge::script(&call));
            for command in judge::units(script.as_ref()) {
                let mut found: Vec<Candidate> = Vec::new();
                policy.candidates(&Unit::new(&call, &tool, command), &mut found);
                assert_eq!(found, [], "{condition} {decision}");
            }
        }
    }
}

proptest! {
    #[test]
    fn the_index_finds_every_rule_that_holds(
        rules in prop::collection::vec((select(&CONDITIONS[..]), select(&["allow", "deny", "ask_user"][..])), 1..12),
        (tool, input, server) in select(&CALLS[..]),
        knows_cwd: bool,
    ) {
        let text: String = rules.iter().map(|(when, decision)| {
            format!("[[rule]]\n{when}\ndecision = \"{decision}\"\npriority = 1\n")
        }).collect();
        let policy = sound(&text);
        let input = object(serde_json::from_str(input).unwrap());
        let mut call = Call::new(tool, &input, now());
        call.server = server;
        call.cwd = knows_cwd.then_some(Path::new("/work"));
        call.home = Some(Path::new("/home/me"));
        let tool = ToolName::of(&call);
        let script = judge::script(&call);
        for command in judge::units(script.as_ref()) {
            let unit = Unit::new(&call, &tool, command);
            let mut found: Vec<Candidate> = Vec::new();
            policy.candidates(&unit, &mut found);
            for (rank, rule) in (0u32..).zip(policy.rules()) {
                let holds = rule.holds(&unit, None).held != Match::No;
                prop_assert!(!holds || found.iter().any(|found| found.rank == rank), "{:?} of {text}", rule.place());
            }
        }
    }
}
