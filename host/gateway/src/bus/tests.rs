use std::path::PathBuf;
use std::time::Duration;

use dmplz_core::card::Remark;
use dmplz_core::request::{ApprovalScope, Outcome, Resolution};
use dmplz_policy::{Call, File, Origin, Policy, RuleDenial, Ruled, Tier};
use dmplz_protocol::{Request, RequestId};
use serde_json::{Value, json};

use super::*;
use crate::sample::{START, numbered, person, request};

const SOON: Duration = Duration::from_secs(10);

/// Returns a bus whose policy allows `make`, denies `rm`, and has a remark about `git`.
fn judged() -> Bus {
    let text = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"make\"\ndecision = \"allow\"\npriority = 100\n";
    let path = PathBuf::from("policy.toml");
    let file = File::parse(text, Origin { tier: Tier::User, path, root: None, trusted: true });
    let policy = Policy::new(vec![file]);
    let judge = move |request: &Request| match request.input.get("command").and_then(Value::as_str) {
        Some("rm") => {
            let message = Some("never".into());
            Verdict::Ruled(Ruled::Denied(RuleDenial { rule: "policy.toml:9".into(), message, reason: None }))
        }
        Some("git") => Verdict::Ask(vec![Remark::Rule { reason: None, place: "policy.toml:12".into() }]),
        _ => {
            let call = Call::new(&request.tool, &request.input, "2027-01-01T00:00:00Z".parse().unwrap());
            Ruled::of(&policy.check(&call)).map_or(Verdict::Ask(Vec::new()), Verdict::Ruled)
        }
    };
    Bus::judged(judge, Lang::En)
}

fn answered(correlation_id: RequestId, outcome: &Outcome) -> Event {
    let resolution = Resolution::of(outcome);
    let confirmed = matches!(outcome, Outcome::Approved { .. });
    let message = Message::ConfirmationResponse { correlation_id, confirmed, resolution };
    Event { event_id: None, at_ms: START, message }
}

/// Publishes a request, and leaves it in flight until the task ends.
fn in_flight(bus: &Bus, request: Request) -> tokio::task::JoinHandle<Option<Outcome>> {
    let bus = bus.clone();
    tokio::spawn(async move { outcome(&bus, request).await })
}

/// Publishes a request that no rule decides, and waits for its response.
async fn outcome(bus: &Bus, request: Request) -> Option<Outcome> {
    match bus.request(request, START).await.unwrap() {
        Requested::Asked(mut awaited) => awaited.outcome().await,
        Requested::Ruled(ruled) => panic!("{ruled:?}"),
    }
}

fn everything(bus: &Bus) -> Subscription {
    bus.subscribe(&[Kind::ConfirmationRequest, Kind::ConfirmationResponse, Kind::PolicyRejection])
}

/// Returns everything received so far, as JSON lines.
fn told(subscription: &mut Subscription) -> String {
    let mut lines = Vec::new();
    while let Some(event) = subscription.take() {
        lines.push(serde_json::to_string(&event.message).unwrap());
    }
    lines.join("\n")
}

#[tokio::test]
async fn what_a_rule_allows_is_confirmed_at_once_and_nobody_is_asked() {
    let bus = judged();
    let mut heard = everything(&bus);
    let requested = bus.request(numbered(1, "make"), START).await.unwrap();
    assert!(matches!(&requested, Requested::Ruled(Ruled::Allowed(by)) if by.place() == "policy.toml:1"));
    insta::assert_snapshot!(told(&mut heard), @r#"{"type":"confirmation.response","correlationId":"00000000-0000-0000-0000-000000000001","confirmed":true,"resolution":{"outcome":"allowed_by_rule","rule":"policy.toml:1"}}"#);
}

#[tokio::test]
async fn what_a_rule_denies_is_rejected_at_once_and_nobody_is_asked() {
    let bus = judged();
    let mut heard = everything(&bus);
    let requested = bus.request(numbered(2, "rm"), START).await.unwrap();
    assert!(matches!(&requested, Requested::Ruled(Ruled::Denied(_))));
    insta::assert_snapshot!(told(&mut heard), @r#"
    {"type":"policy.rejection","correlationId":"00000000-0000-0000-0000-000000000002","rule":"policy.toml:9","message":"never"}
    {"type":"confirmation.response","correlationId":"00000000-0000-0000-0000-000000000002","confirmed":false,"resolution":{"outcome":"denied_by_rule","reason":"never","reasonSource":"policy","rule":"policy.toml:9"}}
    "#);
}

#[tokio::test]
async fn what_no_rule_decides_is_asked_with_what_the_policy_remarks() {
    let bus = judged();
    let mut heard = everything(&bus);
    let asked = numbered(3, "git");
    let id = asked.id;
    let waiting = tokio::spawn({
        let bus = bus.clone();
        async move { outcome(&bus, asked).await }
    });
    let Message::ConfirmationRequest { request, .. } = &heard.next().await.unwrap().message else { panic!() };
    assert_eq!(request.subject.context.len(), 1, "{:?}", request.subject.context);
    bus.publish(answered(id, &Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once })).unwrap();
    let approved = Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once };
    assert_eq!(waiting.await.unwrap(), Some(approved));
    let again = bus.publish(answered(id, &Outcome::Approved { by: person("eve"), scope: ApprovalScope::Once }));
    assert!(matches!(again, Err(Refused::NotAwaited(of)) if of == id));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_is_never_an_allow() {
    let bus = judged();
    let _silent = everything(&bus);
    let asked = request("ls");
    let id = asked.id;
    assert!(tokio::time::timeout(SOON, bus.request(asked, START)).await.is_err());
    let late = bus.publish(answered(id, &Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once }));
    assert!(matches!(late, Err(Refused::NotAwaited(of)) if of == id));
    let refused = bus.request(request("ls"), START).await.unwrap_err();
    assert!(matches!(refused, AskError::NobodyListens), "the owner says nothing while the request would be open");
}

