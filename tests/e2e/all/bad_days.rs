//! Tests of faults of the messenger and the network. The request ends as specified, with one clear line if a person has
//! to do something, and never as an allow that nobody gave.

use std::time::{Duration, Instant};

use dmplz_e2e::telegram::TelegramRoom;
use dmplz_e2e::{Chat, Choice, Ended, Home, JIN, Message, SOON, stdin};
use dmplz_fakes::{Call, Fault, On};
use serde_json::{Value, json};

use crate::home;

tests! {
    on_each:
        faults_that_pass_while_the_card_is_posted_delay_it,
        faults_that_pass_while_presses_are_looked_for_delay_the_answer,
        lost_replies_to_posting_do_not_lose_the_answer,
        denial_on_a_card_that_is_still_being_posted_counts,
        lists_doubled_or_reversed_change_nothing,
        messenger_that_is_down_all_the_time_is_no_decision,
        nobody_listening_is_no_decision,
        dead_network_is_told_soon_and_is_no_decision,
        messenger_that_goes_down_after_the_card_is_no_decision,
        messenger_that_is_down_is_a_denial_where_the_operator_wants_it,
        approval_stands_when_the_messenger_goes_down_after_it,
        denial_stands_when_the_prompt_cannot_be_posted,
        denial_stands_when_the_messenger_goes_down_while_a_reason_is_awaited,
        wrong_token_is_one_clear_line,
        the_doctor_posts_nothing_and_invites_nobody,
        forbidden_chat_is_one_clear_line,
        unknown_chat_is_one_clear_line,
        rate_limit_beyond_the_deadline_is_no_decision,
        sigterm_while_the_messenger_is_down_ends_the_hook;
    on_telegram:
        copy_of_a_card_that_nobody_knew_of_is_retired_when_it_is_pressed,
        somebody_else_polling_is_one_clear_line,
        somebody_else_polling_is_found_by_the_doctor,
        webhook_is_one_clear_line,
        press_that_is_forged_or_makes_no_sense_changes_nothing;
}

/// Returns the faults that pass.
fn passing() -> Vec<Fault> {
    vec![
        Fault::Status(500),
        Fault::Html(502),
        Fault::Html(503),
        Fault::CutBefore,
        Fault::Slow(Duration::from_millis(300)),
        Fault::RateLimited { retry_after: Duration::from_millis(500), global: false },
    ]
}

/// Returns the faults in which the request is performed, but its reply is lost.
fn lost() -> Vec<Fault> {
    vec![Fault::CutAfter, Fault::CutInside, Fault::Garbled, Fault::Huge(80 << 20)]
}

/// Checks that a request is approved despite a fault.
fn is_approved(chat: &Chat, fault: Fault, on: &'static str) {
    let home = home(chat);
    chat.fail(on, fault.clone());
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    let ended = hook.ended();
    assert_eq!(ended.decision(), json!({ "behavior": "allow" }), "{fault:?} {ended:?}");
    home.nothing_is_left();
    chat.wire().heal();
}

fn faults_that_pass_while_the_card_is_posted_delay_it(chat: Chat) {
    for fault in passing() {
        is_approved(&chat, fault, chat.posting());
    }
    chat.assert_clean();
}

fn faults_that_pass_while_presses_are_looked_for_delay_the_answer(chat: Chat) {
    for fault in passing().into_iter().chain(lost()) {
        is_approved(&chat, fault, chat.polling());
    }
    chat.assert_clean();
}

fn lost_replies_to_posting_do_not_lose_the_answer(chat: Chat) {
    for fault in lost() {
        let home = home(&chat);
        chat.fail(chat.posting(), fault.clone());
        let hook = home.hook(&stdin::push());
        // A messenger that cannot tell a second try from a second card shows two. Discord can.
        home.await_cards(1, "waiting");
        let open = || chat.cards().into_iter().filter(|card| card.is_open()).collect::<Vec<_>>();
        let copies = open();
        assert_eq!(copies.len(), if chat.provider() == "telegram" { 2 } else { 1 }, "{fault:?}");
        chat.press(&copies[0], Choice::Deny, JIN);
        chat.await_prompt();
        chat.say(JIN, "no");
        hook.ended().denies("User rejected the request. Reason: no");
        copies.iter().for_each(|copy| drop(chat.await_retired(copy, "❌ 거부됨")));
        assert_eq!(home.rejections().len(), 1, "{fault:?}");
        home.nothing_is_left();
    }
}

