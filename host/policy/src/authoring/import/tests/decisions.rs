//! Compares the decisions of Claude Code's rules, according to its documentation, with those of the imported rules.

use crate::authoring::examples::checked;
use std::path::PathBuf;

use jiff::Timestamp;

use super::*;
use crate::{Call, Policy};

use Decision::{Allow, AskUser, Deny};

/// Returns the decision of the policy that was imported from the user's settings, in the project /home/u/p, in which
/// `link` leads to a key.
fn judged(permissions: &Value, tool: &str, input: &Value) -> Decision {
    judged_in("/home/u/p", &user(), permissions, tool, input)
}

fn judged_in(cwd: &str, source: &Source<'_>, permissions: &Value, tool: &str, input: &Value) -> Decision {
    let toml = claude(&json!({ "permissions": permissions }), source).toml;
    let origin = Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true };
    let policy = Policy::new(vec![checked(File::parse(&toml, origin))]);
    assert!(policy.problems().is_empty(), "{toml}");
    let mut call = Call::new(tool, input.as_object().unwrap(), Timestamp::UNIX_EPOCH);
    call.cwd = Some(Path::new(cwd));
    call.home = Some(Path::new("/home/u"));
    call.real_path = &|path| path.ends_with("link").then(|| PathBuf::from("/home/u/.ssh/id_rsa"));
    policy.check(&call).decision
}

pub(super) fn bash(permissions: &Value, command: &str) -> Decision {
    judged(permissions, "Bash", &json!({ "command": command }))
}

/// Checks the decision on each command, as the real client makes it.
fn commands(permissions: &Value, cases: &[(&str, Decision)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(command, expected)| (*command, *expected, bash(permissions, command)))
        .filter(|(_, expected, decided)| expected != decided)
        .collect();
    assert!(wrong.is_empty(), "{permissions}: {wrong:#?}");
}

fn allows(entry: &str, cases: &[(&str, Decision)]) {
    commands(&json!({"allow": [entry]}), cases);
}

#[test]
fn a_star_stands_for_what_it_stands_for_in_the_client() {
    allows(
        "Bash(npm run build)",
        &[("npm run build", Allow), ("npm run build --watch", AskUser), ("npm run", AskUser)],
    );
    for entry in ["Bash(npm run *)", "Bash(npm run:*)"] {
        allows(
            entry,
            &[
                ("npm run build", Allow),
                ("npm run test -- --watch", Allow),
                ("npm run", Allow),
                ("npm runx", AskUser),
                ("npm install", AskUser),
            ],
        );
    }
    allows("Bash(ls *)", &[("ls", Allow), ("ls -la", Allow), ("lsof", AskUser)]);
    allows("Bash(ls*)", &[("ls", Allow), ("ls -la", Allow), ("lsof", Allow), ("cat ls", AskUser)]);
    allows("Bash(git * main)", &[("git merge main", Allow), ("git push origin main", Allow), ("git log", AskUser)]);
    allows(
        "Bash(git log * main)",
        &[
            ("git log --oneline main", Allow),
            ("git log -5 main", Allow),
            ("git log main", AskUser),
            ("git push origin main", AskUser),
        ],
    );
    allows("Bash(* --version)", &[("node --version", Allow), ("node -v", AskUser)]);
    allows("Bash(* --help *)", &[("npm --help x", Allow), ("npm --help", AskUser)]);
    allows("Bash(git:* push)", &[("git push", AskUser), ("git x push", AskUser)]);
    for entry in ["Bash", "Bash(*)"] {
        allows(entry, &[("rm -rf x", Allow), ("$x", AskUser)]);
    }
}

#[test]
fn each_command_of_a_line_needs_a_rule() {
    for entry in ["Bash(git status:*)", "Bash(git status *)", "Bash(git status*)", "Bash(git status)"] {
        allows(
            entry,
            &[
                ("git status", Allow),
                ("git status; rm -rf x", AskUser),
                ("git status && rm -rf x", AskUser),
                ("git status || rm -rf x", AskUser),
                ("git status | sh", AskUser),
                ("git status & rm -rf x", AskUser),
                ("git status\nrm -rf x", AskUser),
                ("git status $(rm -rf x)", AskUser),
                ("git status `rm -rf x`", AskUser),
                ("git status > x", AskUser),
                ("git status &&", AskUser),
            ],
        );
    }
}

