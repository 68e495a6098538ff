use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_core::text::Lang;
use dmplz_protocol::{NotAnId, PROTOCOL, RequestId, Status, id};
use serde_json::{Value, json};

use super::*;
use crate::approvals::tests::fake::Fake;
use crate::approvals::{Approvals, Attached, Rules};
use crate::bus::Bus;
use dmplz_core::request::Answer;

const ID: &str = "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11";

struct Fixture {
    services: Services,
    _surface: Attached,
}

fn gateway() -> Fixture {
    gateway_over(Fake::default())
}

fn gateway_over(disk: Fake) -> Fixture {
    let reason = ReasonRules { max_chars: 300, skip_keywords: vec!["no_reason".into()] };
    let rules = Rules { expiry: Duration::from_secs(300), reason_timeout: Duration::from_secs(60), reason };
    let approvals = Approvals::with(Arc::new(disk), Bus::default(), rules, Arc::new(|| 1_700_000_000_000));
    let surface = approvals.attach("other");
    Fixture { services: Services::new(approvals, Lang::En), _surface: surface }
}

fn ada() -> Approver {
    let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
    Approvers::owner("web", "owner").admit(&user).unwrap()
}

impl Fixture {
    fn open(&self) -> (Session, Outbox) {
        let peer = Peer { by: ada().on("cli"), role: Role::Local, limits: Limits::LOCAL };
        Session::open(self.services.clone(), peer)
    }

    fn open_remote(&self) -> (Session, Outbox) {
        let peer = Peer { by: ada().on("websocket"), role: Role::Program, limits: Limits::REMOTE };
        Session::open(self.services.clone(), peer)
    }
}

fn ask(id: &str, call_id: u64) -> String {
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/work",
        "tool_name": "Bash", "tool_input": { "command": "git push" },
    });
    let params = json!({ "requestId": id, "input": input, "expiresInMs": 60_000 });
    json!({ "jsonrpc": "2.0", "id": call_id, "method": "hook.ask", "params": params }).to_string()
}

async fn next(outbox: &mut Outbox) -> Value {
    serde_json::from_str(&outbox.next().await.unwrap()).unwrap()
}

async fn told(text: &str) -> Value {
    let fixture = gateway();
    let (mut session, mut outbox) = fixture.open_remote();
    session.receive(text).await;
    next(&mut outbox).await
}

fn code(reply: &Value) -> i64 {
    reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {reply}"))
}

