//! The choices made on a card count for 15 minutes.

use super::choices::{of, offers};
use super::*;

/// Plays presses of ann, `id` or `id=words`, with `+minutes` or `-minutes` in between, and returns the name of the last
/// result.
fn played(offer: &Offer, presses: &str) -> String {
    let rules = of(offer);
    let (mut state, mut now, mut last) = (State::waiting(), at(1), Vec::new());
    for word in presses.split(' ') {
        if let Ok(minutes) = word.parse::<f64>()
            && word.starts_with(['+', '-'])
        {
            now.wall_ms = now.wall_ms.saturating_add_signed((minutes * 60_000.0).round() as i64);
            continue;
        }
        let (id, text) = word.split_once('=').map_or((word, None), |(id, text)| (id, Some(text.to_owned())));
        let event = match id {
            "said" => Event::Said { user: user("ann"), message: message(9), text: text.unwrap() },
            "posted" => Event::PromptPosted(message(5)),
            _ => Event::Chosen { choice: id.into(), user: user("ann"), text },
        };
        (state, last) = step(state, event, &rules, now);
    }
    match state.life {
        Life::Ended(Outcome::Approved { scope, .. }) => match scope {
            ApprovalScope::Always { scope, broad } => format!("always {scope:?} broad: {broad}"),
            ApprovalScope::Answers { answers } => {
                format!("{:?}", answers.iter().map(|it| &it.labels).collect::<Vec<_>>())
            }
            other => format!("{other:?}"),
        },
        Life::Ended(outcome) => name(&outcome),
        Life::Denied(_) => "waits for words".into(),
        Life::Open => format!("{last:?}"),
    }
}

const STALE: &str = "[Tell(Stale), Show]";
const OUTDATED: &str = "[Tell(Outdated)]";
const TAKEN: &str = "[Tell(Taken), Show]";

#[test]
fn a_place_and_what_is_wide_count_for_15_minutes_and_then_have_to_be_chosen_again() {
    let [call, broad, ..] = offers();
    let cases = [
        (&call, "scope-user +15 always-user", "always User broad: false"),
        (&call, "scope-user +15.00002 always-user", STALE),
        (&call, "scope-user +14 scope-project +14 always-project", "always Project broad: false"),
        // The old button names an expired scope, so it no longer counts if it is pressed twice in a hurry.
        (&call, "scope-user +16 always-user always-user", OUTDATED),
        (&call, "scope-user +16 always-user always-local", "always Local broad: false"),
        (&call, "scope-user +16 always-user scope-user always-user", "always User broad: false"),
        (&call, "scope-user +16 always-user scope-project always-project", "always Project broad: false"),
        (&call, "scope-user +16 always-user +600 always-local", "always Local broad: false"),
        (&call, "scope-user +16 always-user +600 always-user", OUTDATED),
        // Every button of "always" depends on the choices, and so does the button for the next scope.
        (&call, "scope-user +16 always-local", STALE),
        (&call, "scope-user +16 scope-project", STALE),
        (&call, "scope-user +16 widen", STALE),
        (&call, "widen +16 always-local-w", STALE),
        (&call, "widen +16 always-local-w always-local-w", OUTDATED),
        (&call, "widen +16 always-local-w always-local", "always Local broad: false"),
        (&call, "widen +16 always-local-w widen always-local-w", "always Local broad: true"),
        (&call, "scope-user widen +16 scope-project always-project", "always Project broad: false"),
        (&call, "scope-user widen +16 scope-project always-user-w", OUTDATED),
        (&broad, "widen scope-user +16 always-user-w", STALE),
        (&broad, "widen scope-user +16 always-user-w always-user", OUTDATED),
        // Nothing is chosen, so nothing is too old.
        (&call, "+600 always-local", "always Local broad: false"),
        (&call, "+600 always-user", "always User broad: false"),
        (&call, "scope-user scope-local +600 always-local", "always Local broad: false"),
        // Setting the clock back makes no choice younger.
        (&call, "scope-user -1 always-user", STALE),
        (&call, "scope-user -600 always-user", STALE),
        (&call, "scope-user -600 always-user always-local", "always Local broad: false"),
        (&call, "+600 scope-user -600 always-user", STALE),
    ];
    for (offer, presses, expected) in cases {
        assert_eq!(played(offer, presses), expected, "{presses}");
    }
}

