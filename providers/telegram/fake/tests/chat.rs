use crate::client::{refusal, result};
use dmplz_fakes::FakeTelegram;
use dmplz_fakes::telegram::{PressError, User};
use serde_json::{Value, json};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);

/// Starts a fake. Returns it, a person, and their chat.
async fn chat() -> (FakeTelegram, User, i64) {
    let telegram = FakeTelegram::start().await;
    let jin = User::person(7, "Jin");
    let chat = telegram.private_chat(&jin);
    (telegram, jin, chat)
}

async fn why_not(telegram: &FakeTelegram, method: &str, params: Value) -> String {
    let (code, why) = refusal(telegram, method, params).await;
    format!("{code} {why}")
}

fn keyboard(data: &str) -> Value {
    json!({"inline_keyboard": [[{"text": "OK", "callback_data": data}]]})
}

#[tokio::test]
async fn a_card_is_posted_pressed_answered_and_revised() {
    let (telegram, jin, chat) = chat().await;
    let sent = json!({"chat_id": chat, "text": "rm?", "reply_markup": keyboard("yes")});
    let sent = result(&telegram, "sendMessage", sent).await;

    let card = telegram.await_message(SOON, |message| message.text() == "rm?").await.unwrap();
    assert_eq!(sent["message_id"], card.id);
    let press = telegram.press(&card, "OK", &jin).unwrap();
    let updates = result(&telegram, "getUpdates", json!({"timeout": 5})).await;
    assert_eq!(updates[0]["callback_query"]["data"], "yes");
    assert_eq!(updates[0]["callback_query"]["id"], press.as_str());
    assert_eq!(updates[0]["callback_query"]["message"], sent);
    result(&telegram, "answerCallbackQuery", json!({"callback_query_id": press, "text": "done"})).await;
    assert_eq!(telegram.await_answer(&press, SOON).await.unwrap().text, "done");

    let edit = json!({"chat_id": chat, "message_id": card.id, "text": "allowed"});
    let edited = result(&telegram, "editMessageText", edit.clone()).await;
    assert!(edited["edit_date"].is_u64());
    let texts: Vec<_> = telegram.message(&card).unwrap().revisions.into_iter().map(|shown| shown.text).collect();
    assert_eq!(texts, ["rm?", "allowed"]);
    assert!(telegram.message(&card).unwrap().keyboard().is_empty(), "an edit without buttons takes them away");
    let unchanged = "400 Bad Request: message is not modified: specified new message content and reply markup are \
                     exactly the same as a current content and reply markup of the message";
    assert_eq!(why_not(&telegram, "editMessageText", edit).await, unchanged);
    telegram.assert_clean();
}

#[test]
fn a_thread_without_a_runtime_can_play_the_human() {
    let telegram = FakeTelegram::spawn_thread();
    let jin = User::person(7, "Jin");
    let chat = telegram.private_chat(&jin);
    let bot = telegram.clone();
    let client = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(result(&bot, "sendMessage", json!({"chat_id": chat, "text": "hello"})))
    });
    let message = telegram.await_message_blocking(SOON, |message| message.chat == chat).unwrap();
    assert_eq!(message.text(), "hello");
    client.join().unwrap();
    assert_eq!(telegram.await_message_blocking(Duration::from_millis(10), |message| message.text() == "no"), None);
}

#[tokio::test]
async fn texts_have_limits_and_are_cleaned() {
    let (telegram, _, chat) = chat().await;
    let send = async |text: &str| {
        let reply = crate::client::call(&telegram, "sendMessage", json!({"chat_id": chat, "text": text})).await.json();
        reply["result"]["text"].as_str().or(reply["description"].as_str()).unwrap().to_owned()
    };
    assert_eq!(send(&"x".repeat(4096)).await.len(), 4096);
    assert_eq!(send(&"x".repeat(4097)).await, "Bad Request: message is too long");
    assert_eq!(send(&"😀".repeat(2049)).await, "Bad Request: message is too long", "counted in UTF-16 units");
    assert_eq!(send(&"x".repeat(32_769)).await, "Bad Request: text is too long");
    assert_eq!(send("").await, "Bad Request: message text is empty");
    assert_eq!(send(" \n\u{202e} ").await, "Bad Request: text must be non-empty");
    assert_eq!(send(" \n a\tb\u{7}\r\u{202e}c\u{2028} \n").await, "a b c");
}

