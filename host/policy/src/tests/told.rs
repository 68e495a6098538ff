//! Tests of what a person is told about a decision.

use super::*;
use crate::judge::{Considered, Explained, Role};

const RULES: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["echo", "cat", "ls", "git"]
decision = "allow"
priority = 1
allowRedirection = true

[[rule]]
toolName = ["Read", "Write"]
paths = ["**/.env"]
decision = "deny"
priority = 1

[[rule]]
toolName = "Bash"
commandPrefix = ["rm", "git push", "git pull"]
decision = "ask_user"
priority = 2

[[rule]]
toolName = "Glob"
decision = "deny"
priority = 1
"#;

#[test]
fn a_decision_names_its_rule_its_command_and_why() {
    let policy = sound(RULES);
    for (line, expected) in [
        ("cat .env", "AskUser 9 `cat .env`: it names a file that a rule is about"),
        ("cat < .env", "Deny 9 `cat`: a rule says so"),
        ("cat .env > .env", "Deny 9 `cat .env`: a rule says so"),
        ("cat > $x 2> .env", "Deny 9 `cat`: a rule says so"),
        ("ls; foo; bar", "AskUser - `foo`: no rule is about it"),
        ("ls; rm x; git push", "AskUser 15 `rm x`: a rule says so"),
        ("ls 'x", "AskUser - -: it cannot be parsed"),
    ] {
        let input = object(json!({ "command": line }));
        let call = Call {
            cwd: Some(Path::new("/work")),
            home: Some(Path::new("/home/me")),
            ..Call::new("Bash", &input, now())
        };
        let judgement = policy.check(&call);
        let rule = judgement.rule.map_or_else(|| "-".to_owned(), |rule| rule.line.to_string());
        let command = judgement.command.map_or_else(|| "-".to_owned(), |command| format!("`{command}`"));
        assert_eq!(format!("{:?} {rule} {command}: {}", judgement.decision, judgement.why), expected, "{line}");
    }
}

#[test]
fn a_file_with_errors_is_named_where_it_holds_an_allow_back() {
    let allow = "[[rule]]\ntoolName = \"Read\"\ndecision = \"allow\"\npriority = 1\n";
    let spoilt = |tier| file("\n\nnonsense = 1\n", tier, true);
    let policy = Policy::new(vec![spoilt(Tier::User), file(allow, Tier::User, true), spoilt(Tier::Admin)]);
    assert_eq!(policy.problems().len(), 2);
    let input = object(json!({}));
    let why = policy.check(&Call::new("Read", &input, now())).why.to_string();
    assert_eq!(why, "a rule allows it, but a policy file has errors (admin.toml:3), so a stricter rule may be missing");
}

#[test]
fn an_explanation_tells_of_each_rule_whether_it_holds_and_what_does_not() {
    let policy = sound(RULES);
    let input = object(json!({ "command": "timeout 5 git push; PAGER='git log' x; r* x; x* x; /a/b* x" }));
    let explanation = policy.explain(&Call::new("Bash", &input, now()));
    let considered = |of: &Considered| {
        let because = of.because.map(|because| format!(" {because:?}")).unwrap_or_default();
        format!("{} {:?}{because}{}", of.rule, of.matched, if of.won { " won" } else { "" })
    };
    let unit = |of: &Explained| {
        let rules: Vec<String> = of.considered.iter().map(considered).collect();
        let command = of.command.as_deref().unwrap_or_default();
        format!("{command} {:?} {:?} elsewhere {}: {}", of.role, of.decision, of.elsewhere, rules.join(", "))
    };
    let units: Vec<String> = explanation.units.iter().map(unit).collect();
    assert!(explanation.units.iter().any(|unit| unit.role == Role::Reading));
    insta::assert_snapshot!(units.join("\n"), @"
    timeout 5 git push StandsAside None elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    git push Runs Some(AskUser) elsewhere 2: user.toml:15 Yes won, user.toml:2 Yes
    PAGER='git log' x Runs Some(AskUser) elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    git log Reading None elsewhere 2: user.toml:15 No Command, user.toml:2 Yes
    r… x Runs Some(AskUser) elsewhere 2: user.toml:15 Maybe Command, user.toml:2 No Command
    'r*' x Reading None elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    x… x Runs Some(AskUser) elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    'x*' x Reading None elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    /a/b… x Runs Some(AskUser) elsewhere 2: user.toml:15 Maybe Command, user.toml:2 No Command
    '/a/b*' x Reading None elsewhere 2: user.toml:15 No Command, user.toml:2 No Command
    ");
}
