//! `kill -9` of the hook at every stage: the next request is unharmed, and retires what the dead one left.

use dmplz_e2e::{Chat, Choice, Home, JIN, Message, SOON, stdin, until};
use dmplz_fakes::{Call, Fault, On};
use serde_json::json;

use crate::home;

tests! {
    on_each:
        killed_in_the_queue,
        killed_before_its_card_is_posted,
        killed_while_its_card_is_being_posted,
        killed_while_it_waits,
        killed_while_it_waits_for_a_reason,
        killed_while_its_end_is_being_shown,
        killed_one_is_retired_by_an_event_of_its_session;
    on_telegram:
        killed_while_it_writes_the_log,
        killed_while_others_wait_for_it;
}

const INTERRUPTED: &str =
    "⚠️ 중단됨: Bash\n응답을 기다리던 프로세스가 종료되어 답이 전달되지 않았습니다. 터미널을 확인하세요.";

/// Checks that a request works after another process died.
fn next_is_unharmed(home: &Home, chat: &Chat) -> Message {
    let hook = home.hook(&stdin::bash("next", "true"));
    let card = chat.await_message("the next card", |message| message.is_open() && message.text.contains("\ntrue\n"));
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    let card = chat.await_retired(&card, "✅ 승인됨");
    home.nothing_is_left();
    card
}

fn killed_in_the_queue(chat: Chat) {
    let home = home(&chat);
    let first = home.hook(&stdin::bash("first", "1"));
    let card = chat.await_card();
    let second = home.hook(&stdin::bash("second", "2"));
    home.await_cards(1, "queued");
    second.kill();
    assert_eq!(second.ended().stdout, "");
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(json!({ "behavior": "allow" }));
    next_is_unharmed(&home, &chat);
    assert!(!chat.messages().iter().any(|message| message.text.contains("\n2\n")), "the second was never shown");
    chat.assert_clean();
}

fn killed_before_its_card_is_posted(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.posting(), Fault::HeldBefore);
    let hook = home.hook(&stdin::push());
    let posting = |call: &Call| call.name == chat.posting();
    chat.wire().await_call_blocking(SOON, posting).expect("a card is being posted");
    hook.kill();
    assert_eq!(hook.ended().stdout, "");
    next_is_unharmed(&home, &chat);
    assert_eq!(chat.cards().len(), 1);
    chat.assert_clean();
}

/// The reply with the card's id was lost, so no process can retire the card. A person who presses it gets a notice, and
/// then it is retired.
fn killed_while_its_card_is_being_posted(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.posting(), Fault::HeldAfter);
    let hook = home.hook(&stdin::push());
    let lost = chat.await_message("a card", Message::is_card);
    hook.kill();
    assert_eq!(hook.ended().stdout, "");
    next_is_unharmed(&home, &chat);
    if chat.posts_whole() {
        let late = chat.press(&lost, Choice::Approve, JIN);
        let hook = home.hook(&stdin::bash("third", "3"));
        chat.await_told(&late, &format!("이 권한 요청은 이미 만료되었습니다. (request_id: {})", lost.request_id()));
        chat.await_retired(&lost, INTERRUPTED);
        chat.press(&chat.await_card(), Choice::Approve, JIN);
        hook.ended().decides(json!({ "behavior": "allow" }));
    } else {
        // Without its menu nothing on it looks as if it could be answered.
        assert!(!chat.message(lost.id).is_open());
    }
    chat.assert_clean();
}

fn killed_while_it_waits(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    home.await_cards(1, "waiting");
    hook.kill();
    assert_eq!(hook.ended().stdout, "");
    assert_eq!(home.open_cards(), ["waiting"]);
    next_is_unharmed(&home, &chat);
    chat.await_retired(&card, INTERRUPTED);
    chat.assert_clean();
}

fn killed_while_it_waits_for_a_reason(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    until("the prompt is on disk", || {
        let records = std::fs::read_dir(home.state().join("cards/open")).unwrap();
        let text = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(entry.unwrap().path());
        records.filter_map(|entry| text(entry).ok()).any(|text| text.contains("\"prompt\":{"))
    });
    hook.kill();
    assert_eq!(hook.ended().stdout, "");
    next_is_unharmed(&home, &chat);
    chat.await_retired(&card, INTERRUPTED);
    chat.await_retired(&prompt, "응답을 기다리던 프로세스가 종료되어");
    chat.assert_clean();
}

fn killed_while_its_end_is_being_shown(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.editing(), Fault::HeldBefore);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    let editing = |call: &Call| call.name == chat.editing();
    chat.wire().await_call_blocking(SOON, editing).expect("the end is being shown");
    assert_eq!(hook.answer()["hookSpecificOutput"]["decision"]["behavior"], "allow");
    hook.kill();
    drop(hook.ended());
    next_is_unharmed(&home, &chat);
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    chat.assert_clean();
}

fn killed_while_it_writes_the_log(chat: Chat) {
    let home = home(&chat);
    // Another process holds the log's lock, so the hook waits for it after its answer was given.
    std::fs::create_dir_all(home.state()).unwrap();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    let lock = crate::logging::hold_lock(&home);
    chat.say(JIN, "because");
    let message = "User rejected the request. Reason: because";
    assert_eq!(hook.answer()["hookSpecificOutput"]["decision"]["message"], message);
    hook.kill();
    assert!(hook.ended().stdout.contains(message), "the answer stands");
    drop(lock);
    next_is_unharmed(&home, &chat);
    chat.await_retired(&card, "⚠️ 중단됨");
    assert!(home.rejections().len() <= 1, "a line is whole or not there");
    chat.assert_clean();
}

fn killed_while_others_wait_for_it(chat: Chat) {
    let home = home(&chat);
    let first = home.hook(&stdin::bash("first", "first"));
    let card = chat.await_card();
    let second = home.hook(&stdin::bash("second", "second"));
    home.await_cards(1, "queued");
    first.kill();
    let next = chat.await_message("the second card", |message| message.is_open() && message.text.contains("second"));
    chat.await_retired(&card, INTERRUPTED);
    chat.press(&next, Choice::Deny, JIN);
    chat.skip(JIN);
    second.ended().denies("User rejected the request. (No reason provided)");
    drop(first.ended());
    home.nothing_is_left();
    chat.assert_clean();
}

fn killed_one_is_retired_by_an_event_of_its_session(chat: Chat) {
    let home = home(&chat);
    let request = stdin::push();
    let hook = home.hook(&request);
    let card = chat.await_card();
    home.await_cards(1, "waiting");
    hook.kill();
    drop(hook.ended());
    chat.fail(On::call(chat.editing()), Fault::Html(502));
    let mut stop = stdin::captured("Stop");
    stop["session_id"] = request["session_id"].clone();
    home.hook(&stop).ended().is_silent();
    chat.await_retired(&card, INTERRUPTED);
    assert_eq!(home.open_cards(), Vec::<String>::new());
}
