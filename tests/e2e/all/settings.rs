//! Tests of valid and invalid settings.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use dmplz_e2e::{Chat, Choice, JIN, stdin};
use serde_json::json;

use crate::{bare_home, home};

tests! {
    on_each:
        settings_may_stand_in_the_file,
        chat_of_its_own_for_permissions_is_used;
    on_telegram:
        value_that_cannot_be_read_is_named_with_what_it_takes,
        misconfiguration_is_a_denial_where_the_operator_wants_it,
        state_directory_that_others_can_write_to_is_refused,
        both_tokens_need_a_choice;
    once:
        without_a_token_one_line_says_what_to_set,
        without_a_chat_one_line_says_what_to_set,
        without_a_home_one_line_says_what_to_set,
        state_that_cannot_be_kept_is_no_decision;
}

fn without_a_token_one_line_says_what_to_set() {
    let ended = bare_home().hook(&stdin::push()).ended();
    ended.decides_nothing();
    let keys: Vec<_> = dmplz_bundled::MESSENGERS.iter().map(|messenger| messenger.keys()[0].variable).collect();
    assert!(keys.starts_with(&["DMPLZ_TELEGRAM_BOT_TOKEN", "DMPLZ_DISCORD_BOT_TOKEN"]), "{keys:?}");
    let (last, before) = keys.split_last().unwrap();
    let keys = format!("{} or {last}", before.join(", "));
    assert_eq!(ended.complaint(), format!("no messenger is set up: run `dmplz setup`, or set {keys}"));
}

fn without_a_chat_one_line_says_what_to_set() {
    for (token, value, chat) in [
        ("DMPLZ_TELEGRAM_BOT_TOKEN", "1:a", "DMPLZ_TELEGRAM_CHAT_ID"),
        ("DMPLZ_DISCORD_BOT_TOKEN", "a.b.c", "DMPLZ_DISCORD_CHANNEL_ID or DMPLZ_DISCORD_DM_USER_ID"),
    ] {
        let ended = bare_home().set(token, value).hook(&stdin::push()).ended();
        ended.decides_nothing();
        assert_eq!(ended.complaint(), format!("the chat to ask in is not known: set {chat}"));
    }
}

fn without_a_home_one_line_says_what_to_set() {
    let ended = bare_home().unset("HOME").set("DMPLZ_TELEGRAM_BOT_TOKEN", "1:a").hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("DMPLZ_STATE_DIR"), "{ended:?}");
}

fn state_that_cannot_be_kept_is_no_decision() {
    let mut home = bare_home();
    home.set("HOME", "/dev/null").set("DMPLZ_TELEGRAM_BOT_TOKEN", "1:a").set("DMPLZ_TELEGRAM_CHAT_ID", "1");
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("/dev/null/.claude/dm-plz"), "{ended:?}");
}

fn both_tokens_need_a_choice(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_DISCORD_BOT_TOKEN", "a.b.c");
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("DMPLZ_PROVIDER"), "{ended:?}");
    let hook = home.set("DMPLZ_PROVIDER", "telegram").hook(&stdin::push());
    chat.press(&chat.await_card(), Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
}

fn value_that_cannot_be_read_is_named_with_what_it_takes(chat: Chat) {
    for (name, value, takes) in [
        ("DMPLZ_LANG", "fr", "ko or en"),
        ("DMPLZ_ON_EXPIRED", "allow", "ask or deny"),
        ("DMPLZ_HOOK_TIMEOUT_MS", "5 parsecs", "a duration from 5s to 24h"),
        ("DMPLZ_QUESTION_TIMEOUT_MS", "-1", "a duration from 100ms to 24h"),
        ("DMPLZ_REJECT_REASON_TIMEOUT_MS", "300000", "less than DMPLZ_HOOK_TIMEOUT_MS"),
        ("DMPLZ_REJECT_REASON_MAX_CHARS", "0", "a whole number"),
        ("DMPLZ_REJECT_REASON_LOG_PATH", "relative.jsonl", "an absolute path"),
        ("DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS", " , ", "values between commas"),
        ("DMPLZ_PROVIDER", "carrier-pigeon", "telegram, discord"),
        ("DMPLZ_PROVIDER", "messenger.wasm", "its whole path"),
        ("DMPLZ_TELEGRAM_API_BASE", "ftp://x", "http"),
        ("DMPLZ_TELEGRAM_CHAT_ID", "not a chat", ""),
    ] {
        let mut home = home(&chat);
        let ended = home.set(name, value).hook(&stdin::push()).ended();
        ended.decides_nothing();
        let complaint = ended.complaint();
        let named = complaint.contains(name) || complaint.contains("chat-id");
        assert!(named && complaint.contains(takes), "{name}={value}: {complaint}");
    }
    let mut home = home(&chat);
    let ended = home.set("DMPLZ_TELEGRAM_BOT_TOKEN", "hush hush").hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(!ended.complaint().contains("hush"), "a secret is never shown: {ended:?}");
    assert!(chat.messages().is_empty());
}

fn misconfiguration_is_a_denial_where_the_operator_wants_it(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ON_EXPIRED", "deny").set("DMPLZ_LANG", "fr");
    let ended = home.hook(&stdin::push()).ended();
    ended.denies("The permission request could not be delivered, so it was not allowed. No user rejected it.");
    ended.complaint();
}

fn state_directory_that_others_can_write_to_is_refused(chat: Chat) {
    let home = home(&chat);
    fs::create_dir_all(home.state()).unwrap();
    fs::set_permissions(home.state(), fs::Permissions::from_mode(0o777)).unwrap();
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("chmod 700"), "{ended:?}");
    assert!(chat.messages().is_empty());
}

fn settings_may_stand_in_the_file(chat: Chat) {
    let mut home = home(&chat);
    fs::create_dir_all(home.state()).unwrap();
    fs::set_permissions(home.state(), fs::Permissions::from_mode(0o700)).unwrap();
    let mut lines = vec!["lang = \"en\"".to_owned()];
    for (name, value) in chat.settings() {
        home.unset(name);
        lines.push(format!("{} = {}", name.trim_start_matches("DMPLZ_").to_lowercase(), json!(value)));
    }
    fs::write(home.state().join("config.toml"), lines.join("\n")).unwrap();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    assert!(card.text.starts_with("🔐 Claude Code asks for permission: Bash\n"), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn chat_of_its_own_for_permissions_is_used(chat: Chat) {
    let mut home = home(&chat);
    home.set(chat.settings().pop().unwrap().0, "99999").set("DMPLZ_PERMISSION_CHAT_ID", chat.id());
    home.set("DMPLZ_ALLOWED_USERS", chat.listing(JIN));
    let hook = home.hook(&stdin::push());
    chat.press(&chat.await_card(), Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}
