use dmplz_core::approvers::Answerer;
use dmplz_core::card::{Part, Subject};
use dmplz_core::request::{End, ReasonSource, Resolution};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::approval::tests::request;
use crate::request::{RequestId, Source};
use crate::tool::{State, Stream};

const START: u64 = 1_800_000_000_000;

fn by() -> Answerer {
    Answerer { surface: "web".into(), id: "owner".into(), name: "Ada".into() }
}

fn resolution(outcome: End) -> Resolution {
    Resolution { outcome, by: Some(by()), scope: None, reason: None, reason_source: None, cause: None, rule: None }
}

fn asked() -> Request {
    let id: RequestId = Uuid::from_u128(7).to_string().parse().unwrap();
    let Value::Object(input) = json!({ "command": "make" }) else { unreachable!() };
    let subject = Subject { request_id: id.to_string(), parts: vec![Part::Code("make".into())], ..request().subject };
    let source = Source::Hook { session_id: "s1".into(), agent_id: None };
    Request { id, source, input, subject, created_ms: START, expires_ms: START + 300_000, ..request() }
}

fn nil() -> RequestId {
    Uuid::nil().to_string().parse().unwrap()
}

fn requested(request: Request) -> Message {
    Message::ConfirmationRequest { correlation_id: request.id, request: request.into() }
}

fn response(confirmed: bool, resolution: Resolution) -> Message {
    Message::ConfirmationResponse { correlation_id: asked().id, confirmed, resolution }
}

fn standing(status: Status) -> Box<Standing> {
    Box::new(Standing { request: asked(), status })
}

fn output(stream: Stream) -> Message {
    Message::ToolOutput { invocation_id: Uuid::from_u128(9), stream, text: String::new() }
}

fn finished(state: State) -> Message {
    Message::ToolFinished { invocation_id: Uuid::from_u128(9), state, exit_code: None }
}

#[test]
fn what_is_malformed_says_why() {
    let ended = |outcome| Status::Ended { resolution: resolution(outcome), ended_ms: START, taken: None };
    let nobodys = Resolution { by: None, ..resolution(End::Approved) };
    let denied = Status::Denied { by: by(), until_ms: START, instead: false };
    let rule = |rule: &str| Message::PolicyRejection { correlation_id: asked().id, rule: rule.into(), message: None };
    let elsewhere = Message::ConfirmationRequest { correlation_id: RequestId::new(), request: asked().into() };
    let incomplete = |outcome| Malformed::Incomplete(Incomplete(outcome));
    let cases = [
        (requested(asked()), None),
        (elsewhere, Some(Malformed::Correlation)),
        (requested(Request { id: nil(), ..asked() }), Some(Malformed::NilId)),
        (requested(Request { tool: " ".into(), ..asked() }), Some(Malformed::Tool)),
        (requested(Request { expires_ms: START - 1, ..asked() }), Some(Malformed::Expiry)),
        (response(true, resolution(End::Approved)), None),
        (response(false, resolution(End::Approved)), Some(Malformed::Confirmed)),
        (response(true, resolution(End::RejectedNoReason)), Some(Malformed::Confirmed)),
        (response(true, nobodys.clone()), Some(incomplete(End::Approved))),
        (response(true, resolution(End::AllowedByRule)), Some(incomplete(End::AllowedByRule))),
        (rule("policy.toml:3"), None),
        (rule(""), Some(Malformed::Rule)),
        (Message::ApprovalRequested { approval: standing(Status::Open) }, None),
        (Message::ApprovalDenied { approval: standing(denied.clone()) }, None),
        (Message::ApprovalResolved { approval: standing(ended(End::Approved)) }, None),
        (Message::ApprovalRequested { approval: standing(denied) }, Some(Malformed::Status(Kind::ApprovalRequested))),
        (
            Message::ApprovalResolved { approval: standing(Status::Open) },
            Some(Malformed::Status(Kind::ApprovalResolved)),
        ),
        (Message::ApprovalTaken { request_id: nil(), taken: true }, Some(Malformed::NilId)),
        (Message::ToolStarted { invocation_id: Uuid::nil() }, Some(Malformed::NilId)),
        (output(Stream::Stdout), None),
        (finished(State::Forbidden), None),
        (finished(State::AwaitingApproval), Some(Malformed::State)),
        (finished(State::Running), Some(Malformed::State)),
    ];
    for (message, malformed) in cases {
        assert_eq!(message.check().err(), malformed, "{message:?}");
    }
    let unnumbered = Event { event_id: Some(0), at_ms: START, message: output(Stream::Stdout) };
    assert_eq!(unnumbered.check(), Err(Malformed::EventId));
}

#[test]
fn a_stream_or_a_state_that_is_unknown_cannot_be_read() {
    let is_read = |message: &Message, is: &str, other: &str| {
        let text = serde_json::to_string(message).unwrap();
        assert!(text.contains(is), "{text}");
        serde_json::from_str::<Message>(&text).is_ok()
            && serde_json::from_str::<Message>(&text.replace(is, other)).is_ok()
    };
    assert!(is_read(&output(Stream::Stdout), "stdout", "stderr"));
    assert!(!is_read(&output(Stream::Stdout), "stdout", "stdlog"));
    assert!(is_read(&finished(State::Forbidden), "forbidden", "succeeded"));
    assert!(!is_read(&finished(State::Forbidden), "forbidden", "allowed"));
}

