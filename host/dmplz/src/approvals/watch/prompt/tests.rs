use dmplz_core::approvers::Answerer;
use dmplz_core::card::Part;
use dmplz_core::request::{End, Resolution};

use super::super::super::card::tests::{NOW, look as plain, standing};
use super::*;

/// A moment at which a card that was shown at 0 can have been read.
const READ: u64 = GLANCE;

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
        scope: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    };
    Standing { status: Status::Ended { resolution, ended_ms: NOW, taken: None }, ..standing }
}

fn denied(standing: Standing) -> Standing {
    Standing { status: Status::Denied { by: by("Min"), until_ms: NOW + 1, instead: false }, ..standing }
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
    watcher.shown(0);
    assert_eq!(watcher.prompt(READ).as_deref(), Some("Allow? [Y/N, ? for help] "));
    assert_eq!((watcher.next(look()), watcher.prompt(READ)), (None, None));
    watcher
}

fn answer(answer: AnswerBody) -> Reply {
    Reply::Answer(Respond { id: first().request.id, answer, reason_to_come: false })
}

fn deny(reason: Option<&str>, reason_to_come: bool) -> Reply {
    let reason = reason.map(str::to_owned);
    let answer = AnswerBody::Deny { reason, instead: false };
    Reply::Answer(Respond { id: first().request.id, answer, reason_to_come })
}

#[test]
fn only_a_whole_word_on_its_own_is_an_answer() {
    for (line, said) in [
        ("y", answer(AnswerBody::Approve)),
        (" YES ", answer(AnswerBody::Approve)),
        ("ㅛ", answer(AnswerBody::Approve)),
        ("n", deny(None, true)),
        ("아니오", deny(None, true)),
        ("", Reply::Nothing(String::new())),
        ("   ", Reply::Nothing(String::new())),
    ] {
        assert_eq!(asking().typed(line, look(), READ), said, "{line:?}");
    }
    for line in ["?", "yy", "y n", "s", "ok", "yes please", "\u{3}"] {
        assert!(matches!(asking().typed(line, look(), READ), Reply::Nothing(help) if !help.is_empty()), "{line:?}");
    }
}

#[test]
fn the_session_can_be_chosen_only_where_it_is_offered() {
    let mut watcher = Watcher::new(Lang::En);
    let mut offering = first();
    offering.request.offer.session = true;
    watcher.connected(vec![offering]);
    watcher.next(look()).unwrap();
    watcher.shown(0);
    assert_eq!(watcher.prompt(READ).as_deref(), Some("Allow? [Y/N, S for the session, ? for help] "));
    assert_eq!(watcher.typed("s", look(), READ), answer(AnswerBody::Session));
    assert!(matches!(asking().typed("s", look(), READ), Reply::Nothing(_)));
}

#[test]
fn a_deny_counts_before_its_reason_is_typed() {
    let mut watcher = asking();
    assert_eq!(watcher.typed("n", look(), READ), deny(None, true));
    assert_eq!(watcher.answered(denied(first()), look()), "");
    assert_eq!(watcher.prompt(READ).as_deref(), Some("Why? (Enter: no reason) "));
    assert_eq!(watcher.typed("y", look(), READ), deny(Some("y"), false));
    assert_eq!(watcher.typed("", look(), READ), deny(None, false));
}

#[test]
fn an_end_under_the_prompt_is_told_and_the_line_after_it_is_not_for_the_next_one() {
    let mut watcher = asking();
    let told = watcher.happened(&resolved(first()), look()).unwrap();
    assert!(told.starts_with("\n↩ ✅ Approved: Bash · Ann (web)"), "{told}");
    assert_eq!(watcher.typed("y", look(), READ), Reply::Nothing(String::new()));
    assert!(watcher.next(look()).is_some());
    assert_eq!(watcher.asked(), Some(second().request.id));
    watcher.shown(READ);
    assert!(matches!(watcher.typed("y", look(), READ), Reply::Nothing(_)));
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
    watcher.shown(0);
    watcher.prompt(READ).unwrap();
    assert_eq!(watcher.happened(&requested(second()), look()).as_deref(), Some("\n(+1 waiting)\n"));
    assert!(watcher.prompt(READ).is_some());
    assert_eq!(watcher.happened(&requested(second()), look()), None);
    assert_eq!(watcher.happened(&resolved(second()), look()), None, "it was never shown");
    watcher.answered(ended(first()), look());
    assert_eq!(watcher.next(look()), None);
}

#[test]
fn a_deny_that_may_not_have_arrived_is_given_again_and_an_allow_is_not() {
    let typed = |watcher: &mut Watcher, line: &str| {
        let Reply::Answer(answer) = watcher.typed(line, look(), READ) else { panic!("{line}") };
        watcher.keep(answer);
        watcher.connected(vec![first(), second()]);
        watcher.unsent()
    };
    let mut watcher = asking();
    assert_eq!(typed(&mut watcher, "y"), None);
    assert!(watcher.prompt(READ).is_some(), "it is asked again");
    let again = typed(&mut watcher, "n").map(Reply::Answer);
    assert_eq!(again, Some(deny(None, true)));
    assert_eq!(watcher.unsent(), None);
}