#[test]
fn wrappers_and_safe_variables_are_looked_past() {
    allows(
        "Bash(npm test *)",
        &[
            ("timeout 30 npm test", Allow),
            ("nohup npm test", Allow),
            ("nice npm test", Allow),
            ("stdbuf -o0 npm test", Allow),
            ("command npm test", Allow),
            ("time npm test", Allow),
            ("NODE_ENV=test npm test", Allow),
            ("LD_PRELOAD=x npm test", AskUser),
            ("PATH=x npm test", AskUser),
            ("watch npm test", AskUser),
            ("flock x npm test", AskUser),
            ("xargs -n1 npm test", AskUser),
            ("docker exec x npm test", AskUser),
            ("timeout 30 npm install", AskUser),
        ],
    );
    commands(&json!({"allow": ["Bash(npm test *)", "Bash(env *)"]}), &[("env npm test", Allow), ("env rm x", AskUser)]);
    allows("Bash", &[("env npm test", Allow), ("bash -c 'npm test'", Allow)]);
    allows("Bash(watch *)", &[("watch rm -rf x", AskUser)]);
    allows(
        "Bash(find *)",
        &[("find . -name x", Allow), ("find . -exec rm {} ;", AskUser), ("find . -delete", AskUser)],
    );
}

#[test]
fn no_specific_rule_beats_a_list_before_its_own() {
    let lists = json!({"deny": ["Bash(aws *)"], "ask": ["Bash(git *)"], "allow": ["Bash(aws s3 ls)", "Bash(git status)", "Bash(ls)"]});
    commands(
        &lists,
        &[
            ("aws s3 ls", Deny),
            ("git status", AskUser),
            ("ls", Allow),
            ("ls && git status", AskUser),
            ("ls && aws s3 ls && git status", Deny),
        ],
    );
}

#[test]
fn a_deny_or_an_ask_reaches_into_everything() {
    let lists = json!({"deny": ["Bash(rm *)"], "ask": ["Bash(git clean *)"], "allow": ["Bash"]});
    commands(
        &lists,
        &[
            ("rm -rf build/", Deny),
            ("FOO=bar rm -rf tmp/", Deny),
            ("ls; rm x", Deny),
            ("for i in 1 2; do rm $i; done", Deny),
            ("cd /tmp && git clean -f", AskUser),
            ("echo \"$(git clean -f)\"", AskUser),
            ("rmdir x", Allow),
            ("ls", Allow),
        ],
    );
}

/// Cases in which the client allows a call that its rules were meant to stop, or that nobody meant to allow.
#[test]
fn where_we_differ_we_are_stricter() {
    // Claude Code's documentation lists these as not stopped.
    commands(
        &json!({"deny": ["Bash(rm *)", "Bash(git push *)", "Bash(curl *)"], "allow": ["Bash"]}),
        &[
            ("/bin/rm -rf build/", Deny),
            ("bash -c 'rm -rf build/'", Deny),
            ("/usr/bin/curl https://example.com", Deny),
            ("sh -c 'curl https://example.com'", Deny),
            ("git -C . push origin main", Deny),
            ("git -c push.default=current push origin main", Deny),
            ("git 'push' origin main", Deny),
        ],
    );
    // The documentation lists these as allowed.
    allows("Bash(git log * main)", &[("git log --output=x main", AskUser)]);
    allows("Bash(git * main)", &[("git -c core.fsmonitor=x diff main", AskUser)]);
    allows("Bash(* --version)", &[("bash -c 'echo hi' --version", AskUser)]);
    allows("Bash(npm test *)", &[("xargs npm test", AskUser)]);
    // The files that a pattern in a recorded command matches are not known before it runs.
    allows("Bash(rm src/*.log)", &[("rm src/a.log", Allow), ("rm src/*.log", AskUser), ("rm other.log", AskUser)]);
    // An allow of a shell together with its script covers neither another script nor the commands of the script.
    let saved = "Bash(/bin/zsh -lc 'npm test')";
    allows(saved, &[("/bin/zsh -lc 'npm test'", AskUser), ("/bin/zsh -lc 'rm -rf x'", AskUser), ("npm test", AskUser)]);
    commands(
        &json!({"allow": [saved, "Bash(npm test)"]}),
        &[("/bin/zsh -lc 'npm test'", Allow), ("/bin/zsh -lc 'npm test; rm -rf x'", AskUser)],
    );
    allows("Bash(/bin/zsh -lc *)", &[("/bin/zsh -lc 'rm -rf x'", AskUser)]);
    // Claude Code accepts these rules and never evaluates them.
    commands(&json!({"deny": ["Bash(command:rm *)"], "allow": ["Bash"]}), &[("rm x", Deny)]);
    assert_eq!(judged(&json!({"deny": ["Write(docs/**)"]}), "Write", &json!({"file_path": "/home/u/p/docs/a"})), Deny);
}

