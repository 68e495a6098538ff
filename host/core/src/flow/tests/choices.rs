//! Random presses and texts of anyone, in any order: an approval only carries what was offered and shown, and what the
//! right people wrote.

use proptest::prelude::*;

use super::*;
use crate::claude::{AnswerOption, Behavior, PermissionUpdate, Question, Rule};

fn question(text: &str, several: bool, labels: &[&str]) -> Question {
    let option = |label: &&str| AnswerOption { label: label.to_string(), description: String::new() };
    Question {
        question: text.into(),
        header: String::new(),
        multi_select: several,
        options: labels.iter().map(option).collect(),
    }
}

fn suggestion(rule: &str, broad: Option<Breadth>) -> Suggestion {
    let rule = Rule { tool_name: "Bash".into(), rule_content: Some(rule.into()) };
    let destination = Scope::Local;
    Suggestion {
        update: PermissionUpdate::AddRules { rules: vec![rule], behavior: Behavior::Allow, destination },
        broad,
    }
}

pub(super) fn offers() -> [Offer; 4] {
    let questions = vec![question("One?", false, &["a", "b"]), question("Many?", true, &["c", "d", "e"])];
    [
        Offer {
            always: vec![suggestion("git push *", None), suggestion("git *", Some(Breadth::Wildcard))],
            ..Offer::plain(true)
        },
        Offer { always: vec![suggestion("bash *", Some(Breadth::Shell))], granted: true, ..Offer::plain(false) },
        Offer { plan: true, ..Offer::default() },
        Offer { questions, ..Offer::default() },
    ]
}

pub(super) fn of(offer: &Offer) -> Rules {
    Rules { offer: offer.clone(), ..rules() }
}

const IDS: &str = "approve session deny skip tell submit revoke always-local always-user always-project always-session \
    always-local-w always-user-w scope-user scope-project scope-session scope-local widen narrow grant-30m grant-session \
    auto-accept manual q1-o1 q1-o2 q1-o3 q1-x1 q1-x0 q1-other q1-next q1-back q2-o1 q2-o2 q2-o3 q2-o9 q2-x1 q2-x2 q2-x0 \
    q2-other q2-next q2-back q3-back q3-next q3-o1 q9-o1 always o1 x";

fn any_event() -> impl Strategy<Value = Event> {
    let who = prop_oneof![6 => Just("ann"), 3 => Just("bob"), 1 => Just("eve"), 1 => Just("bot-x")];
    let what = prop::sample::select(IDS.split_whitespace().collect::<Vec<_>>());
    let words = prop_oneof![Just("own"), Just(" "), Just(""), Just("no_reason"), Just("longer than ten")];
    prop_oneof![
        8 => (what, who.clone(), prop::option::weighted(0.2, words.clone())).prop_map(|(choice, by, text)| {
            Event::Chosen { choice: choice.into(), user: user(by), text: text.map(Into::into) }
        }),
        2 => (words, who, 0_u64..9).prop_map(|(text, by, at)| say(text, by, at)),
        2 => (0_u64..9).prop_map(|at| Event::PromptPosted(message(at))),
        1 => Just(Event::ReasonFailed),
    ]
}

/// Generates a form of another request or another version, or a damaged one.
fn any_form() -> impl Strategy<Value = Form> {
    let draft = (prop::collection::vec(0_usize..20, 0..5), prop::option::of("[a-z ]{0,20}"))
        .prop_map(|(options, text)| Draft { options, text });
    let writer = prop::option::of(Just(Writer { id: "ann".into(), prompt: Some(message(1)) }));
    let scope = prop::sample::select(vec![Scope::Local, Scope::User, Scope::Project, Scope::Session]);
    let touched = prop::option::of(prop::sample::select(vec![0, DAY - QUARTER, DAY, DAY + 2 * QUARTER, u64::MAX]));
    let expired = prop::option::of(scope.clone());
    (scope, any::<bool>(), 0_usize..9, prop::collection::vec(draft, 0..5), writer, touched, expired).prop_map(
        |(scope, broad, question, drafts, writer, touched_ms, expired)| Form {
            scope,
            broad,
            page: question,
            question,
            drafts,
            writer,
            touched_ms,
            expired,
        },
    )
}

/// 15 minutes, in milliseconds.
const QUARTER: u64 = 900_000;

