use crate::client::{call, refusal, result};
use dmplz_fakes::telegram::User;
use dmplz_fakes::{Call, FakeTelegram};
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

async fn poll(telegram: &FakeTelegram, params: Value) -> Vec<Value> {
    result(telegram, "getUpdates", params).await.as_array().unwrap().clone()
}

fn texts(updates: &[Value]) -> Vec<&str> {
    updates.iter().map(|update| update["message"]["text"].as_str().unwrap()).collect()
}

/// Starts a poll, and waits until the server has received it.
async fn waiting_poll(telegram: &FakeTelegram, offset: i64) -> tokio::task::JoinHandle<(u64, Value)> {
    let bot = telegram.clone();
    let poll = tokio::spawn(async move {
        let reply = call(&bot, "getUpdates", json!({"offset": offset, "timeout": 30})).await;
        (u64::from(reply.status), reply.json())
    });
    let this = |call: &Call| call.params["offset"] == offset && call.params["timeout"] == 30;
    telegram.wire().await_call(SOON, this).await.unwrap();
    poll
}

#[tokio::test]
async fn an_update_comes_again_until_the_next_offset_confirms_it() {
    let (telegram, jin, chat) = chat().await;
    telegram.say(chat, &jin, "one");
    telegram.say(chat, &jin, "two");
    let first = poll(&telegram, json!({})).await;
    assert_eq!(texts(&first), ["one", "two"]);
    assert_eq!(poll(&telegram, json!({"offset": first[0]["update_id"]})).await, first, "not confirmed yet");
    let next = first[0]["update_id"].as_i64().unwrap() + 1;
    assert_eq!(texts(&poll(&telegram, json!({"offset": next})).await), ["two"]);
    assert_eq!(texts(&poll(&telegram, json!({})).await), ["two"], "the first is gone for good");
    telegram.assert_clean();
}

#[tokio::test]
async fn a_negative_offset_forgets_all_but_the_last_updates() {
    let (telegram, jin, chat) = chat().await;
    for text in ["one", "two", "three"] {
        telegram.say(chat, &jin, text);
    }
    assert_eq!(texts(&poll(&telegram, json!({"offset": -1})).await), ["three"]);
    assert_eq!(texts(&poll(&telegram, json!({})).await), ["three"]);
}

#[tokio::test]
async fn an_offset_far_ahead_confirms_nothing() {
    let (telegram, jin, chat) = chat().await;
    telegram.say(chat, &jin, "one");
    assert_eq!(texts(&poll(&telegram, json!({"offset": 2_000_000_000})).await), ["one"]);
    assert_eq!(texts(&poll(&telegram, json!({})).await), ["one"]);
}

#[tokio::test]
async fn a_limit_leaves_the_rest_for_later() {
    let (telegram, jin, chat) = chat().await;
    telegram.say(chat, &jin, "one");
    telegram.say(chat, &jin, "two");
    assert_eq!(texts(&poll(&telegram, json!({"limit": 1})).await), ["one"]);
    assert_eq!(texts(&poll(&telegram, json!({"offset": -2, "limit": 100})).await), ["one", "two"]);
}

#[tokio::test]
async fn a_long_poll_ends_with_the_event_or_empty() {
    let (telegram, jin, chat) = chat().await;
    assert_eq!(poll(&telegram, json!({"timeout": 1})).await, Vec::<Value>::new());
    let poll = waiting_poll(&telegram, 1).await;
    telegram.say(chat, &jin, "now");
    assert_eq!(poll.await.unwrap().1["result"][0]["message"]["text"], "now");
}

#[tokio::test]
async fn a_poll_that_repeats_its_offset_waits_even_without_a_timeout() {
    let (telegram, jin, chat) = chat().await;
    poll(&telegram, json!({"offset": 5})).await;
    let again = poll(&telegram, json!({"offset": 5}));
    let said = async {
        telegram.wire().await_call(SOON, |call| call.status.is_none()).await.unwrap();
        telegram.say(chat, &jin, "in time");
    };
    let (updates, ()) = tokio::join!(again, said);
    assert_eq!(texts(&updates), ["in time"]);
}

#[tokio::test]
async fn of_two_polls_the_older_one_is_ended() {
    let (telegram, jin, chat) = chat().await;
    let older = waiting_poll(&telegram, 1).await;
    let newer = waiting_poll(&telegram, 2).await;
    let (status, body) = older.await.unwrap();
    assert_eq!(status, 409);
    assert_eq!(
        body["description"],
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    );
    telegram.say(chat, &jin, "for the newer");
    assert_eq!(newer.await.unwrap().1["result"][0]["message"]["text"], "for the newer");
}

