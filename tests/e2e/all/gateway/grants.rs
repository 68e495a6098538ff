//! Grants that are given through the gateway, and taken back on the card.

use dmplz_e2e::{Chat, Choice, Gateway, Home, JIN, MIN, Message, stdin};
use serde_json::{Value, json};

use crate::grants::approved;
use crate::home;

tests! {
    on_each:
        a_grant_from_the_gateway_is_kept_before_the_client_hears_of_it;
    with_buttons:
        a_press_on_the_ended_card_takes_the_grant_back,
        a_killed_gateway_comes_back_to_a_grant_that_can_be_taken_back,
        a_grant_that_ended_by_itself_is_said_to_be_over,
        a_grant_that_is_taken_back_elsewhere_leaves_no_choice_on_its_card,
        a_grant_for_a_session_that_has_ended_leaves_no_choice_on_its_card,
        the_trail_says_who_gave_a_grant_and_who_took_it_back;
    on_telegram:
        a_grant_that_was_given_without_a_gateway_is_logged;
    in_groups_with_buttons:
        who_may_not_answer_takes_nothing_back;
}

fn allow() -> Value {
    json!({ "behavior": "allow" })
}

fn push() -> Value {
    stdin::bash("s1", "git push")
}

/// Returns a card that was answered with a grant for half an hour.
fn granted(chat: &Chat, home: &Home) -> (Gateway, Message) {
    granted_by(chat, home, Choice::HalfHour)
}

fn granted_by(chat: &Chat, home: &Home, choice: Choice) -> (Gateway, Message) {
    let gateway = home.serve();
    let hook = home.hook(&push());
    let card = chat.await_card();
    chat.press(&card, choice, JIN);
    hook.ended().decides(allow());
    (
        gateway,
        chat.await_message("the choice to take it back", |message| message.id == card.id && is_revocable(message)),
    )
}

fn is_revocable(message: &Message) -> bool {
    message.choices.len() == 1 && message.choices[0].starts_with(Choice::Revoke.emoji())
}

