//! Sessions that are led from a chat. The client is the script of the session tests.

use dmplz_e2e::discord::DiscordRoom;
use dmplz_e2e::telegram::TelegramRoom;
use dmplz_e2e::{Chat, Choice, Gateway, JIN, MIN, Message, Person, SOON, until};
use dmplz_fakes::discord::User;
use serde_json::json;

use super::sessions::Desk;

tests! {
    on_each:
        a_session_is_started_written_to_and_ended_in_the_chat,
        a_killed_gateway_finds_its_cards_again_and_sends_nothing_twice,
        a_chat_that_is_not_to_lead_leads_nothing;
    in_each_group:
        only_an_approver_leads_in_a_group_and_only_by_replies_and_commands;
    on_telegram:
        a_text_that_waits_counts_where_the_chats_own_card_was_deleted,
        a_chat_is_shown_as_much_of_a_session_as_its_detail_says;
    with_buttons:
        buttons_change_and_end_a_session;
    in_groups_with_buttons:
        a_press_of_a_stranger_ends_no_session;
    on_discord:
        a_text_that_waits_counts_where_the_chats_own_card_was_deleted;
    on_discord_by_buttons:
        forms_start_a_session_and_write_to_it;
    in_private_telegram_group:
        a_command_to_another_bot_is_none_of_ours;
}

/// A home whose sessions are led in this chat.
pub(crate) fn led(chat: &Chat) -> Desk {
    let mut desk = Desk::new(chat);
    let folder = desk.home.path().join("work");
    desk.home.set("DMPLZ_RUN_CHATS", "*").set("DMPLZ_RUN_FOLDERS", folder);
    desk
}

/// Starts the gateway, and waits until it reads what is written.
pub(crate) fn serve(desk: &Desk, chat: &Chat) -> Gateway {
    let gateway = desk.home.serve();
    chat.await_message("the chat's own card", is_home);
    gateway
}

fn is_home(message: &Message) -> bool {
    message.text.starts_with("🖥") && message.text.contains("DMPLZ_RUN_FOLDERS") | message.text.contains("폴더:")
}

/// Whether it is, or was, the card of a session.
pub(crate) fn is_session(message: &Message) -> bool {
    let first = message.before.first().unwrap_or(&message.text);
    message.by_bot && first.starts_with(['⏳', '💤', '⚙', '🙋']) && first.contains("work (")
}

pub(crate) fn sessions(chat: &Chat) -> Vec<Message> {
    chat.messages().into_iter().filter(is_session).collect()
}

/// Waits for the next end of a turn after a message.
pub(crate) fn await_turn(chat: &Chat, after: u64, shows: &str) -> Message {
    chat.await_message(&format!("the end of a turn with {shows}"), |message| {
        message.id > after && message.text.starts_with("✅ work (") && message.text.contains(shows)
    })
}

/// Waits until a message is recorded. One that is not recorded yet is posted again by the next gateway.
pub(crate) fn await_record(desk: &Desk, chat: &Chat, message: &Message) {
    let recorded = format!("\"id\":\"{}\"", chat.recorded(message));
    until("the record of the message", || desk.led().contains(&recorded));
}

pub(crate) fn discord_user(person: Person) -> User {
    User::person(person.id.into(), person.name)
}

pub(crate) fn times(desk: &Desk, text: &str) -> usize {
    desk.heard().matches(&format!("\"content\":\"{text}\"")).count()
}

