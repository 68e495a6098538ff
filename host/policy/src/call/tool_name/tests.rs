use crate::authoring::examples::checked;
use serde_json::{Map, Value, json};

use super::*;
use crate::rules::pattern::Glob;
use crate::{Call, Decision, File, Match, Origin, Policy, Tier, Why};
use Match::{Maybe, No, Yes};

fn matches(tools: &[&str], server: Option<&str>, tool: &str, of: Option<&str>) -> Match {
    let input = Map::new();
    let call = Call { server: of, ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH) };
    let server = server.map(Glob::new);
    let known = |tool: &&str| Glob::new(if server.is_some() { Cow::Borrowed(*tool) } else { canonical(tool) });
    let tools: Vec<_> = tools.iter().map(known).collect();
    ToolName::of(&call).matches((!tools.is_empty()).then_some(&tools), server.as_ref())
}

#[test]
fn who_denies_a_tool_means_it_in_any_case() {
    for (decision, tool, expected) in [
        ("deny", "read", Decision::Deny),
        ("ask_user", "READ_FILE", Decision::AskUser),
        ("allow", "read", Decision::AskUser),
        ("allow", "Read", Decision::Allow),
        ("deny", "reader", Decision::AskUser),
    ] {
        let text = format!("[[rule]]\ntoolName = {tool:?}\ndecision = {decision:?}\npriority = 1\n");
        let origin = Origin { tier: Tier::User, path: "x".into(), root: None, trusted: true };
        let policy = Policy::new(vec![checked(File::parse(&text, origin))]);
        let input = Map::from_iter([("file_path".to_owned(), json!("x"))]);
        let judged = policy.check(&Call::new("Read", &input, jiff::Timestamp::UNIX_EPOCH));
        assert_eq!(judged.decision, expected, "{decision} {tool}");
    }
}

#[test]
fn a_rule_means_a_tool_under_every_name() {
    for (rule, tool, expected) in [
        ("Bash", "run_shell_command", Yes),
        ("run_shell_command", "Bash", Yes),
        ("grep_search", "search_file_content", Yes),
        ("Bash", "BashOutput", No),
        ("Bash", "bash", No),
        ("*", "Anything", Yes),
        ("write_*", "Write", Yes),
        ("discovered_tool_*", "discovered_tool_x", Yes),
        ("discovered_tool_*", "Bash", No),
        ("mcp_*", "Bash", No),
        ("unknown", "unknown", Yes),
    ] {
        assert_eq!(matches(&[rule], None, tool, None), expected, "{rule} {tool}");
    }
    assert_eq!(matches(&["Read", "Write"], None, "write_file", None), Yes);
    assert_eq!(matches(&[], None, "Bash", None), Yes);
}

#[test]
fn a_rule_means_a_server_s_tools_in_both_spellings() {
    for (rule, tool, expected) in [
        ("mcp__github__search", "mcp__github__search", Yes),
        ("mcp_github_search", "mcp__github__search", Yes),
        ("mcp__github__search", "mcp_github_search", Yes),
        ("mcp__github__search_issues", "mcp__github__search_issues", Yes),
        ("mcp_github_search_issues", "mcp__github__search_issues", Yes),
        ("mcp__github__search", "mcp__github__search_issues", No),
        ("mcp_*", "mcp__github__search", Yes),
        ("mcp__*", "mcp__github__search", Yes),
        ("*", "mcp__github__search", Yes),
        ("mcp__github", "mcp__github__search", Yes),
        ("mcp__github__*", "mcp__github__search", Yes),
        ("mcp_github_*", "mcp__github__search", Yes),
        ("mcp__git", "mcp__github__search", No),
        ("mcp__git*", "mcp__github__search", Yes),
        ("mcp__git__*", "mcp__git_hub__x", No),
        ("mcp_git_*", "mcp__git_hub__x", No),
        // D2 of gemini-cli: documented there, and never matches there.
        ("mcp_*_search", "mcp__github__search", Yes),
        ("mcp__*__search", "mcp_github_search", Yes),
        ("mcp_*_search", "mcp__github__research", No),
        ("*search", "mcp__github__search", Yes),
        // A bare name is no server's tool.
        ("search", "mcp__github__search", No),
        ("Bash", "mcp__github__Bash", No),
    ] {
        assert_eq!(matches(&[rule], None, tool, None), expected, "{rule} {tool}");
    }
}

#[test]
fn mcp_name_narrows_to_a_server() {
    for (tools, server, tool, expected) in [
        // D4: a server alone.
        (&[][..], "github", "mcp__github__search", Yes),
        (&[], "github", "mcp__gitlab__search", No),
        (&[], "*", "mcp__gitlab__search", Yes),
        (&[], "*", "Bash", No),
        // D3: any server's tool.
        (&["search"], "*", "mcp__github__search", Yes),
        (&["search"], "*", "mcp__github__other", No),
        (&["search"], "github", "mcp__github__search", Yes),
        (&["search", "get"], "github", "mcp_github_get", Yes),
        (&["mcp_github_search"], "github", "mcp__github__search", Yes),
        (&["*"], "github", "mcp__github__search", Yes),
        (&["read_file"], "files", "mcp__files__read_file", Yes),
        (&["Read"], "files", "mcp__files__read_file", No),
        (&["read_file"], "files", "read_file", No),
    ] {
        assert_eq!(matches(tools, Some(server), tool, None), expected, "{tools:?} {server} {tool}");
    }
}

