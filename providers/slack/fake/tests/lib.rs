//! The fake Slack, seen over HTTP and its WebSocket.

use crate::client::{Reply, send};
use bytes::Bytes;
use dmplz_fakes::FakeSlack;
use dmplz_fakes::slack::User;
use futures_util::{SinkExt, StreamExt};
use http::Request;
use serde_json::{Value, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

const SOON: Duration = Duration::from_secs(10);

async fn call(slack: &FakeSlack, method: &str, body: &Value) -> Value {
    let token = if method == "apps.connections.open" { slack.app_token() } else { slack.token() };
    answer(&with_token(slack, method, token, body).await)
}

async fn with_token(slack: &FakeSlack, method: &str, token: &str, body: &Value) -> Reply {
    let request = Request::post(format!("{}/{method}", slack.base_url()))
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json; charset=utf-8")
        .body(Bytes::from(body.to_string()));
    send(request.unwrap()).await.unwrap()
}

fn answer(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).unwrap()
}

type Line = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn connect(slack: &FakeSlack) -> (Line, Value) {
    let opened = call(slack, "apps.connections.open", &json!({})).await;
    let (mut line, _) = tokio_tungstenite::connect_async(opened["url"].as_str().unwrap()).await.unwrap();
    let hello = frame(&mut line).await;
    (line, hello)
}

