mod choices;
mod expiry;
mod offer;
mod words;

use proptest::prelude::*;

use super::*;
use crate::approvers::Approver;
use crate::claude::{Answered, Breadth, Scope, Suggestion};
use crate::messenger::{OpenChat, Users};
use crate::request::{ApprovalScope, Decision, Denial, End, ExpiredCause, ReasonSource};

fn user(id: &str) -> User {
    User { id: id.into(), name: format!("user {id}"), is_bot: id.starts_with("bot") }
}

fn rules() -> Rules {
    let chat = OpenChat { id: "c".into(), owner: None, users: Users::Identified };
    Rules {
        approvers: Approvers::of("chat", &chat, &["ann".into(), "bob".into(), "bot-x".into()]),
        offer: Offer::plain(true),
        deadline: 1000,
        reason_timeout: 200,
        reason: ReasonRules { max_chars: 10, skip_keywords: vec!["no_reason".into()] },
    }
}

/// Returns a moment of a process that began at [`DAY`].
fn at(now: Millis) -> Now {
    Now { at: now, wall_ms: DAY + now }
}

/// When the process began, in Unix milliseconds.
const DAY: u64 = 1_795_000_000_000;

fn press(choice: &str, by: &str) -> Event {
    Event::Chosen { choice: choice.into(), user: user(by), text: None }
}

fn say(text: &str, by: &str, sequence: u64) -> Event {
    Event::Said { user: user(by), message: message(sequence), text: text.into() }
}

fn message(sequence: u64) -> MessageRef {
    MessageRef { chat: "c".into(), id: sequence.to_string(), sequence }
}

/// Plays events, each at its time, and returns the name of the final state and all effects.
fn play(events: Vec<(Millis, Event)>) -> (String, Vec<Effect>) {
    let mut state = State::waiting();
    let mut effects = Vec::new();
    for (now, event) in events {
        let (next, more) = step(state, event, &rules(), at(now));
        state = next;
        effects.extend(more);
    }
    let name = match &state.life {
        Life::Open => "waiting_decision".into(),
        Life::Denied(_) => "waiting_reason".into(),
        Life::Ended(outcome) => match outcome.rejection() {
            Some((reason, source)) => {
                format!("{} {source:?} {reason:?} by {}", name(outcome), outcome.by().unwrap().id())
            }
            None => name(outcome) + &outcome.by().map(|by| format!(" by {}", by.id())).unwrap_or_default(),
        },
    };
    (name, effects)
}

