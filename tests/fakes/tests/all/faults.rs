use crate::client::{call, discord, json as request, result, send};
use dmplz_fakes::telegram::User;
use dmplz_fakes::{FakeDiscord, FakeTelegram, Fault, On};
use http::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);
const SEND: &str = "POST /channels/{channel_id}/messages";

/// Starts a fake with a private chat.
async fn chat() -> (FakeTelegram, i64) {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.private_chat(&User::person(7, "Jin"));
    (telegram, chat)
}

/// Sends a message. Returns the status, or how the connection ended.
async fn sent(telegram: &FakeTelegram, text: &str) -> Result<u16, String> {
    let url = format!("{}/bot{}/sendMessage", telegram.base_url(), telegram.token());
    send(request(Method::POST, &url, &json!({"chat_id": 7, "text": text}))).await.map(|reply| reply.status)
}

#[tokio::test]
async fn a_fault_meets_the_requests_it_was_scripted_for() {
    let (telegram, _) = chat().await;
    let wire = telegram.wire();
    wire.fail(On::call("sendMessage").after(1).times(2), Fault::Status(500));
    let mut statuses = Vec::new();
    for text in ["a", "b", "c", "d"] {
        statuses.push(sent(&telegram, text).await.unwrap());
    }
    assert_eq!(statuses, [200, 500, 500, 200]);

    wire.fail(On::any().when(|call| call.params["text"] == "unlucky").always(), Fault::Status(403));
    assert_eq!(sent(&telegram, "lucky").await.unwrap(), 200);
    assert_eq!(sent(&telegram, "unlucky").await.unwrap(), 403);
    assert_eq!(sent(&telegram, "unlucky").await.unwrap(), 403);
    wire.heal();
    assert_eq!(sent(&telegram, "unlucky").await.unwrap(), 200);
    let statuses: Vec<_> = wire.calls().into_iter().filter_map(|call| call.status).collect();
    assert_eq!(statuses, [200, 500, 500, 200, 200, 403, 403, 200]);
}

#[tokio::test]
async fn telegram_words_its_refusals() {
    let (telegram, chat) = chat().await;
    for (status, why) in [
        (401, "Unauthorized"),
        (403, "Forbidden: bot was blocked by the user"),
        (404, "Not Found"),
        (409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"),
        (500, "Internal Server Error"),
    ] {
        telegram.wire().fail("sendMessage", Fault::Status(status));
        let reply = call(&telegram, "sendMessage", json!({"chat_id": 7, "text": "x"})).await;
        assert_eq!((reply.status, reply.json()["description"].as_str().unwrap()), (status, why));
    }
    telegram.wire().fail("sendMessage", Fault::RateLimited { retry_after: Duration::from_millis(1500), global: false });
    let reply = call(&telegram, "sendMessage", json!({"chat_id": 7, "text": "x"})).await;
    assert_eq!((reply.status, reply.headers["retry-after"].to_str().unwrap()), (429, "2"));
    assert_eq!(
        reply.json(),
        json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 2", "parameters": {"retry_after": 2}})
    );
    let message = "Forbidden: the group chat was deleted".to_owned();
    telegram.wire().fail("sendMessage", Fault::Refused { status: 403, code: 0, message: message.clone() });
    let reply = call(&telegram, "sendMessage", json!({"chat_id": 7, "text": "x"})).await;
    assert_eq!(reply.json()["description"], message);
    assert_eq!(telegram.messages(chat), [], "a refused request is not carried out");
}

#[tokio::test]
async fn discord_words_its_refusals() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let post =
        async || discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), json!({"content": "x"})).await;
    for (status, body) in [
        (401, json!({"message": "401: Unauthorized", "code": 0})),
        (403, json!({"message": "Missing Access", "code": 50001})),
        (404, json!({"message": "Unknown Channel", "code": 10003})),
        (500, json!({"message": "500: Internal Server Error", "code": 0})),
    ] {
        fake.wire().fail(SEND, Fault::Status(status));
        let reply = post().await;
        assert_eq!((reply.status, reply.json()), (status, body));
    }
    fake.wire().fail(SEND, Fault::RateLimited { retry_after: Duration::from_millis(1250), global: false });
    let limited = post().await;
    let header = |name: &str| limited.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(limited.status, 429);
    assert_eq!(limited.json(), json!({"message": "You are being rate limited.", "retry_after": 1.25, "global": false}));
    assert_eq!(header("retry-after").as_deref(), Some("2"));
    assert_eq!(header("x-ratelimit-remaining").as_deref(), Some("0"));
    assert_eq!(header("x-ratelimit-reset-after").as_deref(), Some("1.250"));
    assert_eq!((header("x-ratelimit-scope").as_deref(), header("x-ratelimit-global")), (Some("user"), None));
    fake.wire().fail(SEND, Fault::RateLimited { retry_after: Duration::from_secs(1), global: true });
    let limited = post().await;
    assert_eq!(limited.headers["x-ratelimit-global"], "true");
    assert_eq!(limited.json()["global"], true);
    assert_eq!(fake.messages(channel), []);
    assert_eq!(post().await.status, 200);
}

