//! Tests of the fake homeserver over HTTP.

use crate::client::{Reply, send};
use bytes::Bytes;
use dmplz_fakes::FakeMatrix;
use dmplz_fakes::matrix::User;
use http::Request;
use serde_json::{Value, json};
use std::time::Duration;

fn jin() -> User {
    User { id: "@jin:example.org".to_owned(), name: "Jin".to_owned() }
}

async fn ask(matrix: &FakeMatrix, method: &str, path: &str, body: Value) -> Reply {
    let url = format!("{}/_matrix/client/{path}", matrix.base_url());
    let request =
        Request::builder().method(method).uri(url).header("authorization", format!("Bearer {}", matrix.token()));
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    send(request.body(body).unwrap()).await.unwrap()
}

fn text(body: &str) -> Value {
    json!({ "msgtype": "m.text", "body": body, "m.mentions": {} })
}

#[tokio::test]
async fn a_transaction_is_one_event_in_its_room() {
    let matrix = FakeMatrix::start().await;
    let room = matrix.room(&[jin()]);
    let sent = |txn: &'static str, body: &'static str| {
        let (matrix, path) = (&matrix, format!("v3/rooms/{room}/send/m.room.message/{txn}"));
        async move { ask(matrix, "PUT", &path, text(body)).await.json()["event_id"].clone() }
    };
    let first = sent("a", "one").await;
    assert_eq!(sent("a", "one").await, first);
    assert_ne!(sent("b", "one").await, first);
    matrix.wire().assert_clean();
    sent("a", "two").await;
    assert!(matrix.wire().violations()[0].what.contains("another content"));
    assert_eq!(matrix.messages(&room).len(), 2);
}

#[tokio::test]
async fn a_sync_waits_for_what_its_filter_lets_through() {
    let matrix = FakeMatrix::start().await;
    let room = matrix.room(&[jin()]);
    let filter = "%7B%22room%22:%7B%22timeline%22:%7B%22types%22:%5B%22m.reaction%22%5D%7D%7D%7D";
    let first = ask(&matrix, "GET", &format!("v3/sync?filter={filter}"), Value::Null).await.json();
    let since = first["next_batch"].as_str().unwrap().to_owned();
    let path = format!("v3/sync?filter={filter}&timeout=10000&since={since}");
    let wait = ask(&matrix, "GET", &path, Value::Null);
    let people = async {
        matrix.wire().await_call(Duration::from_secs(5), |call| call.params["since"] == since).await.unwrap();
        let said = matrix.say(&room, &jin(), "hi");
        matrix.react((&room, &said), &jin(), "✅");
    };
    let (reply, ()) = tokio::join!(wait, people);
    let events = reply.json()["rooms"]["join"][&room]["timeline"]["events"].clone();
    assert_eq!(events[0]["content"]["m.relates_to"]["key"], "✅");
    let unknown = ask(&matrix, "GET", "v3/sync?since=s999", Value::Null).await;
    assert_eq!((unknown.status, &unknown.json()["errcode"]), (400, &json!("M_UNKNOWN")));
    matrix.wire().assert_clean();
}

#[tokio::test]
async fn an_account_that_sends_too_much_waits() {
    let matrix = FakeMatrix::start().await;
    let room = matrix.room(&[jin()]);
    matrix.limit_events();
    for number in 0..11 {
        let reply = ask(&matrix, "PUT", &format!("v3/rooms/{room}/send/m.room.message/{number}"), text("x")).await;
        assert_eq!(reply.status == 429, number == 10);
    }
}

#[tokio::test]
async fn what_the_specification_does_not_allow_is_a_violation() {
    let matrix = FakeMatrix::start().await;
    let room = matrix.room(&[jin()]);
    let theirs = matrix.say(&room, &jin(), "mine");
    matrix.encrypt(&room, &jin());
    let edit = json!({ "rel_type": "m.replace", "event_id": theirs });
    for (content, wrong) in [
        (json!({ "body": "x" }), "msgtype"),
        (
            json!({ "msgtype": "m.text", "body": "x", "format": "org.matrix.custom.html", "formatted_body": "<b>x" }),
            "not closed",
        ),
        (json!({ "msgtype": "m.text", "body": "x", "formatted_body": "<script></script>" }), "<script>"),
        (
            json!({ "msgtype": "m.text", "body": "x", "m.new_content": text("y"), "m.relates_to": edit }),
            "not an event of this sender",
        ),
        (text("x"), "encrypted room"),
    ] {
        let number = matrix.wire().violations().len();
        ask(&matrix, "PUT", &format!("v3/rooms/{room}/send/m.room.message/{number}"), content).await;
        let found = matrix.wire().violations();
        assert!(found[number..].iter().any(|it| it.what.contains(wrong)), "{wrong}: {found:?}");
    }
}

#[tokio::test]
async fn strangers_to_a_room_see_nothing_of_it() {
    let matrix = FakeMatrix::start().await;
    let room = matrix.invite(&[jin()], false);
    let path = format!("v3/rooms/{room}/messages?dir=b");
    assert_eq!(ask(&matrix, "GET", &path, Value::Null).await.status, 403);
    assert_eq!(ask(&matrix, "POST", &format!("v3/rooms/{room}/join"), json!({})).await.status, 200);
    assert_eq!(ask(&matrix, "GET", &path, Value::Null).await.status, 200);
    assert_eq!(ask(&matrix, "POST", "v3/rooms/!other/join", json!({})).await.status, 404);
}
