//! Tests of concurrent requests: one card at a time, first come, first served, and no answer reaches another request.

use dmplz_e2e::{Chat, Choice, Home, Hook, JIN, Message, stdin};
use serde_json::{Value, json};

use crate::home;

tests! {
    on_each:
        two_requests_at_once_do_not_mix_up_their_reasons;
    on_telegram:
        twenty_requests_at_once_are_asked_one_by_one,
        requests_are_asked_in_the_order_of_their_coming,
        two_bots_do_not_wait_for_each_other;
}

/// Returns the command on a card.
fn command(card: &Message) -> String {
    card.text.lines().find(|line| line.starts_with("do-")).expect("its command").to_owned()
}

fn ask(home: &Home, number: usize) -> Hook {
    home.hook(&stdin::bash(&format!("session-{number}"), &format!("do-{number}")))
}

fn two_requests_at_once_do_not_mix_up_their_reasons(chat: Chat) {
    let home = home(&chat);
    let hooks = [ask(&home, 0), ask(&home, 1)];
    for _ in 0..2 {
        let card = chat.await_card();
        assert_eq!(chat.messages().iter().filter(|message| message.is_open()).count(), 1);
        chat.press(&card, Choice::Deny, JIN);
        chat.await_prompt();
        chat.say(JIN, &format!("not {}", command(&card)));
        chat.await_retired(&card, "❌ 거부됨");
    }
    for (number, hook) in hooks.into_iter().enumerate() {
        hook.ended().denies(&format!("User rejected the request. Reason: not do-{number}"));
    }
    let mut logged: Vec<_> = home.rejections().iter().map(|line| line["reason"].clone()).collect();
    logged.sort_by_key(Value::to_string);
    assert_eq!(logged, ["not do-0", "not do-1"]);
    home.nothing_is_left();
    chat.assert_clean();
}

fn twenty_requests_at_once_are_asked_one_by_one(chat: Chat) {
    let home = home(&chat);
    let hooks: Vec<Hook> = (0..20).map(|number| ask(&home, number)).collect();
    for _ in 0..20 {
        let card = chat.await_card();
        assert_eq!(chat.messages().iter().filter(|message| message.is_open()).count(), 1);
        let asked = command(&card);
        let number: usize = asked.strip_prefix("do-").unwrap().parse().unwrap();
        match number % 3 {
            0 => drop(chat.press(&card, Choice::Approve, JIN)),
            1 => drop(chat.press(&card, Choice::Session, JIN)),
            _ => {
                chat.press(&card, Choice::Deny, JIN);
                chat.await_prompt();
                chat.say(JIN, &format!("not {asked}"));
            }
        }
        chat.await_message("its end", |message| message.id == card.id && !message.is_open());
    }
    for (number, hook) in hooks.into_iter().enumerate() {
        let decision = hook.ended().decision();
        match number % 3 {
            0 => assert_eq!(decision, json!({ "behavior": "allow" })),
            1 => assert!(decision["behavior"] == "allow" && decision["updatedPermissions"].is_array(), "{decision}"),
            _ => assert_eq!(decision["message"], format!("User rejected the request. Reason: not do-{number}")),
        }
    }
    assert_eq!(home.rejections().len(), 6);
    assert_eq!(home.requests().len(), 20);
    let polls = chat.wire().calls().into_iter().filter(|call| call.status == Some(409)).count();
    assert_eq!(polls, 0, "nobody polls one bot twice");
    home.nothing_is_left();
    chat.assert_clean();
}

fn requests_are_asked_in_the_order_of_their_coming(chat: Chat) {
    let home = home(&chat);
    let hooks: Vec<Hook> = (0..5)
        .map(|number| {
            let hook = ask(&home, number);
            dmplz_e2e::until("its place", || home.places() == number + 1);
            hook
        })
        .collect();
    for (number, hook) in hooks.into_iter().enumerate() {
        let card = chat.await_card();
        assert_eq!(command(&card), format!("do-{number}"));
        chat.press(&card, Choice::Approve, JIN);
        hook.ended().decides(json!({ "behavior": "allow" }));
        chat.await_retired(&card, "✅");
    }
    chat.assert_clean();
}

fn two_bots_do_not_wait_for_each_other(chat: Chat) {
    let mut home = home(&chat);
    let first = ask(&home, 1);
    let card = chat.await_card();
    let other = Chat::discord();
    for (name, _) in chat.settings() {
        home.unset(name);
    }
    for (name, value) in other.settings() {
        home.set(name, value);
    }
    let second = ask(&home, 2);
    other.press(&other.await_card(), Choice::Approve, JIN);
    second.ended().decides(json!({ "behavior": "allow" }));
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    first.ended().denies("User rejected the request. (No reason provided)");
    home.nothing_is_left();
    chat.assert_clean();
    other.assert_clean();
}
