//! Tests of what the rules leave to grants.

use super::*;
use crate::tests::file;
use crate::{File, Tier};

fn rule(decision: &str, rest: &str) -> String {
    format!("[[rule]]\ndecision = \"{decision}\"\npriority = 10\n{rest}\n")
}

/// Returns whether a grant for a command allows it again.
fn again(policy: &Policy, command: &str) -> bool {
    repeated(policy, "Bash", json!({ "command": command }))
}

fn repeated(policy: &Policy, tool: &str, input: Value) -> bool {
    let grant = given(tool, &input, None, HERE).unwrap_or_else(|| panic!("{tool} {input}"));
    let allowed = allows(policy, &grant, tool, &input, HERE);
    let offered = with(tool, &input, HERE, |call| policy.grantable(call));
    assert_eq!(offered.is_some(), allowed, "what is offered is what counts: {tool} {input}");
    allowed
}

fn of(files: &[(&str, Tier)]) -> Policy {
    Policy::new(files.iter().map(|(text, tier)| file(text, *tier, true)).collect::<Vec<File>>())
}

#[test]
fn a_deny_of_any_tier_wins() {
    let deny = rule("deny", "toolName = \"Bash\"\ncommandPrefix = \"git push\"");
    for tier in [Tier::Workspace, Tier::User, Tier::Admin] {
        let policy = of(&[(&deny, tier)]);
        assert!(!again(&policy, "git push"), "{tier:?}");
        assert!(!again(&policy, "make && git push"), "{tier:?}");
        assert!(again(&policy, "git pull"), "{tier:?}");
    }
}

#[test]
fn a_deny_that_only_may_hold_wins_wherever_it_stands_in_the_line() {
    let policy = user(&rule("deny", "toolName = \"Bash\"\ncommandPrefix = \"rm\""));
    for line in ["rm x", "make; rm x", "$X x", "make; $X", "sudo $X", "r? x", "make | xargs rm"] {
        assert!(!again(&policy, line), "{line}");
    }
    let policy = user(&rule("deny", "toolName = \"Bash\"\ncommandPrefix = \"git push --force\""));
    assert!(again(&policy, "git push --tags"));
    assert!(!again(&policy, "git push $X"));
    assert!(!again(&policy, "make; git push $X"));
}

#[test]
fn a_deny_that_the_policy_itself_overrules_does_not_count() {
    let ask = rule("ask_user", "toolName = \"Bash\"\ncommandPrefix = \"git push\"");
    let deny = rule("deny", "toolName = \"Bash\"").replace("10", "5");
    let policy = user(&(ask + &deny));
    assert!(again(&policy, "git push"));
    assert!(!again(&policy, "git pull"));
}

#[test]
fn a_rule_that_asks_is_answered_unless_it_is_an_administrators() {
    let ask = rule("ask_user", "toolName = \"Bash\"\ncommandPrefix = \"git push\"");
    for (tier, answered) in [(Tier::Workspace, true), (Tier::User, true), (Tier::Admin, false)] {
        let policy = of(&[(&ask, tier)]);
        assert_eq!(again(&policy, "git push"), answered, "{tier:?}");
        assert_eq!(again(&policy, "make; git push"), answered, "{tier:?}");
    }
}

#[test]
fn nothing_is_granted_while_a_policy_file_has_errors() {
    let allow = rule("allow", "toolName = \"Bash\"\ncommandPrefix = \"ls\"");
    let spoilt = format!("{allow}[[rule]]\ndecision = \"denny\"\n");
    for tier in [Tier::Workspace, Tier::User, Tier::Admin] {
        assert!(again(&of(&[(&allow, tier)]), "make"), "{tier:?}");
        assert!(!again(&of(&[(&spoilt, tier)]), "make"), "{tier:?}");
        assert!(!again(&of(&[(&allow, Tier::User), (&spoilt, tier)]), "make"), "{tier:?}");
    }
    let checked = user(
        "[[safety_checker]]\ntoolName = \"Bash\"\npriority = 1\nchecker = { type = \"external\", name = \"x\" }\n",
    );
    assert!(!again(&checked, "make"));
}

