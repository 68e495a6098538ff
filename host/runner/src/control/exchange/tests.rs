use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::command::Initialize;
use super::*;
use crate::control::{System, UserMessage};

/// Replays a transcript of the real client: what it wrote, and whether we would have been done by its end.
fn replay(transcript: &str) -> (Vec<Effect>, Exchange) {
    let mut exchange = Exchange::new("t");
    exchange.sent.extend(["init-1", "mode-1", "mode-2", "model-1", "bogus-1", "int-1"].map(str::to_owned));
    let mut effects = Vec::new();
    for line in transcript.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = line["msg"].to_string();
        match line["dir"].as_str().unwrap() {
            "cli->host" => effects.extend(exchange.received(message.as_bytes())),
            _ => effects.extend(exchange.wrote(message.as_bytes())),
        }
    }
    (effects, exchange)
}

/// Summarises a transcript: what was asked, retired, delivered and answered, and how turns ended.
fn short(transcript: &str) -> String {
    let (effects, exchange) = replay(transcript);
    assert_eq!(exchange.pending().count(), 0, "every request is over at the end");
    let placed: Vec<(usize, Effect)> = effects.iter().cloned().enumerate().collect();
    assert!(Effect::left(placed).iter().all(|(_, left)| !left.is_to_do()));
    let mut ids: Vec<String> = Vec::new();
    let mut number = |id: &String| match ids.iter().position(|known| known == id) {
        Some(at) => at + 1,
        None => {
            ids.push(id.clone());
            ids.len()
        }
    };
    let told = effects.iter().filter_map(|effect| match effect {
        Effect::Ask { id, call } => {
            let person = if call.wants_a_person() { " of a person" } else { "" };
            let agent = call.agent_id.as_ref().map_or("", |_| " by a subagent");
            Some(format!("ask{person} {} {}{agent}", number(id), call.tool_name))
        }
        Effect::Elicit { id, asked } => Some(format!("elicit {} {}", number(id), asked.mcp_server_name)),
        Effect::Retire { id } => Some(format!("retire {}", number(id))),
        Effect::Delivered { id } => Some(format!("delivered {}", number(id))),
        Effect::Write { id, line } => {
            let line = line.trim_end().replace(id.as_str(), "ID");
            Some(format!("write {line}"))
        }
        Effect::Answered { id, result } => Some(match result {
            Ok(_) => format!("{id} ok"),
            Err(refusal) => format!("{id} refused {}", refusal.code.as_deref().unwrap_or("?")),
        }),
        Effect::Rewound { .. } => Some("rewound".to_owned()),
        Effect::Sent(_) => None,
        Effect::Tell(message) => match &**message {
            Message::Result(turn) => Some(format!("turn {}", turn.subtype)),
            Message::System(System::Status { permission_mode: Some(mode) }) => Some(format!("mode {mode}")),
            _ => None,
        },
    });
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn transcripts_of_the_real_client_come_to_what_happened() {
    let all = [
        short(include_str!("../../../tests/transcripts/no-initialize.jsonl")),
        short(include_str!("../../../tests/transcripts/allow.jsonl")),
        short(include_str!("../../../tests/transcripts/deny.jsonl")),
        short(include_str!("../../../tests/transcripts/interrupt-while-pending.jsonl")),
        short(include_str!("../../../tests/transcripts/hook-allows-first.jsonl")),
        short(include_str!("../../../tests/transcripts/host-allows-hook-pending.jsonl")),
        short(include_str!("../../../tests/transcripts/set-mode-model.jsonl")),
        short(include_str!("../../../tests/transcripts/askuserquestion.jsonl")),
        short(include_str!("../../../tests/transcripts/exitplanmode.jsonl")),
        short(include_str!("../../../tests/transcripts/subagent.jsonl")),
        short(include_str!("../../../tests/transcripts/blocked-path.jsonl")),
        short(include_str!("../../../tests/transcripts/hook-callback.jsonl")),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    ask 1 Bash, delivered 1, turn success
    init-1 ok, ask 1 Bash, delivered 1, turn success
    init-1 ok, ask 1 Bash, delivered 1, turn success
    init-1 ok, ask 1 Bash, retire 1, int-1 ok, turn error_during_execution
    init-1 ok, ask 1 Bash, retire 1, turn success
    init-1 ok, ask 1 Bash, delivered 1, turn success
    init-1 ok, ask 1 Bash, mode-1 ok, mode acceptEdits, model-1 ok, mode-2 refused bypass_not_launched, bogus-1 refused unsupported_request, delivered 1, turn success
    init-1 ok, ask of a person 1 AskUserQuestion, delivered 1, turn success
    init-1 ok, ask of a person 1 ExitPlanMode, delivered 1, mode acceptEdits, turn success
    init-1 ok, ask 1 Bash by a subagent, delivered 1, turn success
    init-1 ok, ask 1 Write, delivered 1, ask 2 Bash, delivered 2, ask 3 Bash, delivered 3, turn success
    init-1 ok, write {"type":"control_response","response":{"subtype":"success","request_id":"ID","response":{}}}, delivered 1, ask 2 Bash, write {"type":"control_response","response":{"subtype":"success","request_id":"ID","response":{}}}, delivered 3, retire 2, turn success
    "#);
}

fn can_use_tool(id: &str) -> String {
    json!({ "type": "control_request", "request_id": id, "request": {
        "subtype": "can_use_tool", "tool_name": "Bash", "input": { "command": "ls" }, "tool_use_id": "t1",
    } })
    .to_string()
}

fn request(id: &str, request: Value) -> String {
    json!({ "type": "control_request", "request_id": id, "request": request }).to_string()
}

fn cancel(id: &str) -> String {
    json!({ "type": "control_cancel_request", "request_id": id }).to_string()
}

#[test]
fn a_request_is_answered_once_and_not_after_it_was_cancelled() {
    let mut exchange = Exchange::new("t");
    let asked = exchange.received(can_use_tool("r1").as_bytes());
    assert!(matches!(asked.as_slice(), [Effect::Ask { id, .. }] if id == "r1"));
    assert_eq!(exchange.received(can_use_tool("r1").as_bytes()), [], "it is in flight");
    let line = exchange.answer("r1", &json!({ "behavior": "deny", "message": "no" })).unwrap();
    insta::assert_snapshot!(line.trim_end(), @r#"{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"deny","message":"no"}}}"#);
    assert_eq!(exchange.answer("r1", &json!({})), None);
    assert_eq!(exchange.received(can_use_tool("r1").as_bytes()), [], "its answer is on its way");
    assert_eq!(exchange.wrote(line.as_bytes()), Some(Effect::Delivered { id: "r1".into() }));
    assert_eq!(exchange.wrote(line.as_bytes()), None);

    exchange.received(can_use_tool("r2").as_bytes());
    assert_eq!(exchange.received(cancel("r2").as_bytes()), [Effect::Retire { id: "r2".into() }]);
    assert_eq!(exchange.answer("r2", &json!({})), None);
    assert_eq!(exchange.received(cancel("r2").as_bytes()), []);
    assert_eq!(exchange.answer("never asked", &json!({})), None);
}

#[test]
fn what_needs_nobody_is_answered_at_once() {
    let mut exchange = Exchange::new("t");
    let mut written = |request: Value| {
        let effects = exchange.received(
            super::super::command::line(&json!({
                "type": "control_request", "request_id": request.to_string(), "request": request,
            }))
            .trim_end()
            .as_bytes(),
        );
        match effects.as_slice() {
            [Effect::Write { line, id }] => {
                let answer: Value = serde_json::from_str(line).unwrap();
                assert_eq!(answer["response"]["request_id"], id.as_str());
                let mut answer = answer["response"].clone();
                answer.as_object_mut().unwrap().remove("request_id");
                answer.to_string()
            }
            [] => "nothing".to_owned(),
            other => format!("{other:?}"),
        }
    };
    let answers = [
        written(json!({ "subtype": "hook_callback", "callback_id": "c" })),
        written(json!({ "subtype": "mcp_message", "server_name": "m", "message": {} })),
        written(json!({ "subtype": "request_user_dialog", "dialog_kind": "k", "payload": {} })),
        written(json!({ "subtype": "can_use_tool", "tool_name": "Bash" })),
        written(json!({ "subtype": "something_new" })),
        written(json!({})),
    ];
    insta::assert_snapshot!(answers.join("\n"), @r#"
    {"subtype":"success","response":{}}
    {"subtype":"error","error":"There is no MCP server \"m\" here"}
    nothing
    {"subtype":"error","error":"The control request \"can_use_tool\" cannot be read: missing field `input` at line 1 column 45"}
    {"subtype":"error","error_code":"unsupported_request","error":"Unsupported control request subtype: something_new"}
    {"subtype":"error","error_code":"unsupported_request","error":"Unsupported control request subtype: "}
    "#);
}

#[test]
fn what_an_mcp_server_wants_of_a_person_is_asked_and_answered_once() {
    let mut exchange = Exchange::new("t");
    let wanted = json!({ "subtype": "elicitation", "mcp_server_name": "m", "message": "?", "mode": "form" });
    let asked = exchange.received(request("e1", wanted).as_bytes());
    assert!(matches!(asked.as_slice(), [Effect::Elicit { id, asked }] if id == "e1" && asked.mcp_server_name == "m"));
    let left = Effect::left(asked.into_iter().map(|effect| (1, effect)).collect());
    assert!(left.len() == 1 && left[0].1.is_to_do(), "the next gateway asks it as well");
    assert!(exchange.answer("e1", &json!({ "action": "decline" })).is_some());
    assert_eq!(exchange.answer("e1", &json!({ "action": "accept" })), None);
}

#[test]
fn files_that_were_put_back_are_told_with_the_dry_run_before_by_every_connection() {
    let message = Uuid::from_u128(7);
    let rewind = |id: &str, dry_run: bool| {
        let body = json!({ "subtype": "rewind_files", "user_message_id": message, "dry_run": dry_run });
        request(id, body)
    };
    let answer = |id: &str, response: &str| {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{response}}}}}"#
        )
    };
    // This connection sent none of it.
    let mut exchange = Exchange::new("another");
    let preview = r#"{"canRewind":true,"filesChanged":["/a"]}"#;
    for (id, dry_run, response) in [("g-1", true, preview), ("g-2", false, r#"{"canRewind":true}"#)] {
        assert_eq!(exchange.wrote(rewind(id, dry_run).as_bytes()), None);
        let effects = exchange.received(answer(id, response).as_bytes());
        let rewound = Effect::Rewound { message, answer: response.into(), preview: Some(preview.into()) };
        assert_eq!(effects, if dry_run { vec![] } else { vec![rewound] });
        assert!(effects.iter().all(|effect| !effect.is_to_do()));
        assert_eq!(exchange.received(answer(id, response).as_bytes()), [], "once");
    }
    exchange.wrote(rewind("g-3", false).as_bytes());
    let refused = r#"{"type":"control_response","response":{"subtype":"error","request_id":"g-3","error":"no"}}"#;
    assert_eq!(exchange.received(refused.as_bytes()), []);
}