fn a_grant_from_the_gateway_is_kept_before_the_client_hears_of_it(chat: Chat) {
    let home = home(&chat);
    let gateway = home.serve();
    let mut person = gateway.watch();
    let hook = home.hook(&push());
    let request = person.await_request();
    chat.await_card();
    let answer = json!({ "id": request["id"], "decision": "grant", "term": "halfHour" });
    person.call("approval.respond", answer).unwrap();
    hook.answer();
    assert!(home.state().join("grants.json").exists());
    hook.ended().decides(allow());
    home.hook(&push()).ended().decides(allow());
    assert_eq!(chat.cards().len(), 1, "nobody was asked");
    let listed = home.run(&["grants", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!((&listed[0]["by"]["surface"], &listed[0]["request_id"]), (&json!("cli"), &request["id"]));
    chat.assert_clean();
}

fn a_press_on_the_ended_card_takes_the_grant_back(chat: Chat) {
    let home = home(&chat);
    let (_gateway, card) = granted(&chat, &home);
    home.hook(&push()).ended().decides(allow());
    let press = chat.press(&card, Choice::Revoke, JIN);
    chat.await_told(&press, "이제부터 다시 묻습니다.");
    let ended = chat.await_retired(&card, &format!("🚫 이제부터 다시 묻습니다: {}", chat.signed(JIN)));
    assert!(!ended.text.contains("30분 동안 묻지"), "{ended:?}");
    assert!(!home.state().join("grants.json").exists());
    approved(&chat, &home, &push());
    chat.assert_clean();
}

fn a_killed_gateway_comes_back_to_a_grant_that_can_be_taken_back(chat: Chat) {
    let home = home(&chat);
    let (gateway, card) = granted(&chat, &home);
    home.await_kept(r#""stage":"ended""#);
    gateway.kill();
    let _gateway = home.serve();
    chat.press(&card, Choice::Revoke, JIN);
    chat.await_retired(&card, &format!("🚫 이제부터 다시 묻습니다: {}", chat.signed(JIN)));
    approved(&chat, &home, &push());
    chat.assert_clean();
}

fn a_grant_that_ended_by_itself_is_said_to_be_over(chat: Chat) {
    let home = home(&chat);
    let (_gateway, card) = granted(&chat, &home);
    // Without a word to the gateway.
    std::fs::remove_file(home.state().join("grants.json")).unwrap();
    chat.press(&card, Choice::Revoke, JIN);
    chat.await_retired(&card, "이 허용은 이미 끝났습니다");
    approved(&chat, &home, &push());
    chat.assert_clean();
}

fn a_grant_that_is_taken_back_elsewhere_leaves_no_choice_on_its_card(chat: Chat) {
    let home = home(&chat);
    let (_gateway, card) = granted(&chat, &home);
    assert!(home.run(&["grants", "revoke", "--all"]).status.success());
    let ended = chat.await_retired(&card, "🚫 이제부터 다시 묻습니다: ");
    assert!(!ended.text.contains("30분 동안 묻지"), "{ended:?}");
    chat.assert_clean();
}

fn a_grant_for_a_session_that_has_ended_leaves_no_choice_on_its_card(chat: Chat) {
    let home = home(&chat);
    let (_gateway, card) = granted_by(&chat, &home, Choice::ForSession);
    home.hook(&json!({"hook_event_name": "SessionEnd", "session_id": "s1", "cwd": "/w", "reason": "exit"}))
        .ended()
        .is_silent();
    let ended = chat.await_retired(&card, "이 허용은 이미 끝났습니다");
    assert!(!ended.text.contains("세션이 끝날 때까지"), "{ended:?}");
    chat.assert_clean();
}

fn who_may_not_answer_takes_nothing_back(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let (_gateway, card) = granted(&chat, &home);
    let press = chat.press(&card, Choice::Revoke, MIN);
    chat.await_told(&press, "이 요청에 답할 권한이 없습니다.");
    assert!(is_revocable(&chat.message(card.id)));
    home.hook(&push()).ended().decides(allow());
    chat.press(&card, Choice::Revoke, JIN);
    chat.await_retired(&card, &format!("🚫 이제부터 다시 묻습니다: {}", chat.signed(JIN)));
    approved(&chat, &home, &push());
}

fn the_trail_says_who_gave_a_grant_and_who_took_it_back(chat: Chat) {
    let home = home(&chat);
    let (_gateway, card) = granted(&chat, &home);
    let given = listed(&home).remove(0);
    chat.press(&card, Choice::Revoke, JIN);
    chat.await_retired(&card, &format!("🚫 이제부터 다시 묻습니다: {}", chat.signed(JIN)));
    let trail = home.run(&["audit", "show", "--json"]);
    let trail = String::from_utf8(trail.stdout).unwrap();
    let about: Vec<Value> = trail.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let about: Vec<&Value> =
        about.iter().filter(|entry| entry["kind"].as_str().is_some_and(|kind| kind.starts_with("grant."))).collect();
    let [made, revoked] = about.as_slice() else { panic!("{trail}") };
    assert_eq!((&made["kind"], &revoked["kind"]), (&json!("grant.made"), &json!("grant.revoked")));
    assert_eq!((&made["requestId"], &made["body"]["grant"]["by"]), (&given["request_id"], &given["by"]));
    assert_eq!((&revoked["body"]["grant"]["id"], &revoked["body"]["by"]), (&given["id"], &given["by"]));
    assert_eq!(given["by"]["name"], chat.name_of(JIN));
    assert!(home.run(&["audit", "verify"]).status.success());
    assert_eq!(logged(&home).iter().map(|line| &line["change"]).collect::<Vec<_>>(), ["made", "revoked"]);
}

fn a_grant_that_was_given_without_a_gateway_is_logged(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&push());
    let card = chat.await_card();
    chat.press(&card, Choice::HalfHour, JIN);
    hook.ended().decides(allow());
    let (given, logged) = (listed(&home).remove(0), logged(&home));
    let [made] = logged.as_slice() else { panic!("{logged:?}") };
    assert_eq!((&made["change"], &made["grant"]), (&json!("made"), &given_only(given)));
    chat.assert_clean();
}

/// Returns the output of `dmplz grants list --json`.
fn listed(home: &Home) -> Vec<Value> {
    serde_json::from_slice(&home.run(&["grants", "list", "--json"]).stdout).unwrap()
}

/// Returns the grant without what the list adds.
fn given_only(mut listed: Value) -> Value {
    for added in ["left_ms", "uses"] {
        listed.as_object_mut().unwrap().remove(added);
    }
    listed
}

fn logged(home: &Home) -> Vec<Value> {
    let log = std::fs::read_to_string(home.state().join("grants.jsonl")).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
