use super::POLICY;
use crate::command::{Home, Left};

fn shown(home: &Home, left: &Left) -> String {
    format!("{}{}", left.stdout, left.stderr).replace(home.path().canonicalize().unwrap().to_str().unwrap(), "~")
}

#[test]
fn test_runs_the_examples_and_names_those_that_fail() {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    let left = home.run(&["policy", "test"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(shown(&home, &left), @"2 of 2 examples hold; 2 of 3 rules have none.");

    home.put("bad.toml", &POLICY.replace("not_match = \"git push\"", "not_match = [\"git push\", \"ls -l\"]"));
    let left = home.run(&["policy", "test", "--policy", "bad.toml"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    insta::assert_snapshot!(shown(&home, &left), @"
    ✗ bad.toml:8:26  ls -l  should not match and does
    2 of 3 examples hold; 2 of 3 rules have none.
    ");
    let left = home.run(&["policy", "test", "--policy", "bad.toml", "--json"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(shown(&home, &left), @r#"
    {
      "ok": false,
      "examples": 3,
      "failures": [
        {
          "place": "bad.toml:8:26",
          "rule": "bad.toml:1",
          "example": "ls -l",
          "should_match": false
        }
      ],
      "rules": 3,
      "without": 2,
      "problems": []
    }
    "#);
}

#[test]
fn lint_finds_what_does_not_do_what_it_seems_to() {
    let home = Home::new();
    home.keep("policy.toml", POLICY);
    let left = home.run(&["policy", "lint"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(shown(&home, &left), @"Checked 3 rules: no problems.");

    let wide = "\n[[rule]]\ntoolName = \"Bassh\"\ndecision = \"deny\"\npriority = 1\n\
                \n[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"python\"\ndecision = \"allow\"\npriority = 1\n";
    home.put("wide.toml", wide);
    let left = home.run(&["policy", "lint", "--policy", "wide.toml"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    insta::assert_snapshot!(shown(&home, &left), @"
    ! wide.toml:2  unknown tool: no tool is called `Bassh`
      → did you mean `Bash`?
    ! wide.toml:7  runner: it allows `python`, which runs any code that it is given
      → name what it may run, as in `python -m pytest`
    Checked 2 rules: 2 problems.
    ");
    let left = home.run(&["policy", "lint", "--policy", "wide.toml", "--json"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(shown(&home, &left), @r#"
    {
      "ok": false,
      "rules": 2,
      "problems": [],
      "warnings": [
        {
          "concern": "unknown_tool",
          "place": "wide.toml:2",
          "what": "no tool is called `Bassh`",
          "hint": "did you mean `Bash`?"
        },
        {
          "concern": "runner",
          "place": "wide.toml:7",
          "what": "it allows `python`, which runs any code that it is given",
          "hint": "name what it may run, as in `python -m pytest`"
        }
      ]
    }
    "#);
}

#[test]
fn rules_of_claude_code_are_shown_and_added_only_when_asked_for() {
    let home = Home::new();
    let settings =
        r#"{ "permissions": { "allow": ["Bash(npm run *)"], "deny": ["Read(./.env)"], "defaultMode": "plan" } }"#;
    let path = home.path().join("settings.json");
    std::fs::write(&path, settings).unwrap();
    let path = path.to_str().unwrap();
    let left = home.run(&["policy", "import", "--claude", path]);
    assert_eq!(left.code, Some(0), "{left:?}");
    for shown in [
        "# From Claude Code's settings, ",
        "paths = \"**/.env\"
decision = \"deny\"",
        "commandPrefix = \"npm run\"",
    ] {
        assert!(left.stdout.contains(shown), "{shown}: {left:?}");
    }
    assert!(left.stderr.contains("`defaultMode` \"plan\" stays Claude Code's own"), "{left:?}");
    assert!(!home.state().exists(), "nothing is written");

    let left = home.run(&["policy", "import", "--claude", path, "--write"]);
    assert_eq!(left.code, Some(1), "nobody can say yes without a terminal");
    assert!(!home.state().join("policy.d").exists());

    let left = home.run(&["policy", "import", "--claude", path, "--write", "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(home.run(&["policy", "check", "npm run build"]).code, Some(0));
    assert_eq!(home.run(&["policy", "list"]).code, Some(0));

    let left = home.run(&["policy", "import", "--claude", "not/there.json"]);
    assert_eq!(left.code, Some(1));
    insta::assert_snapshot!(left.stderr, @"dmplz: not/there.json cannot be found: No such file or directory (os error 2)");
}

#[test]
fn a_folder_of_cdpath_is_not_taken_for_one_of_the_workspace() {
    let rule = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = [\"cat\", \"cd\", \"git status\"]\ndecision = \"allow\"\n\
                priority = 1\n";
    let token = "cd .claude/dm-plz && cat gateway.token";
    let git = "cd app && git status";
    for (cd_path, expected) in [("", [0, 0]), (".", [0, 0]), (".:~", [2, 0]), ("HOME/src:HOME", [2, 2])] {
        let home = Home::new();
        home.keep("policy.toml", rule);
        std::fs::create_dir_all(home.path().join("src/app/.git")).unwrap();
        std::fs::create_dir_all(home.path().join("work")).unwrap();
        let cd_path = cd_path.replace("HOME", home.path().to_str().unwrap());
        let home = home.with("CDPATH", &cd_path);
        for (line, code) in [token, git].into_iter().zip(expected) {
            let left = home.run(&["policy", "check", "--cwd", home.path().join("work").to_str().unwrap(), line]);
            assert_eq!(left.code, Some(code), "{cd_path}: {left:?}");
        }
    }
}

/// Returns a history of answers: a command that was always allowed, and a host that was always denied.
pub(crate) fn history() -> String {
    let line = |day: u32, tool: &str, subject: &str, outcome: &str| {
        let ids = r#""request_id":"r","session_id":"s","provider":"telegram""#;
        let what =
            format!(r#""tool_name":"{tool}","subject":"{subject}","cwd":"/home/ann/shop","outcome":"{outcome}""#);
        format!("{{\"timestamp\":\"2026-11-{day:02}T01:00:00.000Z\",{ids},{what}}}\n")
    };
    let allowed = (10..14).map(|day| line(day, "Bash", &format!("git fetch origin b{day}"), "approved"));
    let denied = (10..13).map(|day| line(day, "WebFetch", "https://example.com/x", "rejected_no_reason"));
    allowed.chain(denied).chain(["half a li".to_owned()]).collect()
}

#[test]
fn suggestions_are_shown_and_nothing_is_applied() {
    let home = Home::new();
    let nothing = home.run(&["policy", "suggest"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), "0 answers of people, and no rule to suggest.\n"));
    home.keep("requests.jsonl", &history());
    let left = home.run(&["policy", "suggest"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(left.stdout, @r#"
    ✓ allow  Bash git fetch origin *
    answered so 4 times on 4 days; saves 4 questions
      [[rule]]
      toolName = "Bash"
      commandPrefix = "git fetch origin"
      cwd = "//home/ann/shop/**"
      decision = "allow"
      priority = 50
      reason = "suggested from 4 answers"
      match = ["git fetch origin b10", "git fetch origin b11", "git fetch origin b12"]

    ✗ deny  WebFetch example.com
    answered so 3 times on 3 days; saves 3 questions
      [[rule]]
      toolName = "WebFetch"
      domains = "example.com"
      decision = "deny"
      priority = 500
      reason = "suggested from 3 answers"
      match = "https://example.com/x"

    2 suggested. Nothing was changed; --write asks about each and adds it.
    "#);
    let late = home.run(&["policy", "suggest", "--since", "2026-11-12", "--min", "2", "--json"]);
    insta::assert_snapshot!(late.stdout, @r#"
    {
      "answers": 3,
      "suggestions": [
        {
          "decision": "allow",
          "tool": "Bash",
          "about": "git fetch origin *",
          "within": "/home/ann/shop",
          "saves": 2,
          "answers": 2,
          "days": 2,
          "last": "2026-11-13T01:00:00.000Z",
          "toml": "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"git fetch origin\"\ncwd = \"//home/ann/shop/**\"\ndecision = \"allow\"\npriority = 50\nreason = \"suggested from 2 answers\"\nmatch = [\"git fetch origin b12\", \"git fetch origin b13\"]\n"
        }
      ]
    }
    "#);
    let left = home.run(&["policy", "suggest", "--write"]);
    assert_eq!(left.code, Some(1), "nobody can say yes without a terminal");
    assert!(!home.state().join("policy.d").exists());
    assert_eq!(home.run(&["policy", "suggest", "--since", "soon"]).code, Some(2));
}

/// Runs a command in a terminal, and types this text.
#[cfg(target_os = "linux")]
fn at_terminal(home: &Home, arguments: &str, typed: &str) -> (Option<i32>, String) {
    let typing = home.path().join("typed");
    std::fs::write(&typing, typed).unwrap();
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &format!("{} {arguments}", env!("CARGO_BIN_EXE_dmplz")), "/dev/null"]);
    script.env_clear().envs(home.environment()).env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    let stdin = std::fs::File::open(&typing).unwrap();
    let output = script.current_dir(home.path().join("work")).stdin(stdin).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn each_suggestion_needs_a_yes_at_the_terminal() {
    let home = Home::new();
    home.keep("requests.jsonl", &history());
    let (code, shown) = at_terminal(&home, "policy suggest --write", "n\nn\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("Nothing was added."), "{shown}");
    let (code, shown) = at_terminal(&home, "policy suggest --write", "n\ny\n");
    assert_eq!(code, Some(0), "{shown}");
    let denied = home.run(&["policy", "check", "--tool", "WebFetch", "--input", r#"{"url":"https://example.com/y"}"#]);
    assert_eq!(denied.code, Some(1), "{denied:?}");
    let file = std::fs::read_dir(home.state().join("policy.d")).unwrap().next().unwrap().unwrap();
    let rules = std::fs::read_to_string(file.path()).unwrap();
    assert!(rules.contains("example.com") && !rules.contains("git fetch"), "{rules}");
}

#[test]
#[cfg(target_os = "linux")]
fn trust_and_import_ask_at_the_terminal() {
    let home = Home::new();
    home.put(".dmplz/policy.toml", POLICY);
    let settings = home.put("settings.json", r#"{ "permissions": { "allow": ["Bash(npm test)"] } }"#);
    let import = format!("policy import --write --claude {}", settings.display());
    for (answer, code) in [("\n", 1), ("no\n", 1), ("y\n", 0)] {
        assert_eq!(home.run(&["policy", "check", "ls"]).code, Some(2), "{answer:?}");
        assert_eq!(home.run(&["policy", "check", "npm test"]).code, Some(2), "{answer:?}");
        for command in ["policy trust", &import] {
            let (left, shown) = at_terminal(&home, command, answer);
            assert_eq!(left, Some(code), "{command} {answer:?}: {shown}");
            assert!(shown.contains("[y/N]") && shown.contains("[[rule]]"), "{shown}");
        }
    }
    assert_eq!(home.run(&["policy", "check", "ls"]).code, Some(0));
    assert_eq!(home.run(&["policy", "check", "npm test"]).code, Some(0));
}

#[test]
fn the_help_teaches() {
    let left = Home::new().run(&["policy", "--help"]);
    assert_eq!(left.code, Some(0));
    insta::assert_snapshot!(left.stdout, @r#"
    Rules that you write decide first, and only what they leave open reaches your phone. Without a rule everything is asked:
    nothing is allowed by itself.

    직접 쓴 규칙이 먼저 결정하고, 규칙이 정하지 않은 것만 휴대폰으로 묻습니다. 규칙이 없으면 모두 묻습니다.

    Usage: dmplz policy <COMMAND>

    Commands:
      check    Say what would become of a call · 어떤 호출이 어떻게 되는지
      lint     Find rules that do not do what they seem to · 보이는 것과 다르게 동작하는 규칙 찾기
      test     Run the match and not_match examples of all rules · 규칙의 예시 확인
      list     List the policy files, their tiers, rules and problems · 정책 파일 목록 [alias: show]
      init     Write a commented file to begin with · 주석이 달린 첫 파일 만들기
      trust    Let the allows of a folder's .dmplz/policy.toml count · 폴더의 정책을 신뢰
      untrust  Take that back · 신뢰 취소
      import   Read in the permission rules of Claude Code · Claude Code의 규칙 가져오기
      suggest  Suggest rules from what you always answer the same way · 늘 같은 답을 하는 것에서 규칙 제안
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

    A rule · 규칙의 예 (~/.claude/dm-plz/policy.toml):
      [[rule]]
      toolName = "Bash"
      commandPrefix = ["git status", "npm test"]
      decision = "allow"                            # allow, deny or ask_user
      priority = 100                                # higher first; on a tie deny, then ask, then allow
      match = ["git status -s", "npm test"]         # checked when the file loads, and by `dmplz policy test`
      not_match = ["git push"]

    Examples · 예:
      dmplz policy init                             a commented file to begin with
      dmplz policy check 'git status && rm -rf x'   what would happen? (exit code: 0 allow, 1 deny, 2 ask)
      dmplz policy check --explain 'npm test > log' and why: every command, every rule
      dmplz policy check --tool Write --input '{"file_path":"/etc/hosts","content":""}'
      dmplz policy lint && dmplz policy test        is it what you meant?
      dmplz policy import --claude ~/.claude/settings.json
      dmplz policy suggest                          rules for what you always answer the same way

    The whole story: docs/POLICY.md · 자세한 설명: docs/POLICY.ko.md
    "#);
    assert_eq!(Home::new().run(&["policy"]).code, Some(2));
}
