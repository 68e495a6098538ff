//! Issue 3: the rules that a person wrote decide first, and only what they leave open reaches the person.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dmplz_e2e::{Chat, Choice, Ended, Home, JIN, stdin};
use dmplz_state::{StateDir, Trust};
use serde_json::{Value, json};

use crate::{bare_home, home};

tests! {
    on_telegram:
        rule_that_asks_sends_the_request_to_the_person_with_its_reason,
        what_no_rule_decides_reaches_the_person,
        policy_file_with_an_error_allows_nothing_and_says_so,
        policy_file_that_cannot_be_read_allows_nothing_and_says_so,
        workspace_allows_only_while_its_file_is_the_one_that_is_trusted,
        no_rule_answers_a_plan,
        no_rule_allows_to_change_what_decides;
    once:
        allow_by_rule_needs_no_messenger,
        deny_by_rule_tells_its_message_and_is_logged,
        deny_without_a_message_names_the_rule,
        deny_survives_whatever_else_is_broken,
        denies_beside_a_bad_rule_stay,
        workspace_that_nobody_trusts_may_deny,
        workspace_above_the_folder_counts,
        every_command_of_a_line_is_judged,
        before_a_tool_only_a_deny_is_answered,
        before_a_tool_a_person_is_to_be_asked_if_a_deny_may_be_missing,
        call_that_cannot_be_read_passes_no_deny,
        file_that_is_not_utf8_keeps_its_denies,
        question_may_be_denied_and_is_never_allowed,
        without_a_policy_nothing_is_read_into_it;
}

const ALLOW_STATUS: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = "git status"
decision = "allow"
priority = 100
"#;

const DENY_PUSH: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = "git push"
decision = "deny"
priority = 100
denyMessage = "Open a pull request instead."
"#;

/// Writes a file that nobody else may write, and the folders above it.
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// Writes the user's policy.
fn policy(home: &Home, text: &str) -> String {
    let path = home.state().join("policy.toml");
    write(&path, text);
    fs::set_permissions(home.state(), fs::Permissions::from_mode(0o700)).unwrap();
    path.display().to_string()
}

fn bash(command: &str) -> Value {
    stdin::bash("s", command)
}

/// Returns a request from a folder.
fn from(folder: &Path, mut request: Value) -> Value {
    request["cwd"] = json!(folder);
    request
}

fn allow() -> Value {
    json!({ "behavior": "allow" })
}

/// Checks that the rules left the decision open, and no messenger was configured to ask on.
#[track_caller]
fn is_asked(ended: &Ended) {
    ended.decides_nothing();
    assert!(ended.stderr.contains("no messenger is set up"), "{ended:?}");
}

