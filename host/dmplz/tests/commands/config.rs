use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::{Home, Left};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";

#[test]
fn every_setting_says_where_it_came_from() {
    let home = Home::new().with("DMPLZ_TELEGRAM_CHAT_ID", "7");
    home.keep("config.toml", &format!("telegram_bot_token = \"{TOKEN}\"\n"));
    let left = home.run(&["config", "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let json = left.json();
    let of = |name: &str| {
        let row = json["settings"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        [row["value"].clone(), row["source"].clone()]
    };
    assert_eq!(of("DMPLZ_TELEGRAM_CHAT_ID"), ["7", "environment"]);
    assert_eq!(of("DMPLZ_TELEGRAM_BOT_TOKEN"), ["****aw0", "file"]);
    assert_eq!(of("DMPLZ_HOOK_TIMEOUT_MS"), ["300000", "default"]);
    assert!(of("DMPLZ_CA_FILE").iter().all(serde_json::Value::is_null));
    assert!(!home.run(&["config"]).stdout.contains(TOKEN));
}

#[test]
fn a_value_that_cannot_be_read_ends_with_3() {
    let left = Home::new().with("DMPLZ_HOOK_TIMEOUT_MS", "5x").run(&["config"]);
    assert_eq!(left.code, Some(3));
    assert!(left.stdout.contains("takes a duration from 5s to 24h, such as 90s, 5m or 1h30m"), "{left:?}");
    let left = Home::new().with("DMPLZ_STATE_DIR", "x/y").run(&["config"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""));
    insta::assert_snapshot!(left.stderr, @r#"
    dmplz: DMPLZ_STATE_DIR cannot be used: it is "x/y" and takes an absolute path, or one from ~/
    hint: correct it in the environment
    "#);
}

#[test]
fn a_file_cannot_move_the_state_directory_in_which_it_is() {
    let home = Home::new();
    let elsewhere = home.path().join("elsewhere");
    home.keep("config.toml", &format!("state_dir = \"{}\"\n", elsewhere.display()));
    home.keep("policy.toml", "[[rule]]\ntoolName = \"Bash\"\ndecision = \"deny\"\npriority = 1\n");
    for arguments in [&["status"][..], &["stats"], &["install", "--user"], &["approvals", "list"]] {
        let left = home.run(arguments);
        assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""), "{arguments:?}: {left:?}");
        for says in [
            "config.toml cannot be used: \"state_dir\" has no effect in it",
            "hint: remove that line; to use another directory, set DMPLZ_STATE_DIR in the environment",
        ] {
            assert!(left.stderr.contains(says), "{arguments:?}: {left:?}");
        }
    }
    let doctor = home.run(&["doctor"]);
    assert!(doctor.code == Some(4) && doctor.stdout.contains("remove that line"), "{doctor:?}");
    assert_eq!(home.run(&["policy", "check", "ls"]).code, Some(1), "the rules beside the file deny as before");
    assert!(!elsewhere.exists());
}

#[test]
fn the_rest_is_shown_where_a_file_cannot_be_used() {
    let home = Home::new().with("DMPLZ_ON_EXPIRED", "deny");
    for (file, text, why) in [
        ("config.toml", "lang = en\n", "config.toml cannot be read: line 1: "),
        ("config.toml", "langs = \"en\"\n", "config.toml cannot be used: there is no setting \"langs\""),
        ("config.toml", "state_dir = \"/elsewhere\"\n", "config.toml cannot be used: \"state_dir\" has no effect"),
        ("providers.lock", "garbage", "providers.lock"),
    ] {
        let path = home.keep(file, text);
        let left = home.run(&["config"]);
        assert!(left.code == Some(3) && left.stderr.contains(why), "{text}: {left:?}");
        assert!(
            left.stdout.contains(why) && left.stdout.contains("DMPLZ_ON_EXPIRED = deny  [environment]"),
            "{left:?}"
        );
        let json = home.run(&["config", "--json"]).json();
        assert!(json["file_error"].as_str().is_some_and(|error| error.contains(why)), "{json}");
        assert!(json["settings"].as_array().is_some_and(|settings| settings.len() > 30), "{json}");
        std::fs::remove_file(path).unwrap();
    }
    assert!(home.run(&["config", "--json"]).json()["file_error"].is_null());
}

#[test]
fn a_variable_of_ours_that_is_not_utf_8_is_an_error() {
    let home = Home::new();
    for (name, value) in [("DMPLZ_STATE_DIR", &b"/tmp/\xff"[..]), ("DMPLZ_ON_EXPIRED", b"de\xffny")] {
        let left = Left::of(home.command(&["status"]).env(name, OsStr::from_bytes(value)).output().unwrap());
        assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""), "{left:?}");
        assert!(left.stderr.starts_with(&format!("dmplz: {name} cannot be used: it is not UTF-8\n")), "{left:?}");
    }
}

#[test]
fn a_home_that_is_no_absolute_path_is_refused_and_nothing_is_written_there() {
    let home = Home::new();
    for arguments in [
        &["config"][..],
        &["policy", "init"],
        &["install", "--user"],
        &["service", "status"],
        &["service", "uninstall", "--dry-run"],
        &["uninstall"],
        &["uninstall", "--project"],
        &["policy", "list"],
        &["policy", "lint"],
        &["policy", "check", "ls"],
        &["completions", "bash", "--install"],
    ] {
        let left = Left::of(home.command(arguments).env("HOME", "relative").output().unwrap());
        assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""), "{arguments:?}: {left:?}");
        let refused = "dmplz: HOME cannot be used: it is \"relative\" and takes an absolute path\n";
        assert!(left.stderr.starts_with(refused), "{arguments:?}: {left:?}");
    }
    assert!(!home.path().join("work/relative").exists());
}

#[test]
fn a_setting_that_is_missing_ends_with_3() {
    let home = Home::new();
    for (arguments, says) in [
        (&["people", "list"][..], "no messenger is set up"),
        (&["people", "invite"], "no messenger is set up"),
        (&["people", "remove", "7"], "no messenger is set up"),
        (&["provider", "search"], "there is no index of providers"),
        (&["provider", "try", "telegram"], "the chat to ask in is not known: set DMPLZ_TELEGRAM_CHAT_ID"),
    ] {
        let left = home.run(arguments);
        assert!(left.code == Some(3) && left.stderr.contains(says), "{arguments:?}: {left:?}");
    }
    for (arguments, says) in [
        (&["uninstall"][..], "neither CLAUDE_CONFIG_DIR nor HOME is set"),
        (&["service", "status"], "HOME is not set"),
        (&["service", "uninstall", "--dry-run"], "HOME is not set"),
        (&["completions", "fish", "--install"], "HOME is not set"),
        (&["status"], "neither DMPLZ_STATE_DIR nor HOME is set"),
    ] {
        let left = Left::of(home.command(arguments).env_remove("HOME").output().unwrap());
        assert!(left.code == Some(3) && left.stderr.contains(says), "{arguments:?}: {left:?}");
        assert!(left.stderr.contains("\nhint: "), "{arguments:?}: {left:?}");
    }
}

#[test]
fn a_command_line_that_is_not_understood_ends_with_2() {
    assert_eq!(Home::new().run(&["confg"]).code, Some(2));
    let left = Home::new().run(&[]);
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("Usage: dmplz <COMMAND>"), "{left:?}");
    let version = Home::new().run(&["--version"]);
    assert_eq!((version.code, version.stdout), (Some(0), format!("dmplz {}\n", env!("CARGO_PKG_VERSION"))));
}
