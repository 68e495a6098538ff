//! The documentation of notices: its settings are read, and every command of a `sh` block succeeds.

use dmplz_fakes::telegram::{FakeTelegram, User};

use crate::command::Home;
use crate::gateway::Gateway;
use crate::policy_docs::{blocks, path};

#[test]
fn the_english_documentation_of_notices_works() {
    check("NOTIFICATIONS.md", "en");
}

#[test]
fn the_korean_documentation_of_notices_works() {
    check("NOTIFICATIONS.ko.md", "ko");
}

#[track_caller]
fn check(document: &str, lang: &str) {
    let text = std::fs::read_to_string(path(document)).unwrap();
    // Blocks that belong to a step of a list are indented.
    let text: String = text.lines().map(|line| format!("{}\n", line.strip_prefix("   ").unwrap_or(line))).collect();
    let fake = FakeTelegram::spawn_thread();
    let chat = fake.private_chat(&User::person(7, "Jin"));
    let home = Home::on_telegram(&fake, chat).with("DMPLZ_LANG", lang);
    let settings: Vec<&str> = blocks(&text, "toml").flatten().collect();
    assert!(settings.len() >= 15, "{document}");
    home.keep("config.toml", &settings.join("\n"));
    let (_gateway, _) = Gateway::start_saying(&home);
    let commands: Vec<&str> = blocks(&text, "sh").flatten().collect();
    assert!(commands.len() >= 7, "{document}");
    for command in commands {
        let quoted: Vec<&str> = command.split('\'').collect();
        let mut arguments: Vec<&str> = quoted[0].split_whitespace().skip(1).collect();
        arguments.extend(quoted.get(1));
        let left = home.run(&arguments);
        assert_eq!(left.code, Some(0), "{document}: {command}\n{left:?}");
    }
    for event in dmplz_core::notify::EventKind::ROUTABLE {
        assert!(text.contains(&format!("`{event}`")), "{document}: {event}");
    }
}