/// The messenger shows the card, and its reply takes long: the network is slow.
fn denial_on_a_card_that_is_still_being_posted_counts(chat: Chat) {
    if !chat.posts_whole() {
        // Without its menu nobody can answer it.
        return;
    }
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "500");
    chat.fail(chat.posting(), Fault::HeldAfter);
    let hook = home.hook(&stdin::push());
    let card = chat.await_message("a card", Message::is_card);
    chat.press(&card, Choice::Deny, JIN);
    let pressed = Instant::now();
    let looked = |call: &Call| call.name == chat.polling() && call.at > pressed && call.status.is_some();
    chat.wire().await_call_blocking(SOON, looked).expect("a look for presses");
    chat.wire().release();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    home.nothing_is_left();
    chat.assert_clean();
}

fn copy_of_a_card_that_nobody_knew_of_is_retired_when_it_is_pressed(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.posting(), Fault::CutAfter);
    let hook = home.hook(&stdin::push());
    home.await_cards(1, "waiting");
    let [copy, card] = chat.cards().try_into().expect("two of them");
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, "✅ 승인됨");
    let late = chat.press(&copy, Choice::Deny, JIN);
    let next = home.hook(&stdin::bash("next", "next"));
    chat.await_told(&late, &format!("이 권한 요청은 이미 만료되었습니다. (request_id: {})", copy.request_id()));
    chat.await_retired(&copy, "✅ 승인됨");
    chat.press(&chat.await_card(), Choice::Approve, JIN);
    next.ended().decides(json!({ "behavior": "allow" }));
    assert!(home.rejections().is_empty());
    home.nothing_is_left();
}

fn lists_doubled_or_reversed_change_nothing(chat: Chat) {
    for fault in [Fault::Doubled, Fault::Reversed] {
        let home = home(&chat);
        chat.fail(On::call(chat.polling_texts()).always(), fault);
        let hook = home.hook(&stdin::push());
        let card = chat.await_card();
        chat.press(&card, Choice::Deny, JIN);
        chat.await_prompt();
        chat.say(JIN, "no");
        hook.ended().denies("User rejected the request. Reason: no");
        chat.await_retired(&card, "❌ 거부됨");
        assert_eq!(home.rejections().len(), 1);
        chat.wire().heal();
    }
    chat.assert_clean();
}

/// Asks with two seconds to answer; the request must end without a decision.
fn gives_up(home: &mut Home) -> Ended {
    let ended = home.set("DMPLZ_QUESTION_TIMEOUT_MS", "2500").hook(&stdin::push()).ended();
    ended.decides_nothing();
    home.nothing_is_left();
    ended
}

fn messenger_that_is_down_all_the_time_is_no_decision(chat: Chat) {
    chat.fail(On::any().always(), Fault::Html(502));
    let mut home = home(&chat);
    gives_up(&mut home).complaint();
    assert!(chat.messages().is_empty());
}

fn nobody_listening_is_no_decision(chat: Chat) {
    let mut home = home(&chat);
    let (base, _) = chat.settings().remove(0);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    home.set(base, format!("http://{free}"));
    gives_up(&mut home).complaint();
}

