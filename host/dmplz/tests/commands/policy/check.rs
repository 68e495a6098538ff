use super::POLICY;
use crate::command::{Home, Left};

fn check(home: &Home, arguments: &[&str]) -> Left {
    home.run(&[&["policy", "check"], arguments].concat())
}

fn with_policy() -> Home {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    home
}

#[test]
fn the_exit_code_is_the_decision() {
    let home = with_policy();
    let write = r#"{"file_path":"src/main.rs","content":""}"#;
    for (arguments, code) in [
        (&["git status"][..], 0),
        (&["ls && git status | ls"], 0),
        (&["git push"], 1),
        (&["git status; git -C . push"], 1),
        (&["rm x"], 2),
        (&["git status && rm x"], 2),
        (&["git status > x"], 2),
        (&["--tool", "Bash", "--input", r#"{"command":"git status"}"#], 0),
        (&["--input", r#"{"command":"git push"}"#], 1),
        (&["--tool", "run_shell_command", "--input", r#"{"command":"git push"}"#], 1),
        (&["--tool", "Write", "--input", write], 0),
        (&["--tool", "Write", "--input", write, "--cwd", "/"], 0),
        (&["--tool", "Write", "--input", r#"{"file_path":"/etc/passwd","content":""}"#], 2),
        (&["--tool", "mcp__github__search"], 2),
        (&["--tool", "search", "--mcp-server", "github"], 2),
    ] {
        let left = check(&home, arguments);
        assert_eq!(left.code, Some(code), "{arguments:?}: {left:?}");
        assert_eq!(left.stderr, "", "{arguments:?}");
    }
    assert!(!home.state().join("requests.jsonl").exists(), "nothing is logged");
}

#[test]
fn without_a_policy_everything_is_asked_and_nothing_is_created() {
    let home = Home::new();
    assert_eq!(check(&home, &["ls"]).code, Some(2));
    assert!(!home.state().exists());
}

#[test]
fn what_cannot_be_judged_never_looks_like_an_answer() {
    let home = with_policy();
    for (arguments, code) in [
        (&[][..], 64),
        (&["ls", "--tool", "Bash"], 64),
        (&["ls", "--colour"], 64),
        (&["--tool"], 64),
        (&["ls", "--policy", "/not/there.toml"], 3),
        (&["--tool", "Bash", "--input", "[]"], 3),
        (&["--tool", "Bash", "--input", "{"], 3),
        (&["git status", "--cwd", "/nonexistent"], 3),
        (&["git status", "--cwd", "/dev/null"], 3),
        (&["git status", "--mode", "nonsense"], 3),
        (&["-", "--mode", "Plan"], 3),
    ] {
        let left = check(&home, arguments);
        assert_eq!((left.code, left.stdout.as_str()), (Some(code), ""), "{arguments:?}: {left:?}");
        assert_ne!(left.stderr, "", "{arguments:?}");
    }
    assert_eq!(check(&home, &["--help"]).code, Some(0));
    assert_eq!(home.run(&["policy", "chek", "ls"]).code, Some(2), "only check has codes of its own");
}

#[test]
fn a_file_that_does_not_load_asks_and_keeps_its_denies() {
    let home = with_policy();
    home.keep("policy.toml", &format!("{POLICY}\n[[rule]]\ntoolName = \"Bash\"\ndecision = \"alow\"\npriority = 1\n"));
    let left = check(&home, &["git status"]);
    assert_eq!(left.code, Some(2), "{left:?}");
    assert!(left.stderr.contains("policy.toml:25:"), "{left:?}");
    assert_eq!(check(&home, &["git push"]).code, Some(1));
}

#[test]
fn a_file_given_by_hand_judges_alone() {
    let home = with_policy();
    let file = home.put(
        "other.toml",
        "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"make\"\ndecision = \"allow\"\npriority = 1\n",
    );
    let file = file.to_str().unwrap();
    assert_eq!(check(&home, &["make all", "--policy", file]).code, Some(0));
    assert_eq!(check(&home, &["git push", "--policy", "other.toml"]).code, Some(2));
    home.put("other.toml", "[[rule]\n");
    let left = check(&home, &["make all", "--policy", file]);
    assert_eq!(left.code, Some(2), "{left:?}");
    assert_ne!(left.stderr, "");
}

#[test]
fn no_rule_allows_to_replace_a_component_that_the_gateway_loads() {
    let by_variable = with_policy().with("DMPLZ_GATEWAY_PROVIDERS", "telegram, /src/a.wasm,/src/b.wasm");
    let by_file = with_policy();
    by_file.keep("config.toml", "gateway_providers = [\"telegram\", \"/src/a.wasm\", \"/src/b.wasm\"]\n");
    for home in [by_variable, by_file] {
        let write = |file: &str| {
            let input = format!(r#"{{"file_path":"{file}","content":""}}"#);
            check(&home, &["--tool", "Write", "--input", &input, "--cwd", "/"]).code
        };
        assert_eq!(["src/a.wasm", "src/b.wasm", "src/c.wasm"].map(write), [Some(2), Some(2), Some(0)]);
    }
}

#[test]
fn the_answer_for_programs_has_the_rule_and_the_reason() {
    let home = with_policy();
    let left = check(&home, &["git push origin", "--json"]);
    let answer = left.stdout.replace(home.path().to_str().unwrap(), "~");
    insta::assert_snapshot!(answer, @r#"
    {
      "decision": "deny",
      "rule": "~/.claude/dm-plz/policy.toml:10",
      "reason": "pushing is for people"
    }
    "#);
    let none = check(&home, &["make", "--json"]).json();
    assert_eq!(none["decision"], "ask_user");
    assert!(none["rule"].is_null());
}

#[test]
fn a_person_reads_the_answer_in_their_language() {
    let home = with_policy();
    let shown = |home: &Home, command: &str| check(home, &[command]).stdout.replace(home.path().to_str().unwrap(), "~");
    insta::assert_snapshot!(shown(&home, "git status && git push -f"), @"
    ✗ deny  git push -f
      rule    ~/.claude/dm-plz/policy.toml:10
      reason  pushing is for people
    ");
    let home = with_policy().with("DMPLZ_LANG", "ko");
    insta::assert_snapshot!(shown(&home, "git status > x"), @"
    ? 질문  git status
      규칙    ~/.claude/dm-plz/policy.toml:1
      이유    허용하는 규칙이 있지만, x 파일로, 또는 그 파일에서 리디렉션합니다
    ");
}

#[test]
fn the_language_may_stand_in_the_settings_file() {
    let home = with_policy().with("DMPLZ_LANG", "");
    assert!(check(&home, &["git push"]).stdout.starts_with("✗ 거부  git push\n"));
    home.keep("config.toml", "lang = \"en\"\n");
    assert!(check(&home, &["git push"]).stdout.starts_with("✗ deny  git push\n"));
    home.keep("config.toml", "lang = 5\nnonsense = 1\n");
    assert_eq!(check(&home, &["git push"]).code, Some(1), "a broken setting takes no deny away");
}
