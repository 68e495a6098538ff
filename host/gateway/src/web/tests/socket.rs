use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::browser::{Browser, Client, call, closed, hear, open, say};
use super::desk::{Gateway, answer};

async fn program(gateway: &Gateway) -> Client {
    open(gateway.port, &gateway.host(), &[("authorization", &format!("Bearer {}", gateway.token))]).await.unwrap()
}

#[tokio::test]
async fn only_callers_of_our_own_open_a_websocket() {
    let gateway = Gateway::start().await;
    let (ours, own, bearer) = (gateway.host(), gateway.origin(), format!("Bearer {}", gateway.token));
    let evil = format!("evil.example:{}", gateway.port);
    /// Host, headers, status.
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], u16);
    let cases: &[Case<'_>] = &[
        (&ours, &[], 401),
        // Our page, which has not proved its key yet.
        (&ours, &[("origin", &own)], 101),
        (&ours, &[("authorization", "Bearer x")], 401),
        (&ours, &[("authorization", &bearer)], 101),
        (&ours, &[("authorization", &bearer), ("origin", &own)], 101),
        (&ours, &[("authorization", &bearer), ("origin", "null")], 403),
        (&ours, &[("authorization", &bearer), ("origin", "https://evil.example")], 403),
        (&ours, &[("cookie", "dmplz_session=x")], 401),
        (&ours, &[("origin", &own), ("sec-fetch-site", "same-origin")], 101),
        (&ours, &[("origin", &own), ("sec-fetch-site", "same-site")], 403),
        (&ours, &[("origin", "http://localhost:3000")], 403),
        (&ours, &[("origin", "https://evil.example")], 403),
        (&evil, &[("authorization", &bearer)], 403),
        (&evil, &[("origin", &own)], 403),
        ("dm.example.org", &[("origin", "https://dm.example.org")], 101),
    ];
    for (host, headers, status) in cases {
        match open(gateway.port, host, headers).await {
            Ok(_) => assert_eq!(*status, 101, "{host} {headers:?}"),
            Err((refused, body)) => {
                assert_eq!(refused, *status, "{host} {headers:?}");
                assert!(body["error"]["code"].is_string(), "{body}");
            }
        }
    }
    let plain = gateway.program("GET /ws", None).await;
    assert_eq!((plain.status, plain.code().as_str()), (400, "bad_request"));
}

