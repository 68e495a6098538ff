use std::os::unix::fs::PermissionsExt;

use dmplz_fakes::discord::FakeDiscord;
use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::Value;

use crate::command::{Home, Left};
use crate::gateway::Gateway;

/// Returns the findings about a subject, as levels and texts.
#[track_caller]
pub(crate) fn about(left: &Left, thing: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let checks = left.json()["checks"].as_array().unwrap().clone();
    let wanted = checks.iter().filter(|check| check["about"] == thing);
    wanted.map(|check| (text(&check["level"]), text(&check["what"]))).collect()
}

#[track_caller]
fn levels(left: &Left, thing: &str) -> Vec<String> {
    about(left, thing).into_iter().map(|(level, _)| level).collect()
}

#[test]
fn a_home_that_is_set_up_is_ready() {
    let fake = FakeTelegram::spawn_thread();
    let chat = fake.private_chat(&User::person(7, "Jin"));
    let home = Home::on_telegram(&fake, chat);
    assert_eq!(home.run(&["install", "--user"]).code, Some(0));
    let left = home.run(&["doctor", "--json"]);
    assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{left:?}");
    for thing in ["settings", "state", "account", "provider", "token", "events", "chat", "approvers", "clock", "hooks"]
    {
        assert_eq!(levels(&left, thing), ["good"], "{thing}: {left:?}");
    }
    assert!(fake.messages(chat).is_empty(), "nothing is posted");
    fake.assert_clean();
    assert!(home.run(&["doctor"]).stdout.ends_with("\nReady.\n"));
}

#[test]
fn a_home_without_anything_is_told_the_first_steps() {
    let left = Home::new().run(&["doctor", "--json"]);
    assert_eq!(left.code, Some(4));
    assert_eq!([levels(&left, "account"), levels(&left, "hooks")], [["bad"], ["bad"]], "{left:?}");
    assert_eq!(left.json()["next"], "dmplz setup");
    let left = Home::new().run(&["doctor"]);
    assert!(left.stdout.ends_with("\nNo messenger is set up yet. The next command: dmplz setup\n"), "{left:?}");
}

#[test]
fn whoever_chose_the_page_or_the_terminal_alone_is_ready_while_a_gateway_runs() {
    let home = Home::new();
    let set_up = home.run(&["setup", "--messenger", "terminal", "--json"]);
    assert_eq!(set_up.code, Some(0), "{set_up:?}");
    let _gateway = Gateway::start(&home);
    let left = home.run(&["doctor", "--json"]);
    assert_eq!((left.code, levels(&left, "account")), (Some(0), vec!["doubtful".to_owned()]), "{left:?}");
    assert!(left.json()["next"].is_null(), "{left:?}");
}

#[test]
fn whoever_has_a_token_and_no_chat_is_not_sent_for_a_token() {
    let left = Home::new().run(&["doctor"]);
    assert!(left.stdout.contains("no messenger has a token") && left.stdout.contains("get a token"), "{left:?}");
    let left = Home::new().with("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:any-token-at-all").run(&["doctor"]);
    assert!(
        left.stdout.contains("set DMPLZ_TELEGRAM_CHAT_ID") && left.stdout.contains("dmplz config shows"),
        "{left:?}"
    );
    assert!(!left.stdout.contains("get a token") && !left.stdout.contains("The next command"), "{left:?}");
}

#[test]
fn a_wrong_token_a_wrong_chat_and_no_network_are_told_apart() {
    let fake = FakeTelegram::spawn_thread();
    fake.private_chat(&User::person(7, "Jin"));
    let wrong = Home::on_telegram(&fake, 7).with("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:not-the-token-of-this-bot");
    let left = wrong.run(&["doctor", "--json"]);
    assert_eq!((left.code, levels(&left, "token")), (Some(4), vec!["bad".to_owned()]), "{left:?}");
    let left = Home::on_telegram(&fake, 8).run(&["doctor", "--json"]);
    assert_eq!((levels(&left, "token"), levels(&left, "chat")), (vec!["good".to_owned()], vec!["bad".to_owned()]));
    let base = fake.base_url();
    drop(fake);
    let away = Home::new().with("DMPLZ_TELEGRAM_API_BASE", &base).with("DMPLZ_TELEGRAM_CHAT_ID", "7");
    let left = away.with("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:any-token-at-all").run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "messenger"), ["bad"], "{left:?}");
    assert!(!left.stdout.contains("any-token-at-all"));
}

#[test]
fn the_way_to_work_is_told_and_one_that_is_not_there_is_refused_with_those_that_are() {
    let fake = FakeTelegram::spawn_thread();
    let chat = fake.private_chat(&User::person(7, "Jin"));
    let left = Home::on_telegram(&fake, chat).run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "transport"), ["good"], "{left:?}");
    assert!(left.stdout.contains("updates (updates over the Bot API"), "{left:?}");
    let left = Home::on_telegram(&fake, chat).with("DMPLZ_TELEGRAM_TRANSPORT", "gateway").run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "account"), ["bad"], "{left:?}");
    let why = "DMPLZ_TELEGRAM_TRANSPORT cannot be used: it is \\\"gateway\\\" and takes auto or updates";
    assert!(left.stdout.contains(why), "{left:?}");
}

#[test]
fn a_group_needs_approvers() {
    let fake = FakeTelegram::spawn_thread();
    let group = fake.group_chat("Shop", &[User::person(7, "Jin")]);
    let left = Home::on_telegram(&fake, group).run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "approvers"), ["bad"], "{left:?}");
    assert_eq!(levels(&left, "read"), ["doubtful"], "privacy mode is on: {left:?}");
    let left = Home::on_telegram(&fake, group).with("DMPLZ_ALLOWED_USERS", "7").run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "approvers"), ["good"]);
    let left = Home::on_telegram(&fake, group).with("DMPLZ_ALLOWED_USERS", "*").run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "approvers"), ["doubtful"]);
}

