//! Tests of the logs, and that a decision stands if they cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use dmplz_e2e::{Chat, Choice, Ended, Home, JIN, stdin};
use serde_json::json;

use crate::home;

tests! {
    on_each:
        reason_hostile_to_json_is_passed_on_and_logged_whole,
        rejection_is_one_line_of_the_schema;
    on_telegram:
        secrets_in_a_reason_are_masked_in_the_log_only,
        reason_is_cut_to_its_maximum,
        log_is_rotated_and_only_so_many_files_are_kept,
        full_log_changes_nothing,
        unwritable_log_changes_nothing,
        busy_log_changes_nothing,
        unwritable_state_of_cards_changes_nothing,
        nothing_secret_is_kept;
}

/// Holds the lock of the log as another process would, until it is dropped.
pub(crate) fn hold_lock(home: &Home) -> fs::File {
    let path = home.state().join("rejections.jsonl.lock");
    let file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.lock().unwrap();
    file
}

/// Denies one request with a reason.
fn deny(home: &Home, chat: &Chat, reason: &str) -> Ended {
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, reason);
    let ended = hook.ended();
    chat.await_retired(&card, "❌ 거부됨");
    ended
}

fn reason_hostile_to_json_is_passed_on_and_logged_whole(chat: Chat) {
    let home = home(&chat);
    let reason = "say \"no\" \\ and \\\" then\nnewline\ttab 🙅‍♀️ \u{2028} } { ] [ \u{7f} 끝";
    deny(&home, &chat, reason).denies(&format!("User rejected the request. Reason: {reason}"));
    let rejections = home.rejections();
    assert_eq!(rejections.len(), 1);
    assert_eq!(rejections[0]["reason"], reason);
    chat.assert_clean();
}

fn rejection_is_one_line_of_the_schema(chat: Chat) {
    let home = home(&chat);
    deny(&home, &chat, "no").denies("User rejected the request. Reason: no");
    let rejections = home.rejections();
    let [line] = rejections.as_slice() else { panic!("one line: {rejections:?}") };
    let card = chat.cards().remove(0);
    for (field, value) in [
        ("provider", chat.provider()),
        ("decision", "deny"),
        ("request_id", &card.request_id()),
        ("session_id", "04d4b5b5-edf0-4b8f-9ba4-f09096346f86"),
        ("tool_name", "Bash"),
        ("cwd", "/home/user/project"),
        ("reason", "no"),
        ("reason_source", "user_input"),
    ] {
        assert_eq!(line[field], value, "{field}");
    }
    let timestamp = line["timestamp"].as_str().unwrap();
    assert!(timestamp.len() == 24 && timestamp.ends_with('Z') && timestamp.as_bytes()[10] == b'T', "{timestamp}");
    assert_eq!(line.as_object().unwrap().len(), 9);
    let mode = fs::metadata(home.state().join("rejections.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mode = fs::metadata(home.state()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

fn secrets_in_a_reason_are_masked_in_the_log_only(chat: Chat) {
    let home = home(&chat);
    let reason = "use password: hunter2-hunter2 and api_key=abcdef0123456789 instead";
    deny(&home, &chat, reason).denies(&format!("User rejected the request. Reason: {reason}"));
    let logged = home.rejections()[0]["reason"].as_str().unwrap().to_owned();
    assert!(!logged.contains("hunter2") && !logged.contains("abcdef0123456789"), "{logged}");
    assert!(logged.starts_with("use password: ") && logged.ends_with(" instead"), "{logged}");
}

fn reason_is_cut_to_its_maximum(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_MAX_CHARS", "5");
    deny(&home, &chat, "가나다라마바사").denies("User rejected the request. Reason: 가나다라마");
}

fn log_is_rotated_and_only_so_many_files_are_kept(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_LOG_ROTATE_BYTES", "1024").set("DMPLZ_REJECT_REASON_LOG_MAX_FILES", "2");
    for number in 0..16 {
        let reason = format!("{number:02} {}", "x".repeat(200));
        deny(&home, &chat, &reason).denies(&format!("User rejected the request. Reason: {reason}"));
    }
    let files = fs::read_dir(home.state()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut logs: Vec<String> =
        files.filter(|name| name.starts_with("rejections") && !name.ends_with("lock")).collect();
    logs.sort();
    assert_eq!(logs.len(), 3, "the log and two rotated ones: {logs:?}");
    for log in &logs {
        let text = fs::read_to_string(home.state().join(log)).unwrap();
        assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{log}: {text}");
        assert!(text.len() <= 1024, "{log}");
    }
    assert!(home.rejections().last().unwrap()["reason"].as_str().unwrap().starts_with("15 "));
}

fn full_log_changes_nothing(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_LOG_PATH", "/dev/full");
    log_fails(&home, &chat);
}

fn unwritable_log_changes_nothing(chat: Chat) {
    let mut home = home(&chat);
    let directory = home.path().join("a-directory");
    fs::create_dir_all(directory.join("x")).unwrap();
    home.set("DMPLZ_REJECT_REASON_LOG_PATH", directory);
    log_fails(&home, &chat);
}

fn busy_log_changes_nothing(chat: Chat) {
    let home = home(&chat);
    fs::create_dir_all(home.state()).unwrap();
    fs::set_permissions(home.state(), fs::Permissions::from_mode(0o700)).unwrap();
    let _lock = hold_lock(&home);
    log_fails(&home, &chat);
}

fn log_fails(home: &Home, chat: &Chat) {
    let ended = deny(home, chat, "no");
    ended.denies("User rejected the request. Reason: no");
    ended.complaint();
    assert!(home.rejections().is_empty());
    assert_eq!(home.requests()[0]["outcome"], "rejected_with_reason");
    home.nothing_is_left();
    chat.assert_clean();
}

fn unwritable_state_of_cards_changes_nothing(chat: Chat) {
    let home = home(&chat);
    fs::create_dir_all(home.state()).unwrap();
    fs::set_permissions(home.state(), fs::Permissions::from_mode(0o700)).unwrap();
    // Files are in the place of directories.
    for name in ["cards", "cursors"] {
        fs::write(home.state().join(name), "").unwrap();
    }
    let ended = deny(&home, &chat, "no");
    ended.denies("User rejected the request. Reason: no");
    assert!(!ended.stderr.is_empty(), "and it is said");
    assert_eq!(home.rejections().len(), 1);
}

fn nothing_secret_is_kept(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_LOG", "debug");
    let mut request = stdin::push();
    request["tool_input"]["command"] = json!("curl -H 'Authorization: Bearer hush-of-this-call' http://x.example");
    let hook = home.hook(&request);
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, "no");
    let ended = hook.ended();
    ended.denies("User rejected the request. Reason: no");
    let token = chat.token();
    let secret = token.split(':').next_back().unwrap();
    for secret in [secret, "messaging-token-of-the-session"] {
        home.never_keeps(secret);
        assert!(!ended.stderr.contains(secret), "{}", ended.stderr);
    }
    // Only the log of requests contains its subject, masked.
    assert!(!home.rejections().iter().any(|line| line.to_string().contains("x.example")));
    assert_eq!(home.requests()[0]["subject"], "curl -H 'Authorization: Bearer hush********' http://x.example");
}
