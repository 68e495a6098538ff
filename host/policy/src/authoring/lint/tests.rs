use crate::authoring::examples::checked;
use std::path::PathBuf;

use super::*;
use crate::file::File;
use crate::rules::rule::{Origin, Tier};

fn file(tier: Tier, trusted: bool, text: &str) -> File {
    let path = PathBuf::from(match tier {
        Tier::Workspace => "workspace.toml",
        Tier::User => "user.toml",
        Tier::Admin => "admin.toml",
    });
    let file = checked(File::parse(text, Origin { tier, path, root: None, trusted }));
    assert_eq!(file.problems, [], "{text}");
    file
}

fn linted(files: Vec<File>) -> String {
    let now = "2026-11-22T00:00:00Z".parse().unwrap();
    let lines = lint(&Policy::new(files), now)
        .into_iter()
        .map(|warning| format!("{:?} {warning}\n", warning.finding.concern()));
    lines.collect()
}

/// Builds rules from lines of `decision priority conditions`; the line number in the file is three times that of the
/// list.
fn rules(lines: &[&str]) -> String {
    let rule = |line: &&str| {
        let (decision, rest) = line.split_once(' ').unwrap();
        let (priority, conditions) = rest.split_once(' ').unwrap();
        format!("[[rule]]\ndecision = \"{decision}\"\npriority = {priority}\n{}\n", conditions.replace("; ", "\n"))
    };
    lines.iter().map(rule).collect()
}

fn user(lines: &[&str]) -> String {
    linted(vec![file(Tier::User, true, &rules(lines))])
}

const SHELL: &str = "toolName = \"Bash\"; commandPrefix";

