//! Files that people send to sessions. The client is the script of the session tests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use dmplz_e2e::discord::DiscordRoom;
use dmplz_e2e::telegram::TelegramRoom;
use dmplz_e2e::{Chat, Choice, JIN, MIN, until};
use dmplz_fakes::{Fault, On};

use super::lead::{await_record, await_turn, discord_user, serve, times};
use super::sessions::Desk;
use super::topics::ours;

tests! {
    in_telegram_topics:
        a_file_reaches_the_agent_with_its_words_and_a_strangers_does_not,
        a_file_that_was_sent_while_nobody_listened_arrives_once,
        a_file_that_does_not_come_is_said_and_nothing_is_sent,
        a_file_alone_is_no_reason_of_a_denial;
    on_telegram:
        a_file_can_begin_a_session;
    in_discord_channel:
        a_file_in_a_thread_reaches_the_agent;
    in_discord_channel_with_buttons:
        a_file_goes_with_a_command_where_no_text_is_read;
}

/// Waits until the client was sent a text that ends in the mention of a file of this name, and returns the file.
fn await_file(desk: &Desk, text: &str, name: &str) -> PathBuf {
    let (before, after) = (format!("\"content\":\"{text}@\\\""), format!("-{name}\\\"\""));
    let found = || {
        let heard = desk.heard();
        let (_, rest) = heard.split_once(&before)?;
        Some(PathBuf::from(format!("{}-{name}", rest.split_once(&after)?.0)))
    };
    until("the file", || found().is_some());
    found().unwrap()
}

fn a_file_reaches_the_agent_with_its_words_and_a_strangers_does_not(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let topic = room.await_topic("work · ");
    let turn = await_turn(&chat, 0, "hello");
    room.send_in(Some(topic), MIN, "theirs.png", b"theirs", "from a stranger");
    room.send_in(Some(topic), JIN, "화면 1.png", b"\x89PNG", "look at this");
    let file = await_file(&desk, "look at this\\n\\n", "화면_1.png");
    assert_eq!(fs::read(&file).unwrap(), b"\x89PNG");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(file.starts_with(desk.home.state().join("sessions").join(desk.session()).join("received")), "{file:?}");
    let turn = await_turn(&chat, turn.id, "hello");
    assert_eq!(room.topic_of(&turn), Some(topic));
    room.send_in(Some(topic), JIN, "plain.txt", b"alone", "");
    assert_eq!(fs::read(await_file(&desk, "", "plain.txt")).unwrap(), b"alone");
    assert_eq!(
        room.fake.wire().calls().iter().filter(|call| call.name == "getFile").count(),
        2,
        "none of the stranger"
    );
    chat.assert_clean();
}

fn a_file_that_was_sent_while_nobody_listened_arrives_once(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let topic = room.await_topic("work · ");
    let turn = await_turn(&chat, 0, "hello");
    await_record(&desk, &chat, &turn);
    gateway.kill();
    room.send_in(Some(topic), JIN, "a.txt", b"a", "meanwhile");
    let gateway = desk.home.serve();
    await_file(&desk, "meanwhile\\n\\n", "a.txt");
    await_turn(&chat, turn.id, "hello");
    // As if it had died before it noted that it handled the message.
    gateway.kill();
    desk.forget_what_was_handled();
    let _gateway = desk.home.serve();
    room.say_in(topic, JIN, "hello there");
    until("the message behind it", || times(&desk, "hello there") == 1);
    assert_eq!(desk.heard().matches("meanwhile").count(), 1, "{}", desk.heard());
    chat.assert_clean();
}