#[tokio::test]
async fn nobody_listens_is_an_error_and_the_id_is_free_again() {
    let bus = judged();
    let asked = request("ls");
    for _ in 0..2 {
        let refused = bus.request(asked.clone(), START).await.unwrap_err();
        assert!(matches!(refused, AskError::NobodyListens));
    }
    drop(everything(&bus));
    let refused = bus.request(asked, START).await.unwrap_err();
    assert!(matches!(refused, AskError::NobodyListens));
}

#[tokio::test]
async fn a_request_for_whose_response_nobody_would_wait_is_refused() {
    let bus = judged();
    let mut heard = everything(&bus);
    for command in ["ls", "make", "rm"] {
        let request = request(command);
        let id = request.id;
        let message = Message::ConfirmationRequest { correlation_id: id, request: request.into() };
        let refused = bus.publish(Event { event_id: None, at_ms: START, message });
        assert!(matches!(refused, Err(Refused::Unawaited(of)) if of == id), "{command}");
    }
    assert_eq!(told(&mut heard), "", "neither people nor rules are asked");
}

#[tokio::test]
async fn two_requests_in_flight_never_share_an_id() {
    let bus = judged();
    let mut heard = everything(&bus);
    let (one, other) = (request("ls"), request("pwd"));
    let _one = in_flight(&bus, one.clone());
    heard.next().await.unwrap();
    let twin = Request { id: one.id, ..other.clone() };
    let refused = bus.request(twin, START).await.unwrap_err();
    assert!(matches!(refused, AskError::IdTaken(id) if id == one.id));
    let _other = in_flight(&bus, other);
    heard.next().await.unwrap();
    bus.publish(answered(one.id, &Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once })).unwrap();
    assert_eq!(told(&mut heard).lines().count(), 1);
}

#[tokio::test]
async fn a_rules_allow_cannot_be_published() {
    let bus = judged();
    let mut heard = everything(&bus);
    let request = request("ls");
    let _waits = in_flight(&bus, request.clone());
    heard.next().await.unwrap();
    let resolution: Resolution = serde_json::from_value(json!({"outcome": "allowed_by_rule", "rule": "x:1"})).unwrap();
    let message = Message::ConfirmationResponse { correlation_id: request.id, confirmed: true, resolution };
    let forged = Event { event_id: None, at_ms: START, message };
    assert!(matches!(bus.publish(forged), Err(Refused::Malformed(Malformed::Incomplete(_)))));
    assert_eq!(told(&mut heard), "");
}

#[tokio::test]
async fn a_subscriber_hears_its_types_only_and_in_order() {
    let bus = Bus::default();
    let (mut all, mut taken) = (bus.subscribe(Kind::APPROVALS), bus.subscribe(&[Kind::ApprovalTaken]));
    for n in 1..=3 {
        let request = request("ls");
        let message = match n {
            2 => Message::ApprovalRequested { approval: crate::sample::open(request).into() },
            _ => Message::ApprovalTaken { request_id: request.id, taken: true },
        };
        bus.publish(Event { event_id: Some(n), at_ms: START, message }).unwrap();
    }
    let ids = |subscription: &mut Subscription| -> Vec<_> {
        std::iter::from_fn(|| subscription.take()).map(|event| event.event_id.unwrap()).collect()
    };
    assert_eq!((ids(&mut all), ids(&mut taken)), (vec![1, 2, 3], vec![1, 3]));
}

#[tokio::test]
async fn who_does_not_read_is_let_go_and_nobody_waits_for_him() {
    let bus = Bus::default();
    let (mut slow, mut quick) = (bus.subscribe(&[Kind::ApprovalTaken]), bus.subscribe(&[Kind::ApprovalTaken]));
    for n in 1..=5_000 {
        let message = Message::ApprovalTaken { request_id: RequestId::new(), taken: true };
        bus.publish(Event { event_id: Some(n), at_ms: START, message }).unwrap();
        assert_eq!(quick.next().await.unwrap().event_id, Some(n));
    }
    let mut read = 0;
    while slow.next().await.is_some() {
        read += 1;
    }
    assert_eq!(read, 1024);
}

#[tokio::test]
async fn what_waits_for_a_slow_subscriber_is_bounded_in_bytes_but_a_long_one_passes_alone() {
    let bus = Bus::default();
    let mut slow = bus.subscribe(&[Kind::ApprovalRequested]);
    let long = |n| {
        let approval = crate::sample::open(request(&"x".repeat(12 << 20))).into();
        Event { event_id: Some(n), at_ms: START, message: Message::ApprovalRequested { approval } }
    };
    bus.publish(long(1)).unwrap();
    assert_eq!(slow.next().await.unwrap().event_id, Some(1));
    bus.publish(long(2)).unwrap();
    bus.publish(long(3)).unwrap();
    assert_eq!(slow.next().await.unwrap().event_id, Some(2));
    assert!(slow.next().await.is_none());
}