#[test]
fn a_joined_name_is_cut_where_its_server_says_and_else_everywhere() {
    for (rule, tool, server, expected) in [
        // D6: the name alone
        ("mcp_my_server_*", "mcp_my_server_x", None, Maybe),
        ("mcp_my_*", "mcp_my_server_x", None, Maybe),
        ("mcp_your_*", "mcp_my_server_x", None, No),
        ("mcp_*", "mcp_my_server_x", None, Yes),
        ("mcp_my_server_x", "mcp_my_server_x", None, Yes),
        ("mcp__a__b", "mcp__a__b__c", None, Maybe),
        ("mcp__a", "mcp__a__b__c", None, Maybe),
        // with its server
        ("mcp_my_server_*", "mcp_my_server_x", Some("my_server"), Yes),
        ("mcp_my_*", "mcp_my_server_x", Some("my_server"), No),
        ("mcp_my_*", "mcp_my_server_x", Some("my"), Yes),
        ("mcp__my_server", "mcp__my_server__x", Some("my server"), Yes),
        ("mcp__claude_ai_Mail__*", "mcp__claude_ai_Mail__send", Some("claude.ai Mail"), Yes),
        // with a server and a bare name, as JSON lines may have it
        ("mcp__github__search", "search", Some("github"), Yes),
        ("mcp__github__search", "search", Some("gitlab"), No),
        ("Bash", "Bash", Some("evil"), Maybe),
        // a name that is not its server's
        ("mcp__github__search", "mcp__github__search", Some("evil"), Maybe),
        ("mcp__evil", "mcp__github__search", Some("evil"), Maybe),
    ] {
        assert_eq!(matches(&[rule], None, tool, server), expected, "{rule} {tool} {server:?}");
    }
}

#[test]
fn an_agent_is_named_like_a_tool() {
    let rule = [Glob::new("codebase_investigator")];
    for (tool, input, expected) in [
        ("invoke_agent", json!({"agent_name": "codebase_investigator"}), Yes),
        ("Agent", json!({"subagent_type": "codebase_investigator"}), Yes),
        ("Agent", json!({"subagent_type": "other"}), No),
        ("Bash", json!({"agent_name": "codebase_investigator"}), No),
    ] {
        let Value::Object(input) = input else { unreachable!() };
        let call = Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH);
        assert_eq!(ToolName::of(&call).matches(Some(&rule), None), expected, "{tool}");
    }
}

#[test]
fn a_policy_finds_every_rule_that_means_a_tool() {
    let tools = [
        "*", "Bash", "run_shell_command", "Read", "read_*", "b", "mcp_*", "mcp__*", "mcp__a", "mcp__a__*", "mcp__a__b",
        "mcp_a_b", "mcp_a_*", "mcp_a_b_c", "mcp_a_b_*", "mcp__a_b__c", "mcp__a_b", "mcp__a__b_c", "mcp_*_b",
        "mcp__*__b", "mcp__*b", "mcp__a__b__c", "*b", "codebase_investigator", "mcp__my.server__b", "mcp__a b",
    ];
    let servers = ["", "a", "a_b", "a b", "*", "my.server", "a__b"];
    let calls = [
        "Read", "read_file", "b", "c", "b_c", "mcp__a__b", "mcp_a_b", "mcp_a_b_c", "mcp__a_b__c", "mcp__a__b__c",
        "mcp__a__b_c", "mcp__my_server__b", "mcp_my_server_b", "mcp__", "mcp_", "mcp__a", "Agent", "",
    ];
    let given = [None, Some("a"), Some("a_b"), Some("a b"), Some("my.server"), Some("evil"), Some("a__b")];
    let input: Map<String, Value> = Map::from_iter([("agent_name".to_owned(), json!("codebase_investigator"))]);
    let mut held = 0;
    for tool in tools {
        for server in servers {
            let name = if server.is_empty() { String::new() } else { format!("mcpName = {server:?}\n") };
            let text = format!("[[rule]]\ntoolName = {tool:?}\n{name}decision = \"deny\"\npriority = 1\n");
            let text = format!("{text}[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 0\n");
            let origin = Origin { tier: Tier::User, path: "x".into(), root: None, trusted: true };
            let policy = Policy::new(vec![checked(File::parse(&text, origin))]);
            let when = &policy.rules()[0].when;
            for called in calls {
                for of in given {
                    let call = Call { server: of, ..Call::new(called, &input, jiff::Timestamp::UNIX_EPOCH) };
                    let expected = ToolName::of(&call).matches(when.tools.as_deref(), when.server.as_ref());
                    let judged = policy.check(&call);
                    let found = match (judged.decision, &judged.why) {
                        (Decision::Deny, _) => Yes,
                        (Decision::AskUser, Why::Maybe) => Maybe,
                        (decision, _) => {
                            assert_eq!(decision, Decision::Allow, "{called}");
                            No
                        }
                    };
                    assert_eq!(found, expected, "{tool} {server} {called} {of:?}");
                    held += usize::from(expected != No);
                }
            }
        }
    }
    assert!(held > 1000, "{held}");
}