fn a_chat_is_shown_as_much_of_a_session_as_its_detail_says(chat: Chat) {
    let mut desk = led(&chat);
    let mut after = 0;
    for (detail, shown, hidden) in [
        ("brief", &["▶ <i>write</i>"][..], &["⏺", "│", "Title", "done <img"][..]),
        ("normal", &["▶ <i>write</i>", "⏺ Edit", "│ # Title"], &["done <img"]),
        ("full", &["▶ <i>write</i>", "⏺ Edit", "  ⎿ done <img", "│ # Title"], &[]),
    ] {
        desk.home.set("DMPLZ_RUN_DETAIL", detail);
        let _gateway = serve(&desk, &chat);
        chat.say(JIN, "/new work edit it");
        let is_end = |it: &Message| it.id > after && it.text.starts_with("✅ work (");
        let end = chat.await_message("the end of the turn", is_end);
        let is_card = |it: &Message| it.id > after && is_session(it) && it.text.starts_with("💤");
        let card =
            chat.await_message("the card at rest", |it| is_card(it) && shown.iter().all(|part| it.text.contains(part)));
        for part in hidden {
            assert!(!card.text.contains(part), "{detail}: {}", card.text);
        }
        assert_eq!(end.text.contains("Title"), detail != "brief", "{}", end.text);
        after = end.id.max(card.id);
        chat.say(JIN, &format!("/stop {}", desk.session()));
        chat.await_message("its end", |it| it.id > after && it.text.starts_with("⏹ work ("));
        after += 1;
    }
    chat.assert_clean();
}

