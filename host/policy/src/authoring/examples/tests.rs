use super::*;
use crate::rules::rule::Tier;

/// Returns the failing examples of a rule, one in a line.
fn failing(rule: &str) -> String {
    let origin = Origin { tier: Tier::Workspace, path: "p.toml".into(), root: None, trusted: false };
    let text = format!("[[rule]]\npriority = 1\n{rule}");
    checked(File::parse(&text, origin)).problems.iter().map(|problem| format!("{problem}\n")).collect()
}

#[test]
fn examples_that_hold_are_no_problem() {
    for rule in [
        "toolName = 'Bash'\ncommandPrefix = 'git status'\ndecision = 'allow'\nmatch = ['git status', 'git status -s && git status', 'timeout 5 git status']\nnot_match = ['git push', 'git status; rm x', 'git status > x', '$X']",
        "toolName = 'Bash'\ncommandPrefix = 'git push'\ndecision = 'deny'\nmatch = ['git push', 'git -C x push', 'ls; sudo /usr/bin/git push']\nnot_match = ['git status', 'ls']",
        "toolName = 'Bash'\ncommandPrefix = 'git push'\ndecision = 'ask_user'\nmatch = ['git push', 'sudo git push', 'ls; git push']\nnot_match = 'git pull'",
        "toolName = 'Bash'\ncommandRegex = 'rm -rf'\ndecision = 'deny'\nmatch = { command = 'rm -rf /' }",
        "toolName = ['Read', 'Grep']\npaths = ['**/.env', '~/.ssh/**']\ndecision = 'deny'\nmatch = ['.env', 'a/.env', '~/.ssh/id_rsa', '/home/me/.ssh/id_rsa']\nnot_match = 'env'",
        "toolName = 'Write'\npaths = '/src/**'\ndecision = 'allow'\nmatch = ['src/a.rs', '/home/me/project/src/a.rs']\nnot_match = ['a.rs', 'src/../a.rs']",
        "toolName = 'WebFetch'\ndomains = 'example.com'\ndecision = 'allow'\nmatch = 'https://example.com/x'\nnot_match = 'https://example.com.evil.com/'",
        "mcpName = 'github'\ntoolName = 'search'\ndecision = 'allow'\nmatch = { q = 'x' }",
        "toolName = 'mcp__github__*'\nargsPattern = '\"q\":\"x\"'\ndecision = 'deny'\nmatch = { q = 'x' }\nnot_match = { q = 'y' }",
        "toolName = 'Bash'\ncommandPrefix = 'ls'\ndecision = 'allow'\nmodes = ['plan']\ncwd = '/nowhere'\nsubagent = 'x'\ninteractive = false\nexpires = 2000-01-01\nmatch = 'ls'",
    ] {
        assert_eq!(failing(rule), "", "{rule}");
    }
}

#[test]
fn an_example_that_fails_is_a_problem_with_its_place() {
    insta::assert_snapshot!(failing(r"
toolName = 'Bash'
commandPrefix = 'git status'
decision = 'allow'
match = ['git status -s', 'git statusx',
  'git status > x']
not_match = ['git push', 'git  status']
"), @r"
    p.toml:7:27: the example `git statusx` should match and does not
    p.toml:8:3: the example `git status > x` should match and does not: a rule allows it, but it is redirected to or from x
    p.toml:9:26: the example `git  status` should not match and does
    ");
    insta::assert_snapshot!(failing(r"
toolName = 'Bash'
commandPrefix = 'git push'
decision = 'deny'
match = ['git push', 'git $x']
not_match = ['git -C x push', 'git pull', 'git $x']
"), @r"
    p.toml:7:22: the example `git $x` should match and does not
    p.toml:8:14: the example `git -C x push` should not match and does
    ");
    insta::assert_snapshot!(failing(r"
toolName = '*'
decision = 'deny'
match = ['ls', { command = 'ls' }]
"), @"p.toml:6:10: the example `ls` should match and does not: what it stands for is not certain; write the whole input as a table");
}

#[test]
fn a_deny_stays_in_force_when_its_examples_fail() {
    let origin = Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true };
    let text = "[[rule]]\ntoolName = 'Bash'\ncommandPrefix = 'rm'\ndecision = 'deny'\npriority = 1\nmatch = 'ls'\n";
    let file = checked(File::parse(text, origin));
    assert_eq!((file.rules.len(), file.problems.len()), (1, 1));
}

#[test]
fn reading_a_file_runs_no_example() {
    let origin = Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true };
    let text =
        "[[rule]]\ntoolName = 'Bash'\ncommandPrefix = 'rm'\ndecision = 'deny'\npriority = 1\nmatch = 'ls'\nx = 1\n";
    let read = File::parse(text, origin);
    let told = |file: &File| file.problems.iter().map(|problem| (problem.line, problem.column)).collect::<Vec<_>>();
    assert_eq!(told(&read), [(7, 1)]);
    assert_eq!(told(&checked(read)), [(6, 9), (7, 1)], "in the order of the file");
}
