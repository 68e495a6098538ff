//! Sessions and requests in topics of Telegram and threads of Discord. The client is the script of the session tests.

use dmplz_e2e::discord::DiscordRoom;
use dmplz_e2e::telegram::TelegramRoom;
use dmplz_e2e::{Chat, Choice, JIN, MIN, Message, SOON, stdin, until};

use super::lead::{await_record, await_turn, discord_user, is_session, led, serve, sessions, times};
use super::sessions::Desk;

tests! {
    in_telegram_topics:
        what_a_session_writes_is_a_draft_of_a_private_chat_until_it_is_finished,
        a_session_lives_in_its_topic_from_its_start_to_its_end,
        a_killed_gateway_finds_the_topic_again,
        a_session_whose_topic_is_deleted_goes_on_in_the_chat,
        a_request_whose_topic_is_deleted_is_asked_again_in_the_chat,
        a_request_is_asked_denied_and_ended_in_the_topic_that_is_configured;
    on_telegram:
        commands_are_registered_and_a_chat_without_topics_gets_cards,
        edits_are_undone_as_they_were_shown_and_everybody_learns_of_it;
    in_discord_channel:
        a_session_lives_in_a_thread_where_texts_are_read;
    in_discord_channel_with_buttons:
        commands_lead_a_session_in_its_thread_where_no_text_is_read;
}

/// The chat, where Jin leads and nobody else.
pub(crate) fn ours(chat: &Chat) -> Desk {
    let mut desk = led(chat);
    desk.home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    desk
}