#[tokio::test]
async fn entities_move_with_the_cleaned_text_or_are_refused() {
    let (telegram, _, chat) = chat().await;
    let entity = |kind: &str, offset: usize, length: usize| json!([{"type": kind, "offset": offset, "length": length}]);
    let send = |text: &'static str, entities: Value| json!({"chat_id": chat, "text": text, "entities": entities});
    let sent = result(&telegram, "sendMessage", send("  \r😀 code", entity("code", 6, 4))).await;
    assert_eq!(sent["text"], "😀 code");
    assert_eq!(sent["entities"], entity("code", 3, 4));
    let message = telegram.messages(chat)[0].now();
    assert_eq!(message.marked("code"), ["code"]);
    for (entities, why) in [
        (entity("code", 9, 1), "entity begins after the end of the text at UTF-16 offset 9"),
        (
            entity("code", 3, 9),
            "entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 12",
        ),
        (entity("code", 1, 2), "entity begins in a middle of a UTF-16 symbol at byte offset 1"),
        (json!([{"type": "code", "length": 1}]), "can't parse MessageEntity: Can't find field \"offset\""),
    ] {
        assert_eq!(
            why_not(&telegram, "sendMessage", send("😀 code", entities)).await,
            format!("400 Bad Request: {why}")
        );
    }
}

#[tokio::test]
async fn bad_markup_makes_a_send_fail() {
    let (telegram, _, chat) = chat().await;
    let send = |mode: &str, text: &str| json!({"chat_id": chat, "text": text, "parse_mode": mode});
    assert_eq!(
        why_not(&telegram, "sendMessage", send("MarkdownV2", "1.5")).await,
        "400 Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'"
    );
    let sent = result(&telegram, "sendMessage", send("HTML", "<b>a</b> &lt;")).await;
    assert_eq!(sent["text"], "a <");
    assert_eq!(sent["entities"], json!([{"type": "bold", "offset": 0, "length": 1}]));
}