/// Generates the steps of the clock between two events: mostly forwards, but it may also be set back.
fn any_time() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => 0_i64..60_000,
        2 => prop::sample::select(vec![899_999_i64, 900_000, 900_001, 86_400_000]),
        1 => prop::sample::select(vec![-1_i64, -900_000, -86_400_000]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn an_approval_carries_only_what_was_offered_shown_and_answered(
        which in 0_usize..4,
        first in prop_oneof![3 => Just(Form::default()), 1 => any_form()],
        events in prop::collection::vec((any_time(), any_event()), 0..40),
    ) {
        let rules = of(&offers()[which]);
        let mut now = at(1);
        // When a card last accepted a person's input, as a model of the form's own field.
        let mut touched = first.touched_ms;
        let mut state = State::deciding(first.clone());
        let mut denied = false;
        // The words that authorised users wrote.
        let mut said: Vec<String> = first.fitting(&rules.offer).drafts.into_iter().filter_map(|draft| draft.text).collect();
        for (passed, event) in events {
            now.wall_ms = now.wall_ms.saturating_add_signed(passed);
            let authorised = |user: &User| matches!(user.id.as_str(), "ann" | "bob");
            match &event {
                Event::Chosen { text: Some(text), user, .. } if authorised(user) => said.extend(rules.reason.normalise(text)),
                Event::Said { text, user, .. } if authorised(user) => said.extend(rules.reason.normalise(text)),
                _ => {}
            }
            let shown = state.is_undecided().then(|| state.form.clone().fitting(&rules.offer));
            if let (Event::Chosen { choice, user, .. }, true) = (&event, shown.is_some()) {
                denied |= authorised(user) && matches!(choice.as_str(), "deny" | "tell");
            }
            let stranger = matches!(&event, Event::Chosen { user, .. } | Event::Said { user, .. } if !authorised(user));
            let before = state.clone();
            let (next, effects) = step(state, event.clone(), &rules, now);
            prop_assert!(before.outcome().is_none() || before == next, "an ended request changed");
            let stale = shown.as_ref().is_some_and(|form| {
                let blank = !form.broad && form.scope == Scope::Local && !form.drafts.iter().any(Draft::is_answered);
                let age = touched.map(|touched: u64| i128::from(now.wall_ms) - i128::from(touched));
                !blank && !age.is_some_and(|age| (0..=i128::from(QUARTER)).contains(&age))
            });
            let acted = matches!(event, Event::Chosen { .. } | Event::Said { .. });
            if acted && effects.iter().any(|it| matches!(it, Effect::Show | Effect::Tell(Notice::Taken | Notice::Stale))) {
                touched = Some(now.wall_ms);
            }
            prop_assert!(stale || !effects.contains(&Effect::Tell(Notice::Stale)), "what is young was called old");
            if let (Event::Chosen { choice, user, .. }, Some(form)) = (&event, &shown) && authorised(user) {
                match choice.as_str() {
                    "deny" | "tell" => prop_assert!(!next.is_undecided(), "a deny was put off"),
                    "approve" | "session" | "grant-30m" | "grant-session" | "auto-accept" | "manual" => {
                        let untaken = effects == [Effect::Tell(Notice::Outdated)];
                        prop_assert!(untaken || next.outcome().is_some(), "an answer that rests on nothing was put off");
                    }
                    _ if stale => {
                        let taken = matches!(next.life, Life::Ended(Outcome::Approved { .. }));
                        prop_assert!(!taken, "{} was answered with what is too old: {:?}", choice, form);
                    }
                    _ => {}
                }
            }
            if let (Life::Ended(Outcome::Approved { scope, .. }), Some(form)) = (&next.life, &shown) {
                prop_assert!(rules.offer.offers(scope), "{scope:?} was not offered");
                match scope {
                    ApprovalScope::Always { scope, broad } => {
                        prop_assert!(!broad || form.broad, "what is broad was not shown");
                        prop_assert!(form.expired != Some(*scope), "a place counted that had expired");
                    }
                    ApprovalScope::Answers { answers } => {
                        prop_assert_eq!(answers.len(), rules.offer.questions.len());
                        prop_assert_eq!(form.question, rules.offer.questions.len(), "nobody looked the answers over");
                        let words = answers.iter().filter_map(|answer| answer.text.as_ref());
                        for word in words {
                            prop_assert!(said.contains(word), "nobody wrote {word}");
                        }
                    }
                    _ => {}
                }
            }
            if stranger {
                let fitted = |state: &State| match state.life {
                    Life::Open => State::deciding(state.form.clone().fitting(&rules.offer)),
                    _ => state.clone(),
                };
                prop_assert_eq!(fitted(&before), next.clone(), "a stranger changed something");
            }
            if let State { life: Life::Open, form, .. } = &next {
                let written = serde_json::to_string(form).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Form>(&written).unwrap(), form, "{} is read otherwise", written);
                prop_assert_eq!(&form.clone().fitting(&rules.offer), form, "a form of ours fits");
                prop_assert!(before.is_undecided(), "it waited before");
                let old = &before.form;
                if differs(&old.clone().fitting(&rules.offer), form) {
                    prop_assert!(effects.contains(&Effect::Show), "a change is shown");
                }
                if stale && acted && effects.contains(&Effect::Show) {
                    prop_assert!(!form.broad && form.scope == Scope::Local, "a place that is too old became young again");
                }
                if effects.contains(&Effect::Tell(Notice::Stale)) {
                    prop_assert_eq!(&form.drafts, &old.clone().fitting(&rules.offer).drafts, "answers were lost");
                }
            }
            state = next;
        }
        if denied {
            let rejected = state.outcome().is_some_and(|outcome| outcome.rejection().is_some());
            prop_assert!(rejected || matches!(state.life, Life::Denied(_)), "a deny was lost");
        }
    }

    #[test]
    fn a_form_of_another_request_offers_nothing_more(which in 0_usize..4, form in any_form()) {
        let offer = &offers()[which];
        let form = form.fitting(offer);
        prop_assert!(!form.broad || offer.has_broad());
        prop_assert!(form.question <= offer.questions.len());
        if let Some(answers) = form.answers(offer) {
            let scope = ApprovalScope::Answers { answers };
            prop_assert!(offer.offers(&scope), "{:?}", scope);
        }
    }
}

