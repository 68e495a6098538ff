//! Whatever a frame holds, the reply is JSON-RPC, and only a valid answer decides anything.

use dmplz_protocol::Status;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::desk::{owner, request, rules};
use crate::Bus;
use crate::approvals::Approvals;
use crate::rpc::{Limits, Peer, Role, Services, Session};

/// Sends the frames, each after the reply to the one before. Returns the replies and the approvals.
async fn converse(frames: &[String]) -> (Vec<String>, Approvals) {
    let approvals = Approvals::new(Bus::default(), rules(), std::sync::Arc::new(|| 1_000));
    let surface = approvals.attach("other");
    approvals.ask(request("Bash", json!({ "command": "ls" }), 1_000)).await.unwrap();
    let peer = Peer { by: owner().on("websocket"), role: Role::Program, limits: Limits::REMOTE };
    let (mut session, mut outbox) = Session::open(Services::new(approvals.clone(), Default::default()), peer);
    let said = async {
        for frame in frames {
            session.receive(frame).await;
        }
        session.hung_up().await;
    };
    let mut heard = Vec::new();
    let listening = async {
        while let Some(text) = outbox.next().await {
            heard.push(text.to_string());
        }
    };
    tokio::join!(said, listening);
    drop(surface);
    (heard, approvals)
}

fn run(frames: &[String]) -> (Vec<String>, Approvals) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(converse(frames))
}

/// Generates JSON with known names in unexpected places.
fn json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("jsonrpc"),
        Just("2.0"),
        Just("id"),
        Just("method"),
        Just("params"),
        Just("approvals.list"),
        Just("approvals.get"),
        Just("events.subscribe"),
        Just("hook.ask"),
        Just("tools.invoke"),
        Just("decision"),
        Just("deny"),
        Just("limit"),
        Just("after"),
        Just(""),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6)
                .prop_map(|fields| fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Value>()),
        ]
    })
}

fn frame() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,60}",
        json().prop_map(|json| json.to_string()),
        (json(), json(), json()).prop_map(|(id, method, params)| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
        }),
        // A truncated call.
        (json(), any::<prop::sample::Index>()).prop_map(|(json, end)| {
            let text = json!({ "jsonrpc": "2.0", "id": 1, "method": "approval.respond", "params": json }).to_string();
            let end = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect::<Vec<_>>()
                [end.index(text.chars().count())];
            text[..end].to_owned()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_frame_of_any_kind_is_answered_or_not_and_decides_nothing(frames in prop::collection::vec(frame(), 1..6)) {
        let (heard, approvals) = run(&frames);
        for text in &heard {
            let reply: Value = serde_json::from_str(text).unwrap();
            let members = match reply {
                Value::Array(members) => members,
                one => vec![one],
            };
            for member in members {
                prop_assert_eq!(&member["jsonrpc"], "2.0", "{}", text);
                let is_reply = member["result"].is_null() != member["error"].is_null();
                prop_assert!(member["method"].is_string() || (is_reply && member.get("id").is_some()), "{}", text);
            }
        }
        let open = approvals.open();
        prop_assert_eq!(open.len(), 1);
        prop_assert_eq!(&open[0].status, &Status::Open);
    }
}