#[tokio::test]
async fn what_is_no_call_is_told_so_as_the_specification_says() {
    for (text, expected) in [
        ("", -32700),
        ("{", -32700),
        ("[1,", -32700),
        (r#"{"jsonrpc":"2.0","method":"foobar, "params":"bar","baz]"#, -32700),
        ("[]", -32600),
        ("1", -32600),
        ("null", -32600),
        (r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"approvals.list"}"#, -32600),
        (r#"{"id":1,"method":"approvals.list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"approvals.list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"foobar"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list","params":{"limit":0}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list","params":{"what":0}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"hook.ask"}"#, -32007),
        (r#"{"jsonrpc":"2.0","id":1,"method":"store.prune"}"#, -32007),
        (r#"{"jsonrpc":"2.0","id":1,"method":"approvals.get","params":{"id":"7f"}}"#, -32602),
    ] {
        assert_eq!(code(&told(text).await), expected, "{text}");
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    for id in [json!(7), json!("seven"), json!(null), json!(1.5)] {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "approvals.list" });
        let reply = told(&call.to_string()).await;
        assert_eq!(reply, json!({ "jsonrpc": "2.0", "id": id, "result": { "approvals": [], "lastEventId": 0 } }));
    }
    assert_eq!(told(r#"{"jsonrpc":"2.0","id":9,"method":1}"#).await["id"], json!(9));
}

#[tokio::test]
async fn a_batch_is_answered_without_its_notifications() {
    let batch = r#"[{"jsonrpc":"2.0","method":"approvals.list"},{"jsonrpc":"2.0","id":1,"method":"approvals.list"},1]"#;
    let replies = told(batch).await;
    let replies = replies.as_array().unwrap();
    assert_eq!((replies.len(), &replies[0]["id"], code(&replies[1])), (2, &json!(1), -32600));
}

#[tokio::test]
async fn a_batch_of_notifications_is_not_answered() {
    let fixture = gateway();
    let (mut session, mut outbox) = fixture.open();
    session.receive(r#"[{"jsonrpc":"2.0","method":"approvals.list"}]"#).await;
    session.receive(r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
    assert_eq!(next(&mut outbox).await["id"], 1);
}

#[tokio::test]
async fn what_is_too_long_is_refused_unless_a_hook_hands_it_on() {
    let fixture = gateway();
    let (mut session, mut outbox) = fixture.open();
    let long = "x".repeat(2 << 20);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "approvals.get", "params": { "id": long } });
    session.receive(&call.to_string()).await;
    assert_eq!(code(&next(&mut outbox).await), -32600);
    let call = ask(ID, 2).replace("git push", &long);
    session.receive(&call).await;
    assert_eq!(next(&mut outbox).await["method"], "hook.accepted");
}

#[tokio::test]
async fn a_hook_gets_the_answer_of_another_session() {
    let fixture = gateway();
    let (mut hook, mut of_hook) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    assert_eq!(
        next(&mut of_hook).await,
        json!({ "jsonrpc": "2.0", "method": "hook.accepted", "params": { "requestId": ID, "protocol": PROTOCOL } })
    );
    let (mut person, mut of_person) = fixture.open();
    let call = json!({ "id": ID, "decision": "deny", "reason": "not to main" });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "approval.respond", "params": call });
    person.receive(&call.to_string()).await;
    assert_eq!(next(&mut of_person).await["result"]["approval"]["status"], "ended");
    let by = json!({ "surface": "cli", "id": "owner", "name": "Ada" });
    let resolution = json!({
        "outcome": "rejected_with_reason", "by": by, "reason": "not to main", "reasonSource": "user_input",
    });
    assert_eq!(next(&mut of_hook).await, json!({ "jsonrpc": "2.0", "id": 1, "result": { "resolution": resolution } }));
    person.receive(&call.to_string()).await;
    let late = next(&mut of_person).await;
    assert_eq!((code(&late), &late["error"]["data"]["resolution"]), (-32002, &resolution));
}

/// One request is open, so a parser that completes ids would match each of these with it.
#[tokio::test]
async fn no_method_takes_anything_but_a_whole_id() {
    let fixture = gateway();
    let (mut hook, mut of_hook) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    next(&mut of_hook).await;
    let mut no_ids: Vec<Value> = crate::sample::no_ids(ID).into_iter().map(Value::from).collect();
    no_ids.extend([Value::Null, json!(7), json!([ID]), json!({})]);
    let (mut person, mut of_person) = fixture.open();
    for id in no_ids {
        for (method, key, also) in [
            ("approvals.get", "id", json!({})),
            ("approvals.list", "before", json!({})),
            ("approval.respond", "id", json!({ "decision": "approve" })),
            ("approval.respond", "id", json!({ "decision": "deny" })),
            ("hook.ask", "requestId", json!({ "input": {}, "expiresInMs": 60_000 })),
            ("hook.taken", "requestId", json!({ "taken": true })),
            ("hook.withdraw", "requestId", json!({ "resolver": "stopped" })),
            ("tools.get", "invocationId", json!({})),
            ("tools.cancel", "invocationId", json!({})),
        ] {
            // Without an id this method lists the first page.
            if method == "approvals.list" && id.is_null() {
                continue;
            }
            let mut params = also;
            params[key] = id.clone();
            let call = json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }).to_string();
            person.receive(&call).await;
            let refused = next(&mut of_person).await;
            assert_eq!(code(&refused), -32602, "{method} {id}");
            assert!(refused.to_string().len() < 400, "what was sent is not repeated: {method}");
        }
    }
    let id: RequestId = ID.parse().unwrap();
    assert_eq!(fixture.services.approvals.get(id).await.unwrap().status, Status::Open);
}

#[tokio::test]
async fn a_disk_that_cannot_be_read_is_told_as_that_and_not_as_a_request_that_does_not_exist() {
    let disk = Fake::default();
    disk.unreadable(true);
    let (mut person, mut outbox) = gateway_over(disk).open();
    for (method, params) in [
        ("approvals.get", json!({ "id": ID })),
        ("approval.respond", json!({ "id": ID, "decision": "deny" })),
        ("approval.respond", json!({ "id": ID, "decision": "approve" })),
    ] {
        person.receive(&json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }).to_string()).await;
        let refused = next(&mut outbox).await;
        assert_eq!(code(&refused), -32603, "{refused}");
        assert_eq!(refused["error"]["data"], json!({ "refusal": "request_unreadable", "request": ID }), "{method}");
    }
}