#[test]
fn half_filled_answers_are_kept_and_looked_at_again() {
    let [.., questions] = offers();
    let answers = r#"[["a"], ["c"]]"#;
    let cases = [
        ("q1-o1 q2-o1 q2-next +15 submit", answers),
        ("q1-o1 q2-o1 q2-next +16 submit", STALE),
        ("q1-o1 q2-o1 q2-next +16 submit submit", answers),
        ("q1-o1 q2-o1 q2-next +16 submit +16 submit", STALE),
        ("q1-o1 q2-o1 q2-next +16 q3-back", STALE),
        ("q1-o1 q2-o1 q2-next +16 q3-back q3-back", TAKEN),
        ("q1-o1 +16 q2-o1", STALE),
        ("q1-o1 +16 q2-o1 q2-o1 q2-next submit", answers),
        ("q1-o1 q2-o1 +16 q2-next", STALE),
        ("q1-o1 q2-o1 +16 q2-x1", STALE),
        ("q1-o1 +16 q2-other", STALE),
        // Nothing is answered yet.
        ("+600 q1-o1", TAKEN),
        ("q1-other posted +600 q1-o1", TAKEN),
        // The words are new.
        ("q1-o1 +16 q2-other=mine q2-o1 q2-next submit", answers),
        ("q1-o1 q2-other posted +16 said=mine q2-o1 q2-next submit", answers),
        ("q1-o1 +16 q2-other=mine", TAKEN),
        // Words with a press that takes none do not make the form younger.
        ("q1-o1 +16 q2-o1=mine", STALE),
        // A press that does not count confirms nothing.
        ("q1-o1 +16 q1-o1", OUTDATED),
        ("q1-o1 +16 q1-o1 q2-o1", STALE),
        ("q1-o1 +16 submit", OUTDATED),
        ("q1-o1 -1 q2-o1", STALE),
    ];
    for (presses, expected) in cases {
        assert_eq!(played(&questions, presses), expected, "{presses}");
    }
}

#[test]
fn an_answer_that_does_not_depend_on_the_form_is_accepted_at_any_age() {
    let [call, granted, plan, questions] = offers();
    let cases = [
        (&call, "scope-user widen +600 approve", "Once"),
        (&call, "scope-user widen +600 session", "Session"),
        (&call, "scope-user widen -600 approve", "Once"),
        (&call, "scope-user widen +600 deny", "waits for words"),
        (&call, "scope-user widen -600 deny", "waits for words"),
        (&call, "scope-user widen +600 tell", "waits for words"),
        (&call, "scope-user widen +600 tell=use_tmp", "rejected_with_reason"),
        (&call, "scope-user +600 deny skip", "rejected_no_reason"),
        (&granted, "widen +600 grant-30m", "Granted { term: HalfHour }"),
        (&granted, "widen +600 grant-session", "Granted { term: Session }"),
        (&plan, "+600 manual", "Plan { edits: Manual }"),
        (&questions, "q1-o1 +600 deny", "waits for words"),
    ];
    for (offer, presses, expected) in cases {
        assert_eq!(played(offer, presses), expected, "{presses}");
    }
}

#[test]
fn a_form_of_an_older_version_and_one_of_the_future_are_too_old() {
    let rules = of(&offers()[0]);
    let old: Form = serde_json::from_str(r#"{"scope":"userSettings","wide":true,"question":0,"drafts":[]}"#).unwrap();
    assert_eq!((old.touched_ms, old.expired), (None, None));
    for touched_ms in [None, Some(DAY + 2), Some(u64::MAX), Some(0)] {
        let form = Form { touched_ms, ..old.clone() };
        let (state, effects) = step(State::deciding(form), press("always-user-w", "ann"), &rules, at(1));
        assert_eq!(format!("{effects:?}"), STALE, "{touched_ms:?}");
        assert!(state.is_undecided());
        let again = Form { touched_ms: Some(DAY + 1), expired: Some(Scope::User), ..Form::default() };
        assert_eq!(state.form, again, "the place is forgotten, and it was touched now");
    }
    let untouched = step(State::waiting(), press("always-local", "ann"), &rules, at(1)).0;
    assert!(untouched.outcome().is_some(), "a card that nobody touched is never too old");
}

#[test]
fn strangers_make_nothing_young_again() {
    let rules = of(&offers()[0]);
    let chosen = step(State::waiting(), press("scope-user", "ann"), &rules, at(1)).0;
    let later = |minutes: u64| Now { at: 1, wall_ms: DAY + minutes * 60_000 };
    let (state, _) = step(chosen, press("scope-user", "eve"), &rules, later(14));
    let (_, effects) = step(state, press("always-user", "ann"), &rules, later(16));
    assert_eq!(format!("{effects:?}"), STALE);
}
