use super::POLICY;
use crate::command::{Home, Left};

/// Returns the output without the name of the home directory.
fn shown(home: &Home, left: &Left) -> String {
    format!("{}{}", left.stdout, left.stderr).replace(home.path().canonicalize().unwrap().to_str().unwrap(), "~")
}

const WORKSPACE: &str = ".dmplz/policy.toml";
const MAKE: &str = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"make\"\ndecision = \"allow\"\npriority = 5\n";
const NO_CLEAN: &str =
    "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"make clean\"\ndecision = \"deny\"\npriority = 5\n";

#[test]
fn init_writes_a_file_to_begin_with_and_never_over_another() {
    let home = Home::new();
    let left = home.run(&["policy", "init"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(shown(&home, &left), @"
    ~/.claude/dm-plz/policy.toml: written. Read it, change it, delete what you do not want.
    Try it: dmplz policy check 'git status'
    ");
    assert_eq!(home.run(&["policy", "check", "git status"]).code, Some(0));
    for command in ["list", "test", "lint"] {
        let left = home.run(&["policy", command]);
        assert_eq!(left.code, Some(0), "{command}: {left:?}");
    }
    let print = home.run(&["policy", "init", "--print"]);
    assert_eq!(print.stdout, std::fs::read_to_string(home.state().join("policy.toml")).unwrap());

    home.keep("policy.toml", POLICY);
    let left = home.run(&["policy", "init"]);
    assert_eq!(left.code, Some(1));
    insta::assert_snapshot!(shown(&home, &left), @"dmplz: ~/.claude/dm-plz/policy.toml cannot be written: there is one already, and it is left as it is");
    assert_eq!(std::fs::read_to_string(home.state().join("policy.toml")).unwrap(), POLICY);
}

#[test]
fn init_print_writes_nothing() {
    let home = Home::new();
    assert_eq!(home.run(&["policy", "init", "--print"]).code, Some(0));
    assert!(!home.state().exists());
}

#[test]
fn a_folder_gets_a_file_of_its_own_whose_allows_wait_for_trust() {
    let home = Home::new();
    assert_eq!(home.run(&["policy", "init", "--workspace"]).code, Some(0));
    assert!(home.path().join("work").join(WORKSPACE).is_file());
    assert_eq!(home.run(&["policy", "check", "git status"]).code, Some(2));
    assert_eq!(home.run(&["policy", "trust", "--yes"]).code, Some(0));
    assert_eq!(home.run(&["policy", "check", "git status"]).code, Some(0));
}

#[test]
fn trust_shows_what_it_would_allow_and_lasts_until_the_file_changes() {
    let home = Home::new();
    home.put(WORKSPACE, &format!("{MAKE}{NO_CLEAN}"));
    let check = |command: &str| home.run(&["policy", "check", command]).code;
    assert_eq!((check("make"), check("make clean")), (Some(2), Some(1)), "only its denies count");

    let left = home.run(&["policy", "trust"]);
    assert_eq!(left.code, Some(1), "nobody can say yes without a terminal");
    insta::assert_snapshot!(shown(&home, &left), @r#"
    ~/work/.dmplz/policy.toml, rules that allow: 1

    ~/work/.dmplz/policy.toml:1
      [[rule]]
      toolName = "Bash"
      commandPrefix = "make"
      decision = "allow"
      priority = 5

    dmplz: you cannot be asked for your consent: this is no terminal
    "#);
    assert_eq!(check("make"), Some(2));

    assert_eq!(home.run(&["policy", "trust", "--yes"]).code, Some(0));
    assert_eq!((check("make"), check("make clean")), (Some(0), Some(1)));
    let list = home.run(&["policy", "trust", "--list"]);
    insta::assert_snapshot!(shown(&home, &list), @"~/work/.dmplz/policy.toml");

    home.put(WORKSPACE, MAKE);
    assert_eq!((check("make"), check("make clean")), (Some(2), Some(2)), "it is another file now");
    let list = home.run(&["policy", "list"]);
    assert_eq!(list.code, Some(4), "{list:?}");
    assert!(list.stdout.contains("it has changed since it was trusted"), "{list:?}");

    assert_eq!(home.run(&["policy", "trust", "--yes"]).code, Some(0));
    assert_eq!(check("make"), Some(0));
    let folder = home.path().join("work");
    assert_eq!(home.run(&["policy", "untrust", folder.to_str().unwrap()]).code, Some(0));
    assert_eq!(check("make"), Some(2));
    assert_eq!(home.run(&["policy", "trust", "--list", "--json"]).json(), serde_json::json!([]));
}

#[test]
fn a_file_with_errors_is_not_trusted() {
    let home = Home::new();
    home.put(WORKSPACE, &format!("{MAKE}[[rule]]\n"));
    let left = home.run(&["policy", "trust", "--yes"]);
    assert_eq!(left.code, Some(1));
    assert!(left.stderr.ends_with("/work/.dmplz/policy.toml cannot be trusted: correct it first\n"), "{left:?}");
    assert_eq!(home.run(&["policy", "trust", "--list", "--json"]).json(), serde_json::json!([]));
}

#[test]
fn list_shows_every_file_and_how_it_stands() {
    let home = Home::new();
    insta::assert_snapshot!(home.run(&["policy", "list"]).stdout, @"There is no policy file: everything is asked. `dmplz policy init` writes one to begin with.");
    home.keep("policy.toml", POLICY);
    home.put(WORKSPACE, MAKE);
    let left = home.run(&["policy", "list"]);
    assert_eq!(left.code, Some(0));
    insta::assert_snapshot!(shown(&home, &left), @"
    user       ~/.claude/dm-plz/policy.toml  2 allow, 0 ask, 1 deny
    workspace  ~/work/.dmplz/policy.toml  1 allow, 0 ask, 0 deny
               ! not trusted, so its allows do not count: `dmplz policy trust`
    ");

    home.keep("policy.toml", "[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\n");
    let left = home.run(&["policy", "show"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(shown(&home, &left), @"
    user       ~/.claude/dm-plz/policy.toml  0 allow, 0 ask, 0 deny
               ✗ ~/.claude/dm-plz/policy.toml:1:1: it has no `priority`, a whole number from 0 to 999
               → until that is fixed, the allows of this tier and below are asks
    workspace  ~/work/.dmplz/policy.toml  1 allow, 0 ask, 0 deny
               ! not trusted, so its allows do not count: `dmplz policy trust`
    ");
    let left = home.run(&["policy", "list", "--json"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(shown(&home, &left), @r#"
    {
      "ok": false,
      "files": [
        {
          "path": "~/.claude/dm-plz/policy.toml",
          "tier": "user",
          "trusted": true,
          "allow": 0,
          "ask_user": 0,
          "deny": 0,
          "problems": [
            "~/.claude/dm-plz/policy.toml:1:1: it has no `priority`, a whole number from 0 to 999"
          ]
        },
        {
          "path": "~/work/.dmplz/policy.toml",
          "tier": "workspace",
          "trusted": false,
          "allow": 1,
          "ask_user": 0,
          "deny": 0,
          "problems": []
        }
      ]
    }
    "#);
}
