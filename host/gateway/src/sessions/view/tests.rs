use dmplz_protocol::session::Mode;
use dmplz_runner::control::{Incoming, read};
use serde_json::json;

use super::*;

fn new() -> View {
    View::new(Uuid::nil(), &Notes::new("/".into(), Mode::Default, None, 1).unwrap())
}

#[test]
fn an_event_is_numbered_by_its_place_whatever_came_before_it() {
    let view = new();
    let notice = || Happening::Notice { text: "x".into() };
    let first = [view.add(20, notice()), view.add(20, notice()), view.add(30, notice())];
    assert_eq!(first.each_ref().map(|event| event.number), [20, 21, 30]);
    assert_eq!(new().add(30, notice()).number, 30, "a gateway that has not seen the first ones");
}

#[test]
fn a_message_is_sent_once() {
    let view = new();
    let message = |id| UserMessage { id: Uuid::from_u128(id), text: "x".into(), starts_turn: true };
    assert!(view.sent(&message(1), false), "as the log tells it");
    assert!(!view.sent(&message(1), true) && view.sent(&message(2), true));
}

#[test]
fn a_message_that_crosses_the_end_of_the_turn_before_it_is_worked_on() {
    let view = new();
    let changed = |state: &str| {
        let line = json!({ "type": "system", "subtype": "session_state_changed", "state": state });
        let Incoming::Message(message) = read(line.to_string().as_bytes()) else { panic!("{line}") };
        view.take(1, &message, Lang::En);
        view.session().state
    };
    view.is_live();
    view.sent(&UserMessage { id: Uuid::from_u128(1), text: "x".into(), starts_turn: true }, true);
    assert_eq!(view.session().state, State::Working);
    // As the client's log had it, in one of fifty rounds; it repeats the message only with the model's first word.
    assert_eq!([changed("idle"), changed("running"), changed("idle")], [State::Idle, State::Working, State::Idle]);
}

#[test]
fn a_cleared_conversation_is_not_gone_on_with_and_its_cost_counts() {
    let view = new();
    assert_eq!(view.conversation(), None, "nothing was said");
    let told = |line: serde_json::Value| match read(line.to_string().as_bytes()) {
        Incoming::Message(message) => drop(view.take(1, &message, Lang::En)),
        other => panic!("{other:?}"),
    };
    let turn = |cost: f64| json!({ "type": "result", "subtype": "success", "total_cost_usd": cost });
    let command = "<command-name>/clear</command-name>\n  <command-message>clear</command-message>\n  <command-args></command-args>";
    let said = |text: &str| json!({ "type": "user", "isReplay": true, "message": { "content": text } });
    told(said("hello"));
    told(turn(0.5));
    assert_eq!(view.conversation(), Some(Uuid::nil()));
    let id = Uuid::from_u128(7);
    told(json!({ "type": "system", "subtype": "init", "session_id": id, "model": "m", "permissionMode": "plan" }));
    told(said(command));
    told(turn(0.0));
    told(turn(0.25));
    assert_eq!((view.conversation(), view.session().cost_usd), (Some(id), 0.75));
    let said: Vec<_> = view
        .one()
        .events
        .into_iter()
        .filter_map(|it| match it.event {
            Happening::Message { text } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(said, ["hello", "/clear"]);
    told(json!({ "type": "system", "subtype": "init", "session_id": "--dangerous", "model": "m" }));
    assert_eq!(view.conversation(), Some(id), "what is no id is none");
}

#[test]
fn the_limit_of_the_plan_is_the_one_that_the_client_reported_last() {
    let view = new();
    let told = |info: serde_json::Value| {
        let line = json!({ "type": "rate_limit_event", "rate_limit_info": info });
        let Incoming::Message(message) = read(line.to_string().as_bytes()) else { panic!("{line}") };
        view.take(1, &message, Lang::En);
        view.session().limit.map(|limit| (limit.short(), limit.resets_ms))
    };
    // As client 2.1.330 said it.
    let info = json!({
        "status": "allowed_warning", "resetsAt": 1_795_640_000_u64, "rateLimitType": "five_hour", "utilization": 0.91,
        "overageStatus": "rejected", "isUsingOverage": false, "surpassedThreshold": 0.9,
    });
    assert_eq!(told(info), Some(("5h 91%".to_owned(), Some(1_795_640_000_000))));
    assert_eq!(told(json!("nothing")), Some(("5h 91%".to_owned(), Some(1_795_640_000_000))));
    let rejected = json!({ "status": "rejected", "rateLimitType": "seven_day_opus\u{202e}", "utilization": 1e9 });
    assert_eq!(told(rejected), Some(("seven_day_opus⟨U+202E⟩ ⛔".to_owned(), None)));
}

#[test]
fn what_is_kept_of_a_session_is_bounded() {
    let view = new();
    for at in 0..40 {
        view.add(at * 100, Happening::Text { text: "x".repeat(BYTES / 10), subagent: false });
    }
    let kept = view.one().events;
    assert_eq!(kept.len(), 10);
    assert_eq!(kept.last().map(|event| event.number), Some(3_900));
}