#[test]
fn an_answer_that_was_not_taken_is_asked_again_unless_the_request_is_over() {
    let refused = |line: &str, code| {
        let mut watcher = asking();
        let Reply::Answer(answer) = watcher.typed(line, look(), READ) else { panic!("{line}") };
        watcher.refused(&answer, Some(code));
        watcher.asked()
    };
    assert_eq!(refused("y", Code::NOT_RECORDED), Some(first().request.id));
    assert_eq!(refused("n", Code::NOT_RECORDED), None);
    assert_eq!(refused("y", Code::UNKNOWN), None);
    assert_eq!(refused("y", Code::NOT_OFFERED), Some(first().request.id));
}

fn asking_with(offer: serde_json::Value) -> Watcher {
    let mut asked = first();
    asked.request.offer = serde_json::from_value(offer).unwrap();
    let mut watcher = Watcher::new(Lang::En);
    watcher.connected(vec![asked]);
    watcher.next(look()).unwrap();
    watcher.shown(0);
    watcher.prompt(READ).unwrap();
    watcher.ask_again();
    watcher
}

/// What is said to lines one after the other, and the prompts between them.
fn talk(mut watcher: Watcher, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        text += &format!("{}{line}\n", watcher.prompt(READ).unwrap_or_default());
        match watcher.typed(line, look(), READ) {
            Reply::Nothing(told) => text += &told,
            Reply::Answer(answer) => text += &format!("{}\n", serde_json::to_string(&answer).unwrap()),
        }
    }
    text.replace(&first().request.id.to_string(), "ID")
}

fn rule(broad: Option<&str>) -> serde_json::Value {
    let rule = serde_json::json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let update =
        serde_json::json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
    serde_json::json!({ "always": [{ "update": update, "broad": broad }] })
}

