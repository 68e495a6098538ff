//! Attacks by programs that hold the port, or that saw what was sent on it.

use futures_util::StreamExt;
use serde_json::json;

use super::browser::{Browser, call, closed, hear, open, say};
use super::desk::{Gateway, START_MS};
use crate::browsers::LIFE_MS;
use crate::web::handshake::PATIENCE;

#[tokio::test]
async fn a_page_that_was_paired_comes_again_and_both_sides_prove_who_they_are() {
    let gateway = Gateway::start().await;
    let mut browser = Browser::at(&gateway);
    let code = gateway.pairing.create().unwrap().code;
    let (mut client, answer) = browser.pair(&gateway, &code).await;
    let mac = answer["welcome"]["mac"].as_str().unwrap();
    let text = answer.to_string().replace(mac, "MAC");
    insta::assert_snapshot!(text, @r#"{"welcome":{"name":"Ada","lang":"ko","nowMs":1790000000000,"mac":"MAC"}}"#);
    assert!(call(&mut client, "approvals.list", json!({})).await["result"].is_object());
    let challenged = browser.hello(&gateway).await;
    assert!(browser.knows(&challenged));
    let (mut client, answer) = browser.meet(&gateway).await;
    insta::assert_snapshot!(answer, @r#"{"welcome":{"name":"Ada","lang":"ko","nowMs":1790000000000}}"#);
    assert!(call(&mut client, "approvals.list", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn what_a_page_sent_lets_nobody_else_in() {
    let gateway = Gateway::start().await;
    let browser = Browser::paired(&gateway).await;
    let mut first = browser.hello(&gateway).await;
    let hello = browser.hello_frame(&first.nonce);
    let proof = browser.proof(&first);
    say(&mut first.client, proof.to_string()).await;
    assert!(hear(&mut first.client).await["welcome"].is_object());
    // The same frames once more while the page is connected: another challenge needs another signature.
    let mut replayed = open(gateway.port, &gateway.host(), &[("origin", &gateway.origin())]).await.unwrap();
    say(&mut replayed, hello.to_string()).await;
    assert!(hear(&mut replayed).await["challenge"].is_object());
    say(&mut replayed, proof.to_string()).await;
    assert_eq!(hear(&mut replayed).await, json!({ "refused": { "why": "unpaired" } }));
    assert_eq!(closed(&mut replayed).await, 1008);
}

#[tokio::test]
async fn a_pairing_outlives_a_short_absence_of_the_gateway() {
    let first = Gateway::start().await;
    let browser = Browser::paired(&first).await;
    let (port, state) = first.end().await;
    let second = Gateway::of(state, |config| config.port = port).await;
    let challenged = browser.hello(&second).await;
    assert!(browser.knows(&challenged), "it is the same gateway to its pages");
    let mut page = browser.online(&second).await;
    assert!(call(&mut page, "approvals.list", json!({})).await["result"].is_object());
    // One that was ended stays out of the next run, too.
    let own = call(&mut page, "browsers.list", json!({})).await["result"]["browsers"][0].take();
    let params = json!({ "id": own["id"] });
    let revoke = json!({ "jsonrpc": "2.0", "id": 1, "method": "browsers.revoke", "params": params });
    say(&mut page, revoke.to_string()).await;
    // Who ends its own pairing may be closed before the reply.
    while page.next().await.is_some_and(|heard| heard.is_ok()) {}
    let (port, state) = second.end().await;
    let third = Gateway::of(state, |config| config.port = port).await;
    assert_eq!(browser.meet(&third).await.1, json!({ "refused": { "why": "unpaired" } }));
}

#[tokio::test]
async fn a_revoked_browser_is_logged_out_at_once_and_a_program_revokes_none() {
    let gateway = Gateway::start().await;
    let (first, second) = (Browser::paired(&gateway).await, Browser::paired(&gateway).await);
    let (mut one, mut other) = (first.online(&gateway).await, second.online(&gateway).await);
    let listed = call(&mut one, "browsers.list", json!({})).await["result"]["browsers"].take();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 2);
    let of_other = listed.iter().find(|browser| browser["isOwn"] == false).unwrap();
    for bad in [json!({}), json!({ "id": of_other["id"], "all": true }), json!({ "id": null, "all": false })] {
        assert_eq!(call(&mut one, "browsers.revoke", bad).await["error"]["code"], -32602);
    }
    assert_eq!(call(&mut one, "browsers.revoke", json!({ "id": "00" })).await["error"]["code"], -32001);
    let bearer = format!("Bearer {}", gateway.token);
    let mut program = open(gateway.port, &gateway.host(), &[("authorization", &bearer)]).await.unwrap();
    for method in ["browsers.list", "browsers.revoke"] {
        assert_eq!(call(&mut program, method, json!({})).await["error"]["code"], -32007, "{method}");
    }
    let answer = call(&mut one, "browsers.revoke", json!({ "id": of_other["id"] })).await;
    assert_eq!(answer["result"]["revoked"][0]["id"], of_other["id"], "{answer}");
    assert_eq!(closed(&mut other).await, 1008, "its connection ends");
    assert_eq!(second.meet(&gateway).await.1, json!({ "refused": { "why": "unpaired" } }));
    assert!(first.meet(&gateway).await.1["welcome"].is_object());
    say(
        &mut one,
        json!({ "jsonrpc": "2.0", "id": 1, "method": "browsers.revoke", "params": { "all": true } }).to_string(),
    )
    .await;
    assert_eq!(closed(&mut one).await, 1008);
    assert_eq!(first.meet(&gateway).await.1, json!({ "refused": { "why": "unpaired" } }));
}

#[tokio::test]
async fn a_session_ends_with_a_gateway_of_another_state_directory() {
    let mut first = Gateway::start().await;
    let browser = Browser::paired(&first).await;
    first.stop.take().unwrap().send(()).unwrap();
    first.served.take().unwrap().await.unwrap();
    let second = Gateway::with(|config| config.port = first.port).await;
    let challenged = browser.hello(&second).await;
    assert!(!browser.knows(&challenged), "the page sees that it is another gateway, and says no more");
    // A program that made the page sign nevertheless, such as one that had the port, is not let in.
    assert_eq!(browser.meet(&second).await.1, json!({ "refused": { "why": "unpaired" } }));
}

#[tokio::test]
async fn a_code_lets_one_browser_in_and_wrong_tries_of_others_do_not_void_it() {
    let gateway = Gateway::start().await;
    let code = gateway.pairing.create().unwrap().code;
    for number in 0..40 {
        let (mut client, answer) = Browser::at(&gateway).pair(&gateway, &format!("AAAA-AAAA-{number:04}")).await;
        assert_eq!(answer, json!({ "refused": { "why": "wrong_code" } }));
        assert_eq!(closed(&mut client).await, 1008);
    }
    let mut mine = Browser::at(&gateway);
    assert!(mine.pair(&gateway, &code).await.1["welcome"].is_object());
    mine.online(&gateway).await;
    assert!(Browser::at(&gateway).pair(&gateway, &code).await.1["refused"].is_object(), "it counts once");
}

#[tokio::test]
async fn what_is_proven_for_another_origin_counts_for_nothing() {
    let gateway = Gateway::start().await;
    let browser = Browser::paired(&gateway).await;
    let code = gateway.pairing.create().unwrap().code;
    // A program at another port relays the page's frames: the gateway sees its own origin, but the page signed its own.
    let mut elsewhere = browser.elsewhere("http://127.0.0.1:9");
    let challenged = elsewhere.hello_as(&gateway, &gateway.origin()).await;
    assert!(!elsewhere.knows(&challenged));
    let (proof, mut client) = (elsewhere.proof(&challenged), challenged.client);
    say(&mut client, proof.to_string()).await;
    assert_eq!(hear(&mut client).await, json!({ "refused": { "why": "unpaired" } }));
    let (_, passed_on) = elsewhere.pair_as(&gateway, &gateway.origin(), &code).await;
    assert_eq!(passed_on, json!({ "refused": { "why": "wrong_code" } }));
    assert!(Browser::at(&gateway).pair(&gateway, &code).await.1["welcome"].is_object(), "and the code still counts");
}

#[tokio::test]
async fn what_is_no_handshake_ends_the_connection() {
    let gateway = Gateway::start().await;
    let key = Browser::at(&gateway).hello_frame(&"0".repeat(64))["hello"]["key"].clone();
    for frame in [
        json!({}),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "approvals.list" }),
        json!({ "prove": { "signature": "00" } }),
        json!({ "hello": { "nonce": "0", "key": key } }),
        json!({ "hello": { "nonce": "0".repeat(64), "key": "04" } }),
        json!({ "hello": { "nonce": format!("{}\n", "0".repeat(63)), "key": key } }),
        json!({ "hello": { "nonce": "0".repeat(64), "key": key, "more": 1 } }),
        json!({ "hello": { "nonce": "0".repeat(64), "key": "0".repeat(2_000) } }),
    ] {
        let mut client = open(gateway.port, &gateway.host(), &[("origin", &gateway.origin())]).await.unwrap();
        say(&mut client, frame.to_string()).await;
        assert_eq!(closed(&mut client).await, 1008, "{frame}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_proves_nothing_is_let_go_before_it_is_told_anything() {
    let gateway = Gateway::start().await;
    let mut silent = open(gateway.port, &gateway.host(), &[("origin", &gateway.origin())]).await.unwrap();
    gateway.asked("Bash", json!({ "command": "ls" })).await;
    let code = tokio::time::timeout(PATIENCE * 2, closed(&mut silent)).await.unwrap();
    assert_eq!(code, 1008);
}

#[tokio::test]
async fn strangers_who_prove_nothing_keep_out_neither_requests_nor_paired_browsers() {
    let gateway = Gateway::with(|config| (config.limits.connections, config.limits.unproven) = (4, 2)).await;
    let browser = Browser::paired(&gateway).await;
    let (host, origin) = (gateway.host(), gateway.origin());
    let another = Browser::at(&gateway).hello_frame("")["hello"]["key"].as_str().unwrap().to_owned();
    let unknown = format!("dmplz, key.{another}");
    let page = [("origin", &*origin), ("sec-websocket-protocol", &*unknown)];
    let mut silent = [open(gateway.port, &host, &page).await.unwrap(), open(gateway.port, &host, &page).await.unwrap()];
    let Err((status, body)) = open(gateway.port, &host, &page).await else { panic!("a third one is connected") };
    assert_eq!((status, &body["error"]["code"]), (429, &json!("too_many_requests")));
    assert_eq!(gateway.send("GET /healthz", &[("host", &host)], None).await.status, 200);
    let mut online = browser.online(&gateway).await;
    assert!(call(&mut online, "approvals.list", json!({})).await["result"].is_object());
    // A stranger that was let go, and a browser that was let in, make room.
    say(&mut silent[0], "{}").await;
    assert_eq!(closed(&mut silent[0]).await, 1008);
    drop(online);
    for _ in 0..2 {
        Browser::paired(&gateway).await;
    }
}

#[tokio::test]
async fn a_session_ends_by_time_and_when_its_browser_is_disconnected() {
    use std::sync::atomic::Ordering;
    let gateway = Gateway::start().await;
    let (first, second) = (Browser::paired(&gateway).await, Browser::paired(&gateway).await);
    let (mut tab, mut other_tab) = (first.online(&gateway).await, first.online(&gateway).await);
    let frame = tokio_tungstenite::tungstenite::protocol::CloseFrame { code: 4001.into(), reason: "".into() };
    tab.close(Some(frame)).await.unwrap();
    assert_eq!(closed(&mut other_tab).await, 1008, "every tab of that browser");
    assert!(first.meet(&gateway).await.1["refused"].is_object());
    gateway.now_ms.store(START_MS + LIFE_MS - 1, Ordering::SeqCst);
    let mut page = second.online(&gateway).await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    gateway.now_ms.store(START_MS + LIFE_MS, Ordering::SeqCst);
    let params = json!({ "id": id, "decision": "approve" });
    let approve = json!({ "jsonrpc": "2.0", "id": 1, "method": "approval.respond", "params": params });
    say(&mut page, approve.to_string()).await;
    assert_eq!(closed(&mut page).await, 1008);
    assert_eq!(gateway.approvals.get(id).await.unwrap().status, dmplz_protocol::Status::Open);
    assert!(second.meet(&gateway).await.1["refused"].is_object());
}
