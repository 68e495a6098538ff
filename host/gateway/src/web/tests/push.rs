//! Web push: whose a subscription is, what is sent to it, and when it ends.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dmplz_core::notify::{Detail, EventKind, Notice, Occurrence};
use dmplz_core::request::Offer;
use dmplz_core::text::Lang;
use dmplz_protocol::Request;
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use super::browser::{Browser, Client, call, closed, open};
use super::desk::{Gateway, request};
use crate::browsers::LIFE_MS;
use crate::notices::Outgoing;
use crate::push::{Envelope, Receiver};

fn subscription(receiver: &Receiver, endpoint: &str) -> Value {
    json!({
        "endpoint": endpoint,
        "p256dh": URL_SAFE_NO_PAD.encode(receiver.public()),
        "auth": URL_SAFE_NO_PAD.encode(receiver.auth()),
        "lang": "en",
    })
}

async fn subscribed(gateway: &Gateway, endpoint: &str) -> (Client, Receiver) {
    let mut page = Browser::paired(gateway).await.online(gateway).await;
    let receiver = Receiver::new();
    let answer = call(&mut page, "push.subscribe", subscription(&receiver, endpoint)).await;
    assert_eq!(answer["result"], json!({}), "{answer}");
    (page, receiver)
}

fn outgoing(occurrence: Occurrence) -> Outgoing {
    let notice = Notice::of(&occurrence, 1, Detail::Minimal, Lang::En, occurrence.at_ms);
    let now_ms = occurrence.at_ms;
    Outgoing { uid: "0".repeat(32), notice, occurrence, count: 1, lang: Lang::En, now_ms }
}

async fn about(gateway: &Gateway, id: impl std::fmt::Display) -> Vec<Envelope> {
    let now_ms = gateway.approvals.now_ms();
    let occurrence = Occurrence::new(EventKind::RequestAsked, format!("RequestAsked:{id}"), now_ms);
    gateway.push.envelopes(&outgoing(occurrence), &gateway.approvals).await
}

fn header<'a>(envelope: &'a Envelope, name: &str) -> &'a str {
    envelope.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
}

fn opened(receiver: Receiver, envelope: &Envelope) -> Value {
    serde_json::from_slice(&receiver.open(&envelope.body)).unwrap()
}

#[tokio::test]
async fn only_a_paired_page_subscribes_and_only_itself() {
    let gateway = Gateway::start().await;
    let (mut page, _receiver) = subscribed(&gateway, "https://push.example.net/1").await;
    let status = call(&mut page, "push.status", json!({})).await["result"].clone();
    assert_eq!((&status["on"], status["key"].as_str().unwrap().len()), (&json!(true), 87));
    let mut other = Browser::paired(&gateway).await.online(&gateway).await;
    assert_eq!(call(&mut other, "push.status", json!({})).await["result"]["on"], false);
    assert_eq!(call(&mut other, "push.test", json!({})).await["error"]["code"], -32602);
    let bearer = format!("Bearer {}", gateway.token);
    let mut program = open(gateway.port, &gateway.host(), &[("authorization", &bearer)]).await.unwrap();
    for method in ["push.status", "push.subscribe", "push.unsubscribe", "push.test"] {
        assert_eq!(call(&mut program, method, json!({})).await["error"]["code"], -32007, "{method}");
    }
    for bad in ["http://push.example.net/1", "https://me@push.example.net/1", "http://127.0.0.1/1", ""] {
        let refused = call(&mut page, "push.subscribe", subscription(&Receiver::new(), bad)).await;
        assert_eq!(refused["error"]["code"], -32602, "{bad}");
    }
    assert_eq!(call(&mut page, "push.unsubscribe", json!({})).await["result"], json!({}));
    assert!(!gateway.push.is_wanted());
}

#[tokio::test]
async fn a_request_is_told_by_its_tool_and_folder_alone_and_taken_away_when_it_ended() {
    let gateway = Gateway::start().await;
    let (mut page, receiver) = subscribed(&gateway, "https://push.example.net/secret/1").await;
    let id = gateway.asked("Bash", json!({ "command": "rm -rf hunter2" })).await;
    let told = about(&gateway, id).await;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].url.as_str(), told[0].is_operators), ("https://push.example.net/secret/1", false));
    let topic = id.to_string().replace('-', "");
    let headers = ["ttl", "urgency", "topic", "content-encoding"].map(|name| header(&told[0], name));
    assert_eq!(headers, ["300", "high", &topic, "aes128gcm"]);
    assert!(!format!("{:?}", told[0]).contains("secret"));
    assert!(gateway.push.ended(id, &gateway.approvals).is_empty(), "no browser got it yet");
    assert!(gateway.push.accepted(&told[0], &gateway.approvals).await.is_empty(), "it has not ended");
    let mut content = opened(receiver, &told[0]);
    assert_eq!((content["id"].take(), content["open"].take()), (json!(id), json!([id])));
    insta::assert_snapshot!(
        content.to_string(),
        @r#"{"title":"Claude wants to run a command","body":"work · session s1","answers":[{"answer":"approve","title":"✅ Approve"},{"answer":"deny","title":"❌ Deny"}],"waiting":1,"open":null,"kind":"asked","id":null,"lang":"en"}"#
    );
    call(&mut page, "approval.respond", json!({ "id": id, "decision": "approve" })).await;
    assert!(about(&gateway, id).await.is_empty(), "an ended request is not told");
    let ended = gateway.push.ended(id, &gateway.approvals);
    assert_eq!(ended.iter().map(|envelope| header(envelope, "topic")).collect::<Vec<_>>(), [topic]);
    assert!(gateway.push.ended(id, &gateway.approvals).is_empty(), "it is taken away once");
}

