use dmplz_core::card::Part;
use dmplz_core::resolution::{Answerer, Resolution};
use dmplz_core::stats::End;

use super::super::super::card::tests::{NOW, look as plain, standing};
use super::*;

fn look() -> Look {
    plain(Lang::En, None)
}

fn request(id: &str) -> Standing {
    let mut request = standing("Bash", vec![Part::Code("git push".into())]);
    request.request.id = id.parse().unwrap();
    request
}

fn first() -> Standing {
    request("11111111-1111-4111-8111-111111111111")
}

fn second() -> Standing {
    request("22222222-2222-4222-8222-222222222222")
}

fn by(name: &str) -> Answerer {
    Answerer { surface: "web".into(), id: name.into(), name: name.into() }
}

fn ended(standing: Standing) -> Standing {
    let resolution = Resolution {
        outcome: End::Approved,
        by: Some(by("Ann")),
        extent: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    };
    Standing { status: Status::Ended { resolution, ended_ms: NOW, taken: None }, ..standing }
}

fn denied(standing: Standing) -> Standing {
    Standing { status: Status::Denied { by: by("Min"), until_ms: NOW + 1 }, ..standing }
}

fn requested(standing: Standing) -> Event {
    let message = Message::ApprovalRequested { approval: Box::new(standing) };
    Event { event_id: Some(1), at_ms: NOW, message }
}

fn resolved(standing: Standing) -> Event {
    let message = Message::ApprovalResolved { approval: Box::new(ended(standing)) };
    Event { event_id: Some(2), at_ms: NOW, message }
}

/// A watcher that asks the first request, its prompt on the screen, while the second one waits.
fn asking() -> Watcher {
    let mut watcher = Watcher::new(Lang::En);
    watcher.connected(vec![first(), second()]);
    assert!(watcher.next(look()).unwrap().contains("git push"));
    assert_eq!(watcher.prompt().as_deref(), Some("Allow? [Y/N, ? for help] "));
    assert_eq!((watcher.next(look()), watcher.prompt()), (None, None));
    watcher
}

fn answer(decision: Decision, reason: Option<&str>, reason_to_come: bool) -> Said {
    let reason = reason.map(str::to_owned);
    Said::Answer(Answer { id: first().request.id, decision, reason, reason_to_come })
}

#[test]
fn only_a_whole_word_on_its_own_is_an_answer() {
    for (line, said) in [
        ("y", answer(Decision::Approve, None, false)),
        (" YES ", answer(Decision::Approve, None, false)),
        ("ㅛ", answer(Decision::Approve, None, false)),
        ("n", answer(Decision::Deny, None, true)),
        ("아니오", answer(Decision::Deny, None, true)),
        ("", Said::Nothing(String::new())),
        ("   ", Said::Nothing(String::new())),
    ] {
        assert_eq!(asking().typed(line), said, "{line:?}");
    }
    for line in ["?", "yy", "y n", "s", "ok", "yes please", "\u{3}"] {
        assert!(matches!(asking().typed(line), Said::Nothing(help) if !help.is_empty()), "{line:?}");
    }
}

#[test]
fn the_session_can_be_chosen_only_where_it_is_offered() {
    let mut watcher = Watcher::new(Lang::En);
    let mut offering = first();
    offering.request.offer.session = true;
    watcher.connected(vec![offering]);
    watcher.next(look()).unwrap();
    assert_eq!(watcher.prompt().as_deref(), Some("Allow? [Y/N, S for the session, ? for help] "));
    assert_eq!(watcher.typed("s"), answer(Decision::Session, None, false));
    assert!(matches!(asking().typed("s"), Said::Nothing(_)));
}

#[test]
fn a_deny_counts_before_its_reason_is_typed() {
    let mut watcher = asking();
    assert_eq!(watcher.typed("n"), answer(Decision::Deny, None, true));
    assert_eq!(watcher.answered(denied(first()), look()), "");
    assert_eq!(watcher.prompt().as_deref(), Some("Why? (Enter: no reason) "));
    assert_eq!(watcher.typed("y"), answer(Decision::Deny, Some("y"), false));
    assert_eq!(watcher.typed(""), answer(Decision::Deny, None, false));
}

#[test]
fn an_end_under_the_prompt_is_told_and_the_line_after_it_is_not_for_the_next_one() {
    let mut watcher = asking();
    let told = watcher.happened(&resolved(first()), look()).unwrap();
    assert!(told.starts_with("\n↩ ✅ Approved: Bash · Ann (web)"), "{told}");
    assert!(watcher.is_interrupted());
    assert_eq!(watcher.typed("y"), Said::Nothing(String::new()));
    assert!(watcher.next(look()).is_some());
    assert_eq!(watcher.asked(), Some(second().request.id));
}

#[test]
fn a_denial_of_somebody_else_ends_the_prompt_and_its_end_is_told_too() {
    let mut watcher = asking();
    let event =
        Event { event_id: None, at_ms: NOW, message: Message::ApprovalDenied { approval: denied(first()).into() } };
    assert!(watcher.happened(&event, look()).unwrap().contains("denied by Min"));
    assert!(watcher.happened(&resolved(first()), look()).unwrap().starts_with("↩ "));
    assert_eq!(watcher.happened(&resolved(first()), look()), None);
}

#[test]
fn what_comes_meanwhile_waits_its_turn_once() {
    let mut watcher = Watcher::new(Lang::En);
    watcher.connected(vec![first()]);
    watcher.next(look()).unwrap();
    watcher.prompt().unwrap();
    assert_eq!(watcher.happened(&requested(second()), look()).as_deref(), Some("\n(+1 waiting)\n"));
    assert!(watcher.prompt().is_some());
    assert_eq!(watcher.happened(&requested(second()), look()), None);
    assert_eq!(watcher.happened(&resolved(second()), look()), None, "it was never shown");
    watcher.answered(ended(first()), look());
    assert_eq!(watcher.next(look()), None);
}

#[test]
fn a_deny_that_may_not_have_arrived_is_given_again_and_an_allow_is_not() {
    let deny = |watcher: &mut Watcher, line: &str| {
        let Said::Answer(answer) = watcher.typed(line) else { panic!("{line}") };
        watcher.keep(answer);
        watcher.connected(vec![first(), second()]);
        watcher.unsent()
    };
    let mut watcher = asking();
    assert_eq!(deny(&mut watcher, "y"), None);
    assert!(watcher.prompt().is_some(), "it is asked again");
    let again = deny(&mut watcher, "n").map(Said::Answer);
    assert_eq!(again, Some(answer(Decision::Deny, None, true)));
    assert_eq!(watcher.unsent(), None);
}

#[test]
fn an_answer_that_was_not_taken_is_asked_again_unless_the_request_is_over() {
    let refused = |line: &str, code| {
        let mut watcher = asking();
        let Said::Answer(answer) = watcher.typed(line) else { panic!("{line}") };
        watcher.refused(&answer, Some(code));
        watcher.asked()
    };
    assert_eq!(refused("y", code::NOT_RECORDED), Some(first().request.id));
    assert_eq!(refused("n", code::NOT_RECORDED), None);
    assert_eq!(refused("y", code::UNKNOWN), None);
    assert_eq!(refused("y", code::NO_GRANT), Some(first().request.id));
}