#[test]
fn every_way_through_the_states_of_the_seed() {
    let failed = || Event::Failed(Trouble::Other("down".into()));
    let cases: Vec<(Vec<(Millis, Event)>, &str)> = vec![
        (vec![(1, press("approve", "ann"))], "approved by ann"),
        (vec![(1, press("session", "bob"))], "approved_session by bob"),
        (vec![(1, press("approve", "eve"))], "waiting_decision"),
        (vec![(1, press("approve", "bot-x"))], "waiting_decision"),
        (vec![(1, press("anything", "ann"))], "waiting_decision"),
        (vec![(1, press("skip", "ann"))], "waiting_decision"),
        (vec![(1, say("no_reason", "ann", 5))], "waiting_decision"),
        (vec![(999, Event::Tick)], "waiting_decision"),
        (vec![(1000, Event::Tick)], "expired"),
        (vec![(1000, press("approve", "ann")), (1000, Event::Tick)], "expired"),
        (vec![(1000, press("approve", "ann")), (1000, press("session", "bob"))], "waiting_decision"),
        (
            vec![(1000, press("approve", "eve")), (1000, press("deny", "ann"))],
            r#"rejected_no_reason Timeout "" by ann"#,
        ),
        (vec![(1000, press("deny", "ann"))], r#"rejected_no_reason Timeout "" by ann"#),
        (vec![(5000, press("deny", "ann"))], r#"rejected_no_reason Timeout "" by ann"#),
        (vec![(1000, press("deny", "eve")), (1000, Event::Tick)], "expired"),
        (vec![(1000, Event::Tick), (1000, press("deny", "ann"))], "expired"),
        (vec![(1, failed())], "expired"),
        (vec![(1, failed()), (2, press("approve", "ann"))], "expired"),
        (vec![(1, Event::Elsewhere(Resolver::Stopped))], "resolved_elsewhere"),
        (vec![(1, press("deny", "ann"))], "waiting_reason"),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say(" why not ", "ann", 5))],
            r#"rejected_with_reason UserInput "why not" by ann"#,
        ),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say("before", "ann", 3))],
            "waiting_reason",
        ),
        (vec![(1, press("deny", "ann")), (3, say("no prompt yet", "ann", 5))], "waiting_reason"),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say("I say", "bob", 5))],
            "waiting_reason",
        ),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say(" ", "ann", 5))],
            "waiting_reason",
        ),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say("NO_REASON ", "ann", 5))],
            r#"rejected_no_reason ExplicitSkip "" by ann"#,
        ),
        (vec![(1, press("deny", "ann")), (2, press("skip", "ann"))], r#"rejected_no_reason ExplicitSkip "" by ann"#),
        (vec![(1, press("deny", "ann")), (2, press("skip", "bob"))], "waiting_reason"),
        (vec![(1, press("deny", "ann")), (2, press("approve", "ann"))], "waiting_reason"),
        (vec![(1, press("deny", "ann")), (2, press("approve", "bob"))], "waiting_reason"),
        (vec![(1, press("deny", "ann")), (200, Event::Tick)], "waiting_reason"),
        (vec![(1, press("deny", "ann")), (201, Event::Tick)], r#"rejected_no_reason Timeout "" by ann"#),
        (vec![(1, press("deny", "ann")), (201, press("skip", "ann"))], r#"rejected_no_reason ExplicitSkip "" by ann"#),
        (
            vec![(1, press("deny", "ann")), (201, press("skip", "bob")), (201, Event::Tick)],
            r#"rejected_no_reason Timeout "" by ann"#,
        ),
        (
            vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (300, say("why not", "ann", 5))],
            r#"rejected_with_reason UserInput "why not" by ann"#,
        ),
        (vec![(950, press("deny", "ann")), (1000, Event::Tick)], r#"rejected_no_reason Timeout "" by ann"#),
        (vec![(1, press("deny", "ann")), (2, Event::ReasonFailed)], r#"rejected_no_reason Timeout "" by ann"#),
        (vec![(1, press("deny", "ann")), (2, failed())], r#"rejected_no_reason Timeout "" by ann"#),
        (
            vec![(1, press("deny", "ann")), (2, Event::Elsewhere(Resolver::Terminal))],
            r#"rejected_no_reason Timeout "" by ann"#,
        ),
        (vec![(1, press("approve", "ann")), (2, press("deny", "ann"))], "approved by ann"),
    ];
    for (events, expected) in cases {
        let shown = format!("{events:?}");
        assert_eq!(play(events).0, expected, "{shown}");
    }
}

#[test]
fn a_denial_of_before_a_restart_whose_words_may_come_after_the_deadline_ends_at_the_deadline() {
    // The wall clock was set back meanwhile. The caller wakes at the deadline, and would do so again and again if the
    // request did not end there.
    let by = rules().approvers.admit(&user("ann")).unwrap();
    let state = State::of(Life::Denied(Denial { by, instead: false, until: 3000 }));
    assert_eq!(state.wakes_at(&rules()), 1000);
    let (early, _) = step(state.clone(), Event::Tick, &rules(), at(999));
    assert_eq!(early, state);
    let (ended, _) = step(state, Event::Tick, &rules(), at(1000));
    assert!(
        matches!(ended.outcome(), Some(Outcome::RejectedNoReason { source: ReasonSource::Timeout, .. })),
        "{ended:?}"
    );
}

#[test]
fn people_who_may_not_answer_and_late_presses_are_told() {
    let told = |events| match play(events).1.last() {
        Some(Effect::Tell(notice)) => *notice,
        other => panic!("{other:?}"),
    };
    assert_eq!(told(vec![(1, press("approve", "eve"))]), Notice::NotAllowed);
    assert_eq!(told(vec![(1, press("deny", "ann")), (2, press("skip", "bob"))]), Notice::NotTheDenier);
    assert_eq!(told(vec![(1, press("deny", "ann")), (2, press("skip", "eve"))]), Notice::NotAllowed);
    assert_eq!(told(vec![(1, press("deny", "ann")), (2, press("approve", "ann"))]), Notice::AlreadyAnswered);
    assert_eq!(told(vec![(1, press("approve", "ann")), (2, press("deny", "bob"))]), Notice::AlreadyAnswered);
    assert_eq!(told(vec![(1, press("deny", "ann")), (201, press("approve", "bob"))]), Notice::AlreadyAnswered);
}

#[test]
fn who_presses_on_a_request_whose_time_is_over_is_told_that_it_expired_not_that_somebody_answered() {
    for events in [
        vec![(1000, press("approve", "ann"))],
        vec![(1000, Event::Tick), (1001, press("approve", "ann"))],
        vec![(1000, Event::Tick), (1001, press("deny", "ann"))],
        vec![(1000, Event::Elsewhere(Resolver::Terminal)), (1001, press("deny", "ann"))],
    ] {
        let shown = format!("{events:?}");
        assert_eq!(play(events).1, [Effect::Tell(Notice::Expired)], "{shown}");
    }
}

fn allowed(by: Approver) -> Decision {
    Decision::Allow { by, scope: ApprovalScope::Once }
}

#[test]
fn the_decisions_are_the_messages_of_the_seed() {
    let by = rules().approvers.admit(&user("ann")).unwrap();
    let deny = |outcome: Outcome, on_expired| match outcome.decision(on_expired) {
        Decision::Deny { message } => message,
        other => panic!("{other:?}"),
    };
    let no_reason = |source| Outcome::RejectedNoReason { by: by.clone(), source };
    let with = Outcome::RejectedWithReason { by: by.clone(), reason: "use \"tmp\"".into(), instead: false };
    assert_eq!(deny(with, false), "User rejected the request. Reason: use \"tmp\"");
    assert_eq!(deny(no_reason(ReasonSource::ExplicitSkip), false), "User rejected the request. (No reason provided)");
    assert_eq!(
        deny(no_reason(ReasonSource::Timeout), false),
        "User rejected the request. (No reason provided: timeout)"
    );
    assert_eq!(Outcome::Expired(ExpiredCause::Nobody).decision(false), Decision::None);
    for cause in [ExpiredCause::Nobody, ExpiredCause::Failed(Trouble::Other("x".into()))] {
        assert_eq!(Outcome::Expired(cause.clone()).decision(false), Decision::None);
        assert!(deny(Outcome::Expired(cause), true).contains("No user rejected it."));
    }
    assert_eq!(Outcome::ResolvedElsewhere(Resolver::Stopped).decision(true), Decision::None);
    assert_eq!(Outcome::Approved { by: by.clone(), scope: ApprovalScope::Once }.decision(true), allowed(by));
}

fn any_event() -> impl Strategy<Value = Event> {
    let who = prop_oneof![Just("ann"), Just("bob"), Just("eve"), Just("bot-x"), Just("")];
    let what = prop_oneof![Just("approve"), Just("session"), Just("deny"), Just("skip"), Just("x")];
    let text = prop_oneof![Just("because"), Just("no_reason"), Just(""), Just("approve")];
    prop_oneof![
        4 => (what, who.clone()).prop_map(|(choice, by)| press(choice, by)),
        2 => (text, who, 0_u64..9).prop_map(|(text, by, at)| say(text, by, at)),
        1 => (0_u64..9).prop_map(|at| Event::PromptPosted(message(at))),
        1 => Just(Event::ReasonFailed),
        2 => Just(Event::Tick),
        1 => prop_oneof![Just(Resolver::Terminal), Just(Resolver::Stopped), Just(Resolver::ClientGone)].prop_map(Event::Elsewhere),
        1 => Just(Event::Failed(Trouble::Other("down".into()))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_sequence_of_events_errors_and_time_allows_without_an_authorised_press(
        events in prop::collection::vec((0_u64..300, any_event()), 0..24),
    ) {
        let (mut state, mut now) = (State::waiting(), 0);
        let (mut pressed_allow, mut denied) = (false, false);
        for (passed, event) in events {
            now += passed;
            let waiting = state.is_undecided();
            let in_time = now < rules().deadline;
            if let Event::Chosen { choice, user, .. } = &event {
                let authorised = matches!(user.id.as_str(), "ann" | "bob");
                pressed_allow |= waiting && in_time && authorised && matches!(choice.as_str(), "approve" | "session");
                denied |= waiting && authorised && choice == "deny";
            }
            let before = state.outcome().cloned();
            let ended = before.is_some();
            let (next, effects) = step(state, event, &rules(), at(now));
            let commands = effects.iter().filter_map(Effect::command).count();
            prop_assert!(commands <= 1, "one event, one command");
            if let Some(before) = before {
                prop_assert_eq!(Some(&before), next.outcome(), "an ended request changed");
                prop_assert_eq!(commands, 0, "an ended request takes no command");
            }
            let is_answer = match &next.life {
                Life::Open => false,
                Life::Denied(_) => waiting,
                Life::Ended(Outcome::RejectedNoReason { source: ReasonSource::Timeout, .. }) => false,
                Life::Ended(outcome) => !ended && outcome.by().is_some(),
            };
            prop_assert!(!is_answer || commands == 1, "what a person says is commanded");
            state = next;
        }
        let decision = state.outcome().map(|outcome| outcome.decision(true));
        if matches!(decision, Some(Decision::Allow { .. })) {
            prop_assert!(pressed_allow && !denied, "allowed by nobody");
        }
        if denied {
            // A denied request still waits for the reason or is rejected, whatever happened since.
            let waiting = matches!(&state.life, Life::Denied(_));
            let rejected = state.outcome().is_some_and(|outcome| outcome.rejection().is_some());
            prop_assert!(waiting || rejected, "a deny was lost");
        }
    }
}

/// Returns the name of an outcome in records.
fn name(outcome: &Outcome) -> String {
    End::of(outcome).0.to_string()
}
