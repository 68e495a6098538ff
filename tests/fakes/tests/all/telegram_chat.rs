use crate::client::{refusal, result};
use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::json;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_card_is_posted_pressed_answered_and_revised() {
    let telegram = FakeTelegram::start().await;
    let jin = User::person(7, "Jin");
    let chat = telegram.private_chat(&jin);
    let keyboard = json!({"inline_keyboard": [[{"text": "✅", "callback_data": "yes"}]]});
    let sent =
        result(&telegram, "sendMessage", json!({"chat_id": chat, "text": "rm?", "reply_markup": keyboard})).await;

    let card = telegram.await_message(SOON, |message| message.text() == "rm?").await.unwrap();
    assert_eq!(sent["message_id"], card.id);
    let press = telegram.press(&card, "✅", &jin).unwrap();
    let updates = result(&telegram, "getUpdates", json!({"timeout": 5})).await;
    assert_eq!(updates[0]["callback_query"]["data"], "yes");
    assert_eq!(updates[0]["callback_query"]["id"], press.as_str());
    result(&telegram, "answerCallbackQuery", json!({"callback_query_id": press, "text": "done"})).await;
    assert_eq!(telegram.await_answer(&press, SOON).await.unwrap().text, "done");

    let edit = json!({"chat_id": chat, "message_id": card.id, "text": "allowed"});
    result(&telegram, "editMessageText", edit.clone()).await;
    let texts: Vec<_> = telegram.message(&card).unwrap().revisions.into_iter().map(|shown| shown.text).collect();
    assert_eq!(texts, ["rm?", "allowed"]);
    assert!(telegram.message(&card).unwrap().keyboard().is_empty());
    let (code, why) = refusal(&telegram, "editMessageText", edit).await;
    assert_eq!(code, 400);
    assert!(why.starts_with("Bad Request: message is not modified"), "{why}");
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
}
