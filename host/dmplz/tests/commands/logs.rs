use std::io::{BufRead, BufReader};
use std::process::Stdio;

use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::Value;

use crate::command::{Home, Left};

const WRONG: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1";

/// A home whose token is refused.
fn refused(fake: &FakeTelegram) -> Home {
    let chat = fake.private_chat(&User::person(7, "Jin"));
    Home::new()
        .with("DMPLZ_TELEGRAM_API_BASE", &fake.base_url())
        .with("DMPLZ_TELEGRAM_BOT_TOKEN", WRONG)
        .with("DMPLZ_TELEGRAM_CHAT_ID", &chat.to_string())
}

/// Runs a hook that can ask nobody.
fn fails(home: &Home) {
    let request = home.put("request.json", include_str!("../../src/setup/request.json"));
    let left = home.run_with(&["hook"], Stdio::from(std::fs::File::open(request).unwrap()));
    assert!(left.code == Some(0) && left.stderr.contains("nobody could be asked on telegram"), "{left:?}");
}

#[test]
fn what_a_hook_said_where_nobody_read_it_is_shown_by_time_and_level() {
    let fake = FakeTelegram::spawn_thread();
    let home = refused(&fake);
    let empty = home.run(&["logs"]);
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(0), "Nothing was logged.\n"));
    assert!(!home.state().exists(), "looking creates nothing");
    fails(&home);
    let shown = home.run(&["logs"]).stdout;
    assert!(shown.contains("error  hook     nobody could be asked on telegram: "), "{shown}");
    assert!(
        shown.contains("error  request  ") && shown.contains(" Bash: nobody could be asked (telegram, "),
        "{shown}"
    );
    assert!(!shown.contains("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"), "{shown}");
    let objects: Vec<Value> =
        home.run(&["logs", "--json"]).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sources: Vec<&str> = objects.iter().map(|object| object["source"].as_str().unwrap()).collect();
    assert!(sources.contains(&"hook") && sources.contains(&"request"), "{objects:?}");
    assert_eq!(home.run(&["logs", "--since", "2100-01-01"]).stdout, "Nothing was logged.\n");
    assert_eq!(home.run(&["logs", "--limit", "1"]).stdout.lines().count(), 1);
    let korean = home.with("DMPLZ_LANG", "ko").run(&["logs", "--level", "error"]).stdout;
    assert!(korean.contains("오류") && korean.contains("물어볼 수 없었음"), "{korean}");
}

#[test]
fn follow_goes_on_with_what_is_logged_from_now_on() {
    let fake = FakeTelegram::spawn_thread();
    let home = refused(&fake);
    fails(&home);
    let mut command = home.command(&["logs", "--follow", "--json", "--level", "error"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let before = [next(), next()].map(|object| object["source"].clone());
    assert!(before.contains(&"hook".into()) && before.contains(&"request".into()), "{before:?}");
    fails(&home);
    let after = [next(), next()].map(|object| object["source"].clone());
    assert!(after.contains(&"hook".into()) && after.contains(&"request".into()), "{after:?}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn settings_that_cannot_be_read_hide_no_log() {
    let fake = FakeTelegram::spawn_thread();
    let home = refused(&fake);
    fails(&home);
    home.keep("config.toml", "colour = \"red\"\n");
    let left = home.run(&["logs"]);
    assert!(left.code == Some(0) && left.stdout.contains("nobody could be asked on telegram"), "{left:?}");
    assert!(left.stderr.contains("there is no setting \"colour\""), "{left:?}");
    let left = home.with("DMPLZ_LANG", "ko").run(&["logs"]);
    assert!(left.stderr.contains("설정 파일에 없는 설정이 있습니다: \"colour\""), "{left:?}");
}

#[test]
fn without_a_state_directory_the_reason_is_told_once_and_is_one_of_the_settings() {
    let home = Home::new();
    let file = home.put("file", "");
    let no_home = home.command(&["logs"]).env_remove("HOME").output().unwrap();
    let no_folder = home.command(&["logs"]).env("DMPLZ_STATE_DIR", &file).output().unwrap();
    for (output, why) in [(no_home, "there is no place for state"), (no_folder, "config.toml cannot be read")] {
        let left = Left::of(output);
        assert_eq!((left.code, left.stdout.as_str()), (Some(3), ""), "{left:?}");
        assert_eq!(left.stderr.matches(why).count(), 1, "{left:?}");
    }
}