fn a_session_is_started_written_to_and_ended_in_the_chat(chat: Chat) {
    let desk = led(&chat);
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work ask");
    let request = chat.await_card();
    let session = chat.await_message("the session's card", is_session);
    chat.await_message("that it waits", |it| it.id == session.id && it.text.starts_with("🙋"));

    // No text allows anything, wherever it is written.
    chat.say(JIN, "ok");
    chat.await_message("what a text does not do", |it| it.text.contains("글은 요청에 대한 답이 되지 않으니"));
    chat.reply(&request, JIN, "yes, approve");
    chat.reply(&session, JIN, "later ok");
    until("the message", || times(&desk, "later ok") == 1);
    chat.await_message("what waits", |it| it.id == session.id && it.text.contains("✉️ 대기 중: later ok"));
    assert!(!desk.work("ran-1").exists() && desk.heard().matches("\"behavior\"").count() == 0, "{}", desk.heard());

    chat.press(&request, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    let turn = await_turn(&chat, request.id, "allowed");
    chat.reply(&turn, JIN, "hello there");
    let turn = await_turn(&chat, turn.id, "hello");
    chat.say(JIN, "and once more");
    let turn = await_turn(&chat, turn.id, "hello");
    chat.say(JIN, "/interrupt");
    chat.await_message("the interruption", |it| it.id > turn.id && it.text.contains("마치지 못했습니다"));
    chat.reply(&session, JIN, "ask again");
    let request = chat.await_message("the second request", |it| it.id > turn.id && it.text.contains("touch ran-2"));
    chat.say(JIN, "/interrupt main에는 안 돼요");
    chat.await_message("the denial", |it| it.id == request.id && it.text.contains("사유: main에는 안 돼요"));
    until("the reason", || times(&desk, "main에는 안 돼요") == 1);
    chat.reply(&session, JIN, "/model bad");
    chat.await_message("a refusal", |it| {
        it.text.contains("하지 못했습니다:\n클라이언트가 거절했습니다: There is no model bad")
    });
    chat.say(JIN, "/frobnicate");
    chat.await_message("the commands", |it| {
        it.text.starts_with("그런 명령이 없습니다: /frobnicate") && it.text.contains("/stop")
    });
    chat.reply(&session, JIN, "/stop");
    chat.await_message("the end", |it| it.text.starts_with("⏹ work (") && it.text.ends_with("세션이 끝났습니다"));
    let over = chat.await_retired(&session, ": 끝남");
    assert_eq!(sessions(&chat).len(), 1, "{:#?}", chat.messages());
    assert_eq!(["ask", "hello there", "and once more", "ok"].map(|text| times(&desk, text)), [1, 1, 1, 0]);

    let resume =
        over.text.lines().find_map(|line| line.strip_prefix("이어 하려면: ")).expect("how to go on").to_owned();
    chat.reply(&over, JIN, "is anybody there");
    chat.await_message("that it has ended", |it| it.text.contains("이미 끝난 세션입니다"));
    chat.say(JIN, &resume);
    let again = chat.await_message("another card", |it| it.id > session.id && is_session(it));
    chat.reply(&again, JIN, "welcome back");
    await_turn(&chat, again.id, "hello");
    assert_eq!(["is anybody there", "welcome back"].map(|text| times(&desk, text)), [0, 1]);
    assert!(!desk.heard().contains("yes, approve"), "{}", desk.heard());
    chat.assert_clean();
}

fn a_killed_gateway_finds_its_cards_again_and_sends_nothing_twice(chat: Chat) {
    let desk = led(&chat);
    let gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let turn = await_turn(&chat, 0, "hello");
    chat.reply(&turn, JIN, "the first reply");
    let turn = await_turn(&chat, turn.id, "hello");
    await_record(&desk, &chat, &turn);
    gateway.kill();
    // Even where it is not known which texts were received, nor which were handled.
    std::fs::remove_dir_all(desk.home.state().join("cursors")).unwrap();
    desk.forget_what_was_handled();
    chat.reply(&turn, JIN, "the second reply");
    let _gateway = desk.home.serve();
    await_turn(&chat, turn.id, "hello");
    chat.await_message("a card at rest", |it| is_session(it) && it.text.starts_with("💤"));
    assert_eq!(sessions(&chat).len(), 1, "{:#?}", chat.messages());
    assert_eq!(chat.messages().iter().filter(|it| is_home(it)).count(), 1, "{:#?}", chat.messages());
    assert_eq!(["hello", "the first reply", "the second reply"].map(|text| times(&desk, text)), [1, 1, 1]);
    chat.assert_clean();
}

fn a_text_that_waits_counts_where_the_chats_own_card_was_deleted(chat: Chat) {
    let desk = led(&chat);
    let gateway = desk.home.serve();
    let home = chat.await_message("the chat's own card", is_home);
    chat.say(JIN, "/new work hello");
    let turn = await_turn(&chat, 0, "hello");
    await_record(&desk, &chat, &turn);
    gateway.kill();
    chat.delete(&home);
    chat.reply(&turn, JIN, "while nobody listened");
    let _gateway = desk.home.serve();
    await_turn(&chat, turn.id, "hello");
    chat.await_message("another card of the chat", |it| it.id > turn.id && is_home(it));
    assert_eq!(["hello", "while nobody listened"].map(|text| times(&desk, text)), [1, 1]);
    chat.assert_clean();
}

fn a_chat_that_is_not_to_lead_leads_nothing(chat: Chat) {
    let mut desk = Desk::new(&chat);
    let folder = desk.home.path().join("work");
    desk.home.set("DMPLZ_RUN_FOLDERS", folder);
    let gateway = desk.home.serve();
    let wanted = json!({ "cwd": desk.home.path().join("work"), "prompt": "ask" });
    gateway.connect().call("session.start", wanted).unwrap();
    let request = chat.await_card();
    chat.say(JIN, "/stop");
    chat.reply(&request, JIN, "hello");
    chat.press(&request, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    chat.await_retired(&request, "✅ 승인됨: Bash");
    let by_bot = chat.messages().into_iter().filter(|it| it.by_bot).count();
    assert_eq!((by_bot, desk.work("ended").exists()), (1, false), "{:#?}", chat.messages());
}

fn only_an_approver_leads_in_a_group_and_only_by_replies_and_commands(chat: Chat) {
    let mut desk = led(&chat);
    desk.home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let _gateway = serve(&desk, &chat);
    chat.say(MIN, "/new work from a stranger");
    chat.say(JIN, "/new work hello");
    let turn = await_turn(&chat, 0, "hello");
    let session = chat.await_message("the session's card", is_session);
    chat.reply(&turn, MIN, "a strange reply");
    chat.reply(&session, MIN, "/stop");
    chat.say(MIN, "/stop");
    chat.say(JIN, "lunch, anyone");
    chat.reply(&session, JIN, "a reply that counts");
    let turn = await_turn(&chat, turn.id, "hello");
    chat.say(JIN, "/new elsewhere hello");
    let refused = chat.await_message("a refusal", |it| it.text.contains("시작할 수 없는 폴더입니다: elsewhere"));
    assert!(refused.id > turn.id);
    assert_eq!(["hello", "a reply that counts"].map(|text| times(&desk, text)), [1, 1]);
    let heard = desk.heard();
    assert!(!["strange", "lunch", "/stop"].iter().any(|text| heard.contains(text)), "{heard}");
    assert_eq!(sessions(&chat).len(), 1);
    assert!(!desk.work("ended").exists());
    chat.assert_clean();
}

fn buttons_change_and_end_a_session(chat: Chat) {
    let desk = led(&chat);
    let gateway = serve(&desk, &chat);
    let wanted = json!({ "cwd": desk.home.path().join("work"), "prompt": "hello" });
    gateway.connect().call("session.start", wanted).unwrap();
    let turn = await_turn(&chat, 0, "hello");
    let card = chat.await_message("a card at rest", |it| is_session(it) && it.text.starts_with("💤"));
    chat.press(&card, Choice::Is("📝"), JIN);
    let card = chat.await_message("the mode", |it| it.id == card.id && it.text.contains("plan ·"));
    assert!(desk.heard().contains("\"mode\":\"plan\""), "{}", desk.heard());
    chat.press(&card, Choice::Is("⏹"), JIN);
    chat.await_message("the end", |it| it.id > turn.id && it.text.ends_with("세션이 끝났습니다"));
    chat.await_retired(&card, ": 끝남");
    chat.assert_clean();
}

fn a_press_of_a_stranger_ends_no_session(chat: Chat) {
    let mut desk = led(&chat);
    desk.home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let gateway = serve(&desk, &chat);
    let wanted = json!({ "cwd": desk.home.path().join("work"), "prompt": "hello" });
    gateway.connect().call("session.start", wanted).unwrap();
    let card = chat.await_message("a card at rest", |it| is_session(it) && it.text.starts_with("💤"));
    let strange = chat.press(&card, Choice::Is("⏹"), MIN);
    chat.await_told(&strange, "세션에 지시할 권한이 없습니다.");
    assert!(!desk.work("ended").exists());
    chat.press(&card, Choice::Is("⏹"), JIN);
    chat.await_retired(&card, ": 끝남");
    chat.assert_clean();
}

fn forms_start_a_session_and_write_to_it(chat: Chat) {
    let desk = led(&chat);
    let _gateway = serve(&desk, &chat);
    let home = chat.await_message("the chat's own card", is_home);
    fill_in(&chat, &home, "➕", "work hello");
    let turn = await_turn(&chat, 0, "hello");
    let card = chat.await_message("a card at rest", |it| is_session(it) && it.text.starts_with("💤"));
    fill_in(&chat, &card, "💬", "and more");
    let turn = await_turn(&chat, turn.id, "hello");
    assert_eq!(["hello", "and more"].map(|text| times(&desk, text)), [1, 1]);
    fill_in(&chat, &card, "💬", "/stop");
    chat.await_message("the end", |it| it.id > turn.id && it.text.ends_with("세션이 끝났습니다"));
    chat.await_retired(&card, ": 끝남");
    chat.assert_clean();
}

/// Presses a button, and writes into the form that opens.
fn fill_in(chat: &Chat, card: &Message, button: &'static str, text: &str) {
    let room: &DiscordRoom = chat.room();
    let now = chat.message(card.id);
    let label = now.choices.iter().find(|label| label.starts_with(button)).expect("the button");
    assert!(room.fake.gateway().await_ready_blocking(SOON));
    let press = room.fake.press(room.at(card), label, &discord_user(JIN)).unwrap();
    let opened = room.fake.await_interaction_blocking(press, SOON, |seen| seen.modal().is_some()).expect("a form");
    let field = opened.modal().unwrap().fields[0].custom_id.clone();
    room.fake.submit_modal(press, &[(&field, text)]).unwrap();
}

fn a_command_to_another_bot_is_none_of_ours(chat: Chat) {
    let mut desk = led(&chat);
    desk.home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let _gateway = serve(&desk, &chat);
    let name = chat.room::<TelegramRoom>().fake.bot().username.expect("a name");
    chat.say(JIN, "/new@some_other_bot work not for us");
    chat.say(JIN, &format!("/new@{name} work hello"));
    let turn = await_turn(&chat, 0, "hello");
    chat.say(JIN, "/stop@some_other_bot");
    chat.reply(&turn, JIN, "still there");
    await_turn(&chat, turn.id, "hello");
    assert_eq!(["hello", "still there"].map(|text| times(&desk, text)), [1, 1]);
    assert!(!desk.work("ended").exists() && !desk.heard().contains("not for us"));
}