#[tokio::test]
async fn buttons_have_limits() {
    let (telegram, _, chat) = chat().await;
    let send = |markup: Value| json!({"chat_id": chat, "text": "t", "reply_markup": markup});
    result(&telegram, "sendMessage", send(keyboard(&"x".repeat(64)))).await;
    telegram.assert_clean();
    for (markup, why) in [
        (keyboard(&"x".repeat(65)), "BUTTON_DATA_INVALID"),
        (keyboard(&"é".repeat(33)), "BUTTON_DATA_INVALID"),
        (keyboard(""), "BUTTON_DATA_INVALID"),
        (json!("{not json"), "can't parse reply keyboard markup JSON object"),
        (json!([1]), "object expected as reply markup"),
        (
            json!({"inline_keyboard": [[{"text": "a"}]]}),
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
    ] {
        assert_eq!(why_not(&telegram, "sendMessage", send(markup)).await, format!("400 Bad Request: {why}"));
    }
    assert!(!telegram.violations().is_empty());
}

#[tokio::test]
async fn presses_can_be_late_forged_or_on_an_old_screen() {
    let (telegram, jin, chat) = chat().await;
    let sent = json!({"chat_id": chat, "text": "rm?", "reply_markup": keyboard("yes")});
    let id = result(&telegram, "sendMessage", sent).await["message_id"].as_i64().unwrap();
    assert_eq!(
        telegram.press((chat, id), "No", &jin),
        Err(PressError::NoButton("No".to_owned(), vec!["OK".to_owned()]))
    );
    result(&telegram, "deleteMessage", json!({"chat_id": chat, "message_id": id})).await;
    assert_eq!(telegram.press((chat, id), "yes", &jin), Err(PressError::NoMessage));
    let press = telegram.press_on_old_screen((chat, id), "yes", &jin).unwrap();
    let updates = result(&telegram, "getUpdates", json!({})).await;
    assert_eq!(updates[0]["callback_query"]["message"]["date"], 0, "an inaccessible message");

    let answer = |id: &str, text: &str| json!({"callback_query_id": id, "text": text});
    let long = why_not(&telegram, "answerCallbackQuery", answer(&press, &"x".repeat(201))).await;
    assert_eq!(long, "400 Bad Request: MESSAGE_TOO_LONG");
    telegram.expire_press(&press);
    let late = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";
    assert_eq!(why_not(&telegram, "answerCallbackQuery", answer(&press, "late")).await, late);
    assert_eq!(why_not(&telegram, "answerCallbackQuery", answer("1", "never")).await, late);
    assert_eq!(telegram.answer(&press), None);
    telegram.forge_press((chat, id), "approve-all", &jin);
    let updates = result(&telegram, "getUpdates", json!({"offset": -1})).await;
    assert_eq!(updates[0]["callback_query"]["data"], "approve-all");
}

#[tokio::test]
async fn requests_about_things_that_do_not_exist_are_refused() {
    let (telegram, jin, chat) = chat().await;
    let theirs = telegram.say(chat, &jin, "mine").id;
    let at = |id: i64| json!({"chat_id": chat, "message_id": id, "text": "x"});
    let no_text = |id: i64| json!({"chat_id": chat, "message_id": id});
    for (method, params, why) in [
        ("editMessageText", at(99), "400 Bad Request: message to edit not found"),
        ("editMessageText", at(theirs), "400 Bad Request: message can't be edited"),
        ("editMessageText", json!({"text": "x"}), "400 Bad Request: message identifier is not specified"),
        ("editMessageReplyMarkup", no_text(99), "400 Bad Request: message to edit not found"),
        ("deleteMessage", no_text(99), "400 Bad Request: message to delete not found"),
        ("sendMessage", json!({"chat_id": 99, "text": "x"}), "400 Bad Request: chat not found"),
        ("sendMessage", json!({"text": "x"}), "400 Bad Request: chat_id is empty"),
        (
            "sendMessage",
            json!({"chat_id": chat, "text": "x", "reply_parameters": {"message_id": 99}}),
            "400 Bad Request: message to be replied not found",
        ),
        ("getChatMember", json!({"chat_id": chat, "user_id": 99}), "400 Bad Request: member not found"),
        ("sendMesage", json!({}), "404 Not Found: method not found"),
    ] {
        assert_eq!(why_not(&telegram, method, params).await, why);
    }
    let lenient = json!({"message_id": 99, "allow_sending_without_reply": true});
    result(&telegram, "sendMessage", json!({"chat_id": chat, "text": "x", "reply_parameters": lenient})).await;
}

#[tokio::test]
async fn a_blocked_bot_may_look_but_not_post() {
    let (telegram, jin, chat) = chat().await;
    let group = telegram.group_chat("office", std::slice::from_ref(&jin));
    telegram.block(chat);
    telegram.block(group);
    let send = |chat: i64| json!({"chat_id": chat, "text": "x"});
    let blocked = why_not(&telegram, "sendMessage", send(chat)).await;
    assert_eq!(blocked, "403 Forbidden: bot was blocked by the user");
    assert_eq!(result(&telegram, "getChat", json!({"chat_id": chat})).await["first_name"], "Jin");
    let kicked = why_not(&telegram, "getChat", json!({"chat_id": group})).await;
    assert_eq!(kicked, "403 Forbidden: bot was kicked from the supergroup chat");
    telegram.private_chat(&jin);
    result(&telegram, "sendMessage", send(chat)).await;
    telegram.assert_clean();
}