fn allow_by_rule_needs_no_messenger() {
    let home = bare_home();
    let path = policy(&home, ALLOW_STATUS);
    let ended = home.hook(&bash("git status --short")).ended();
    insta::assert_snapshot!(ended.stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#);
    ended.decides(allow());
    assert_eq!(ended.stderr, "");
    let requests = home.requests();
    let [line] = requests.as_slice() else { panic!("one line: {requests:?}") };
    assert_eq!((&line["outcome"], &line["provider"]), (&json!("allowed_by_rule"), &json!("policy")));
    assert_eq!(line["rule"], format!("{path}:2"));
    assert!(home.rejections().is_empty());
    home.nothing_is_left();
}

fn deny_by_rule_tells_its_message_and_is_logged() {
    let home = bare_home();
    let path = policy(&home, DENY_PUSH);
    let ended = home.hook(&bash("git -C /srv push origin main")).ended();
    insta::assert_snapshot!(ended.stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Open a pull request instead."}}}"#);
    assert_eq!(ended.stderr, "");
    let rejections = home.rejections();
    let [line] = rejections.as_slice() else { panic!("one line: {rejections:?}") };
    let keys: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
    let seed = ["timestamp", "provider", "decision", "request_id", "session_id", "tool_name", "cwd", "reason"];
    assert_eq!(keys, [&seed[..], &["reason_source", "rule"]].concat());
    assert_eq!((&line["reason_source"], &line["provider"]), (&json!("policy"), &json!("policy")));
    assert_eq!(line["reason"], "Open a pull request instead.");
    assert_eq!(line["rule"], format!("{path}:2"));
    assert_eq!(home.requests()[0]["outcome"], "denied_by_rule");
}

fn deny_without_a_message_names_the_rule() {
    let home = bare_home();
    let rule = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"rm\"\ndecision = \"deny\"\npriority = 1\n";
    let path = policy(&home, rule);
    home.hook(&bash("rm -rf /")).ended().denies(&format!("Denied by policy ({path}:1)"));
    let path = policy(&home, &format!("\n{rule}reason = \"nothing is removed here\"\n"));
    let denied = format!("Denied by policy: nothing is removed here ({path}:2)");
    home.hook(&bash("sudo /bin/rm x")).ended().denies(&denied);
}

fn deny_survives_whatever_else_is_broken() {
    let mut home = bare_home();
    policy(&home, DENY_PUSH);
    write(&home.state().join("config.toml"), "lang = [[[ no TOML");
    home.set("DMPLZ_HOOK_TIMEOUT_MS", "soon").set("DMPLZ_TELEGRAM_BOT_TOKEN", "\n");
    let ended = home.hook(&bash("git push")).ended();
    ended.denies("Open a pull request instead.");
    assert!(ended.complaint().contains("config.toml"), "{ended:?}");
    assert_eq!(home.rejections().len(), 1);
}

fn denies_beside_a_bad_rule_stay() {
    let home = bare_home();
    policy(&home, &format!("{ALLOW_STATUS}\n[[rule]]\ntoolName = 7\ndecision = \"allow\"\n{DENY_PUSH}"));
    home.hook(&bash("git push")).ended().denies("Open a pull request instead.");
    is_asked(&home.hook(&bash("git status")).ended());
}

fn every_command_of_a_line_is_judged() {
    let home = bare_home();
    policy(&home, &format!("{ALLOW_STATUS}{DENY_PUSH}"));
    home.hook(&bash("git status && git status")).ended().decides(allow());
    for hidden in ["git status; git push", "git status $(git push)", "sh -c 'git push'", "git status\n\\git 'push'"] {
        home.hook(&bash(hidden)).ended().denies("Open a pull request instead.");
    }
    for open in ["git status; make", "git status > x", "git statusx", "git $x", "git status | sh"] {
        is_asked(&home.hook(&bash(open)).ended());
    }
}

fn workspace_that_nobody_trusts_may_deny() {
    let home = bare_home();
    let folder = home.path().join("project");
    write(&folder.join(".dmplz/policy.toml"), &format!("{ALLOW_STATUS}{DENY_PUSH}"));
    home.hook(&from(&folder, bash("git push"))).ended().denies("Open a pull request instead.");
    is_asked(&home.hook(&from(&folder, bash("git status"))).ended());
}

fn workspace_above_the_folder_counts() {
    let mut home = bare_home();
    let (project, elsewhere) = (home.path().join("project"), home.path().join("elsewhere"));
    write(&project.join(".dmplz/policy.toml"), DENY_PUSH);
    let below = project.join("a/b");
    // A file nearer to the agent adds to it and takes nothing away.
    write(&below.join(".dmplz/policy.toml"), "");
    home.hook(&from(&below, bash("git push"))).ended().denies("Open a pull request instead.");
    is_asked(&home.hook(&from(&elsewhere, bash("git push"))).ended());
    // The agent changed its folder; its session began in the project.
    home.set("CLAUDE_PROJECT_DIR", &project);
    home.hook(&from(&elsewhere, bash("git push"))).ended().denies("Open a pull request instead.");
}

fn before_a_tool_only_a_deny_is_answered() {
    let home = bare_home();
    let path = policy(&home, &format!("{ALLOW_STATUS}{DENY_PUSH}"));
    let mut event = stdin::captured("PreToolUse-Bash");
    for silent in ["git status", "make"] {
        event["tool_input"] = json!({ "command": silent });
        home.hook(&event).ended().is_silent();
    }
    assert!(home.requests().is_empty());
    event["tool_input"] = json!({ "command": "git push" });
    let ended = home.hook(&event).ended();
    insta::assert_snapshot!(ended.stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Open a pull request instead."}}"#);
    assert_eq!((ended.stderr.as_str(), ended.status.code()), ("", Some(0)));
    assert_eq!(home.rejections()[0]["request_id"], event["tool_use_id"]);
    assert!(home.rejections()[0]["rule"].as_str().unwrap().starts_with(&path));
}

fn before_a_tool_a_person_is_to_be_asked_if_a_deny_may_be_missing() {
    let home = bare_home();
    let event = stdin::captured("PreToolUse-Bash");
    let path = policy(&home, DENY_PUSH);
    let unclear = json!({ "command": "$(echo git) push" });
    let ended =
        home.hook(&json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": unclear })).ended();
    let asked = ended.stdout.replace(&path, "POLICY");
    insta::assert_snapshot!(asked, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"A rule may forbid this, which is not clear before it runs. POLICY:2"}}"#);
    policy(&home, &DENY_PUSH.replace("commandPrefix", "comandPrefix"));
    let ended = home.hook(&event).ended();
    let asked = ended.stdout.replace(&path, "POLICY");
    insta::assert_snapshot!(asked, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"A rule that may forbid this cannot be read. POLICY:4:1: unknown key `comandPrefix`; did you mean `commandPrefix`?"}}"#);
    // Too long to be read at all.
    write(Path::new(&path), &"#".repeat((1 << 20) + 1));
    let asked = home.hook(&event).ended().stdout.replace(&path, "POLICY");
    insta::assert_snapshot!(asked, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"A rule that may forbid this cannot be read. POLICY: it is larger than 1 MiB"}}"#);
}

fn call_that_cannot_be_read_passes_no_deny() {
    let home = bare_home();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let event = |name: &str, input: &str| {
        let event = format!(
            r#"{{"hook_event_name":"{name}","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{input}}}"#
        );
        home.hook_with(event.into_bytes()).ended()
    };
    let deep = format!(r#"{{"command":"git push","more":{deep}}}"#);
    event("PreToolUse", &deep).decides_nothing();
    policy(&home, DENY_PUSH);
    insta::assert_snapshot!(event("PreToolUse", &deep).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"The call cannot be read, and a rule of the policy may forbid it, so it was not allowed: the hook input is not the JSON object that Claude Code sends: recursion limit exceeded at line 1 column 246"}}"#);
    let long = json!({ "command": format!("git push {}", "x".repeat(2 << 20)) }).to_string();
    insta::assert_snapshot!(event("PreToolUse", &long).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"The call cannot be read, and a rule of the policy may forbid it, so it was not allowed: the hook input is longer than 2 MiB, which nobody could look through"}}"#);
    insta::assert_snapshot!(event("PermissionRequest", &deep).stdout, @r#"{"systemMessage":"dmplz: 아무에게도 물을 수 없었습니다(훅 입력이 Claude Code가 보내는 JSON 객체가 아닙니다: recursion limit exceeded at line 1 column 253). 여기서 답해 주세요."}"#);
    // JavaScript's strings can hold half a character.
    let half = r#"{"command":"git push","description":"\ud83d"}"#;
    insta::assert_snapshot!(event("PreToolUse", half).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Open a pull request instead."}}"#);
}

fn file_that_is_not_utf8_keeps_its_denies() {
    let home = bare_home();
    let path = policy(&home, DENY_PUSH);
    fs::write(&path, [DENY_PUSH.as_bytes(), b"# caf\xe9\n"].concat()).unwrap();
    home.hook(&bash("git push")).ended().denies("Open a pull request instead.");
}

fn question_may_be_denied_and_is_never_allowed() {
    let home = bare_home();
    let question = stdin::captured("PermissionRequest-AskUserQuestion");
    let rule = |decision| format!("[[rule]]\ntoolName = \"*\"\ndecision = \"{decision}\"\npriority = 999\n");
    policy(&home, &rule("allow"));
    home.hook(&question).ended().decides_nothing();
    let path = policy(&home, &rule("deny"));
    home.hook(&question).ended().denies(&format!("Denied by policy ({path}:1)"));
}

fn without_a_policy_nothing_is_read_into_it() {
    let home = bare_home();
    is_asked(&home.hook(&bash("git status")).ended());
    home.hook(&stdin::captured("PreToolUse-Bash")).ended().is_silent();
    assert!(!home.state().exists(), "a policy that is not there leaves no trace");
}

fn rule_that_asks_sends_the_request_to_the_person_with_its_reason(chat: Chat) {
    let home = home(&chat);
    let asks =
        "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"git status\"\ndecision = \"ask_user\"\npriority = 200\n";
    let path = policy(&home, &format!("{asks}reason = \"look first\"\n{ALLOW_STATUS}"));
    let hook = home.hook(&bash("git status"));
    let card = chat.await_card();
    assert!(card.text.contains(&format!("📏 규칙에 따라 묻습니다: look first ({path}:1)\n")), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    let ended = hook.ended();
    ended.decides(allow());
    assert_eq!(ended.stderr, "");
    chat.assert_clean();
}

fn what_no_rule_decides_reaches_the_person(chat: Chat) {
    let home = home(&chat);
    policy(&home, &format!("{ALLOW_STATUS}{DENY_PUSH}"));
    let hook = home.hook(&bash("make"));
    let card = chat.await_card();
    assert!(!card.text.contains("policy"), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(allow());
    home.hook(&bash("git status")).ended().decides(allow());
    home.hook(&bash("git push")).ended().denies("Open a pull request instead.");
    assert_eq!(chat.messages().len(), 1, "nobody was asked about what a rule decided");
    let outcomes: Vec<_> = home.requests().iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(outcomes, ["approved", "allowed_by_rule", "denied_by_rule"]);
    chat.assert_clean();
}

fn policy_file_with_an_error_allows_nothing_and_says_so(chat: Chat) {
    let home = home(&chat);
    let path = policy(&home, &format!("{ALLOW_STATUS}\n[[rule]]\ntoolName = \"Bash\"\ndecision = \"perhaps\"\n"));
    let hook = home.hook(&bash("git status"));
    let card = chat.await_card();
    assert!(card.text.contains("⚠️ 정책 파일에 문제가 있어"), "{card:?}");
    assert!(card.text.contains(&path), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    let ended = hook.ended();
    ended.decides(allow());
    assert!(ended.complaint().starts_with("a part of the policy cannot be used"), "{ended:?}");
    assert!(ended.complaint().contains(&path), "{ended:?}");
    chat.assert_clean();
}

fn policy_file_that_cannot_be_read_allows_nothing_and_says_so(chat: Chat) {
    let home = home(&chat);
    policy(&home, ALLOW_STATUS);
    let spoil = home.state().join("policy.d/10.toml");
    write(&spoil, "");
    fs::write(&spoil, b"# \xff\n").unwrap();
    let hook = home.hook(&bash("git status"));
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    let ended = hook.ended();
    assert!(ended.complaint().ends_with(&format!("{}: it is not UTF-8", spoil.display())), "{ended:?}");
    chat.assert_clean();
}

fn workspace_allows_only_while_its_file_is_the_one_that_is_trusted(chat: Chat) {
    let home = home(&chat);
    let folder = home.path().join("project");
    let path = folder.join(".dmplz/policy.toml");
    write(&path, ALLOW_STATUS);
    let trust = Trust::of(&StateDir::open(home.state()).unwrap());
    trust.add(&path.canonicalize().unwrap(), ALLOW_STATUS.as_bytes()).unwrap();
    let status = from(&folder, bash("git status"));
    home.hook(&status).ended().decides(allow());
    assert!(chat.messages().is_empty());
    // The agent widens its own rules.
    write(&path, &ALLOW_STATUS.replace("git status", "git"));
    for command in ["git status", "git push"] {
        let hook = home.hook(&from(&folder, bash(command)));
        let card = chat.await_card();
        assert!(card.text.contains("it has changed since it was trusted"), "{card:?}");
        chat.press(&card, Choice::Approve, JIN);
        let ended = hook.ended();
        assert!(ended.complaint().contains("run `dmplz policy trust`"), "{ended:?}");
    }
    write(&path, ALLOW_STATUS);
    home.hook(&status).ended().decides(allow());
    chat.assert_clean();
}

fn no_rule_answers_a_plan(chat: Chat) {
    let home = home(&chat);
    policy(&home, "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 999\n");
    let hook = home.hook(&stdin::captured("PermissionRequest-ExitPlanMode"));
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    assert_eq!(hook.ended().decision()["behavior"], "allow");
    chat.assert_clean();
}

fn no_rule_allows_to_change_what_decides(chat: Chat) {
    let home = home(&chat);
    policy(
        &home,
        "[[rule]]\ntoolName = [\"Write\", \"Bash\"]\ndecision = \"allow\"\npriority = 999\nallowRedirection = true\n",
    );
    let folder = home.path().join("project");
    fs::create_dir_all(&folder).unwrap();
    let write = |path: &Path| {
        let mut request = from(&folder, stdin::captured("PermissionRequest-Write"));
        request["tool_input"] = json!({ "file_path": path, "content": "x" });
        request
    };
    home.hook(&write(&folder.join("notes.md"))).ended().decides(allow());
    home.hook(&from(&folder, bash("echo x > notes.md"))).ended().decides(allow());
    std::os::unix::fs::symlink(home.state(), folder.join("link")).unwrap();
    let asked = [
        write(&folder.join(".dmplz/policy.toml")),
        write(&home.state().join("policy.d/90.toml")),
        write(&home.path().join(".claude/settings.json")),
        write(&folder.join(".claude/settings.local.json")),
        write(&folder.join("link/policy.toml")),
        from(&folder, bash("echo x > .dmplz/policy.toml")),
        from(&folder, bash("echo x > link/policy.toml")),
        from(&folder, bash("echo x >> ~/.claude/settings.json")),
    ];
    for request in asked {
        let hook = home.hook(&request);
        let card = chat.await_card();
        chat.press(&card, Choice::Approve, JIN);
        hook.ended().decides(allow());
        assert_eq!(home.requests().last().unwrap()["outcome"], "approved", "{request}");
    }
    chat.assert_clean();
}