#[test]
fn what_is_held_back_from_every_allow_is_not_granted() {
    let policy = Policy::default();
    for command in [
        "dmplz approvals approve 1234",
        "make && dmplz policy trust --yes",
        "env dmplz pair",
        "tee ~/.claude/dm-plz/grants.json",
        "echo x > /home/me/.claude/dm-plz/grants.json",
        "sed -i s/a/b/ .dmplz/policy.toml",
        "$X",
        "eval \"$X\"",
        "make; $(id)",
        "echo 'unfinished",
    ] {
        assert!(!again(&policy, command), "{command}");
    }
    assert!(again(&policy, "make"));
    for (tool, path) in [("Write", "/home/me/.claude/dm-plz/grants.json"), ("Edit", "/work/.dmplz/policy.toml")] {
        assert!(!repeated(&policy, tool, json!({ "file_path": path })), "{tool} {path}");
    }
    let input = json!({ "path": "/home/me/.claude/dm-plz/grants.json" });
    assert!(!repeated(&policy, "mcp__files__write", input));
}

#[test]
fn a_command_that_names_a_denied_file_is_not_granted() {
    let policy = user(&rule("deny", "toolName = [\"Read\", \"Write\"]\npaths = \"**/.env\""));
    for command in ["cat .env", "make; cat sub/.env", "cat < .env", "tee .env", "X=.env make", "cat .en*"] {
        assert!(!again(&policy, command), "{command}");
    }
    assert!(again(&policy, "cat .envrc"));
    assert!(!repeated(&policy, "Read", json!({"file_path": ".env"})));
    assert!(repeated(&policy, "Read", json!({"file_path": "a"})));
}

#[test]
fn where_a_rule_decides_no_grant_is_looked_at() {
    let policy = user(&rule("allow", "toolName = \"Bash\"\ncommandPrefix = \"make\""));
    assert!(!again(&policy, "make"), "the rule's allow is enough, and its own place is logged");
    assert!(again(&policy, "make > log"), "what the rule does not reach is asked, and may be granted");
}

#[test]
fn an_administrators_rule_about_every_command_is_asked_each_time() {
    let every = rule("ask_user", "toolName = \"Bash\"");
    for (tier, answered) in [(Tier::Workspace, true), (Tier::User, true), (Tier::Admin, false)] {
        let policy = of(&[(&every, tier)]);
        for line in ["make", "make; git push", "sudo make"] {
            assert_eq!(again(&policy, line), answered, "{tier:?} {line}");
        }
    }
    let starter = of(&[(&rule("ask_user", "toolName = \"Bash\"\ncommandPrefix = \"sudo\""), Tier::Admin)]);
    assert!(!again(&starter, "sudo make"));
    assert!(again(&starter, "make"));
}

#[test]
fn a_rule_about_every_command_says_nothing_of_what_only_starts_another() {
    let named = rule("allow", "toolName = \"Bash\"\ncommandPrefix = \"make\"").replace("10", "20");
    for decision in ["ask_user", "deny"] {
        let every = rule(decision, "toolName = \"Bash\"");
        let policy = of(&[(&format!("{named}{every}"), Tier::Admin)]);
        assert!(again(&policy, "make > log"), "{decision}");
        assert!(again(&policy, "env make > log"), "{decision}: the rule above it is about the command that counts");
        assert!(!again(&policy, "env git push"), "{decision}");
    }
}

#[test]
fn a_safety_checker_holds_back_what_it_is_about_and_nothing_else() {
    let policy = user(
        "[[safety_checker]]\ntoolName = \"Bash\"\ncommandPrefix = \"git\"\npriority = 1\n\
         checker = { type = \"external\", name = \"x\" }\n",
    );
    assert!(policy.problems().is_empty(), "{:?}", policy.problems());
    for line in ["git push", "make; git push", "env git push", "git $X", "$X"] {
        assert!(!again(&policy, line), "{line}");
    }
    for line in ["make", "env make"] {
        assert!(again(&policy, line), "{line}");
    }
}