#[tokio::test]
async fn a_notice_that_a_service_accepts_after_its_request_ended_is_taken_away_at_once() {
    let gateway = Gateway::start().await;
    let (mut page, _receiver) = subscribed(&gateway, "https://push.example.net/1").await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let told = about(&gateway, id).await;
    call(&mut page, "approval.respond", json!({ "id": id, "decision": "approve" })).await;
    assert!(gateway.push.ended(id, &gateway.approvals).is_empty(), "no service has accepted it yet");
    let late = gateway.push.accepted(&told[0], &gateway.approvals).await;
    let topics: Vec<_> = late.iter().map(|envelope| header(envelope, "topic")).collect();
    assert_eq!(topics, [id.to_string().replace('-', "")]);
    assert!(gateway.push.ended(id, &gateway.approvals).is_empty(), "it is taken away once");
}

#[tokio::test]
async fn a_notice_offers_a_plain_yes_or_no_only_where_the_request_takes_one() {
    let gateway = Gateway::start().await;
    let (_page, receiver) = subscribed(&gateway, "https://push.example.net/secret/1").await;
    let plain = request("ExitPlanMode", json!({}), gateway.approvals.now_ms());
    let plan = Request { offer: Offer { plan: true, ..Offer::plain(false) }, ..plain };
    let id = plan.id;
    gateway.approvals.ask(plan).await.unwrap();
    assert_eq!(opened(receiver, &about(&gateway, id).await[0])["answers"], json!(null));
}

#[tokio::test]
async fn apples_service_gets_no_message_that_shows_nothing() {
    let gateway = Gateway::start().await;
    let (mut page, _receiver) = subscribed(&gateway, "https://web.push.apple.com/1").await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let told = about(&gateway, id).await;
    gateway.push.accepted(&told[0], &gateway.approvals).await;
    call(&mut page, "approval.respond", json!({ "id": id, "decision": "approve" })).await;
    assert!(gateway.push.ended(id, &gateway.approvals).is_empty());
}

#[tokio::test]
async fn a_subscription_ends_with_its_browsers_session_its_service_and_a_newer_one_of_the_browser() {
    let gateway = Gateway::start().await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let (mut page, _receiver) = subscribed(&gateway, "https://push.example.net/1").await;
    let (_other, _receiver) = subscribed(&gateway, "https://push.example.net/2").await;
    assert_eq!(about(&gateway, id).await.len(), 2);
    page.send(Message::Close(Some(CloseFrame { code: 4001.into(), reason: "".into() }))).await.unwrap();
    let _ = page.flush().await;
    while about(&gateway, id).await.len() > 1 {
        tokio::task::yield_now().await;
    }
    let left = about(&gateway, id).await;
    assert_eq!(left[0].url, "https://push.example.net/2");
    // The same browser, paired anew.
    let (_again, _receiver) = subscribed(&gateway, "https://push.example.net/2").await;
    let again = about(&gateway, id).await;
    assert_eq!(again.len(), 1);
    gateway.push.gone(&left[0]);
    assert!(gateway.push.is_wanted(), "an old message ends no new subscription");
    gateway.push.gone(&again[0]);
    assert!(!gateway.push.is_wanted());
    let (mut late, _receiver) = subscribed(&gateway, "https://push.example.net/3").await;
    gateway.now_ms.fetch_add(LIFE_MS, std::sync::atomic::Ordering::SeqCst);
    assert!(!gateway.push.is_wanted(), "the session is over");
    let _ = late.send(Message::text("{}")).await;
    assert_eq!(closed(&mut late).await, 1008);
}

#[tokio::test]
async fn a_subscription_outlives_a_restart_and_ends_when_its_browser_is_revoked() {
    let gateway = Gateway::start().await;
    let browser = Browser::paired(&gateway).await;
    let mut page = browser.online(&gateway).await;
    let receiver = Receiver::new();
    call(&mut page, "push.subscribe", subscription(&receiver, "https://push.example.net/1")).await;
    let (port, state) = gateway.end().await;
    let gateway = Gateway::of(state, |config| config.port = port).await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let told = about(&gateway, id).await;
    assert_eq!(opened(receiver, &told[0])["id"], json!(id), "nobody has opened the page since");
    let mut other = Browser::paired(&gateway).await.online(&gateway).await;
    let listed = call(&mut other, "browsers.list", json!({})).await["result"]["browsers"].take();
    let notified = listed.as_array().unwrap().iter().find(|browser| browser["isNotified"] == true).unwrap();
    call(&mut other, "browsers.revoke", json!({ "id": notified["id"] })).await;
    assert!(about(&gateway, id).await.is_empty());
    let (port, state) = gateway.end().await;
    let gateway = Gateway::of(state, |config| config.port = port).await;
    assert!(!gateway.push.is_wanted());
}

#[tokio::test]
async fn a_message_stays_below_what_services_take_however_long_its_texts_are() {
    let gateway = Gateway::start().await;
    let (_page, _receiver) = subscribed(&gateway, "https://push.example.net/1").await;
    for _ in 0..16 {
        gateway.asked("Bash", json!({ "command": "ls" })).await;
    }
    let id = gateway.asked(&"\"한".repeat(5_000), json!({})).await;
    let text = Occurrence {
        summary: Some("\"한\n".repeat(5_000)),
        ..Occurrence::new(EventKind::Message, "1".into(), gateway.approvals.now_ms())
    };
    let mut all = about(&gateway, id).await;
    all.extend(gateway.push.envelopes(&outgoing(text), &gateway.approvals).await);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|envelope| envelope.body.len() <= 4_096));
}