fn a_session_lives_in_its_topic_from_its_start_to_its_end(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work ask");
    let topic = room.await_topic("work · ");
    let request = chat.await_card();
    let card = chat.await_message("the session's card", is_session);
    assert_eq!([&request, &card].map(|message| room.topic_of(message)), [Some(topic); 2]);
    assert_eq!([&request, &card].map(|message| room.is_silent(message)), [false, true]);
    // No text allows anything, and what a stranger writes goes nowhere.
    room.say_in(topic, MIN, "from a stranger");
    room.say_in(topic, JIN, "later ok");
    until("the message", || times(&desk, "later ok") == 1);
    chat.reply(&request, JIN, "yes, approve");
    let refused = chat.await_message("what a reply to a request does", |it| it.text.contains("어느 세션에도 전달되지"));
    assert!(room.topic_of(&refused) == Some(topic) && !desk.work("ran-1").exists());
    assert_eq!(desk.heard().matches("\"behavior\"").count(), 0, "{}", desk.heard());

    chat.press(&request, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    let turn = await_turn(&chat, request.id, "allowed");
    room.say_in(topic, JIN, "hello there");
    let turn = await_turn(&chat, turn.id, "hello");
    assert_eq!(room.topic_of(&turn), Some(topic));
    room.say_in(topic, JIN, "/mode plan");
    chat.await_message("the mode", |it| it.id == card.id && it.text.contains("plan ·"));
    room.say_in(topic, JIN, "/rename the tests");
    room.await_topic("work · the tests");
    // A denial asks for its reason where the request is.
    room.say_in(topic, JIN, "ask again");
    let second = chat.await_message("a second request", |it| it.id > turn.id && it.is_open());
    chat.press(&second, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    assert_eq!(room.topic_of(&prompt), Some(topic));
    room.say_in(topic, JIN, "not here");
    until("the denial", || desk.heard().contains("User rejected the request. Reason: not here"));
    await_turn(&chat, second.id, "denied");

    room.say_in(topic, JIN, "/stop");
    chat.await_message("the end", |it| it.text.starts_with("⏹ work (") && it.text.ends_with("세션이 끝났습니다"));
    chat.await_retired(&card, ": 끝남");
    if chat.id().starts_with('-') {
        room.await_closed(topic, true);
    }
    room.say_in(topic, JIN, "is anybody there");
    chat.await_message("that it has ended", |it| it.text.contains("이미 끝난 세션입니다"));
    room.say_in(topic, JIN, "/resume");
    let again = chat.await_message("another card", |it| it.id > card.id && is_session(it));
    assert_eq!(room.topic_of(&again), Some(topic));
    room.await_closed(topic, false);
    room.say_in(topic, JIN, "welcome back");
    await_turn(&chat, again.id, "hello");
    assert_eq!(room.fake.topics(room.chat).len(), 1);
    let heard = desk.heard();
    assert!(!heard.contains("yes, approve") && !heard.contains("stranger") && !heard.contains("anybody"), "{heard}");
    chat.assert_clean();
}

fn a_killed_gateway_finds_the_topic_again(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let topic = room.await_topic("work · ");
    let turn = await_turn(&chat, 0, "hello");
    await_record(&desk, &chat, &turn);
    gateway.kill();
    room.say_in(topic, JIN, "while nobody listened");
    let _gateway = desk.home.serve();
    let turn = await_turn(&chat, turn.id, "hello");
    assert_eq!((room.topic_of(&turn), times(&desk, "while nobody listened")), (Some(topic), 1));
    assert_eq!((room.fake.topics(room.chat).len(), sessions(&chat).len()), (1, 1), "{:#?}", chat.messages());
    chat.assert_clean();
}

fn a_session_whose_topic_is_deleted_goes_on_in_the_chat(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let topic = room.await_topic("work · ");
    let card = chat.await_message("a card at rest", |it| is_session(it) && it.text.starts_with("💤"));
    room.fake.delete_topic(room.chat, topic);
    chat.say(JIN, "/mode plan");
    let told = chat.await_message("that the topic is gone", |it| it.text.contains("스레드가 삭제되어"));
    let again = chat.await_message("another card", |it| it.id > card.id && is_session(it));
    assert_eq!([&told, &again].map(|message| room.topic_of(message)), [None; 2]);
    chat.reply(&again, JIN, "still there");
    until("the message", || times(&desk, "still there") == 1);
    chat.say(JIN, "/stop");
    chat.await_retired(&again, ": 끝남");
    chat.assert_clean();
}

fn a_request_whose_topic_is_deleted_is_asked_again_in_the_chat(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work ask");
    let topic = room.await_topic("work · ");
    let request = chat.await_card();
    assert_eq!(room.topic_of(&request), Some(topic));
    room.fake.delete_topic(room.chat, topic);
    chat.say(JIN, "/mode plan");
    let is_asked = |it: &Message| it.id > request.id && it.text.contains("touch ran-1") && !is_session(it);
    let again = chat.await_message("the request again", is_asked);
    assert_eq!(room.topic_of(&again), None);
    chat.press(&again, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    chat.await_retired(&again, "✅ 승인됨: Bash");
    chat.say(JIN, "/stop");
    chat.await_message("the end", |it| is_session(it) && it.text.contains(": 끝남"));
    chat.assert_clean();
}

fn a_request_is_asked_denied_and_ended_in_the_topic_that_is_configured(chat: Chat) {
    let room = chat.room::<TelegramRoom>();
    let topic = room.open_topic(JIN, "requests");
    let mut home = crate::home(&chat);
    home.set("DMPLZ_TELEGRAM_CHAT_ID", format!("{}/{topic}", room.chat)).set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    for is_served in [false, true] {
        let _gateway = is_served.then(|| home.serve());
        let hook = home.hook(&stdin::push());
        let card = chat.await_card();
        chat.press(&card, Choice::Deny, JIN);
        let prompt = chat.await_prompt();
        assert_eq!([&card, &prompt].map(|message| room.topic_of(message)), [Some(topic); 2]);
        // What is written beside the topic is no reason.
        chat.say(JIN, "in the chat itself");
        room.say_in(topic, JIN, "not here");
        hook.ended().denies("User rejected the request. Reason: not here");
        let over = chat.await_retired(&card, "❌ 거부됨: Bash\n사유: not here");
        assert_eq!(room.topic_of(&over), Some(topic));
    }
    chat.assert_clean();
}

fn commands_are_registered_and_a_chat_without_topics_gets_cards(chat: Chat) {
    let (desk, room) = (led(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    await_turn(&chat, 0, "hello");
    let card = chat.await_message("the session's card", is_session);
    assert_eq!((room.topic_of(&card), room.fake.topics(room.chat).len()), (None, 0));
    let [ko, en] = ["ko", ""].map(|language| room.fake.commands(room.chat, language));
    let names = |commands: &[(String, String)]| commands.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ko), names(&en));
    assert!(en.contains(&("new".into(), "start a session: FOLDER [first message]".into())), "{en:?}");
    assert!(ko.contains(&("help".into(), "이 목록".into())), "{ko:?}");
    chat.assert_clean();
}

fn edits_are_undone_as_they_were_shown_and_everybody_learns_of_it(chat: Chat) {
    let desk = led(&chat);
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work edit it");
    let turn = await_turn(&chat, 0, "");
    let offered = |it: &Message| it.text.starts_with("↩️ work (") && !it.choices.is_empty();
    chat.say(JIN, "/undo");
    let first = chat.await_message("what would be undone", |it| it.id > turn.id && offered(it));
    assert!(first.text.ends_with("edit it\n/work/a\n/work/b\n+1 −2"), "{}", first.text);
    std::fs::write(desk.work("edited"), "9").unwrap();
    chat.press(&first, Choice::Is("↩️"), JIN);
    chat.await_retired(&first, "그사이 파일이 바뀌어");
    assert!(!desk.work("undone").exists());
    chat.say(JIN, "/undo");
    let second = chat.await_message("what would be undone", |it| it.id > first.id && offered(it));
    chat.press(&second, Choice::Is("✖️"), JIN);
    chat.await_retired(&second, "그대로 두었습니다");
    chat.say(JIN, "/undo");
    let third = chat.await_message("what would be undone", |it| it.id > second.id && offered(it));
    chat.press(&third, Choice::Is("↩️"), JIN);
    chat.await_retired(&third, "되돌렸습니다");
    assert!(desk.work("undone").exists());
    chat.await_message("the event on the card", |it| is_session(it) && it.text.contains("↩️ 2 · +1 −9"));
    chat.say(JIN, "/fork");
    chat.await_message("another session", |it| it.text.contains("대화를 이어받는 새 세션"));
    until("two cards", || sessions(&chat).len() == 2);
    // Both work in one folder, whose note of the client names the last one alone.
    for card in sessions(&chat) {
        chat.reply(&card, JIN, "/stop");
        chat.await_retired(&card, ": 끝남");
    }
    chat.assert_clean();
}

fn a_session_lives_in_a_thread_where_texts_are_read(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<DiscordRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work ask");
    let thread = room.await_thread("work · ", false);
    let request = chat.await_card();
    assert_eq!(room.at(&request).0, thread);
    room.fake.say(thread, &discord_user(MIN), "from a stranger");
    chat.press(&request, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    let turn = await_turn(&chat, request.id, "allowed");
    room.fake.say(thread, &discord_user(JIN), "hello there");
    let turn = await_turn(&chat, turn.id, "hello");
    assert_eq!((room.at(&turn).0, times(&desk, "hello there")), (thread, 1));
    assert!(!desk.heard().contains("stranger"), "{}", desk.heard());
    room.fake.say(thread, &discord_user(JIN), "/stop");
    room.await_thread("work · ", true);
    chat.say(JIN, &format!("/resume {}", desk.session()));
    let again = chat.await_message("another card", |it| it.id > turn.id && is_session(it));
    assert_eq!((room.at(&again).0, room.await_thread("work · ", false)), (thread, thread));
    chat.assert_clean();
}

fn commands_lead_a_session_in_its_thread_where_no_text_is_read(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<DiscordRoom>());
    let _gateway = serve(&desk, &chat);
    let used = room.command(room.channel, JIN, "new", "work hello");
    let seen = room.fake.await_interaction_blocking(used, SOON, |seen| !seen.whispers.is_empty()).expect("a receipt");
    assert!(seen.whisper().contains("/new work hello") && seen.messages.is_empty(), "{seen:?}");
    let thread = room.await_thread("work · ", false);
    let turn = await_turn(&chat, 0, "hello");
    assert_eq!(room.at(&turn).0, thread);
    room.command(thread, MIN, "stop", "");
    room.command(thread, JIN, "mode", "plan");
    until("the mode", || desk.heard().contains("\"mode\":\"plan\""));
    assert!(!desk.work("ended").exists());
    room.command(thread, JIN, "stop", "");
    room.await_thread("work · ", true);
    assert_eq!(sessions(&chat).len(), 1);
    chat.assert_clean();
}

fn what_a_session_writes_is_a_draft_of_a_private_chat_until_it_is_finished(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work write it");
    let topic = room.await_topic("work · ");
    if chat.id().starts_with('-') {
        // Only private chats have drafts. The card shows it all the same.
        chat.await_message("what is written", |it| is_session(it) && it.text.contains("Half"));
    } else {
        let draft = room.await_draft("Half <b>a</b> **text**");
        assert!(draft.topic == Some(topic) && !draft.text.contains('\u{202e}'), "{draft:?}");
    }
    room.say_in(topic, JIN, "finish it");
    await_turn(&chat, 0, "and all");
    chat.assert_clean();
}