#[tokio::test]
async fn what_is_asked_is_told_answered_and_told_again() {
    let gateway = Gateway::start().await;
    let (mut mine, mut other) = (program(&gateway).await, program(&gateway).await);
    for client in [&mut mine, &mut other] {
        let subscribed = call(client, "events.subscribe", json!({})).await;
        assert_eq!(subscribed["result"], json!({ "lastEventId": 0 }));
    }
    let id = gateway.asked("Bash", json!({ "command": "ls\u{1b}" })).await.to_string();
    let told = hear(&mut mine).await;
    assert_eq!((&told["method"], &told["params"]["eventId"]), (&json!("approval.requested"), &json!(1)));
    let text = told["params"]["approval"]["shown"].to_string();
    insta::assert_snapshot!(text, @r#"[{"kind":"command","text":"ls␛"}]"#);
    assert_eq!(told, hear(&mut other).await);
    let listed = call(&mut mine, "approvals.list", json!({})).await;
    assert_eq!(listed["result"]["approvals"][0], told["params"]["approval"]);
    for no_id in ["", " ", &id[..8], &id[..35], &id.to_uppercase()] {
        let refused = call(&mut mine, "approval.respond", json!({ "id": no_id, "decision": "approve" })).await;
        assert_eq!(refused["error"]["code"], -32602, "{no_id:?} {refused}");
    }
    let params = json!({ "id": id, "decision": "deny", "reason": "no" });
    let won = call(&mut mine, "approval.respond", params.clone()).await;
    assert_eq!(won["result"]["approval"]["resolution"]["by"]["surface"], "websocket");
    let told = hear(&mut other).await;
    assert_eq!(
        (&told["method"], &told["params"]["approval"]),
        (&json!("approval.resolved"), &won["result"]["approval"])
    );
    let lost = call(&mut other, "approval.respond", json!({ "id": id, "decision": "approve" })).await;
    let mut refused = won["result"]["approval"].clone();
    refused["refusal"] = json!("request_ended");
    refused["request"] = json!(id);
    assert_eq!((&lost["error"]["code"], &lost["error"]["data"]), (&json!(-32002), &refused));
    let rest = gateway.program(&format!("GET /api/v1/approvals/{id}"), None).await;
    assert_eq!(rest.json()["approval"], won["result"]["approval"], "every surface shows the same");
}

#[tokio::test]
async fn a_page_answers_as_a_page_and_has_no_command_run() {
    let gateway = Gateway::start().await;
    let mut page = Browser::paired(&gateway).await.online(&gateway).await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let answered = call(&mut page, "approval.respond", json!({ "id": id, "decision": "approve" })).await;
    assert_eq!(
        answered["result"]["approval"]["resolution"]["by"],
        json!({ "surface": "web", "id": "owner", "name": "Ada" })
    );
    for method in ["hook.ask", "hook.taken", "hook.withdraw", "hook.event", "pairing.create"] {
        for client in [&mut page, &mut program(&gateway).await] {
            assert_eq!(call(client, method, json!({})).await["error"]["code"], -32007, "{method}");
        }
    }
    let run = json!({ "argv": ["true"], "cwd": "/" });
    for method in ["tools.invoke", "tools.run", "tools.get", "tools.cancel"] {
        let refused = call(&mut page, method, run.clone()).await;
        assert_eq!(refused["error"]["code"], -32007, "{method}");
        let why =
            "ERR_FORBIDDEN: the method may not be called: a page has no command run: it is for programs with the token";
        assert_eq!(refused["error"]["message"], why);
    }
    assert!(gateway.approvals.open().is_empty(), "nothing was asked");
    let started = call(&mut program(&gateway).await, "tools.invoke", run).await;
    assert_eq!(started["result"]["awaitingApproval"], true, "{started}");
}

#[tokio::test]
async fn each_end_has_its_code() {
    let mut gateway = Gateway::start().await;
    let mut client = program(&gateway).await;
    client.send(Message::binary(vec![1])).await.unwrap();
    assert_eq!(closed(&mut client).await, 1003);

    let mut client = program(&gateway).await;
    say(&mut client, " ".repeat((256 << 10) + 1)).await;
    assert_eq!(closed(&mut client).await, 1002);

    let mut client = program(&gateway).await;
    say(&mut client, " ".repeat(256 << 10)).await;
    assert_eq!(hear(&mut client).await["error"]["code"], -32700, "it is not too long");

    let page = Browser::paired(&gateway).await;
    let mut unproven = page.hello(&gateway).await.client;
    say(&mut unproven, json!({ "prove": { "signature": "00" } }).to_string()).await;
    assert_eq!(closed(&mut unproven).await, 1008);
    let (mut page, mut unproven) = (page.online(&gateway).await, page.hello(&gateway).await.client);

    gateway.stop.take().unwrap().send(()).unwrap();
    for client in [&mut client, &mut page, &mut unproven] {
        assert_eq!(closed(client).await, 1001);
    }
    gateway.served.take().unwrap().await.unwrap();
}

/// Opens a WebSocket by hand, so that nothing replies to a ping.
async fn mute(gateway: &Gateway) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    let head = format!(
        "GET /ws HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        gateway.host(),
        gateway.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(answer(&mut stream).await.unwrap().status, 101);
    stream
}

#[tokio::test(start_paused = true)]
async fn who_says_nothing_is_let_go_and_who_answers_pings_stays() {
    let gateway = Gateway::start().await;
    let mut silent = mute(&gateway).await;
    let mut polite = program(&gateway).await;
    let gone = async {
        let mut heard = Vec::new();
        let _ = silent.read_to_end(&mut heard).await;
        heard
    };
    let stays = async { while !matches!(polite.next().await, None | Some(Err(_) | Ok(Message::Close(_)))) {} };
    let heard = tokio::select! {
        heard = gone => heard,
        () = stays => panic!("the polite one was let go"),
        () = tokio::time::sleep(Duration::from_secs(300)) => panic!("the silent one is still there"),
    };
    assert_eq!(heard, [0x89, 0, 0x89, 0], "two pings, and no more");
    assert!(call(&mut polite, "approvals.list", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn a_connection_keeps_its_place_as_long_as_it_is_open() {
    let gateway = Gateway::with(|config| config.limits.connections = 1).await;
    let mut client = program(&gateway).await;
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", gateway.host());
    let mut next = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    next.write_all(request.as_bytes()).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(50), next.read(&mut [0; 1])).await.is_err(), "it waits");
    client.close(None).await.unwrap();
    assert_eq!(answer(&mut next).await.unwrap().status, 200);
}

#[tokio::test]
async fn who_comes_again_hears_what_it_missed_once_and_all_of_it() {
    let gateway = Gateway::start().await;
    let mut heard = Vec::new();
    let mut last = 0;
    // Each round is interrupted at another point, with events before, during and after the client's absence.
    for round in 0..6_u64 {
        let mut client = program(&gateway).await;
        gateway.asked("Bash", json!({ "command": "before" })).await;
        let subscribed = call(&mut client, "events.subscribe", json!({ "after": last })).await;
        let known = subscribed["result"]["lastEventId"].as_u64().unwrap();
        gateway.asked("Bash", json!({ "command": "while" })).await;
        while last < known + u64::from(round % 2 == 0) {
            last = hear(&mut client).await["params"]["eventId"].as_u64().unwrap();
            heard.push(last);
        }
        drop(client);
        gateway.asked("Bash", json!({ "command": "away" })).await;
    }
    let mut client = program(&gateway).await;
    call(&mut client, "events.subscribe", json!({ "after": last })).await;
    while last < 18 {
        last = hear(&mut client).await["params"]["eventId"].as_u64().unwrap();
        heard.push(last);
    }
    assert_eq!(heard, (1..=18).collect::<Vec<_>>());
    let ahead = call(&mut client, "events.subscribe", json!({ "after": 1_000 })).await;
    assert_eq!(ahead["result"]["lastEventId"], 18);
    gateway.asked("Bash", json!({ "command": "next" })).await;
    assert_eq!(hear(&mut client).await["params"]["eventId"], 19);
}

#[tokio::test(start_paused = true)]
async fn who_never_reads_is_let_go() {
    let gateway = Gateway::start().await;
    let mut client = program(&gateway).await;
    say(&mut client, r#"{"jsonrpc":"2.0","method":"events.subscribe"}"#).await;
    while gateway.approvals.surfaces().get("websocket") != Some(&1) {
        tokio::task::yield_now().await;
    }
    for _ in 0..40 {
        gateway.asked("Write", json!({ "file_path": "/a", "content": "x".repeat(256 << 10) })).await;
    }
    // Silence alone would be noticed only later.
    tokio::time::sleep(Duration::from_secs(40)).await;
    assert_eq!(gateway.approvals.surfaces().get("websocket"), None);
}