#[tokio::test]
async fn a_deny_counts_before_its_reason_and_may_be_said_again() {
    let fixture = gateway();
    let (mut hook, mut of_hook) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    next(&mut of_hook).await;
    let (mut person, mut of_person) = fixture.open();
    let respond = |params: Value| json!({ "jsonrpc": "2.0", "id": 2, "method": "approval.respond", "params": params });
    let denying = respond(json!({ "id": ID, "decision": "deny", "reasonToCome": true })).to_string();
    for _ in 0..2 {
        person.receive(&denying).await;
        assert_eq!(next(&mut of_person).await["result"]["approval"]["status"], "denied");
    }
    let (mut page, mut of_page) = fixture.open_remote();
    for late in [denying, respond(json!({ "id": ID, "decision": "approve" })).to_string()] {
        page.receive(&late).await;
        assert_eq!(code(&next(&mut of_page).await), -32002, "{late}");
    }
    for wrong in [
        json!({ "id": ID, "decision": "approve", "reasonToCome": true }),
        json!({ "id": ID, "decision": "deny", "reason": "x", "reasonToCome": true }),
    ] {
        person.receive(&respond(wrong).to_string()).await;
        assert_eq!(code(&next(&mut of_person).await), -32602);
    }
    person.receive(&respond(json!({ "id": ID, "decision": "deny", "reason": "not to main" })).to_string()).await;
    assert_eq!(next(&mut of_person).await["result"]["approval"]["status"], "ended");
    assert_eq!(next(&mut of_hook).await["method"], "hook.denied");
    assert_eq!(next(&mut of_hook).await["result"]["resolution"]["reason"], "not to main");
}

