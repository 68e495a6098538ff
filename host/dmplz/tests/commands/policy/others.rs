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
    insta::assert_snapshot!(shown(&home, &left), @"3 rules, nothing found.");

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
    2 rules, 2 found.
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
    insta::assert_snapshot!(shown(&home, &left), @r#"
    # From Claude Code's settings, ~/settings.json.
    # It asks its lists in this order: deny (here priority 300), ask (200), allow (100).

    [[rule]]
    toolName = ["Read", "Grep", "Glob", "LS"]
    paths = "**/.env"
    decision = "deny"
    priority = 300
    reason = "Claude Code's deny Read(./.env) (~/settings.json)"

    [[rule]]
    toolName = "Bash"
    commandPrefix = "npm run"
    decision = "allow"
    priority = 100
    reason = "Claude Code's allow Bash(npm run *) (~/settings.json)"
    match = "npm run"
    not_match = "npm run-x"

    # `defaultMode` "plan" stays Claude Code's own: no mode allows anything here.
    dmplz: `defaultMode` "plan" stays Claude Code's own: no mode allows anything here.
    "#);
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
    insta::assert_snapshot!(left.stderr, @"dmplz: failed to find not/there.json: No such file or directory (os error 2)");
}
