use super::POLICY;
use crate::command::Home;

fn explain(lang: &str, arguments: &[&str]) -> String {
    let home = Home::new().with("DMPLZ_LANG", lang);
    home.keep("policy.toml", POLICY);
    let left = home.run(&[&["policy", "check", "--explain"], arguments].concat());
    left.stdout.replace(home.path().to_str().unwrap(), "~")
}

#[test]
fn each_command_shows_the_rules_that_were_considered() {
    insta::assert_snapshot!(explain("en", &["git status && timeout 5 git push"]), @"
    git status && timeout 5 git push
    ✗ deny · ~/.claude/dm-plz/policy.toml:10
    ├─ git status  ✓ allow
    │  ├╴ · deny  200  ~/.claude/dm-plz/policy.toml:10           another command
    │  ├╴ ✓ allow 100  ~/.claude/dm-plz/policy.toml:1   looking  ◀ decides
    │  └╴ 1 about other tools
    └─ timeout 5 git push (only starts the next one)  – not counted
       ├╴ · deny  200  ~/.claude/dm-plz/policy.toml:10           another command
       ├╴ · allow 100  ~/.claude/dm-plz/policy.toml:1   looking  another command
       ├╴ 1 about other tools
       └─ git push  ✗ deny
          ├╴ ✗ deny  200  ~/.claude/dm-plz/policy.toml:10           ◀ decides
          ├╴ · allow 100  ~/.claude/dm-plz/policy.toml:1   looking  another command
          └╴ 1 about other tools
    ");
}

#[test]
fn a_call_that_is_no_command_is_one() {
    insta::assert_snapshot!(explain("en", &["--tool", "Write", "--input", r#"{"file_path":"src/a.rs"}"#]), @r#"
    Write {"file_path":"src/a.rs"}
    ✓ allow · ~/.claude/dm-plz/policy.toml:17
    └─ this call  ✓ allow
       ├╴ ✓ allow 100  ~/.claude/dm-plz/policy.toml:17  ◀ decides
       └╴ 2 about other tools
    "#);
}

#[test]
fn it_is_explained_in_korean_too() {
    insta::assert_snapshot!(explain("ko", &["ls $x > $y; sudo ls"]), @"
    ls $x > $y; sudo ls
    ? 질문 · ~/.claude/dm-plz/policy.toml:1 · 허용하는 규칙이 있지만, 보호된 파일에 닿는지는 실행해야 알 수 있습니다 (…)
    ├─ ls …  ? 질문 · 허용하는 규칙이 있지만, 보호된 파일에 닿는지는 실행해야 알 수 있습니다 (…)
    │  ├╴ · 거부  200  ~/.claude/dm-plz/policy.toml:10           다른 명령
    │  ├╴ ✓ 허용  100  ~/.claude/dm-plz/policy.toml:1   looking  ◀ 결정
    │  └╴ 다른 도구의 규칙 1개
    └─ sudo ls  ? 질문 · 해당하는 규칙이 없습니다
       ├╴ · 거부  200  ~/.claude/dm-plz/policy.toml:10           다른 명령
       ├╴ · 허용  100  ~/.claude/dm-plz/policy.toml:1   looking  다른 명령
       ├╴ 다른 도구의 규칙 1개
       └─ ls  ✓ 허용
          ├╴ · 거부  200  ~/.claude/dm-plz/policy.toml:10           다른 명령
          ├╴ ✓ 허용  100  ~/.claude/dm-plz/policy.toml:1   looking  ◀ 결정
          └╴ 다른 도구의 규칙 1개
    ");
}

#[test]
fn programs_get_all_of_it() {
    let json: serde_json::Value = serde_json::from_str(&explain("ko", &["--json", "git status"])).unwrap();
    insta::assert_snapshot!(format!("{json:#}"), @r#"
    {
      "decision": "allow",
      "rule": "~/.claude/dm-plz/policy.toml:1",
      "reason": "a rule says so",
      "units": [
        {
          "command": "git status",
          "within": null,
          "role": "runs",
          "decision": "allow",
          "rule": "~/.claude/dm-plz/policy.toml:1",
          "reason": "a rule says so",
          "considered": [
            {
              "rule": "~/.claude/dm-plz/policy.toml:10",
              "tier": "user",
              "priority": 200,
              "decision": "deny",
              "matched": "no",
              "because": "command",
              "won": false
            },
            {
              "rule": "~/.claude/dm-plz/policy.toml:1",
              "name": "looking",
              "tier": "user",
              "priority": 100,
              "decision": "allow",
              "matched": "yes",
              "won": true
            }
          ],
          "elsewhere": 1
        }
      ],
      "problems": []
    }
    "#);
}