#[test]
fn a_webhook_takes_the_events_away() {
    let fake = FakeTelegram::spawn_thread();
    let chat = fake.private_chat(&User::person(7, "Jin"));
    fake.set_webhook(Some("https://example.org/secret-path"));
    let left = Home::on_telegram(&fake, chat).run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "events"), ["bad"]);
    assert!(!left.stdout.contains("secret-path"));
}

#[test]
fn discord_without_message_content_cannot_read_reasons() {
    let fake = FakeDiscord::spawn_thread();
    let channel = fake.channel(fake.guild("Shop"), "approvals").to_string();
    let home = || {
        Home::new()
            .with("DMPLZ_DISCORD_API_BASE", &fake.base_url())
            .with("DMPLZ_DISCORD_BOT_TOKEN", fake.token())
            .with("DMPLZ_DISCORD_CHANNEL_ID", &channel)
            .with("DMPLZ_ALLOWED_USERS", "7")
    };
    fake.set_message_content(false);
    let left = home().run(&["doctor", "--json"]);
    assert_eq!((left.code, levels(&left, "read")), (Some(4), vec!["bad".to_owned()]), "{left:?}");
    fake.set_message_content(true);
    assert_eq!(levels(&home().run(&["doctor", "--json"]), "read"), ["good"]);
}

#[test]
fn files_that_others_could_use_are_told() {
    let home = Home::new();
    let file = home.keep("config.toml", "telegram_bot_token = \"110201543:a-token-in-a-file\"\n");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    assert_eq!(levels(&home.run(&["doctor", "--json"]), "settings"), ["good", "doubtful"]);
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(levels(&home.run(&["doctor", "--json"]), "settings"), ["good"]);
    std::fs::set_permissions(home.state(), PermissionsExt::from_mode(0o777)).unwrap();
    assert_eq!(levels(&home.run(&["doctor", "--json"]), "state"), ["bad"]);
}

#[test]
fn a_client_that_waits_too_short_is_told() {
    let home = Home::new();
    assert_eq!(home.run(&["install", "--user"]).code, Some(0));
    let left = home.with("DMPLZ_HOOK_TIMEOUT_MS", "900000").run(&["doctor", "--json"]);
    assert_eq!(levels(&left, "hooks"), ["good", "bad"], "{left:?}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_reason_and_its_file() {
    let home = Home::new();
    let file = home.keep("config.toml", "");
    std::fs::write(&file, b"lang = \"\xe9\"\n").unwrap();
    let move_it = "correct that file, or move it elsewhere";
    let left = home.run(&["doctor"]);
    assert!(left.stdout.contains("config.toml cannot be read: it is not UTF-8"), "{left:?}");
    assert!(left.stdout.contains(move_it) && !left.stdout.contains("dmplz config"), "{left:?}");
    let config = home.run(&["config"]);
    assert!(config.code == Some(3) && config.stderr.contains(&format!("hint: {move_it}")), "{config:?}");
    std::fs::remove_file(&file).unwrap();

    home.put(".claude/settings.json", "{ broken");
    let (_, what) = about(&home.run(&["doctor", "--json"]), "hooks").remove(0);
    assert!(what.contains("work/.claude/settings.json: it is not plain JSON"), "{what}");

    let home = home.with("DMPLZ_CA_FILE", "/nonexistent.pem");
    let found = about(&home.run(&["doctor", "--json"]), "settings");
    let why = "DMPLZ_CA_FILE cannot be read: /nonexistent.pem: No such file or directory (os error 2)";
    assert!(found.contains(&("bad".to_owned(), why.to_owned())), "{found:?}");

    let short = home.with("DMPLZ_TELEGRAM_BOT_TOKEN", "short").with("DMPLZ_TELEGRAM_CHAT_ID", "7");
    let (_, what) = about(&short.run(&["doctor", "--json"]), "provider").remove(0);
    assert!(what.contains("the secret DMPLZ_TELEGRAM_BOT_TOKEN must be at least 8"), "{what}");
}

#[test]
fn a_variable_that_is_no_setting_is_told_with_the_one_that_is_meant() {
    let home = Home::new().with("DMPLZ_NOTIFY_TEAM_URL", "https://hooks.example").with("DMPLZ_SESSION", "s");
    assert_eq!(levels(&home.run(&["doctor", "--json"]), "settings"), ["good"]);
    let left = home.with("DMPLZ_ON_EXPIRE", "deny").with("DMPLZ_TYPO_SETTING", "1").run(&["doctor"]);
    for line in [
        "! settings  the variable DMPLZ_ON_EXPIRE has no effect: there is no setting of this name\n",
        "did you mean DMPLZ_ON_EXPIRED?\n",
        "! settings  the variable DMPLZ_TYPO_SETTING has no effect",
    ] {
        assert!(left.stdout.contains(line), "{line} {left:?}");
    }
}

#[test]
fn a_list_of_providers_that_cannot_be_read_is_told_whichever_messenger_is_chosen() {
    let home = Home::new();
    let file = home.keep("providers.lock", "garbage");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let left = home.run(&["doctor"]);
    assert!(left.stdout.contains("✗ providers ") && left.stdout.contains("→ chmod 600 "), "{left:?}");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let left = home.with("DMPLZ_PROVIDER", "acme").run(&["doctor"]);
    assert!(left.stdout.contains("remove it, and add them again"), "{left:?}");
    assert!(left.stdout.contains("→ see below, at providers"), "{left:?}");
}
