//! What the operator allows in one place: modes in which nobody is asked, once somebody confirms them elsewhere, and folders.

use dmplz_e2e::{Chat, Choice, Gateway, JIN, Message, until};
use serde_json::{Value, json};

use super::lead::{await_turn, is_session, led, serve};
use super::sessions::Desk;

tests! {
    with_buttons:
        a_mode_that_the_terminal_wants_is_confirmed_in_the_chat_and_not_at_the_terminal;
    on_telegram:
        a_mode_in_which_nobody_is_asked_is_confirmed_on_another_surface,
        a_mode_that_nobody_named_cannot_be_set,
        a_mode_is_confirmed_after_the_gateway_was_killed_and_not_where_it_can_be_set_no_more,
        a_folder_of_one_place_is_no_folder_of_another;
}

/// A session at rest whose chat may set such a mode.
fn at_rest(chat: &Chat) -> (Desk, Gateway, Message) {
    let mut desk = led(chat);
    // The client would not start as root otherwise.
    desk.home.set("DMPLZ_RUN_MODES", "bypass-permissions").set("IS_SANDBOX", "1");
    let gateway = serve(&desk, chat);
    let wanted = json!({ "cwd": desk.home.path().join("work"), "prompt": "say hi" });
    gateway.connect().call("session.start", wanted).unwrap();
    let card = chat.await_message("the session's card", is_session);
    await_turn(chat, card.id, "hello");
    (desk, gateway, card)
}

fn is_change(message: &Message) -> bool {
    message.by_bot && message.text.starts_with("⚠️ 세션에서 앞으로 아무에게도 묻지 않게 하기")
}

fn mode(gateway: &Gateway, desk: &Desk) -> Value {
    gateway.connect().call("session.get", json!({ "id": desk.session() })).unwrap()["session"]["mode"].clone()
}

fn a_mode_in_which_nobody_is_asked_is_confirmed_on_another_surface(chat: Chat) {
    let (desk, gateway, card) = at_rest(&chat);
    let started = std::fs::read_to_string(desk.work("started")).unwrap();
    assert!(started.contains("--permission-mode=default --allow-dangerously-skip-permissions"), "{started}");
    let mut terminal = gateway.watch();
    chat.reply(&card, JIN, "/mode bypass-permissions");
    chat.await_message("where it is confirmed", |it| {
        it.text.contains("다른 곳(웹 페이지, 터미널, 다른 메신저)에서 승인해야")
    });
    let change = chat.await_message("the request", is_change);
    assert!(
        change.text.contains("mode: bypassPermissions") && change.text.contains("여기서 요청했으므로"),
        "{change:?}"
    );
    assert!(!change.choices.iter().any(|choice| choice.starts_with(Choice::Approve.emoji())), "{change:?}");
    chat.reply(&change, JIN, "yes, approve");
    let request = terminal.await_request();
    assert_eq!((&request["tool"], &request["status"]), (&json!("SetPermissionMode"), &json!("open")), "{request}");
    assert_eq!(mode(&gateway, &desk), "default");
    terminal.answer(&request, "approve").unwrap();
    assert_eq!(terminal.await_end()["outcome"], "approved");
    until("the mode", || mode(&gateway, &desk) == "bypassPermissions");
    chat.await_message("the mode on the card", |it| it.id == card.id && it.text.contains("bypassPermissions"));

    // Back is a press like any other, and a denial in the chat is one.
    chat.reply(&card, JIN, "/mode default");
    until("the mode", || mode(&gateway, &desk) == "default");
    chat.reply(&card, JIN, "/mode bypassPermissions");
    let again = chat.await_message("the request", |it| it.id > change.id && is_change(it));
    chat.press(&again, Choice::Deny, JIN);
    assert_eq!(terminal.await_end()["outcome"], "rejected_no_reason");
    assert_eq!(mode(&gateway, &desk), "default");
}

fn a_mode_that_the_terminal_wants_is_confirmed_in_the_chat_and_not_at_the_terminal(chat: Chat) {
    let (desk, gateway, _) = at_rest(&chat);
    let mut terminal = gateway.watch();
    let wanted = json!({ "id": desk.session(), "mode": "bypassPermissions" });
    assert_eq!(terminal.call("session.mode", wanted).unwrap(), json!({ "confirm": true }));
    let request = terminal.await_request();
    let refused = terminal.answer(&request, "approve").unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("approved on another one"), "{refused}");
    let change = chat.await_message("the request", is_change);
    assert_eq!(mode(&gateway, &desk), "default");
    chat.press(&change, Choice::Approve, JIN);
    until("the mode", || mode(&gateway, &desk) == "bypassPermissions");
}

fn a_mode_that_nobody_named_cannot_be_set(chat: Chat) {
    let (desk, gateway, card) = at_rest(&chat);
    chat.reply(&card, JIN, "/mode auto");
    chat.await_message("the refusal", |it| it.text.contains("그런 모드는 없습니다: auto"));
    let refused = gateway.connect().call("session.mode", json!({ "id": desk.session(), "mode": "dontAsk" }));
    assert!(refused.unwrap_err()["message"].as_str().unwrap().contains("DMPLZ_RUN_MODES"));
    let session = json!({ "cwd": desk.home.path().join("work"), "mode": "bypassPermissions" });
    assert!(gateway.connect().call("session.start", session).is_err(), "a session begins in none of them");
    assert_eq!(mode(&gateway, &desk), "default");
}

fn a_mode_is_confirmed_after_the_gateway_was_killed_and_not_where_it_can_be_set_no_more(chat: Chat) {
    let (mut desk, gateway, card) = at_rest(&chat);
    chat.reply(&card, JIN, "/mode bypass-permissions");
    let change = chat.await_message("the request", is_change);
    // A card that was not recorded yet would be posted again.
    let recorded = |change: &Message| format!("\"id\":\"{}\"", chat.recorded(change));
    desk.home.await_kept(&recorded(&change));
    gateway.kill();
    let gateway = desk.home.serve();
    let mut terminal = gateway.watch();
    let request = terminal.call("approvals.list", json!({})).unwrap()["approvals"][0].clone();
    terminal.answer(&request, "approve").unwrap();
    until("the mode", || mode(&gateway, &desk) == "bypassPermissions");
    chat.await_message("its end", |it| it.id == change.id && !it.is_open());

    chat.reply(&card, JIN, "/mode default");
    until("the mode", || mode(&gateway, &desk) == "default");
    chat.reply(&card, JIN, "/mode bypass-permissions");
    let change = chat.await_message("the request", |it| it.id > change.id && is_change(it));
    desk.home.await_kept(&recorded(&change));
    gateway.kill();
    desk.home.set("DMPLZ_RUN_MODES", "auto");
    let gateway = desk.home.serve();
    chat.await_message("its end", |it| it.id == change.id && !it.is_open());
    assert_eq!(mode(&gateway, &desk), "default");
}

fn a_folder_of_one_place_is_no_folder_of_another(chat: Chat) {
    let mut desk = led(&chat);
    let folder = |name: &str| desk.home.path().join(name).display().to_string();
    let (work, other) = (folder("work"), folder("other"));
    std::fs::create_dir_all(&other).unwrap();
    desk.home.set("DMPLZ_RUN_FOLDERS", format!("telegram={work},page={other}"));
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new other say hi");
    chat.await_message("the refusal", |it| {
        it.text.contains("other") && it.text.contains(&work) && !it.text.contains(&other)
    });
    chat.say(JIN, "/new work say hi");
    let card = chat.await_message("the session's card", is_session);
    await_turn(&chat, card.id, "hello");
}