/// The request's own limit is 5 minutes, longer than a test waits for anything.
fn dead_network_is_told_soon_and_is_no_decision(chat: Chat) {
    let (base, _) = chat.settings().remove(0);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    // The system's resolver asks nobody about a label that is too long for DNS.
    for server in [format!("http://{free}"), format!("http://{}.invalid", "a".repeat(64))] {
        let mut home = home(&chat);
        home.set(base, &server).set("DMPLZ_UNREACHABLE_MS", "300ms");
        let ended = home.hook(&stdin::push()).ended();
        ended.decides_nothing();
        let told = ended.explains();
        assert!(told.contains(&format!("에 연결하지 못했습니다({server}: ")), "{told}");
        assert!(ended.complaint().contains(": the messenger cannot be reached: "), "{ended:?}");
        home.nothing_is_left();
    }
    assert!(chat.messages().is_empty());
}

fn messenger_that_goes_down_after_the_card_is_no_decision(chat: Chat) {
    let mut home = home(&chat);
    chat.fail(On::call(chat.polling()).always(), Fault::Html(502));
    let ended = gives_up(&mut home);
    assert!(ended.complaint().contains(": the messenger cannot be reached"), "{ended:?}");
    let card = chat.cards().remove(0);
    chat.await_retired(&card, "⚠️ 중단됨");
}

fn messenger_that_is_down_is_a_denial_where_the_operator_wants_it(chat: Chat) {
    chat.fail(On::any().always(), Fault::Status(401));
    let mut home = home(&chat);
    home.set("DMPLZ_ON_EXPIRED", "deny");
    let ended = home.hook(&stdin::push()).ended();
    ended.denies("The permission request could not be delivered, so it was not allowed. No user rejected it.");
    ended.complaint();
    assert!(home.rejections().is_empty(), "nobody rejected it");
}

fn approval_stands_when_the_messenger_goes_down_after_it(chat: Chat) {
    let home = home(&chat);
    let down = On::any().when({
        let editing = chat.editing();
        move |call: &Call| call.name == editing || call.name == "answerCallbackQuery"
    });
    chat.fail(down.always(), Fault::CutBefore);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    let ended = hook.ended();
    ended.decides(json!({ "behavior": "allow" }));
    assert!(chat.message(card.id).is_open(), "its end could not be shown");
    chat.wire().heal();
    let hook = home.hook(&stdin::bash("next", "next"));
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    chat.press(&chat.await_card(), Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    home.nothing_is_left();
    chat.assert_clean();
}

fn denial_stands_when_the_prompt_cannot_be_posted(chat: Chat) {
    for fault in [Fault::Status(403), Fault::Status(400)] {
        let home = home(&chat);
        chat.fail(On::call(chat.posting()).after(1).always(), fault);
        let hook = home.hook(&stdin::push());
        let card = chat.await_card();
        chat.press(&card, Choice::Deny, JIN);
        hook.ended().denies("User rejected the request. (No reason provided: timeout)");
        chat.await_retired(&card, "❌ 거부됨");
        assert_eq!(home.rejections()[0]["reason_source"], "timeout");
        chat.wire().heal();
    }
}

fn denial_stands_when_the_messenger_goes_down_while_a_reason_is_awaited(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "2500");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.fail(On::any().always(), Fault::CutBefore);
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    assert_eq!(home.rejections().len(), 1);
    chat.wire().heal();
    let hook = home.hook(&stdin::bash("next", "next"));
    chat.await_retired(&card, "❌ 거부됨");
    chat.press(&chat.await_card(), Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
}

/// Asks while every request is answered with an error that a person has to fix.
fn complains(chat: &Chat, fault: Fault, says: &str) {
    chat.fail(On::any().always(), fault);
    let home = home(chat);
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    let complaint = ended.complaint();
    assert!(complaint.contains(says) && complaint.contains("dmplz doctor"), "{complaint}");
    assert_eq!(home.requests()[0]["outcome"], "expired");
    home.nothing_is_left();
}

fn wrong_token_is_one_clear_line(chat: Chat) {
    complains(&chat, Fault::Status(401), "check the token");
}

fn forbidden_chat_is_one_clear_line(chat: Chat) {
    complains(&chat, Fault::Status(403), "give the bot the right in that chat");
}

fn unknown_chat_is_one_clear_line(chat: Chat) {
    let mut home = home(&chat);
    let chat_setting = chat.settings().pop().unwrap().0;
    home.set(chat_setting, "424242424242");
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("dmplz doctor"), "{ended:?}");
    home.nothing_is_left();
}