#[test]
fn always_shows_what_is_stored_and_asks_where() {
    insta::assert_snapshot!(talk(asking_with(rule(None)), &["a", "", "a", "2"]), @r#"
    Allow? [Y/N, A always, ? for help] a
      «Bash(git push *)»
      1  this project, just you (.claude/settings.local.json)
      2  all projects (~/.claude/settings.json)
      3  this project, shared (.claude/settings.json)
      4  this session
    Where? [1-4, Enter goes back] 
    Allow? [Y/N, A always, ? for help] a
      «Bash(git push *)»
      1  this project, just you (.claude/settings.local.json)
      2  all projects (~/.claude/settings.json)
      3  this project, shared (.claude/settings.json)
      4  this session
    Where? [1-4, Enter goes back] 2
    {"id":"ID","decision":"always","scope":"userSettings","broad":false}
    "#);
    let said = talk(asking_with(rule(Some("wildcard"))), &["a", "1", "w", "1"]);
    assert!(said.contains("All of these rules allow more than this request. To store them, press W first."), "{said}");
    assert!(
        said.ends_with("{\"id\":\"ID\",\"decision\":\"always\",\"scope\":\"localSettings\",\"broad\":true}\n"),
        "{said}"
    );
    assert!(matches!(asking().typed("a", look(), READ), Reply::Nothing(help) if help.contains("y  allow")));
}

#[test]
fn a_plan_takes_three_answers_and_no_plain_yes() {
    let plan = || asking_with(serde_json::json!({ "plan": true }));
    insta::assert_snapshot!(talk(plan(), &["1"]), @r#"
    Approve the plan? [1 accept its edits, 2 approve them one by one, N keep planning, ? for help] 1
    {"id":"ID","decision":"auto-accept"}
    "#);
    assert!(talk(plan(), &["2"]).ends_with("{\"id\":\"ID\",\"decision\":\"manual\"}\n"));
    assert!(talk(plan(), &["n"]).ends_with("{\"id\":\"ID\",\"decision\":\"deny\",\"reasonToCome\":true}\n"));
    assert!(matches!(plan().typed("y", look(), READ), Reply::Nothing(_)));
}

#[test]
fn questions_are_asked_one_by_one_with_a_way_back_and_sent_after_a_look() {
    let option = |label: &str| serde_json::json!({ "label": label });
    let asked = || {
        asking_with(serde_json::json!({ "questions": [
            { "question": "Which color?", "options": [option("Red"), option("Blue")] },
            { "question": "Which sizes?", "multiSelect": true, "options": [option("S"), option("M"), option("L")] },
        ] }))
    };
    insta::assert_snapshot!(talk(asked(), &["1", "b", "=green", "3,1=and XL", "y"]), @r#"
    Answer 1 [number, =own words, B back, N no answer, ? for help] 1
    Question 2 of 2 (several may be chosen)
    │ Which sizes?
    │ 1. S
    │ 2. M
    │ 3. L
    Answer 2 [number, =own words, B back, N no answer, ? for help] b
    Question 1 of 2
    │ Which color?
    │ 1. Red
    │ 2. Blue
    Answer 1 [number, =own words, B back, N no answer, ? for help] =green
    Question 2 of 2 (several may be chosen)
    │ Which sizes?
    │ 1. S
    │ 2. M
    │ 3. L
    Answer 2 [number, =own words, B back, N no answer, ? for help] 3,1=and XL
    │ Which color?
    │ → green
    │ Which sizes?
    │ → S, L, and XL
    Send these answers? [Y, B back, N no answer] y
    {"id":"ID","decision":"answers","answers":[{"question":"Which color?","labels":[],"text":"green"},{"question":"Which sizes?","labels":["S","L"],"text":"and XL"}]}
    "#);
    for wrong in ["1,2", "9", "Green", "="] {
        assert!(matches!(asked().typed(wrong, look(), READ), Reply::Nothing(why) if !why.is_empty()), "{wrong}");
    }
    assert!(talk(asked(), &["n"]).ends_with("{\"id\":\"ID\",\"decision\":\"deny\",\"reasonToCome\":true}\n"));
}

#[test]
fn what_to_do_instead_is_a_denial_first() {
    let mut watcher = asking();
    let Reply::Answer(tell) = watcher.typed("t", look(), READ) else { panic!("it denies") };
    let instead = |reason: Option<&str>| AnswerBody::Deny { reason: reason.map(str::to_owned), instead: true };
    assert_eq!((tell.answer, tell.reason_to_come), (instead(None), true));
    let mut denied = denied(first());
    if let Status::Denied { instead, .. } = &mut denied.status {
        *instead = true;
    }
    watcher.answered(denied, look());
    assert_eq!(watcher.prompt(READ).as_deref(), Some("What should it do instead? (Enter: nothing) "));
    let Reply::Answer(told) = watcher.typed("open a pull request", look(), READ) else { panic!("it says what") };
    assert_eq!(told.answer, instead(Some("open a pull request")));
    let Reply::Answer(nothing) = watcher.typed("", look(), READ) else { panic!("it says nothing") };
    assert_eq!(nothing.answer, AnswerBody::Deny { reason: None, instead: false });
}

#[test]
fn news_of_a_messenger_comes_on_a_line_of_its_own_and_the_prompt_again_below_it() {
    let out = Message::MessengerUnreachable {
        messenger: "telegram".into(),
        since_ms: NOW - 60_000,
        why: Some("it cannot be reached".into()),
    };
    let event = |message| Event { event_id: None, at_ms: NOW, message };
    let mut watcher = asking();
    let told = watcher.happened(&event(out), look()).unwrap();
    assert_eq!(
        told,
        "\n⚠️ telegram has not been reachable for 1m 0s, so nobody can answer there: it cannot be reached\n"
    );
    assert!(watcher.prompt(READ).is_some());
    let back = Message::MessengerReachable { messenger: "telegram".into() };
    assert_eq!(watcher.happened(&event(back), look()).unwrap(), "\ntelegram can be reached again\n");
}

#[test]
fn no_card_is_answered_in_the_moment_after_it_appeared_whether_it_is_the_first_or_follows_ones_own_answer() {
    let early = |watcher: &mut Watcher, shown: u64| {
        assert_eq!(watcher.prompt(shown), None, "not on the screen yet");
        watcher.shown(shown);
        // Each early line makes the moment begin anew.
        for at in [shown + 150, shown + 700, shown + 1_250] {
            for line in ["y", "n"] {
                assert!(
                    matches!(watcher.typed(line, look(), at), Reply::Nothing(said) if said.contains("read it first"))
                );
            }
            assert_eq!((watcher.prompt(at + GLANCE - 1), watcher.unread_ms(at + GLANCE - 1)), (None, Some(1)));
        }
        let read = shown + 1_250 + GLANCE;
        assert_eq!(watcher.unread_ms(read), Some(0), "nobody waits for ever for the prompt");
        assert!(watcher.prompt(read).is_some());
        assert_eq!(watcher.unread_ms(read), None);
        read
    };
    let mut watcher = Watcher::new(Lang::En);
    watcher.connected(vec![first(), second()]);
    watcher.next(look()).unwrap();
    let read = early(&mut watcher, 1_000);
    assert_eq!(watcher.typed("y", look(), read), answer(AnswerBody::Approve));
    watcher.answered(ended(first()), look());
    watcher.next(look()).unwrap();
    early(&mut watcher, read);
}

#[test]
fn the_reason_of_a_denial_is_taken_at_once() {
    let mut watcher = asking();
    assert_eq!(watcher.typed("n", look(), READ), deny(None, true));
    watcher.answered(denied(first()), look());
    assert!(watcher.prompt(READ).is_some());
    assert_eq!(watcher.typed("not now", look(), READ), deny(Some("not now"), false));
}