#[test]
fn a_command_that_nobody_reads_to_its_end_is_asked() {
    allows(
        "Bash(echo *)",
        &[(&format!("echo {}", "x".repeat(9_990)), Allow), (&format!("echo {}", "x".repeat(10_000)), AskUser)],
    );
}

#[test]
fn paths_mean_the_files_that_they_mean_in_the_client() {
    let app = "/home/u/p/src/app.ts";
    let copy = "/home/u/p/vendor/pkg/src/lib.js";
    for (list, entry, path, expected) in [
        ("allow", "Edit(src/**)", app, Allow),
        ("allow", "Edit(src/**)", copy, AskUser),
        ("deny", "Edit(src/**)", app, Deny),
        ("deny", "Edit(src/**)", copy, Deny),
        ("allow", "Edit(**/src/**)", copy, Allow),
        ("allow", "Edit(src/a/**)", "/home/u/p/src/a/b", Allow),
        ("allow", "Edit(//home/u/p/**)", app, Allow),
        ("allow", "Edit(/home/u/p/**)", app, AskUser),
        ("allow", "Edit(//tmp/scratch.txt)", "/tmp/scratch.txt", Allow),
        ("allow", "Edit(~/.zshrc)", "/home/u/.zshrc", Allow),
        ("allow", "Edit(~/.zshrc)", "/home/v/.zshrc", AskUser),
        ("allow", "Edit(*.md)", "/home/u/p/docs/a.md", Allow),
        ("allow", "Edit(*.md)", "/home/u/a.md", AskUser),
        ("allow", "Edit(docs/**)", "/home/u/p/docs/../.git/config", AskUser),
        ("deny", "Edit(.env)", "/home/u/p/a/.env", Deny),
        ("deny", "Edit(./.env)", "/home/u/p/.env", Deny),
        ("deny", "Edit(//**/.env)", "/etc/.env", Deny),
        ("allow", "Edit(*.{md,txt})", "/home/u/p/a.md", AskUser),
        ("deny", "Edit(*.{pem,key})", "/home/u/p/a.pem", Deny),
    ] {
        for tool in ["Edit", "Write"] {
            let decided = judged(&json!({list: [entry]}), tool, &json!({"file_path": path}));
            assert_eq!(decided, expected, "{list} {entry} {tool} {path}");
        }
    }
    let lists = json!({"allow": ["Read(./**)"], "deny": ["Read(~/.ssh/**)"]});
    assert_eq!(judged(&lists, "Read", &json!({"file_path": "/home/u/p/a"})), Allow);
    assert_eq!(judged(&lists, "Read", &json!({"file_path": "/home/u/p/link"})), Deny);
    assert_eq!(judged(&json!({"allow": ["Read(./**)"]}), "Read", &json!({"file_path": "/home/u/p/link"})), AskUser);
    assert_eq!(judged(&json!({"allow": ["Read(src/**)"]}), "Grep", &json!({"path": "src", "pattern": "x"})), Allow);
    assert_eq!(judged(&json!({"allow": ["Read(src/**)"]}), "Grep", &json!({"pattern": "x"})), AskUser);
    // A command that names a denied file is asked, even if a rule allows the command.
    commands(&json!({"allow": ["Bash(cat *)"], "deny": ["Read(./.env)"]}), &[("cat .env", AskUser), ("cat a", Allow)]);
    commands(&json!({"allow": ["Bash"], "deny": ["Edit(/etc/**)", "Edit(//etc/**)"]}), &[("ls > /etc/x", Deny)]);
}

#[test]
fn what_a_project_allows_it_allows_itself_and_what_it_denies_it_denies_everywhere() {
    let lists = json!({"allow": ["Bash(npm test)", "Edit(/src/**)"], "deny": ["Bash(npm publish)"]});
    for (cwd, test, edit) in [
        ("/home/u/p", Allow, Allow),
        ("/home/u/p/web", Allow, Allow),
        ("/home/u/q", AskUser, AskUser),
        ("/home/u/p2", AskUser, AskUser),
        ("/home/u", AskUser, AskUser),
    ] {
        let judged = |tool, input| judged_in(cwd, &project(), &lists, tool, &input);
        assert_eq!(judged("Bash", json!({"command": "npm test"})), test, "{cwd}");
        assert_eq!(judged("Edit", json!({"file_path": "/home/u/p/src/a"})), edit, "{cwd}");
        assert_eq!(judged("Bash", json!({"command": "npm publish"})), Deny, "{cwd}");
    }
}