async fn frame(line: &mut Line) -> Value {
    match tokio::time::timeout(SOON, line.next()).await.expect("a frame in time") {
        Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn jin() -> User {
    User::person("U012345678", "jin")
}

fn button(label: &str) -> Value {
    json!({ "type": "button", "action_id": "a", "value": "v", "text": { "type": "plain_text", "text": label } })
}

async fn post(slack: &FakeSlack, channel: &str, blocks: &Value) -> Value {
    let body = json!({
        "channel": channel, "text": "x", "blocks": blocks, "unfurl_links": false, "unfurl_media": false,
    });
    call(slack, "chat.postMessage", &body).await
}

#[tokio::test]
async fn a_press_goes_to_one_connection_and_fails_without_one() {
    let slack = FakeSlack::start().await;
    let channel = slack.channel("approvals");
    let posted = post(&slack, &channel, &json!([{ "type": "actions", "elements": [button("Yes")] }])).await;
    let place = (channel.as_str(), posted["ts"].as_str().unwrap());
    let alone = slack.press(place, "Yes", &jin()).unwrap();
    assert!(slack.pressed(alone).unwrap().failed, "nobody is connected");
    let (mut line, hello) = connect(&slack).await;
    assert_eq!((hello["type"].as_str(), hello["num_connections"].as_u64()), (Some("hello"), Some(1)));
    let heard = slack.press(place, "Yes", &jin()).unwrap();
    let envelope = frame(&mut line).await;
    assert_eq!(
        (envelope["type"].as_str(), envelope["payload"]["type"].as_str()),
        (Some("interactive"), Some("block_actions"))
    );
    assert_eq!(envelope["payload"]["container"]["message_ts"], posted["ts"]);
    let ack = json!({ "envelope_id": envelope["envelope_id"] });
    line.send(Message::text(ack.to_string())).await.unwrap();
    assert!(slack.await_press(heard, SOON, |press| press.acknowledged && !press.failed).await.is_some());
    slack.wire().assert_clean();
}

#[tokio::test]
async fn what_is_not_acknowledged_fails_and_an_event_comes_again() {
    let slack = FakeSlack::start().await;
    slack.set_patience(Duration::from_millis(50));
    let channel = slack.dm(&jin());
    let posted = post(&slack, &channel, &json!([{ "type": "actions", "elements": [button("Yes")] }])).await;
    let (mut line, _) = connect(&slack).await;
    let press = slack.press((&channel, posted["ts"].as_str().unwrap()), "Yes", &jin()).unwrap();
    frame(&mut line).await;
    assert!(slack.await_press(press, SOON, |press| press.failed).await.is_some());
    slack.say(&channel, &jin(), "hello", None);
    let (first, again) = (frame(&mut line).await, frame(&mut line).await);
    assert_eq!(
        (first["envelope_id"].as_str(), first["retry_attempt"].as_u64()),
        (again["envelope_id"].as_str(), Some(0))
    );
    assert_eq!((again["retry_attempt"].as_u64(), again["retry_reason"].as_str()), (Some(1), Some("timeout")));
}

#[tokio::test]
async fn a_new_connection_takes_over_when_one_is_asked_for() {
    let slack = FakeSlack::start().await;
    let channel = slack.dm(&jin());
    let (mut old, _) = connect(&slack).await;
    slack.refresh();
    assert_eq!(frame(&mut old).await["reason"], "refresh_requested");
    slack.say(&channel, &jin(), "to the old one", None);
    assert_eq!(frame(&mut old).await["payload"]["event"]["text"], "to the old one");
    let (mut new, hello) = connect(&slack).await;
    assert_eq!(hello["num_connections"], 2);
    slack.say(&channel, &jin(), "to the new one", None);
    assert_eq!(frame(&mut new).await["payload"]["event"]["text"], "to the new one");
}

#[tokio::test]
async fn tickets_tokens_and_scopes_are_checked() {
    let slack = FakeSlack::start().await;
    let channel = slack.channel("approvals");
    let body = json!({ "channel": channel, "text": "x" });
    for (method, token, error) in [
        ("chat.postMessage", "xoxb-wrong", "invalid_auth"),
        ("chat.postMessage", slack.app_token(), "not_allowed_token_type"),
        ("apps.connections.open", slack.token(), "not_allowed_token_type"),
    ] {
        assert_eq!(answer(&with_token(&slack, method, token, &body).await)["error"], error, "{method}");
    }
    slack.revoke("chat:write");
    let refused = call(&slack, "chat.postMessage", &body).await;
    assert_eq!((refused["error"].as_str(), refused["needed"].as_str()), (Some("missing_scope"), Some("chat:write")));
    let opened = call(&slack, "apps.connections.open", &json!({})).await;
    let url = opened["url"].as_str().unwrap();
    assert!(tokio_tungstenite::connect_async(url).await.is_ok());
    assert!(tokio_tungstenite::connect_async(url).await.is_err(), "a ticket is for one connection");
}

#[tokio::test]
async fn blocks_that_slack_does_not_take_are_refused_and_told() {
    let section = |elements: Value| json!([{ "type": "rich_text", "elements": [{ "type": "rich_text_section", "elements": elements }] }]);
    let buttons = |elements: Value| json!([{ "type": "actions", "elements": elements }]);
    let many: Vec<_> = (0..26).map(|_| button("x")).collect();
    for (blocks, error) in [
        (section(json!([{ "type": "text", "text": "" }])), "invalid_blocks"),
        (section(json!([{ "type": "text", "text": "x", "colour": "red" }])), "invalid_blocks"),
        (section(json!([{ "type": "text", "text": "x", "style": { "code": "yes" } }])), "invalid_blocks"),
        (section(json!([{ "type": "text", "text": "x".repeat(14_000) }])), "msg_blocks_too_long"),
        (buttons(json!([])), "invalid_blocks"),
        (buttons(json!(many)), "invalid_blocks"),
        (buttons(json!([button(&"x".repeat(76))])), "invalid_blocks"),
        (buttons(json!([button("a"), button("b")])), "invalid_blocks"),
        (json!([{ "type": "marquee" }]), "invalid_blocks"),
        (json!("none"), "invalid_blocks"),
    ] {
        let slack = FakeSlack::start().await;
        let channel = slack.channel("approvals");
        let refused = post(&slack, &channel, &blocks).await;
        assert_eq!((refused["ok"].as_bool(), refused["error"].as_str()), (Some(false), Some(error)), "{blocks}");
        assert_eq!(slack.wire().violations().is_empty(), error != "invalid_blocks", "{blocks}");
    }
}

#[tokio::test]
async fn an_argument_that_no_method_has_is_told() {
    let slack = FakeSlack::start().await;
    let channel = slack.channel("approvals");
    call(&slack, "chat.postMessage", &json!({ "channel": channel, "text": "x", "colour": "red" })).await;
    call(&slack, "conversations.info", &json!({ "channel": channel })).await;
    let what: Vec<_> = slack.wire().violations().into_iter().map(|violation| violation.what).collect();
    assert_eq!(what, ["colour: no such argument", "it takes no JSON"]);
}

#[tokio::test]
async fn a_modal_opens_once_by_its_trigger() {
    let slack = FakeSlack::start().await;
    let channel = slack.channel("approvals");
    let posted = post(&slack, &channel, &json!([{ "type": "actions", "elements": [button("Yes")] }])).await;
    let (mut line, _) = connect(&slack).await;
    let press = slack.press((&channel, posted["ts"].as_str().unwrap()), "Yes", &jin()).unwrap();
    let trigger = frame(&mut line).await["payload"]["trigger_id"].clone();
    let text = |text: &str| json!({ "type": "plain_text", "text": text });
    let input = json!({ "type": "plain_text_input", "action_id": "a", "max_length": 5 });
    let block = json!({ "type": "input", "block_id": "b", "label": text("Why?"), "element": input });
    let mut view = json!({ "type": "modal", "title": text("Reason"), "blocks": [block] });
    let open = async |view: &Value| call(&slack, "views.open", &json!({ "trigger_id": trigger, "view": view })).await;
    assert_eq!(open(&view).await["error"], "invalid_arguments", "an input needs a button");
    view["submit"] = text("OK");
    assert_eq!(open(&view).await["ok"], true);
    assert_eq!(open(&view).await["error"], "exchanged_trigger_id");
    assert_eq!(slack.submit(press, "too long"), None);
    slack.submit(press, "fine").unwrap();
    let submitted = frame(&mut line).await["payload"].clone();
    assert_eq!(submitted["type"], "view_submission");
    assert_eq!(submitted["view"]["state"]["values"]["b"]["a"]["value"], "fine");
}