fn rate_limit_beyond_the_deadline_is_no_decision(chat: Chat) {
    let limited = Fault::RateLimited { retry_after: Duration::from_secs(600), global: false };
    chat.fail(On::call(chat.posting()).always(), limited);
    let mut home = home(&chat);
    gives_up(&mut home).complaint();
}

fn sigterm_while_the_messenger_is_down_ends_the_hook(chat: Chat) {
    let home = home(&chat);
    chat.fail(On::any().always(), Fault::HeldBefore);
    let hook = home.hook(&stdin::push());
    chat.wire().await_call_blocking(SOON, |_| true).expect("a request");
    hook.terminate();
    assert_eq!(hook.ended().stdout, "");
    assert!(home.places() == 0, "its place is free");
    chat.wire().heal();
    chat.wire().release();
    let hook = home.hook(&stdin::bash("next", "next"));
    let card = chat.await_message("the next card", |message| message.is_open() && message.text.contains("\nnext\n"));
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
}

fn somebody_else_polling_is_one_clear_line(chat: Chat) {
    let home = home(&chat);
    chat.fail(On::call("getUpdates").always(), Fault::Status(409));
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("use a bot of its own"), "{ended:?}");
    chat.await_retired(&chat.cards()[0], "⚠️ 중단됨");
    home.nothing_is_left();
}

fn the_doctor_posts_nothing_and_invites_nobody(chat: Chat) {
    let told: Value = serde_json::from_slice(&home(&chat).run(&["doctor", "--json"]).stdout).unwrap();
    let checks = told["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["about"] == "approvers" && check["level"] != "bad"), "{told}");
    assert!(chat.messages().is_empty(), "{:?}", chat.messages());
    // Where a chat with a person is a room that is made, they would be invited to it.
    let made = |call: &Call| call.path.contains("createRoom");
    assert!(!chat.wire().calls().iter().any(made), "{:?}", chat.wire().calls());
}

fn somebody_else_polling_is_found_by_the_doctor(chat: Chat) {
    let polled = |home: &Home| {
        let told: Value = serde_json::from_slice(&home.run(&["doctor", "--json"]).stdout).unwrap();
        let checks = told["checks"].as_array().unwrap();
        checks.iter().find(|check| check["about"] == "poller").map(|check| check["level"].as_str().unwrap().to_owned())
    };
    let (here, elsewhere) = (home(&chat), home(&chat));
    assert_eq!(polled(&here).as_deref(), Some("good"));
    let hook = elsewhere.hook(&stdin::push());
    let card = chat.await_message("a card", Message::is_open);
    assert_eq!(polled(&elsewhere), None, "its own hook polls, and tells of others itself");
    assert_eq!(polled(&here).as_deref(), Some("bad"));
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
}

fn webhook_is_one_clear_line(chat: Chat) {
    let home = home(&chat);
    let fake = &chat.room::<TelegramRoom>().fake;
    fake.set_webhook(Some("https://elsewhere.example/hook"));
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("webhook"), "{ended:?}");
}

fn press_that_is_forged_or_makes_no_sense_changes_nothing(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let TelegramRoom { fake, chat: room } = chat.room();
    let at = (*room, i64::try_from(card.id).unwrap());
    let stranger = dmplz_fakes::telegram::User::person(666, "mallory");
    let jin = dmplz_fakes::telegram::User::person(JIN.id.into(), JIN.name);
    let shown = fake.message(at).unwrap();
    let data = shown.keyboard()[0][0].data.clone().unwrap();
    assert!(data.ends_with(":approve"), "{data}");
    fake.forge_press(at, &data, &stranger);
    for nonsense in ["", "approve", ":approve", "x:approve:", "\u{0}", &data.replace("approve", "always")] {
        fake.forge_press(at, nonsense, &jin);
    }
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
}