#[tokio::test]
async fn a_cut_before_does_nothing_and_a_cut_after_does_it() {
    let (telegram, chat) = chat().await;
    for (fault, done) in [(Fault::CutBefore, 0), (Fault::CutAfter, 1), (Fault::CutInside, 2)] {
        telegram.wire().fail("sendMessage", fault.clone());
        let ended = sent(&telegram, "x").await;
        assert!(ended.is_err(), "{fault:?}: {ended:?}");
        assert_eq!(telegram.messages(chat).len(), done, "{fault:?}");
    }
    assert_eq!(sent(&telegram, "x").await, Ok(200), "the server goes on");
    let statuses: Vec<_> = telegram.wire().calls().into_iter().map(|call| call.status).collect();
    assert_eq!(statuses, [None, Some(200), Some(200), Some(200)]);
}

#[tokio::test]
async fn a_request_can_be_held_before_and_after() {
    let (telegram, chat) = chat().await;
    let wire = telegram.wire();
    for (fault, done) in [(Fault::HeldBefore, 0), (Fault::HeldAfter, 3)] {
        let text = format!("{fault:?}");
        wire.fail("sendMessage", fault);
        let bot = telegram.clone();
        let request = tokio::spawn({
            let text = text.clone();
            async move { sent(&bot, &text).await }
        });
        wire.await_call(SOON, |call| call.params["text"] == text).await.unwrap();
        assert_eq!(sent(&telegram, "another goes through").await, Ok(200));
        let there = telegram.watch(chat, SOON, |messages| Some(messages.len()));
        assert_eq!(there.await.unwrap(), done + 1);
        assert!(!request.is_finished());
        wire.release();
        assert_eq!(request.await.unwrap(), Ok(200));
    }
}

#[tokio::test]
async fn answers_can_be_slow_garbled_or_huge() {
    let (telegram, chat) = chat().await;
    telegram.wire().fail("sendMessage", Fault::Slow(Duration::from_millis(300)));
    let start = Instant::now();
    let slow = sent(&telegram, "slow");
    tokio::pin!(slow);
    tokio::select! {
        biased;
        early = &mut slow => panic!("answered before it was carried out: {early:?}"),
        shown = telegram.await_message(SOON, |message| message.text() == "slow") => assert!(shown.is_some()),
    }
    assert_eq!(slow.await, Ok(200));
    assert!(start.elapsed() >= Duration::from_millis(300));

    telegram.wire().fail("sendMessage", Fault::Garbled);
    let reply = call(&telegram, "sendMessage", json!({"chat_id": chat, "text": "x"})).await;
    assert_eq!(reply.status, 200);
    assert!(serde_json::from_slice::<Value>(&reply.body).is_err());

    telegram.wire().fail("sendMessage", Fault::Huge(5 << 20));
    let reply = call(&telegram, "sendMessage", json!({"chat_id": chat, "text": "x"})).await;
    assert_eq!(reply.body.len(), 5 << 20);
    assert_eq!(reply.json()["ok"], true);

    telegram.wire().fail("sendMessage", Fault::Html(502));
    let reply = call(&telegram, "sendMessage", json!({"chat_id": chat, "text": "x"})).await;
    assert_eq!((reply.status, reply.headers["content-type"].to_str().unwrap()), (502, "text/html"));
    assert!(reply.body.starts_with(b"<html>"));
}

#[tokio::test]
async fn lists_can_come_twice_or_backwards() {
    let (telegram, chat) = chat().await;
    let jin = User::person(7, "Jin");
    telegram.say(chat, &jin, "one");
    telegram.say(chat, &jin, "two");
    let texts = async || -> Vec<String> {
        let updates = result(&telegram, "getUpdates", json!({"offset": -9})).await;
        let text = |update: &Value| update["message"]["text"].as_str().unwrap().to_owned();
        updates.as_array().unwrap().iter().map(text).collect()
    };
    telegram.wire().fail("getUpdates", Fault::Doubled);
    assert_eq!(texts().await, ["one", "one", "two", "two"]);
    // A poll that soon repeats an offset gets one update; with another offset it gets all.
    result(&telegram, "getUpdates", json!({"offset": -8})).await;
    telegram.wire().fail("getUpdates", Fault::Reversed);
    assert_eq!(texts().await, ["two", "one"]);
    telegram.assert_clean();
}

#[tokio::test]
async fn a_fake_that_is_dropped_lets_go_of_its_connections() {
    let (telegram, _) = chat().await;
    let url = format!("{}/bot{}/getUpdates", telegram.base_url(), telegram.token());
    let poll = tokio::spawn(send(request(Method::POST, &url, &json!({"timeout": 50}))));
    telegram.wire().await_call(SOON, |call| call.name == "getUpdates").await.unwrap();
    drop(telegram);
    let ended = tokio::time::timeout(SOON, poll).await.expect("the poll ends at once").unwrap();
    assert!(ended.is_err(), "{ended:?}");
    assert!(send(request(Method::POST, &url, &json!({}))).await.is_err(), "nobody listens");
}

#[test]
#[should_panic(expected = "sendMessage request: text: missing")]
fn an_assertion_names_every_violation() {
    let telegram = FakeTelegram::spawn_thread();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call(&telegram, "sendMessage", json!({"chat_id": 7})));
    telegram.assert_clean();
}
