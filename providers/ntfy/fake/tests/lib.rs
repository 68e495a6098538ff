//! Tests of the fake ntfy over HTTP.

use crate::client::{Reply, send};
use bytes::Bytes;
use dmplz_fakes::FakeNtfy;
use http::Request;
use serde_json::{Value, json};

async fn publish(ntfy: &FakeNtfy, message: &Value) -> Reply {
    let request = Request::post(ntfy.base_url()).body(Bytes::from(message.to_string())).unwrap();
    send(request).await.unwrap()
}

async fn poll(ntfy: &FakeNtfy, topic: &str, since: &str) -> Reply {
    let url = format!("{}/{topic}/json?poll=1&since={since}", ntfy.base_url());
    send(Request::get(url).body(Bytes::new()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_message_is_published_and_told_once_by_its_id() {
    let ntfy = FakeNtfy::start().await;
    assert_eq!(publish(&ntfy, &json!({ "topic": "t", "message": "one" })).await.status, 200);
    publish(&ntfy, &json!({ "topic": "t", "message": "two" })).await;
    publish(&ntfy, &json!({ "topic": "other", "message": "three" })).await;
    let all = poll(&ntfy, "t", "all").await;
    let lines: Vec<Value> = text(&all).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["message"].as_str().unwrap()).collect::<Vec<_>>(), ["one", "two"]);
    assert!(lines[0]["time"].as_u64() < lines[1]["time"].as_u64());
    let rest = poll(&ntfy, "t,other", lines[0]["id"].as_str().unwrap()).await;
    assert_eq!(text(&rest).lines().count(), 2);
    assert_eq!(poll(&ntfy, "t", "yesterday").await.status, 400);
    ntfy.wire().assert_clean();
}

#[tokio::test]
async fn a_message_of_the_same_sequence_takes_the_place_of_the_first() {
    let ntfy = FakeNtfy::start().await;
    for message in ["one", "two"] {
        publish(&ntfy, &json!({ "topic": "t", "message": message, "sequence_id": "card" })).await;
    }
    let [shown] = ntfy.messages("t").try_into().unwrap();
    assert_eq!((shown.id.as_str(), shown.now().message.as_str(), shown.revisions.len()), ("card", "two", 2));
    let names: Vec<_> = ntfy.wire().calls().into_iter().map(|call| call.name).collect();
    assert_eq!(names, ["publish", "update"]);
    ntfy.forget_sequences();
    publish(&ntfy, &json!({ "topic": "t", "message": "three", "sequence_id": "card" })).await;
    assert_eq!(ntfy.messages("t").len(), 2, "an old server shows it below");
}

#[tokio::test]
async fn invalid_requests_are_refused_with_the_errors_of_ntfy() {
    let ntfy = FakeNtfy::start().await;
    let action = json!({ "action": "http", "label": "a", "url": "http://x/t", "method": "POST" });
    for (message, status, code) in [
        (json!({ "topic": "no topic", "message": "x" }), 400, 40009),
        (json!({ "topic": "t", "message": "x", "title": "t".repeat(1025) }), 400, 40057),
        (json!({ "topic": "t", "message": "x", "actions": [action, action, action, action] }), 400, 40018),
        (json!({ "topic": "t", "message": "x".repeat(9000) }), 413, 41303),
    ] {
        let reply = publish(&ntfy, &message).await;
        let body: Value = serde_json::from_str(&text(&reply)).unwrap();
        assert_eq!((reply.status, body["code"].as_u64()), (status, Some(code)));
    }
    ntfy.protect("closed");
    assert_eq!(publish(&ntfy, &json!({ "topic": "closed", "message": "x" })).await.status, 403);
}

#[tokio::test]
async fn a_message_that_ntfy_would_silently_change_is_a_violation() {
    for (message, odd) in [
        (json!({ "topic": "t", "message": "x", "title": "=?UTF-8?Q?a?=" }), "an encoded word"),
        (json!({ "topic": "t", "message": "x".repeat(4097) }), "become a file"),
        (json!({ "topic": "t", "message": "" }), "triggered"),
        (json!({ "topic": "t", "message": "x", "colour": "red" }), "unknown field"),
    ] {
        let ntfy = FakeNtfy::start().await;
        publish(&ntfy, &message).await;
        let found = ntfy.wire().violations();
        assert!(found.iter().any(|violation| violation.what.contains(odd)), "{message}: {found:?}");
    }
}

#[tokio::test]
async fn a_visitor_has_sixty_requests_at_once() {
    let ntfy = FakeNtfy::start().await;
    ntfy.limit_visitors();
    for _ in 0..60 {
        assert_eq!(poll(&ntfy, "t", "all").await.status, 200);
    }
    assert_eq!(poll(&ntfy, "t", "all").await.status, 429);
}

#[tokio::test]
async fn a_phone_presses_what_a_message_shows_or_showed() {
    let ntfy = FakeNtfy::start().await;
    let action =
        json!({ "action": "http", "label": "Yes", "url": "http://x/t-answers", "method": "POST", "body": "code" });
    publish(&ntfy, &json!({ "topic": "t", "message": "?", "sequence_id": "card", "actions": [action] })).await;
    publish(&ntfy, &json!({ "topic": "t", "message": "!", "sequence_id": "card" })).await;
    assert!(ntfy.press("t", "card", "Yes").is_some());
    assert_eq!(ntfy.press("t", "card", "No"), None);
    assert_eq!(ntfy.messages("t-answers")[0].now().message, "code");
    assert!(text(&poll(&ntfy, "t-answers", "all").await).contains("code"));
}

fn text(reply: &Reply) -> String {
    String::from_utf8_lossy(&reply.body).into_owned()
}