fn shell(rules: &[(&str, u16, &str)]) -> String {
    let lines: Vec<_> = rules
        .iter()
        .map(|(decision, priority, prefix)| format!("{decision} {priority} {SHELL} = {prefix:?}"))
        .collect();
    user(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_rule_that_an_earlier_one_decides_is_never_reached() {
    insta::assert_snapshot!(shell(&[("allow", 100, "git"), ("allow", 100, "git status")]), @"Unreachable user.toml:6: it is never reached: line 1 allows all of it first; delete it");
    insta::assert_snapshot!(shell(&[("ask_user", 200, "git"), ("allow", 100, "git status"), ("deny", 100, "git push")]), @"
    Unreachable user.toml:11: it is never reached: line 1 asks for all of it first; give it a higher priority, or delete it
    Unreachable user.toml:6: it is never reached: line 1 asks for all of it first; give it a higher priority, or delete it
    ");
    insta::assert_snapshot!(shell(&[("deny", 100, "git push"), ("allow", 100, "git push")]), @"Unreachable user.toml:6: it is never reached: line 1 denies all of it first; give it a higher priority, or delete it");
    insta::assert_snapshot!(shell(&[("allow", 100, "git log"), ("allow", 50, "git log")]), @"Duplicate user.toml:6: it says the same as line 1; delete one of them");
    insta::assert_snapshot!(user(&[
        r#"deny 5 mcpName = "github""#,
        r#"allow 4 toolName = "search"; mcpName = "github""#,
        r#"deny 3 toolName = "mcp__*""#,
        r#"allow 2 toolName = "mcp__gitlab__get""#,
    ]), @"
    Unreachable user.toml:5: it is never reached: line 1 denies all of it first; give it a higher priority, or delete it
    Unreachable user.toml:14: it is never reached: line 10 denies all of it first; give it a higher priority, or delete it
    ");
    insta::assert_snapshot!(user(&[
        r#"deny 5 toolName = "WebFetch"; domains = "*.example.com""#,
        r#"allow 4 toolName = "WebFetch"; domains = ["a.example.com", "b.example.com"]"#,
        r#"deny 3 toolName = ["Read", "Edit"]; paths = "src/**""#,
        r#"allow 2 toolName = "Read"; paths = ["/src/a/**", "./src/b.md"]"#,
    ]), @"
    Unreachable user.toml:6: it is never reached: line 1 denies all of it first; give it a higher priority, or delete it
    Unreachable user.toml:16: it is never reached: line 11 denies all of it first; give it a higher priority, or delete it
    ");
    insta::assert_snapshot!(user(&[
        r#"ask_user 5 toolName = "Bash"; commandRegex = "git (push|pull)""#,
        r#"deny 4 toolName = "Bash"; commandPrefix = "git push origin""#,
    ]), @"Unreachable user.toml:6: it is never reached: line 1 asks for all of it first; give it a higher priority, or delete it");
}

#[test]
fn higher_tiers_decide_first() {
    let [admin, own] = [("deny", "git push"), ("allow", "git push origin")]
        .map(|(decision, prefix)| rules(&[&format!("{decision} 1 {SHELL} = {prefix:?}")]));
    insta::assert_snapshot!(linted(vec![file(Tier::User, true, &own), file(Tier::Admin, true, &admin)]), @"Unreachable user.toml:1: it is never reached: admin.toml:1 denies all of it first; delete it");
    assert_eq!(linted(vec![file(Tier::User, true, &admin), file(Tier::Admin, true, &own)]), "");
}

#[test]
fn an_allow_that_decides_before_a_deny_is_told() {
    insta::assert_snapshot!(shell(&[("allow", 500, "git"), ("deny", 100, "git push")]), @"Shadowed user.toml:6: it never denies: line 1 allows all of it first; give the deny the higher priority, or narrow the allow");
    insta::assert_snapshot!(user(&[
        r#"allow 500 toolName = "Edit"; paths = "src/**""#,
        r#"deny 100 toolName = ["Edit", "Write"]; paths = "**/.env""#,
    ]), @"Shadowed user.toml:6: some of what it denies is allowed first by line 1; give the deny the higher priority");
    insta::assert_snapshot!(user(&[
        r#"allow 500 toolName = "Bash"; commandRegex = "git .*""#,
        r#"deny 100 toolName = "Bash"; commandPrefix = ["git push", "rm"]"#,
    ]), @"Shadowed user.toml:6: some of what it denies is allowed first by line 1; give the deny the higher priority");
}

#[test]
fn an_exception_to_a_deny_is_no_slip() {
    assert_eq!(shell(&[("allow", 500, "git push origin dev"), ("deny", 100, "git push")]), "");
    assert_eq!(
        user(&[
            r#"allow 500 toolName = "WebFetch"; domains = "good.example.com""#,
            r#"deny 100 toolName = "WebFetch"; domains = "*.example.com""#,
            r#"deny 90 toolName = "WebFetch""#,
        ]),
        ""
    );
    // The policies of gemini-cli itself: everything in one mode, and reading in all modes.
    assert_eq!(
        user(&[
            r#"allow 998 toolName = "Bash"; commandPrefix = "ls"; modes = ["yolo"]"#,
            r#"deny 50 toolName = "Bash"; commandPrefix = ["ls secret", "rm"]"#,
            r#"allow 50 toolName = ["Read", "Glob"]"#,
            r#"deny 40 toolName = "*"; modes = ["plan"]"#,
        ]),
        ""
    );
}

#[test]
fn rules_about_other_calls_are_left_alone() {
    assert_eq!(
        user(&[
            r#"deny 9 toolName = "Bash"; commandPrefix = "git push"; modes = ["plan"]"#,
            r#"allow 8 toolName = "Bash"; commandPrefix = "git push"; modes = ["acceptEdits"]"#,
            r#"deny 7 toolName = "Bash"; commandPrefix = "gitk"; interactive = true"#,
            r#"allow 6 toolName = "Bash"; commandPrefix = "gitk"; interactive = false"#,
            r#"deny 5 toolName = "cli_help""#,
            r#"allow 4 toolName = "cli_help"; mcpName = "github""#,
            r#"deny 3 toolName = "Read"; paths = ["src/**", "!src/a"]"#,
            r#"allow 2 toolName = "Read"; paths = "src/a""#,
            r#"deny 1 toolName = "Bash"; commandPrefix = "make"; expires = 2027-01-01"#,
            r#"allow 0 toolName = "Bash"; commandPrefix = "make""#,
        ]),
        ""
    );
}

#[test]
fn an_allow_of_everything_is_told() {
    insta::assert_snapshot!(user(&[
        r#"allow 9 toolName = "Bash""#,
        r#"allow 8 toolName = "PowerShell""#,
        r#"allow 7 toolName = ["Read", "Write"]"#,
        r#"allow 6 toolName = "WebFetch""#,
        r#"allow 5 mcpName = "*""#,
        r#"allow 4 toolName = "mcp_*""#,
        r#"allow 3 toolName = "*""#,
        r#"allow 2 toolName = "Bash"; commandRegex = ".*""#,
    ]), @"
    Blanket user.toml:1: it allows every command; add `commandPrefix`
    Blanket user.toml:5: it allows every command of PowerShell; let it ask
    Blanket user.toml:9: it allows to write any file; add `paths`
    Blanket user.toml:13: it allows to fetch any URL; add `domains`
    Blanket user.toml:17: it allows every tool of every MCP server; name the servers
    Blanket user.toml:21: it allows every tool of every MCP server; name the servers
    Blanket user.toml:25: it allows every tool; name the tools
    Blanket user.toml:29: it allows every command; begin the expression with the commands that are meant
    Unreachable user.toml:29: it is never reached: line 1 allows all of it first; delete it
    ");
    assert_eq!(
        user(&[
            r#"allow 9 toolName = "Read""#,
            r#"allow 8 toolName = "Write"; modes = ["autoEdit"]"#,
            r#"allow 7 toolName = "Edit"; paths = "src/**""#,
            r#"allow 6 mcpName = "github""#,
            r#"deny 5 toolName = "*""#,
        ]),
        ""
    );
}

#[test]
fn an_allow_of_redirections_is_an_allow_to_write() {
    insta::assert_snapshot!(user(&[
        r#"allow 2 toolName = "Bash"; commandPrefix = "echo"; allowRedirection = true"#,
        r#"allow 1 toolName = "Bash"; commandPrefix = "printf"; allowRedirection = true; modes = ["autoEdit"]"#,
    ]), @"Blanket user.toml:1: its commands may write any file with `>`; take `allowRedirection` away, or deny the files that matter");
}

#[test]
fn an_allow_of_what_runs_anything_is_told() {
    for prefix in [
        "python", "python3", "/usr/bin/python3.12 -u", "node -e", "bash", "bash -c", "sudo", "sudo -n", "xargs -0",
        "curl", "curl -s", "wget", "npx", "npx -y", "uv run", "npm exec --", "docker", "docker run", "pnpm dlx", "ssh",
    ] {
        let found = shell(&[("allow", 1, prefix)]);
        assert!(found.starts_with("Runner") && found.lines().count() == 1, "{prefix}: {found}");
    }
    for prefix in [
        "python -m pytest", "python3 --version", "node -v", "bash scripts/check.sh", "docker ps",
        "docker run hello-world", "npm test", "npm run lint", "cargo test", "git", "rm", "timeout", "env", "ls", "rg",
        "pythonic",
    ] {
        assert_eq!(shell(&[("allow", 1, prefix)]), "", "{prefix}");
    }
    assert_eq!(shell(&[("deny", 1, "python"), ("ask_user", 1, "curl")]), "");
    insta::assert_snapshot!(user(&[
        r#"allow 9 toolName = "Bash"; commandRegex = "(python3?|make) .*""#,
        r#"allow 8 toolName = "Bash"; commandRegex = "npm (test|run lint)""#,
    ]), @"Runner user.toml:1: it allows `python`, which runs any code that it is given; name what it may run, as in `python -m pytest`");
    insta::assert_snapshot!(shell(&[("allow", 1, "curl -s")]), @"Runner user.toml:1: it allows `curl -s`, which reaches any host, and writes what it gets; let it ask, or allow the web tool for some `domains`");
}

#[test]
fn an_allow_of_a_command_that_starts_another_one_needs_an_allow_of_that() {
    let told =
        shell(&[("allow", 100, "npx eslint"), ("allow", 90, "timeout 5 npm test"), ("allow", 80, "sudo -u me ls")]);
    insta::assert_snapshot!(told, @"
    Never user.toml:1: `npx eslint` is asked all the same: it starts `eslint`, which no rule allows; allow `eslint` too, in the same `commandPrefix`
    Never user.toml:6: `timeout 5 npm test` is asked all the same: it starts `npm test`, which no rule allows; allow `npm test` too, in the same `commandPrefix`
    Never user.toml:11: `sudo -u me ls` is asked all the same: it starts `ls`, which no rule allows; allow `ls` too, in the same `commandPrefix`
    ");
    assert_eq!(shell(&[("allow", 100, "uv run pytest"), ("allow", 90, "pytest")]), "");
    let started = [("allow", 90, "eslint")];
    for others in [&started[..], &[("ask_user", 90, "eslint")], &[("deny", 90, "eslint")]] {
        assert_eq!(shell(&[&[("allow", 100, "npx eslint")], others].concat()), "", "{others:?}");
    }
    // Where it is allowed is another matter.
    let elsewhere = r#"toolName = "Bash"; commandPrefix = "eslint"; cwd = "~/x""#;
    let both = [format!("allow 100 {SHELL} = \"npx eslint\""), format!("allow 90 {elsewhere}")];
    assert_eq!(user(&both.each_ref().map(String::as_str)), "");
    for alone in ["npx --version", "git log", "npm test", "find src", "xargs", "bash build.sh", "python -m pytest"] {
        let told = shell(&[("allow", 100, alone)]);
        assert!(!told.contains("no rule allows"), "{told}");
    }
}

#[test]
fn a_pattern_that_text_can_imitate_is_told() {
    insta::assert_snapshot!(user(&[
        r#"allow 9 toolName = "run_shell_command"; argsPattern = '"command":"git status'"#,
        r#"allow 8 toolName = "Read"; argsPattern = ['\0"file_path":"a"\0', 'src/']"#,
        r#"allow 7 toolName = "mcp__a__b"; argsPattern = 'x'"#,
        r#"deny 6 toolName = "Write"; argsPattern = 'x'"#,
    ]), @r#"
    Unanchored user.toml:1: text in any argument can imitate `"command":"git status`; use `commandPrefix`, which reads the command itself
    Unanchored user.toml:6: text in any argument can imitate `src/`; use `paths`, which reads the file's own argument
    Unanchored user.toml:11: text in any argument can imitate `x`; begin it with the argument, as in `\0"name":"`
    "#);
}

#[test]
fn slips_of_the_pen_are_told() {
    insta::assert_snapshot!(user(&[
        r#"deny 9 toolName = ["Bassh", "readfile", "Frobnicate", "mcp_github", "discovered_tool_x", "mcp__a", "tracker_*", "frob*"]"#,
        r#"deny 8 toolName = "Read"; paths = ["/etc/**", "!/home/x", "/src/**", "//etc/**"]; cwd = "/tmp""#,
        r#"deny 7 toolName = "Bash"; commandPrefix = ["rm -rf", "git push --force", "ls", "-x"]"#,
        r#"deny 6 toolName = "Bash"; commandPrefix = "dd"; expires = 2026-01-01"#,
        r#"allow 5 toolName = "ask_user""#,
        r#"deny 4 toolName = "WebFetch"; paths = "x""#,
        r#"deny 3 toolName = "Read"; domains = "x.com""#,
        r#"allow 2 toolName = "mcp__fs__read"; paths = "src/**""#,
        r#"allow 1 toolName = "Bash"; paths = "src/**""#,
    ]), @"
    UnknownTool user.toml:1: no tool is called `Bassh`; did you mean `Bash`?
    UnknownTool user.toml:1: no tool is called `readfile`; did you mean `read_file`?
    UnknownTool user.toml:1: no tool is called `Frobnicate`; see the table in the manual, or name an MCP tool as `mcp__server__tool`
    UnknownTool user.toml:1: `mcp_github` is no tool: it names a server and none of its tools; write `mcp__github` for all of them
    UnknownTool user.toml:1: no tool is called `frob*`; see the table in the manual, or name an MCP tool as `mcp__server__tool`
    Root user.toml:5: `/etc/**` begins at the folder of the workspace, not of the disk; write `//etc/**` for the disk
    Root user.toml:5: `!/home/x` begins at the folder of the workspace, not of the disk; write `!//home/x` for the disk
    Root user.toml:5: `/tmp` begins at the folder of the workspace, not of the disk; write `//tmp` for the disk
    Options user.toml:11: `rm -rf` is not the only way to write it: options have other orders and spellings; let `rm` ask as well, or deny all of it
    Options user.toml:11: `git push --force` is not the only way to write it: options have other orders and spellings; let `git push` ask as well, or deny all of it
    Expired user.toml:16: its time was over at 2026-01-02T00:00:00Z; delete it, or renew `expires`
    Never user.toml:22: it never allows: the tool asks a person, and a rule does not answer for them; delete it
    Never user.toml:26: `paths` never holds: the tool has no file; take `paths` away, or name other tools
    Never user.toml:31: `domains` never holds: the tool has no URL; take `domains` away, or name other tools
    Never user.toml:36: it never allows: which arguments of an MCP tool hold a file is not certain; take `paths` away, or use an anchored `argsPattern`
    Never user.toml:41: it never allows: which files a command touches is not certain; use `commandPrefix`
    ");
}

#[test]
fn allows_of_a_file_that_nobody_trusted_are_told_once() {
    let text = rules(&[
        &format!("allow 2 {SHELL} = \"ls\""),
        &format!("allow 1 {SHELL} = \"ls -l\""),
        &format!("deny 1 {SHELL} = \"ls\""),
    ]);
    insta::assert_snapshot!(linted(vec![file(Tier::Workspace, false, &text)]), @"Never workspace.toml:1: 2 allows of this file do not count, because nobody trusted it; read it, then run `dmplz policy trust`");
}

#[test]
fn the_file_to_begin_with_has_no_slips() {
    let starter = file(Tier::User, true, crate::authoring::starter::STARTER);
    assert_eq!(linted(vec![starter]), "");
}
