//! `dmplz hook`, started by a person.

use crate::command::Home;
use crate::terminal::Terminal;

#[test]
fn hook_in_a_terminal_says_who_starts_it() {
    let home = Home::new();
    let mut terminal = Terminal::start(&home, &["hook"], 200);
    terminal.shows("Claude Code runs `dmplz hook`, with an event as JSON on stdin. To register it: dmplz install.");
    let home = Home::new().with("DMPLZ_LANG", "ko");
    let mut terminal = Terminal::start(&home, &["hook"], 200);
    terminal.shows("등록: dmplz install");
}

#[test]
fn certificates_that_cannot_be_read_leave_the_question_to_the_terminal_at_once() {
    let event = serde_json::json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": "/", "hook_event_name": "PermissionRequest",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "git push" },
    });
    let asked = |lang: &str, file: &str| {
        let home = Home::new().with("DMPLZ_LANG", lang).with("DMPLZ_CA_FILE", file);
        // Nothing listens there, so a hook that tries to connect says that instead.
        let home = home.with("DMPLZ_TELEGRAM_API_BASE", "https://127.0.0.1:9");
        let home = home.with("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:any-token-at-all");
        let home = home.with("DMPLZ_TELEGRAM_CHAT_ID", "7");
        let event = home.put("event.json", &event.to_string());
        let left = home.run_with(&["hook"], std::fs::File::open(event).unwrap().into());
        assert_eq!((left.code, left.json().as_object().unwrap().len()), (Some(0), 1), "{left:?}");
        assert!(left.stderr.contains(&format!("DMPLZ_CA_FILE cannot be read: {file}: ")), "{left:?}");
        left.json()["systemMessage"].as_str().unwrap().to_owned()
    };
    let place = Home::new();
    let empty = place.put("roots.pem", "no certificate\n");
    let empty = empty.to_str().unwrap();
    let told = asked("en", "/nonexistent.pem");
    assert!(told.contains("DMPLZ_CA_FILE cannot be read: /nonexistent.pem: No such file"), "{told}");
    let told = asked("en", empty);
    assert!(told.contains(&format!("DMPLZ_CA_FILE cannot be read: {empty}: it holds no certificate (PEM)")), "{told}");
    let told = asked("ko", empty);
    assert!(told.contains(&format!("DMPLZ_CA_FILE을 읽을 수 없습니다: {empty}: 인증서(PEM)가 없습니다). ")), "{told}");
}

#[test]
fn hook_has_help_and_prints_nothing_of_it_for_a_client() {
    let home = Home::new();
    let help = home.run(&["hook", "--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("dmplz hook < event.json"), "{}", help.stdout);
    let bad = home.run(&["hook"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(0), ""), "{}", bad.stderr);
    insta::assert_snapshot!(bad.stderr, @"dmplz: There is no event on stdin. Claude Code runs `dmplz hook`, with an event as JSON on stdin. To register it: dmplz install. To see it at work: dmplz demo. More: dmplz hook --help");
    let bad = home.with("DMPLZ_LANG", "ko").run(&["hook"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(0), ""), "{}", bad.stderr);
    assert!(bad.stderr.starts_with("dmplz: stdin에 이벤트가 없습니다. dmplz hook은 Claude Code가"), "{}", bad.stderr);
}