#[test]
fn a_flag_that_asks_for_care_is_set_unless_it_is_surely_not() {
    for (value, is_set) in
        [(json!(true), true), (json!("yes"), true), (json!(1), true), (json!(false), false), (json!(null), false)]
    {
        let mut exchange = Exchange::new("t");
        let asked = request(
            "r",
            json!({
                "subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t", "agent_id": 7,
                "requires_user_interaction": value, "suppress_always_allow_rule": value,
            }),
        );
        let effects = exchange.received(asked.as_bytes());
        let [Effect::Ask { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!((call.wants_a_person(), call.suppress_always_allow_rule), (is_set, is_set), "{value}");
    }
    let by_rule = json!({
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t", "decision_reason_type": "rule",
        "decision_reason_rule_source": "userSettings", "server_policy_ask_only": false,
    });
    let effects = Exchange::new("t").received(request("r", by_rule).as_bytes());
    let [Effect::Ask { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    assert!(call.wants_a_person(), "a rule made the client ask");
    assert_eq!(call.ask_rule().and_then(|rule| rule.source).as_deref(), Some("userSettings"));
    for rule in [json!({ "source": "userSettings", "tool_name": "Bash" }), json!(true), json!({})] {
        let mut exchange = Exchange::new("t");
        let asked = request(
            "r",
            json!({
                "subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t", "matched_ask_rule": rule,
            }),
        );
        let effects = exchange.received(asked.as_bytes());
        let [Effect::Ask { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
        assert!(call.wants_a_person(), "{rule}");
    }
}

#[test]
fn why_the_client_asks_is_passed_on_where_it_says_more_than_the_input() {
    let (effects, _) = replay(include_str!("../../../tests/transcripts/blocked-path.jsonl"));
    let asked = effects.iter().filter_map(|effect| match effect {
        Effect::Ask { call, .. } => Some((call.reason(), call.blocked())),
        _ => None,
    });
    let link = "/home/user/project/link/x.txt resolves through a symlink to /home/user/elsewhere/x.txt, which is outside \
                the allowed working directories";
    let paths = ["/home/user/elsewhere/x.txt", "/home/user/elsewhere/y", "/home/user/elsewhere/z"].map(Some);
    let wanted: Vec<_> = [Some(link), None, None].into_iter().zip(paths).collect();
    assert_eq!(asked.collect::<Vec<_>>(), wanted);
    let told = |more: Value| {
        let mut asked = json!({ "tool_name": "Read", "input": { "file_path": "/etc/motd" }, "tool_use_id": "t" });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let asked: CanUseTool = serde_json::from_value(asked).unwrap();
        (asked.reason().map(str::to_owned), asked.blocked().map(str::to_owned))
    };
    let nothing = (None, None);
    assert_eq!(told(json!({})), nothing);
    assert_eq!(
        told(json!({ "decision_reason": "This command requires approval", "blocked_path": "/etc/motd" })),
        nothing
    );
    assert_eq!(
        told(json!({ "decision_reason": { "type": "mode" }, "blocked_path": ["/etc"] })),
        nothing,
        "it is asked all the same"
    );
}

#[test]
fn what_is_pending_comes_with_the_answer_to_initialize_and_is_asked_once() {
    let mut exchange = Exchange::new("t");
    exchange.received(can_use_tool("known").as_bytes());
    let (id, line) = exchange.command(&Command::Initialize(Initialize::default()));
    insta::assert_snapshot!(line.trim_end(), @r#"{"type":"control_request","request_id":"t-1","request":{"subtype":"initialize","hooks":{},"supportedDialogKinds":[],"perTaskStopAffordance":true}}"#);
    let pending: Vec<Value> =
        ["known", "new"].iter().map(|id| serde_json::from_str(&can_use_tool(id)).unwrap()).collect();
    let answer = json!({ "type": "control_response", "response": {
        "subtype": "success", "request_id": id, "response": {}, "pending_permission_requests": pending,
    } });
    let effects = exchange.received(answer.to_string().as_bytes());
    let [Effect::Answered { .. }, Effect::Ask { id, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(id, "new");
}

#[test]
fn a_message_of_the_person_is_theirs_and_has_an_id() {
    let message = UserMessage { id: Uuid::nil(), text: "hi \"you\"\n".into(), starts_turn: true };
    insta::assert_snapshot!(message.line().trim_end(), @r#"{"type":"user","message":{"role":"user","content":"hi \"you\"\n"},"parent_tool_use_id":null,"session_id":"","uuid":"00000000-0000-0000-0000-000000000000","origin":{"kind":"human"}}"#);
    let aside = UserMessage { starts_turn: false, ..message.clone() };
    assert!(aside.line().trim_end().ends_with(r#""shouldQuery":false}"#), "{}", aside.line());
    for message in [message, aside] {
        assert_eq!(Exchange::new("t").wrote(message.line().as_bytes()), Some(Effect::Sent(message)));
    }
}

use uuid::Uuid;

#[derive(Debug, Clone)]
enum Step {
    Asked(u8),
    Cancelled(u8),
    Answer(u8),
    Wrote(u8),
    Noise(Vec<u8>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u8..4).prop_map(Step::Asked),
        (0u8..4).prop_map(Step::Cancelled),
        (0u8..4).prop_map(Step::Answer),
        (0u8..4).prop_map(Step::Wrote),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(Step::Noise),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_a_request_is_asked_once_and_answered_once_at_most(steps in proptest::collection::vec(step(), 0..40)) {
        let mut exchange = Exchange::new("t");
        let (mut asked, mut answered, mut cancelled) = (HashMap::new(), HashMap::new(), HashSet::new());
        for step in steps {
            let effects = match step {
                Step::Asked(id) => exchange.received(can_use_tool(&id.to_string()).as_bytes()),
                Step::Cancelled(id) => {
                    cancelled.insert(id.to_string());
                    exchange.received(cancel(&id.to_string()).as_bytes())
                }
                Step::Answer(id) => {
                    let id = id.to_string();
                    if exchange.answer(&id, &json!({})).is_some() {
                        prop_assert!(asked.contains_key(&id) && !cancelled.contains(&id));
                        *answered.entry(id).or_insert(0) += 1;
                    }
                    Vec::new()
                }
                Step::Wrote(id) => exchange.wrote(success(&id.to_string(), &json!({})).trim_end().as_bytes()).into_iter().collect(),
                Step::Noise(bytes) => exchange.received(&bytes),
            };
            for effect in effects {
                match effect {
                    Effect::Ask { id, .. } => *asked.entry(id).or_insert(0) += 1,
                    Effect::Retire { id } => prop_assert!(cancelled.contains(&id)),
                    Effect::Delivered { .. } | Effect::Sent(_) | Effect::Tell(_) => {}
                    other => prop_assert!(false, "{other:?}"),
                }
            }
        }
        prop_assert!(asked.values().chain(answered.values()).all(|times: &i32| *times == 1));
    }
}