#[test]
fn every_message_as_json() {
    let silent = Resolution { reason_source: Some(ReasonSource::Timeout), ..resolution(End::RejectedNoReason) };
    let ended = Status::Ended { resolution: silent.clone(), ended_ms: START + 9, taken: None };
    let event = |message| {
        let text = serde_json::to_string(&Event { event_id: Some(3), at_ms: START + 9, message }).unwrap();
        let back: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        text
    };
    insta::assert_snapshot!(event(requested(asked())), @r#"{"eventId":3,"atMs":1800000000009,"type":"confirmation.request","correlationId":"00000000-0000-0000-0000-000000000007","request":{"id":"00000000-0000-0000-0000-000000000007","source":{"kind":"hook","sessionId":"s1"},"tool":"Bash","input":{"command":"make"},"cwd":"/work","subject":{"request_id":"00000000-0000-0000-0000-000000000007","tool":"Bash","context":[],"parts":[{"code":"make"}],"grant":null},"offer":{"session":true},"createdMs":1800000000000,"expiresMs":1800000300000}}"#);
    insta::assert_snapshot!(event(response(false, silent)), @r#"{"eventId":3,"atMs":1800000000009,"type":"confirmation.response","correlationId":"00000000-0000-0000-0000-000000000007","confirmed":false,"resolution":{"outcome":"rejected_no_reason","by":{"surface":"web","id":"owner","name":"Ada"},"reasonSource":"timeout"}}"#);
    let rejection = Message::PolicyRejection {
        correlation_id: asked().id,
        rule: "policy.toml:3".into(),
        message: Some("not to main".into()),
    };
    insta::assert_snapshot!(event(rejection), @r#"{"eventId":3,"atMs":1800000000009,"type":"policy.rejection","correlationId":"00000000-0000-0000-0000-000000000007","rule":"policy.toml:3","message":"not to main"}"#);
    insta::assert_snapshot!(event(Message::ApprovalRequested { approval: standing(Status::Open) }), @r#"{"eventId":3,"atMs":1800000000009,"type":"approval.requested","approval":{"id":"00000000-0000-0000-0000-000000000007","source":{"kind":"hook","sessionId":"s1"},"tool":"Bash","input":{"command":"make"},"cwd":"/work","subject":{"request_id":"00000000-0000-0000-0000-000000000007","tool":"Bash","context":[],"parts":[{"code":"make"}],"grant":null},"offer":{"session":true},"createdMs":1800000000000,"expiresMs":1800000300000,"status":"open"}}"#);
    let denied = Status::Denied { by: by(), until_ms: START + 120_000, instead: false };
    insta::assert_snapshot!(event(Message::ApprovalDenied { approval: standing(denied) }), @r#"{"eventId":3,"atMs":1800000000009,"type":"approval.denied","approval":{"id":"00000000-0000-0000-0000-000000000007","source":{"kind":"hook","sessionId":"s1"},"tool":"Bash","input":{"command":"make"},"cwd":"/work","subject":{"request_id":"00000000-0000-0000-0000-000000000007","tool":"Bash","context":[],"parts":[{"code":"make"}],"grant":null},"offer":{"session":true},"createdMs":1800000000000,"expiresMs":1800000300000,"status":"denied","by":{"surface":"web","id":"owner","name":"Ada"},"untilMs":1800000120000}}"#);
    insta::assert_snapshot!(event(Message::ApprovalResolved { approval: standing(ended) }), @r#"{"eventId":3,"atMs":1800000000009,"type":"approval.resolved","approval":{"id":"00000000-0000-0000-0000-000000000007","source":{"kind":"hook","sessionId":"s1"},"tool":"Bash","input":{"command":"make"},"cwd":"/work","subject":{"request_id":"00000000-0000-0000-0000-000000000007","tool":"Bash","context":[],"parts":[{"code":"make"}],"grant":null},"offer":{"session":true},"createdMs":1800000000000,"expiresMs":1800000300000,"status":"ended","resolution":{"outcome":"rejected_no_reason","by":{"surface":"web","id":"owner","name":"Ada"},"reasonSource":"timeout"},"endedMs":1800000000009}}"#);
    insta::assert_snapshot!(event(Message::ApprovalTaken { request_id: asked().id, taken: true }), @r#"{"eventId":3,"atMs":1800000000009,"type":"approval.taken","requestId":"00000000-0000-0000-0000-000000000007","taken":true}"#);
    insta::assert_snapshot!(event(Message::ToolStarted { invocation_id: Uuid::from_u128(9) }), @r#"{"eventId":3,"atMs":1800000000009,"type":"tool.started","invocationId":"00000000-0000-0000-0000-000000000009"}"#);
    insta::assert_snapshot!(event(output(Stream::Stderr)), @r#"{"eventId":3,"atMs":1800000000009,"type":"tool.output","invocationId":"00000000-0000-0000-0000-000000000009","stream":"stderr","text":""}"#);
    insta::assert_snapshot!(event(finished(State::Expired)), @r#"{"eventId":3,"atMs":1800000000009,"type":"tool.finished","invocationId":"00000000-0000-0000-0000-000000000009","state":"expired"}"#);
}