#[tokio::test(start_paused = true)]
async fn whoever_denies_is_told_that_it_counts_once_the_hook_has_heard_of_it() {
    let fixture = gateway();
    let (mut hook, mut of_hook) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    next(&mut of_hook).await;
    let (mut person, mut of_person) = fixture.open();
    let params = json!({ "id": ID, "decision": "deny", "reasonToCome": true });
    let denying = json!({ "jsonrpc": "2.0", "id": 2, "method": "approval.respond", "params": params }).to_string();
    person.receive(&denying).await;
    let denied = next(&mut of_hook).await;
    insta::assert_snapshot!(denied, @r#"{"jsonrpc":"2.0","method":"hook.denied","params":{"requestId":"7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11","resolution":{"outcome":"rejected_no_reason","by":{"surface":"cli","id":"owner","name":"Ada"},"reasonSource":"timeout"},"leftMs":60000}}"#);
    let early = tokio::time::timeout(Duration::from_millis(400), next(&mut of_person)).await;
    assert!(early.is_err(), "the hook has not said that it heard: {early:?}");
    let heard = json!({ "jsonrpc": "2.0", "method": "hook.heard", "params": { "requestId": ID, "of": "later" } });
    hook.receive(&heard.to_string()).await;
    assert_eq!(next(&mut of_person).await["result"]["approval"]["status"], "denied");
    // A hook that connects again is told again, and a suspended hook delays nobody for long.
    let (mut again, mut of_again) = fixture.open();
    again.receive(&ask(ID, 1)).await;
    assert_eq!(next(&mut of_again).await["method"], "hook.accepted");
    assert_eq!(next(&mut of_again).await["method"], "hook.denied");
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_says_nothing_holds_a_denial_up_for_half_a_second() {
    let fixture = gateway();
    let (mut hook, mut of_hook) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    next(&mut of_hook).await;
    let (mut person, mut of_person) = fixture.open();
    let params = json!({ "id": ID, "decision": "deny", "reasonToCome": true });
    let denying = json!({ "jsonrpc": "2.0", "id": 2, "method": "approval.respond", "params": params }).to_string();
    let began = tokio::time::Instant::now();
    person.receive(&denying).await;
    assert_eq!(next(&mut of_person).await["result"]["approval"]["status"], "denied");
    assert_eq!(began.elapsed().as_millis(), 500);
}

#[tokio::test(start_paused = true)]
async fn a_hook_hears_of_an_answer_that_came_right_before_the_gateway_stopped() {
    for (decision, method) in [
        (json!({ "decision": "approve" }), None),
        (json!({ "decision": "deny", "reasonToCome": true }), Some("hook.denied")),
    ] {
        let fixture = gateway();
        let (mut hook, mut of_hook) = fixture.open();
        hook.receive(&ask(ID, 1)).await;
        next(&mut of_hook).await;
        let (mut person, _of_person) = fixture.open();
        let mut params = decision;
        params["id"] = ID.into();
        let answering = json!({ "jsonrpc": "2.0", "id": 2, "method": "approval.respond", "params": params });
        person.receive(&answering.to_string()).await;
        fixture.services.approvals.close().await;
        hook.goodbye().await;
        let told = next(&mut of_hook).await;
        match method {
            Some(method) => assert_eq!(told["method"], method),
            None => assert_eq!(told["result"]["resolution"]["outcome"], "approved"),
        }
    }
}

#[tokio::test]
async fn a_hook_that_hangs_up_withdraws_unless_it_waits_elsewhere_by_now() {
    let fixture = gateway();
    let id: RequestId = ID.parse().unwrap();
    let (mut first, mut of_first) = fixture.open();
    first.receive(&ask(ID, 1)).await;
    next(&mut of_first).await;
    let (mut second, mut of_second) = fixture.open();
    second.receive(&ask(ID, 1)).await;
    next(&mut of_second).await;
    first.hung_up().await;
    assert_eq!(fixture.services.approvals.get(id).await.unwrap().status, Status::Open);
    second.hung_up().await;
    let Status::Ended { resolution, .. } = fixture.services.approvals.get(id).await.unwrap().status else {
        panic!("it goes on");
    };
    assert_eq!(
        serde_json::to_value(resolution).unwrap(),
        json!({ "outcome": "resolved_elsewhere", "cause": "client_gone" })
    );
}

#[tokio::test]
async fn a_hook_that_hung_up_before_its_question_was_looked_at_leaves_no_request_open() {
    let fixture = gateway();
    let (mut hook, _outbox) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    hook.hung_up().await;
    assert_eq!(fixture.services.approvals.open_count(), 0);
}

#[tokio::test]
async fn a_gateway_that_ends_withdraws_nothing() {
    let fixture = gateway();
    let (mut hook, mut outbox) = fixture.open();
    hook.receive(&ask(ID, 1)).await;
    next(&mut outbox).await;
    drop(hook);
    tokio::task::yield_now().await;
    assert_eq!(fixture.services.approvals.get(ID.parse().unwrap()).await.unwrap().status, Status::Open);
}

#[tokio::test]
async fn an_event_of_the_session_retires_the_oldest_request_for_that_call() {
    let fixture = gateway();
    let (mut hook, mut outbox) = fixture.open();
    let other = RequestId::new().to_string();
    for (id, call) in [(ID, 1), (other.as_str(), 2)] {
        hook.receive(&ask(id, call)).await;
        next(&mut outbox).await;
    }
    let event = |session: &str, name: &str| {
        let input = json!({
            "hook_event_name": name, "session_id": session,
            "tool_name": "Bash", "tool_input": { "command": "git push" },
        });
        json!({ "jsonrpc": "2.0", "method": "hook.event", "params": { "input": input } }).to_string()
    };
    hook.receive(&event("another", "SessionEnd")).await;
    hook.receive(&event("s", "PostToolUse")).await;
    assert_eq!(next(&mut outbox).await["result"]["resolution"]["cause"], "terminal");
    assert_eq!(fixture.services.approvals.open().len(), 1);
    hook.receive(&event("s", "Stop")).await;
    assert_eq!(next(&mut outbox).await["result"]["resolution"]["outcome"], "resolved_elsewhere");
}

#[tokio::test]
async fn a_subscriber_hears_after_the_reply_and_counts_as_a_surface() {
    let Fixture { services, _surface } = gateway();
    drop(_surface);
    let peer = Peer { by: ada().on("cli"), role: Role::Local, limits: Limits::LOCAL };
    let (mut hook, mut of_hook) = Session::open(services.clone(), peer.clone());
    hook.receive(&ask(ID, 1)).await;
    assert_eq!(code(&next(&mut of_hook).await), -32006);
    let (mut watcher, mut of_watcher) = Session::open(services.clone(), peer);
    watcher.receive(r#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#).await;
    assert_eq!(next(&mut of_watcher).await, json!({ "jsonrpc": "2.0", "id": 1, "result": { "lastEventId": 0 } }));
    hook.receive(&ask(ID, 2)).await;
    let requested = next(&mut of_watcher).await;
    assert_eq!((&requested["method"], &requested["params"]["eventId"]), (&json!("approval.requested"), &json!(1)));
    assert_eq!(requested["params"]["approval"]["id"], ID);
    services.approvals.answer(ID.parse().unwrap(), Answer::APPROVE, ada()).await.unwrap();
    assert_eq!(next(&mut of_watcher).await["method"], "approval.resolved");
    drop(watcher);
    hook.receive(&ask(&RequestId::new().to_string(), 3)).await;
    let mut last = Value::Null;
    while last["id"] != 3 {
        last = next(&mut of_hook).await;
    }
    assert_eq!(code(&last), -32006, "nobody listens any more");
}

#[tokio::test]
async fn a_code_for_a_browser_is_only_for_processes_of_the_same_user() {
    let mut fixture = gateway();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"pairing.create"}"#;
    let (mut local, mut of_local) = fixture.open();
    local.receive(call).await;
    assert_eq!(code(&next(&mut of_local).await), -32601, "there is no page");
    let pairing = crate::pairing::Pairing::new(Arc::new(|| 1_700_000_000_000));
    let browsers = Browsers::open("/nowhere".as_ref(), Duration::ZERO, Arc::new(|| 1_700_000_000_000)).unwrap();
    fixture.services.page = Some(Page { pairing, browsers, url: "http://127.0.0.1:4780".into(), outside: None });
    let (mut local, mut of_local) = fixture.open();
    local.receive(call).await;
    let made = next(&mut of_local).await["result"].take();
    let (url, nonce) = made["url"].as_str().unwrap().split_once("/?").unwrap();
    assert_eq!((url, nonce.len(), made["code"].as_str().unwrap().len()), ("http://127.0.0.1:4780", 16, 14));
    let link = format!("http://127.0.0.1:4780/?{nonce}#pair={}", made["code"].as_str().unwrap());
    assert_eq!(made["link"], link, "the code stands in the fragment alone");
    fixture.services.page.as_mut().unwrap().outside = Some("https://dm.example.org/".into());
    let (mut local, mut of_local) = fixture.open();
    local.receive(call).await;
    let made = next(&mut of_local).await["result"].take();
    assert!(made["url"].as_str().unwrap().starts_with("http://127.0.0.1:4780/?"));
    assert!(made["link"].as_str().unwrap().starts_with("https://dm.example.org/?"));
    let (mut remote, mut of_remote) = fixture.open_remote();
    remote.receive(call).await;
    assert_eq!(code(&next(&mut of_remote).await), -32007);
}

#[tokio::test]
async fn where_no_commands_are_run_there_are_no_methods_for_them() {
    for method in ["tools.invoke", "tools.get", "tools.cancel"] {
        let id = "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11";
        let params = match method {
            "tools.invoke" => json!({ "argv": ["true"], "cwd": "/" }),
            _ => json!({ "invocationId": id }),
        };
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        assert_eq!(code(&told(&call.to_string()).await), -32601, "{method}");
    }
}

#[tokio::test]
async fn the_gateway_says_who_would_see_a_request() {
    let fixture = gateway();
    let (mut watcher, mut of_watcher) = fixture.open();
    watcher.receive(r#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#).await;
    next(&mut of_watcher).await;
    watcher.receive(r#"{"jsonrpc":"2.0","id":2,"method":"gateway.status"}"#).await;
    let status = next(&mut of_watcher).await["result"].take();
    assert_eq!((&status["open"], &status["surfaces"]["cli"]), (&json!(0), &json!(1)));
}

#[tokio::test(start_paused = true)]
async fn too_many_calls_are_refused_until_time_has_passed() {
    let fixture = gateway();
    let (mut session, mut outbox) = fixture.open_remote();
    let mut refused = 0;
    for _ in 0..110 {
        session.receive(r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
        refused += usize::from(next(&mut outbox).await.get("error").is_some());
    }
    assert_eq!(refused, 10);
    tokio::time::advance(Duration::from_secs(1)).await;
    session.receive(r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
    assert!(next(&mut outbox).await.get("result").is_some());
}

#[test]
fn only_a_whole_id_in_its_one_spelling_is_one() {
    let whole = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
    assert_eq!(id::parse(whole).unwrap().to_string(), whole);
    assert_eq!(serde_json::from_value::<RequestId>(whole.into()).unwrap(), whole.parse().unwrap());
    for text in crate::sample::no_ids(whole) {
        assert_eq!(id::parse(&text), Err(NotAnId), "{text:?}");
        assert!(text.parse::<RequestId>().is_err(), "{text:?}");
        let refused = serde_json::from_value::<RequestId>(text.into()).unwrap_err();
        assert_eq!(refused.to_string(), NotAnId.to_string());
    }
    for value in [serde_json::json!(null), serde_json::json!(3), serde_json::json!([whole])] {
        assert!(serde_json::from_value::<RequestId>(value).is_err());
    }
}