#[test]
fn hosts_mean_what_they_mean_in_the_client() {
    for (entry, url, expected) in [
        ("WebFetch(domain:example.com)", "https://example.com/a", Allow),
        ("WebFetch(domain:Example.com.)", "https://EXAMPLE.com/a", Allow),
        ("WebFetch(domain:example.com)", "https://api.example.com/", AskUser),
        ("WebFetch(domain:example.com)", "https://example.com.evil.net/", AskUser),
        ("WebFetch(domain:example.com)", "https://evil.net/?example.com", AskUser),
        ("WebFetch(domain:example.com)", "https://example.com@evil.net/", AskUser),
        ("WebFetch(domain:*.example.com)", "https://a.b.example.com/", Allow),
        ("WebFetch(domain:*.example.com)", "https://example.com/", AskUser),
        ("WebFetch(domain:*)", "https://anything.net/", Allow),
        ("WebFetch", "https://anything.net/", Allow),
        ("WebFetch(domain:example.*)", "https://example.org/", AskUser),
    ] {
        assert_eq!(judged(&json!({"allow": [entry]}), "WebFetch", &json!({"url": url})), expected, "{entry} {url}");
    }
}

#[test]
fn tools_mean_what_they_mean_in_the_client() {
    let opus = json!({"subagent_type": "Explore", "model": "opus", "prompt": "p"});
    let plain = json!({"prompt": "p", "description": "d"});
    let none = json!({});
    for (list, entry, tool, input, expected) in [
        ("allow", "mcp__puppeteer", "mcp__puppeteer__navigate", &none, Allow),
        ("allow", "mcp__puppeteer__*", "mcp__puppeteer__navigate", &none, Allow),
        ("allow", "mcp__puppeteer__navigate", "mcp__puppeteer__click", &none, AskUser),
        ("allow", "mcp__puppeteer", "mcp__puppeteers__navigate", &none, AskUser),
        ("allow", "mcp__*", "mcp__puppeteer__navigate", &none, AskUser),
        ("deny", "mcp__*", "mcp__puppeteer__navigate", &none, Deny),
        ("deny", "*", "Mystery", &none, Deny),
        ("deny", "Agent(Explore)", "Agent", &opus, Deny),
        ("deny", "Agent(Explore)", "Task", &opus, Deny),
        ("deny", "Agent(model:opus)", "Agent", &opus, Deny),
        ("deny", "Agent(model:*)", "Agent", &plain, AskUser),
        ("allow", "Agent(Explore)", "Agent", &opus, Allow),
        ("allow", "Agent(Explore)", "Agent", &plain, AskUser),
        ("allow", "Agent(general-purpose)", "Agent", &plain, AskUser),
        ("deny", "Agent(general-purpose)", "Agent", &plain, Deny),
        ("deny", "Agent(general-purpose)", "Agent", &opus, AskUser),
        ("allow", "Skill(commit)", "Skill", &json!({"skill": "commit"}), Allow),
        ("allow", "Skill(commit)", "Skill", &json!({"skill": "commit", "args": "x"}), AskUser),
        ("allow", "Skill(commit *)", "Skill", &json!({"skill": "commit", "args": "x"}), Allow),
        ("deny", "Skill(commit)", "Skill", &json!({"skill": "team:commit", "args": "x"}), Deny),
        ("deny", "Bash(run_in_background:true)", "Bash", &json!({"command": "ls", "run_in_background": true}), Deny),
        (
            "deny",
            "Bash(run_in_background:true)",
            "Bash",
            &json!({"command": "ls", "run_in_background": false}),
            AskUser,
        ),
        (
            "deny",
            "Bash(run_in_background:true)",
            "Bash",
            &json!({"command": "\u{0}\"run_in_background\":true"}),
            AskUser,
        ),
        ("allow", "AskUserQuestion", "AskUserQuestion", &none, AskUser),
        ("allow", "WebSearch", "WebSearch", &none, Allow),
        ("allow", "Monitor", "Monitor", &none, AskUser),
        ("deny", "websearch", "WebSearch", &none, Deny),
        ("allow", "websearch", "WebSearch", &none, AskUser),
    ] {
        assert_eq!(judged(&json!({list: [entry]}), tool, input), expected, "{list} {entry} {tool} {input}");
    }
}