/// Returns whether a user can see the difference.
fn differs(old: &Form, new: &Form) -> bool {
    let seen = |form: &Form| Form { writer: None, touched_ms: None, ..form.clone() };
    seen(old) != seen(new)
}

/// Plays presses of ann on a card, and returns the name of the result.
fn pressed(offer: &Offer, ids: &str) -> String {
    let mut state = State::waiting();
    let mut told = Vec::new();
    for id in ids.split(' ') {
        let (id, text) = id.split_once('=').map_or((id, None), |(id, text)| (id, Some(text.to_owned())));
        let event = Event::Chosen { choice: id.into(), user: user("ann"), text };
        let (next, effects) = step(state, event, &of(offer), at(1));
        told = effects;
        state = next;
    }
    match state.life {
        Life::Ended(Outcome::Approved { scope, .. }) => serde_json::to_string(&scope).unwrap(),
        Life::Ended(outcome) => format!("{} {:?}", name(&outcome), outcome.rejection()),
        Life::Denied(denial) => format!("waits for words, instead: {}", denial.instead),
        Life::Open => format!("{told:?}"),
    }
}

#[test]
fn every_choice_of_a_card_comes_to_what_it_says() {
    let [call, broad, plan, questions] = offers();
    let cases = [
        (&call, "always-local", r#"{"kind":"always","scope":"localSettings","broad":false}"#),
        (&call, "scope-user always-user", r#"{"kind":"always","scope":"userSettings","broad":false}"#),
        (&call, "always-project", r#"{"kind":"always","scope":"projectSettings","broad":false}"#),
        (&call, "scope-user scope-project scope-session", "[Tell(Taken), Show]"),
        (&call, "always-local-w", "[Tell(Outdated)]"),
        (&call, "widen always-local-w", r#"{"kind":"always","scope":"localSettings","broad":true}"#),
        (&call, "widen always-local", r#"{"kind":"always","scope":"localSettings","broad":false}"#),
        (&call, "widen narrow always-local-w", "[Tell(Outdated)]"),
        (&call, "grant-30m", "[Tell(Outdated)]"),
        (&call, "auto-accept", "[Tell(Outdated)]"),
        (&call, "submit", "[Tell(Outdated)]"),
        (&call, "q1-o1", "[Tell(Outdated)]"),
        (&call, "tell=use_tmp", r#"rejected_with_reason Some(("use_tmp", Instead))"#),
        (&call, "tell", "waits for words, instead: true"),
        (&call, "tell= ", "waits for words, instead: true"),
        (&call, "deny", "waits for words, instead: false"),
        (&call, "deny tell=use_tmp", r#"rejected_with_reason Some(("use_tmp", Instead))"#),
        (&broad, "always-local", "[Tell(Outdated)]"),
        (&broad, "scope-user", "[Tell(Outdated)]"),
        (&broad, "widen scope-user always-user-w", r#"{"kind":"always","scope":"userSettings","broad":true}"#),
        (&broad, "grant-30m", r#"{"kind":"granted","term":"halfHour"}"#),
        (&broad, "grant-session", r#"{"kind":"granted","term":"session"}"#),
        (&plan, "auto-accept", r#"{"kind":"plan","edits":"autoAccept"}"#),
        (&plan, "manual", r#"{"kind":"plan","edits":"manual"}"#),
        (&plan, "deny", "waits for words, instead: false"),
        (&questions, "approve", "[Tell(Outdated)]"),
        (&questions, "q1-o1 submit", "[Tell(Outdated)]"),
        (&questions, "q1-next", "[Tell(Outdated)]"),
        (&questions, "q1-o1 q2-next", "[Tell(Outdated)]"),
        (&questions, "q1-o1 q1-o2", "[Tell(Outdated)]"),
        (&questions, "q1-o1 q2-back q1-x1", "[Tell(Outdated)]"),
        (&questions, "q1-other", "[Tell(Taken), AskWords]"),
        (
            &questions,
            "q1-o1 q2-o3 q2-o1 q2-next submit",
            r#"{"kind":"answers","answers":[{"question":"One?","labels":["a"]},{"question":"Many?","labels":["c","e"]}]}"#,
        ),
        (
            &questions,
            "q1-other=mine q2-o1 q2-o2 q2-o2 q2-x1 q2-other=too q2-next q3-back q2-back q1-o2 q2-next submit",
            r#"{"kind":"answers","answers":[{"question":"One?","labels":["b"]},{"question":"Many?","labels":["d"],"text":"too"}]}"#,
        ),
        (
            &questions,
            "q1-other=mine q2-other=too q2-x0 q2-o1 q2-next submit",
            r#"{"kind":"answers","answers":[{"question":"One?","labels":[],"text":"mine"},{"question":"Many?","labels":["c"]}]}"#,
        ),
        (&questions, "deny", "waits for words, instead: false"),
    ];
    for (offer, ids, expected) in cases {
        assert_eq!(pressed(offer, ids), expected, "{ids}");
    }
}

#[test]
fn words_for_a_question_count_from_their_writer_and_after_the_prompt() {
    let [.., questions] = offers();
    let rules = of(&questions);
    let asked = |form: &Form| form.question;
    let (state, _) = step(State::waiting(), press("q1-other", "ann"), &rules, at(1));
    assert_eq!(state.awaits_words_of(), Some("ann"));
    let play = |events: Vec<Event>| {
        let state = events.into_iter().fold(state.clone(), |state, event| step(state, event, &rules, at(1)).0);
        assert!(state.is_undecided());
        let form = state.form;
        (asked(&form), form.drafts[0].text.clone(), form.writer.is_some())
    };
    let posted = || Event::PromptPosted(message(5));
    assert_eq!(play(vec![say("mine", "ann", 6)]), (0, None, true), "there is no prompt yet");
    assert_eq!(play(vec![posted(), say("mine", "ann", 4)]), (0, None, true), "before the prompt");
    assert_eq!(play(vec![posted(), say("mine", "ann", 5)]), (0, None, true), "the prompt itself");
    assert_eq!(play(vec![posted(), say("mine", "bob", 6)]), (0, None, true), "somebody else's");
    assert_eq!(play(vec![posted(), say(" ", "ann", 6)]), (0, None, true), "no words");
    assert_eq!(play(vec![posted(), say("longer than ten", "ann", 6)]), (1, Some("longer tha".into()), false));
    assert_eq!(play(vec![posted(), press("q1-o1", "bob"), say("mine", "ann", 6)]), (1, None, false), "answered by bob");
    assert_eq!(play(vec![Event::ReasonFailed, say("mine", "ann", 6)]), (0, None, false), "the prompt failed");
}