fn a_file_that_does_not_come_is_said_and_nothing_is_sent(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let topic = room.await_topic("work · ");
    await_turn(&chat, 0, "hello");
    room.send_in(Some(topic), JIN, "large.bin", &vec![0; (20 << 20) + 1], "too much");
    let told = chat.await_message("that it is too large", |it| it.text.contains("너무 큽니다: large.bin (최대 20MiB)"));
    assert_eq!(room.topic_of(&told), Some(topic));
    room.fake.wire().fail(On::call("file"), Fault::Status(404));
    room.send_in(Some(topic), JIN, "gone.txt", b"gone", "lost");
    chat.await_message("that it did not come", |it| it.text.contains("가져올 수 없습니다: gone.txt"));
    // Trouble of a moment is not told.
    room.fake.wire().fail(On::call("file"), Fault::Status(502));
    room.send_in(Some(topic), JIN, "again.txt", b"again", "found");
    await_file(&desk, "found\\n\\n", "again.txt");
    let heard = desk.heard();
    assert!(!heard.contains("too much") && !heard.contains("lost"), "{heard}");
    chat.assert_clean();
}

fn a_file_alone_is_no_reason_of_a_denial(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work ask");
    let topic = room.await_topic("work · ");
    let request = chat.await_card();
    chat.press(&request, Choice::Deny, JIN);
    chat.await_prompt();
    room.send_in(Some(topic), JIN, "why.png", b"why", "");
    await_file(&desk, "", "why.png");
    assert_eq!(desk.heard().matches("\"behavior\"").count(), 0, "{}", desk.heard());
    room.send_in(Some(topic), JIN, "why.png", b"why", "see the picture");
    until("the denial", || desk.heard().contains("User rejected the request. Reason: see the picture"));
    chat.assert_clean();
}

fn a_file_can_begin_a_session(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<TelegramRoom>());
    let _gateway = serve(&desk, &chat);
    room.send_in(None, JIN, "plan.md", b"# plan", "/new work hello, do this");
    let file = await_file(&desk, "hello, do this\\n\\n", "plan.md");
    assert_eq!(fs::read(file).unwrap(), b"# plan");
    let turn = await_turn(&chat, 0, "hello");
    let card = chat.await_message("the session's card", |it| it.text.contains("📎 plan.md"));
    assert!(card.id < turn.id && !card.text.contains("/received/"), "{card:?}");
    chat.assert_clean();
}

fn a_file_in_a_thread_reaches_the_agent(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<DiscordRoom>());
    let _gateway = serve(&desk, &chat);
    chat.say(JIN, "/new work hello");
    let thread = room.await_thread("work · ", false);
    await_turn(&chat, 0, "hello");
    room.fake.attach(thread, &discord_user(MIN), "theirs.png", "theirs", "from a stranger");
    room.fake.attach(thread, &discord_user(JIN), "shot.png", "png", "look");
    assert_eq!(fs::read(await_file(&desk, "look\\n\\n", "shot.png")).unwrap(), b"png");
    assert!(!desk.heard().contains("stranger"), "{}", desk.heard());
    chat.assert_clean();
}

fn a_file_goes_with_a_command_where_no_text_is_read(chat: Chat) {
    let (desk, room) = (ours(&chat), chat.room::<DiscordRoom>());
    let _gateway = serve(&desk, &chat);
    room.command_with(room.channel, JIN, "new", "work hello", Some(("begin.txt", b"begin")));
    let thread = room.await_thread("work · ", false);
    assert_eq!(fs::read(await_file(&desk, "hello\\n\\n", "begin.txt")).unwrap(), b"begin");
    let turn = await_turn(&chat, 0, "hello");
    room.command_with(thread, MIN, "send", "from a stranger", Some(("theirs.png", b"theirs")));
    room.command_with(thread, JIN, "send", "look", Some(("shot.png", b"png")));
    assert_eq!(fs::read(await_file(&desk, "look\\n\\n", "shot.png")).unwrap(), b"png");
    let turn = await_turn(&chat, turn.id, "hello");
    room.command(thread, JIN, "send", "words alone");
    await_turn(&chat, turn.id, "hello");
    assert_eq!(times(&desk, "words alone"), 1);
    room.command(thread, JIN, "send", "");
    chat.await_message("that there is nothing to send", |it| it.text.contains("보낼 메시지가 없습니다"));
    assert!(!desk.heard().contains("stranger"), "{}", desk.heard());
    chat.assert_clean();
}