#[tokio::test]
async fn a_webhook_ends_polls_and_refuses_new_ones() {
    let (telegram, jin, chat) = chat().await;
    let waiting = waiting_poll(&telegram, 1).await;
    let (code, why) = refusal(&telegram, "setWebhook", json!({"url": "http://example.org"})).await;
    assert_eq!((code, why.as_str()), (400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"));
    result(&telegram, "setWebhook", json!({"url": "https://example.org/hook"})).await;
    assert_eq!(waiting.await.unwrap().1["description"], "Conflict: terminated by setWebhook request");
    telegram.say(chat, &jin, "unseen");
    let info = result(&telegram, "getWebhookInfo", json!({})).await;
    assert_eq!((&info["url"], &info["pending_update_count"]), (&json!("https://example.org/hook"), &json!(1)));
    result(&telegram, "deleteWebhook", json!({"drop_pending_updates": true})).await;
    assert_eq!(poll(&telegram, json!({})).await, Vec::<Value>::new());
    telegram.assert_clean();
}

#[tokio::test]
async fn only_the_types_asked_for_are_kept_and_they_are_remembered() {
    let (telegram, jin, chat) = chat().await;
    poll(&telegram, json!({"allowed_updates": ["callback_query"]})).await;
    telegram.say(chat, &jin, "not asked for");
    let card = telegram.forge_press((chat, 1), "x", &jin);
    let updates = poll(&telegram, json!({"offset": 1})).await;
    assert_eq!(updates.len(), 1);
    assert_eq!(updates[0]["callback_query"]["id"], card.as_str());
    poll(&telegram, json!({"allowed_updates": [], "offset": -1})).await;
    telegram.say(chat, &jin, "default again");
    assert_eq!(poll(&telegram, json!({"offset": 2})).await.len(), 2);
}

#[tokio::test]
async fn privacy_mode_hides_what_is_not_for_the_bot() {
    let telegram = FakeTelegram::start().await;
    let jin = User::person(7, "Jin");
    let group = telegram.group_chat("office", std::slice::from_ref(&jin));
    let sent = result(&telegram, "sendMessage", json!({"chat_id": group, "text": "rm?"})).await;
    telegram.say(group, &jin, "hidden");
    telegram.reply((group, sent["message_id"].as_i64().unwrap()), &jin, "a reply");
    telegram.say(group, &jin, "/command");
    telegram.say(group, &jin, "hey @dmplz_fake_bot");
    assert_eq!(texts(&poll(&telegram, json!({})).await), ["a reply", "/command", "hey @dmplz_fake_bot"]);
    telegram.set_admin(group, true);
    telegram.say(group, &jin, "now seen");
    assert_eq!(texts(&poll(&telegram, json!({"offset": -1})).await), ["now seen"]);

    let open = FakeTelegram::setup().privacy(false).start().unwrap();
    let group = open.group_chat("office", std::slice::from_ref(&jin));
    open.say(group, &jin, "seen");
    assert_eq!(texts(&poll(&open, json!({})).await), ["seen"]);
    assert_eq!(result(&open, "getMe", json!({})).await["can_read_all_group_messages"], true);
    open.assert_clean();
}

#[tokio::test]
async fn people_attach_files_edit_what_they_wrote_and_press_in_groups() {
    let (telegram, jin, chat) = chat().await;
    telegram.attach(chat, &jin, "why.txt", "because", "see");
    let said = telegram.say(chat, &jin, "first");
    telegram.edit(said, "second");
    let group = telegram.group_chat("office", std::slice::from_ref(&jin));
    telegram.forge_press((group, 1), "yes", &jin);
    let updates = poll(&telegram, json!({})).await;
    assert_eq!((&updates[0]["message"]["caption"], &updates[0]["message"]["text"]), (&json!("see"), &Value::Null));
    assert_eq!(updates[2]["edited_message"]["text"], "second");
    assert_eq!(updates[3]["callback_query"]["message"]["chat"]["id"], group);
    telegram.assert_clean();
    telegram.set_webhook(Some("https://example.org"));
    assert_eq!(refusal(&telegram, "getUpdates", json!({})).await.0, 409);
}
