mod generated;

use super::*;
use crate::authoring::examples::checked;
use crate::rules::decision::Decision;
use crate::rules::rule::{Arguments, ExampleInput, Tier};

fn parse(text: &str) -> File {
    let origin = Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true };
    checked(File::parse(text, origin))
}

/// Returns the problems of a file, one per line.
fn problems(text: &str) -> String {
    parse(text).problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// Returns the rules that remain in force, and the number of problems.
fn kept(text: &str) -> (Vec<(Decision, u32)>, usize) {
    let file = parse(text);
    (file.rules.iter().map(|rule| (rule.decision, rule.line)).collect(), file.problems.len())
}

#[test]
fn an_allow_with_a_checker_of_its_own_asks() {
    let rule = |decision: &str| {
        format!(
            "[[rule]]\ntoolName = 'replace'\ndecision = '{decision}'\npriority = 1\n[rule.safety_checker]\nname = 'x'\n"
        )
    };
    assert_eq!(kept(&rule("allow")), (vec![(Decision::AskUser, 1)], 0));
    assert_eq!(kept(&rule("deny")), (vec![(Decision::Deny, 1)], 0));
}

#[test]
fn a_sign_in_comments_alone_is_in_no_rule() {
    for (text, expected) in [
        ("# \u{fffd}\n[[rule]] # \u{fffd}\ntoolName = 'a'", true),
        ("\u{feff}# \u{fffd}", true),
        ("[[rule]]\nname = 'a' # '\u{fffd}'", true),
        ("[[rule]]\nname = '# \u{fffd}'", false),
        ("[[rule]]\nname = \"\"\"\n# \u{fffd}\n\"\"\"", false),
        ("[[rule]]\ncommandPrefix = ['a', ['\u{fffd}']]", false),
        ("[[rule]]\n[rule.toolAnnotations]\nx = { y = '\u{fffd}' }", false),
        ("[[rule]]\n'\u{fffd}' = 1", false),
        ("[[rule]]\n\u{fffd} = 1", false),
        ("\u{fffd}# a", false),
        ("# \u{fffd}\n[[rule]", false),
    ] {
        assert_eq!(only_in_comments(text, '\u{fffd}'), expected, "{text}");
    }
}

#[test]
fn every_key_is_read() {
    let file = parse(
        r#"
[[rule]]
toolName = ["run_shell_command", "Bash"]
commandPrefix = ["git status", "git  'log'"]
decision = "allow"
priority = 100
modes = ["default", "plan"]
interactive = true
toolAnnotations = { readOnlyHint = true, n = 1, f = 1.5, l = ["a"] }
subagent = "explore*"
agent = "claude-code"
cwd = "~/work/**"
expires = 2026-12-31
allowRedirection = true
denyMessage = "no"
name = "git"
reason = "it only reads"
match = ["git status -s", { command = "git log" }]
not_match = "git push"

[[rule]]
mcpName = "github"
decision = "deny"
priority = 0
deny_message = "not there"
allow_redirection = false

[[safety_checker]]
toolName = "*"
[safety_checker.checker]
type = "in-process"
name = "conseca"

[[rule]]
toolName = "write_file"
paths = ["/src/**", "~/notes/"]
decision = "ask_user"
priority = 999
"#,
    );
    assert_eq!(file.problems, []);
    let [git, server, write, checker] = file.rules.as_slice() else { panic!("{:?}", file.rules) };
    assert_eq!(
        (git.line, git.decision, git.priority, git.allow_redirection, git.safety_check),
        (2, Decision::Allow, 100, true, false)
    );
    let Arguments::Prefixes(prefixes) = &git.when.arguments else { panic!("{:?}", git.when) };
    assert_eq!(prefixes, &[["git", "status"], ["git", "log"]]);
    assert_eq!(
        git.when.tools.as_ref().map(|tools| tools.iter().map(|tool| tool.as_str()).collect()),
        Some(vec!["Bash", "Bash"])
    );
    assert_eq!(
        serde_json::to_string(&git.when.annotations).unwrap(),
        r#"{"f":1.5,"l":["a"],"n":1,"readOnlyHint":true}"#
    );
    assert_eq!(git.when.expires.map(|end| end.to_string()).as_deref(), Some("2027-01-01T00:00:00Z"));
    assert_eq!((git.name.as_deref(), git.reason.as_deref()), (Some("git"), Some("it only reads")));
    let [first, second, example] = git.examples.as_slice() else { panic!("{:?}", git.examples) };
    assert!(first.should_match && second.should_match && !example.should_match);
    assert_eq!((example.line, &example.input), (19, &ExampleInput::Text("git push".into())));
    assert_eq!(server.when.server.as_ref().map(|server| server.as_str()), Some("github"));
    assert_eq!((server.when.tools.is_none(), server.deny_message.as_deref()), (true, Some("not there")));
    assert_eq!((write.decision, write.when.paths.is_some()), (Decision::AskUser, true));
    assert_eq!((checker.decision, checker.safety_check, checker.line), (Decision::AskUser, true, 28));
}

#[test]
fn each_problem_names_its_place_and_what_is_expected() {
    insta::assert_snapshot!(problems(
        r#"
[[rule]]
toolname = "Bash"
decision = "permit"
priority = 1000

[[rule]]
toolName = 5
commandPrefix = ["git status", "rm $x", ""]
commandRegex = "a(b"
decision = "deny"
priority = "high"
modes = ["plam"]
expires = "soon"
interactive = "yes"
match = [5]

[[rule]]
toolName = "write_file"
commandPrefix = "ls"
allowRedirection = 1
denyMessage = ""
argsPattern = ["x", '(']

[[rules]]
[safety_checker]
toolName = "*"
checker = "x"
"#
    ), @r#"
    p.toml:2:1: it has no `toolName`; `*` stands for every tool
    p.toml:3:1: unknown key `toolname`; did you mean `toolName`?
    p.toml:4:12: `decision` takes `allow`, `deny` or `ask_user`
    p.toml:5:12: `priority` takes a whole number from 0 to 999
    p.toml:8:12: `toolName` takes a text that is not empty, or a list of such
    p.toml:9:36: `$` stands for what is only known when the command runs; quote it with '...'
    p.toml:9:41: `commandPrefix` takes a text that is not empty, or a list of such
    p.toml:10:1: `commandPrefix` and `commandRegex` exclude each other
    p.toml:10:18: no regular expression: unclosed group
    p.toml:12:12: `priority` takes a whole number from 0 to 999
    p.toml:13:11: unknown mode `plam`; did you mean `plan`?
    p.toml:14:11: `expires` takes a date, or a date with a time (UTC, or with an offset)
    p.toml:15:15: `interactive` takes true or false
    p.toml:16:10: `match` takes a command, path or address, or a table that is a whole input, or a list of such
    p.toml:18:1: it has no `decision`, `allow`, `deny` or `ask_user`
    p.toml:18:1: it has no `priority`, a whole number from 0 to 999
    p.toml:20:1: `commandPrefix` is for the shell only: set `toolName = "run_shell_command"`
    p.toml:21:20: `allowRedirection` takes true or false
    p.toml:22:15: `denyMessage` takes a text that is not empty
    p.toml:23:1: `commandPrefix` and `argsPattern` exclude each other
    p.toml:23:22: no regular expression: unclosed group
    p.toml:25:3: unknown table `rules`; did you mean `rule`?
    p.toml:26:2: there may be several, so it is written `[[safety_checker]]`
    p.toml:28:11: `checker` takes a table with a `type`, `in-process` or `external`, and a `name`
    "#);
}

#[test]
fn one_bad_rule_never_drops_the_denies_beside_it() {
    for bad in [
        "toolName = 5",
        "priority = -1",
        "priority = 1.5",
        "argsPattern = '('",
        "commandPrefix = ''",
        "colour = 'red'",
        "modes = ['never']",
        "toolAnnotations = 1",
        "decision = 'maybe'",
        "reason = \"it\"s\"",
        "reason = \"\"\"not closed",
        "match = [",
        "= 1",
        "x",
        "\u{0}",
        "decision = 'allow'\ndecision = 'allow'",
        "[[rule]",
        "[rule",
        "[[rules]]",
        "[rule.x]\ny = 1",
        "rule = 1",
    ] {
        let deny = "[[rule]]\ntoolName = '*'\ndecision = 'deny'\npriority = 1\n";
        let text = format!("{deny}[[rule]]\ntoolName = 'Read'\ndecision = 'allow'\npriority = 1\n{bad}\n{deny}");
        let file = parse(&text);
        assert!(!file.problems.is_empty(), "{bad}");
        let denies = file.rules.iter().filter(|rule| rule.decision == Decision::Deny).count();
        assert_eq!(denies, 2, "{bad}: {:#?}", file.rules);
    }
}

#[test]
fn of_a_spoilt_rule_only_a_deny_stays_whose_conditions_are_known() {
    const ALLOW_ASK_DENY: [&str; 3] = ["allow", "ask_user", "deny"];
    for (bad, stays) in [
        ("reason = 1", [false, true, true]),
        ("reason = \"it\"s\"", [false, true, true]),
        ("denyMessage = 1", [false, true, true]),
        ("match = 1", [false, true, true]),
        ("colour = 'red'", [false, false, true]),
        ("expires = 'soon'", [false, false, true]),
        ("commandPrefix = ['ls', '$x']", [false, false, true]),
        ("commandPrefix = ['$x']", [false, false, false]),
        ("comandPrefix = 'rm'", [false, false, false]),
        ("argsPattern = '('", [false, false, false]),
        ("commandPrefix = 'ls' 'x'", [false, false, false]),
    ] {
        for (decision, stays) in ALLOW_ASK_DENY.into_iter().zip(stays) {
            let (rules, problems) =
                kept(&format!("[[rule]]\ntoolName = 'Bash'\n{bad}\ndecision = '{decision}'\npriority = 1\n"));
            assert_eq!((rules.len(), problems), (usize::from(stays), 1), "{decision} {bad}");
        }
    }
}

#[test]
fn a_deny_without_a_readable_priority_comes_first() {
    for priority in ["", "priority = 'x'", "priority = 1000", "priority = 1 2"] {
        let file = parse(&format!("[[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\n{priority}"));
        assert_eq!(file.rules.iter().map(|rule| rule.priority).collect::<Vec<_>>(), [999], "{priority}");
        assert_eq!(file.problems.len(), 1, "{priority}");
    }
}

#[test]
fn a_text_that_is_not_closed_reaches_to_the_end_of_its_rule_only() {
    let (rules, problems) = kept(
        "[[rule]]\ntoolName = 'a'\ndecision = 'deny'\nreason = \"\"\"x\npriority = 1\n[[rule]]\ntoolName = 'b'\ndecision = 'deny'\npriority = 1\n",
    );
    assert_eq!((rules, problems), (vec![(Decision::Deny, 1), (Decision::Deny, 6)], 1));
}

#[test]
fn byte_order_marks_and_the_lines_of_windows_are_no_problem() {
    let text = "\u{feff}# x\r\n[[rule]]\r\ntoolName = 'a'\r\ndecision = 'deny'\r\npriority = 1\r\n";
    assert_eq!(kept(text), (vec![(Decision::Deny, 2)], 0));
    assert_eq!(problems(&format!("{text}x = 1")), "p.toml:6:1: unknown key `x`\n");
}

#[test]
fn an_empty_file_has_no_rules_and_no_problems() {
    for text in ["", "\u{feff}", "# nothing\n", "rule = []\n"] {
        assert_eq!(kept(text), (Vec::new(), 0), "{text:?}");
    }
}

#[test]
fn a_file_beyond_the_limits_has_a_problem() {
    let rule = "[[rule]]\ntoolName='a'\ndecision='deny'\npriority=1\n";
    let (rules, problems) = kept(&rule.repeat(MAX_RULES + 1));
    assert_eq!((rules.len(), problems), (MAX_RULES, 1));
    assert_eq!(kept(&format!("{rule}#{}", "x".repeat(MAX_BYTES))), (Vec::new(), 1));
}

#[test]
fn names_of_tools_are_ours_and_those_of_a_server_its_own() {
    let rule = "toolName = 'write_file'\ndecision = 'deny'\npriority = 1";
    let file = parse(&format!("[[rule]]\nmcpName = 'files'\n{rule}\n[[rule]]\n{rule}"));
    let tools: Vec<_> =
        file.rules.iter().filter_map(|rule| Some(rule.when.tools.as_ref()?.first()?.as_str())).collect();
    assert_eq!(tools, ["write_file", "Write"]);
}

#[test]
fn every_damage_of_a_file_leaves_a_problem_or_a_file_that_reads() {
    let text = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = [\"git status\"]\ndecision = \"allow\"\npriority = 10\n\n[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 5\n";
    for at in 0..text.len() {
        for put in ["", "\"", "[", "]", "=", "\n", "'", "\u{0}", "é"] {
            let damaged = format!("{}{put}{}", &text[..at], &text[at + 1..]);
            let file = parse(&damaged);
            let readable = DeTable::parse(&damaged).is_ok();
            assert!(readable || !file.problems.is_empty(), "{damaged}");
        }
    }
}
