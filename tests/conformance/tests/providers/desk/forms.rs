//! Cards that are more than yes and no: places for a rule, plans, questions.

use dmplz_conformance::{Asking, Doing, JIN, MINA, Office, Platform, Shown, every_provider};
use dmplz_core::claude::{
    AnswerOption, Answered, Behavior, Breadth, PermissionUpdate, Question, Rule, Scope, Suggestion,
};
use dmplz_core::flow::{Action, Draft, Form};
use dmplz_core::messenger::Answering;
use dmplz_core::request::{ApprovalScope, Edits, Offer, Outcome, Resolver, Term};
use dmplz_fakes::{Fault, On};

every_provider! {
    in Office:
    a_rule_is_stored_where_the_person_chose,
    broad_suggestions_need_a_choice_of_their_own,
    without_suggestions_there_is_no_always,
    what_to_do_instead_is_told,
    a_grant_of_ours_is_one,
    a_plan_has_three_answers,
    questions_are_answered_step_by_step,
    a_press_on_a_step_that_is_past_is_told_and_changes_nothing,
    an_end_elsewhere_ends_a_half_filled_form,
    a_card_that_could_not_be_drawn_again_is_once_the_messenger_is_back,
    who_comes_second_is_told_who_was_first,
    a_long_plan_is_a_file,
}

fn suggests(content: &str, broad: Option<Breadth>) -> Offer {
    let rules = vec![Rule { tool_name: "Bash".to_owned(), rule_content: Some(content.to_owned()) }];
    let update = PermissionUpdate::AddRules { rules, behavior: Behavior::Allow, destination: Scope::Local };
    Offer { always: vec![Suggestion { update, broad }], ..Offer::plain(true) }
}

fn asks() -> Offer {
    let option = |label: &str| AnswerOption { label: label.to_owned(), description: format!("{label} it is") };
    let question = |question: &str, multi_select, options: [&str; 3]| Question {
        question: question.to_owned(),
        header: "Paint".to_owned(),
        multi_select,
        options: options.map(option).to_vec(),
    };
    let questions = vec![
        question("Which color?", false, ["Red", "Blue", "Teal"]),
        question("Which rooms?", true, ["Hall", "Kitchen", "Attic"]),
    ];
    Offer { questions, ..Offer::default() }
}

fn approved_scope(outcome: &Outcome) -> ApprovalScope {
    let Outcome::Approved { scope, .. } = outcome else { panic!("no approval: {outcome:?}") };
    scope.clone()
}

async fn a_rule_is_stored_where_the_person_chose<P: Platform>(office: &Office<P>) {
    let chat = office.platform.private(JIN);
    let buttons = P::ANSWERING != Answering::Reactions;
    for (name, scope) in
        [("Local", Scope::Local), ("User", Scope::User), ("Project", Scope::Project), ("Here", Scope::Session)]
    {
        // Reactions have a choice for each scope that outlives the session. The session is a separate choice.
        if !buttons && scope == Scope::Session {
            continue;
        }
        let asking = Asking { offer: suggests("git push *", None), ..Asking::new(&chat, name) };
        let outcome = office
            .ask(asking, async |office: &Office<P>, chat: &str| {
                let mut card = office.question(chat).await;
                assert!(
                    office.shown(&card).text.contains("Bash(git push *)"),
                    "what would be stored stands on the card"
                );
                let mut form = Form::default();
                while buttons && form.scope != scope {
                    let next = form.scope.next();
                    office.press_on(&card, &form, &Action::Scope(next).id(), JIN).await;
                    form.scope = next;
                    card = office.page(chat, &form, "").await;
                }
                office.press_on(&card, &form, &Action::Always { scope, broad: false }.id(), JIN).await;
            })
            .await;
        assert_eq!(approved_scope(&outcome), ApprovalScope::Always { scope, broad: false });
    }
}

async fn broad_suggestions_need_a_choice_of_their_own<P: Platform>(office: &Office<P>) {
    let offer = suggests("bash *", Some(Breadth::Shell));
    let asking = Asking { offer, ..Asking::new(&office.platform.private(JIN), "Wide") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            assert!(office.choices(&Form::default()).iter().all(|choice| !choice.id.starts_with("always")));
            office.press(&card, "widen", JIN).await;
            let broad = Form { broad: true, ..Form::default() };
            let page = office.page(chat, &broad, "").await;
            office.press_on(&page, &broad, "always-local-w", JIN).await;
        })
        .await;
    assert_eq!(approved_scope(&outcome), ApprovalScope::Always { scope: Scope::Local, broad: true });
}

async fn without_suggestions_there_is_no_always<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "None");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            assert!(office.shown(&card).choices.iter().all(|face| !face.contains("💾") && !face.contains("Scope")));
            office.press(&card, "session", JIN).await;
        })
        .await;
    assert_eq!(approved_scope(&outcome), ApprovalScope::Session);
}

async fn what_to_do_instead_is_told<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Tell");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let press = office.press(&card, "tell", JIN).await;
            if office.platform.fill(&press, "push to a *branch*").await.is_none() {
                let prompt = office.follower(&card).await;
                office.platform.reply(&prompt, JIN, "push to a *branch*");
            }
        })
        .await;
    let told =
        matches!(&outcome, Outcome::RejectedWithReason { reason, instead: true, .. } if reason == "push to a *branch*");
    assert!(told, "{outcome:?}");
}

async fn a_grant_of_ours_is_one<P: Platform>(office: &Office<P>) {
    let offer = Offer { granted: true, ..Offer::plain(true) };
    let asking = Asking { offer, ..Asking::new(&office.platform.private(JIN), "Grant") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "grant-30m", JIN).await;
        })
        .await;
    assert_eq!(approved_scope(&outcome), ApprovalScope::Granted { term: Term::HalfHour });
}

async fn a_plan_has_three_answers<P: Platform>(office: &Office<P>) {
    let chat = office.platform.private(JIN);
    let plan = |name| Asking { offer: Offer { plan: true, ..Offer::default() }, ..Asking::new(&chat, name) };
    for (name, choice, edits) in [("Auto", "auto-accept", Edits::AutoAccept), ("Manual", "manual", Edits::Manual)] {
        let outcome = office
            .ask(plan(name), async |office: &Office<P>, chat: &str| {
                let card = office.question(chat).await;
                office.press(&card, choice, JIN).await;
            })
            .await;
        assert_eq!(approved_scope(&outcome), ApprovalScope::Plan { edits });
    }
    let outcome = office
        .ask(plan("Keep"), async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            let prompt = office.follower(&card).await;
            office.give_reason(&prompt, JIN, "test first").await;
        })
        .await;
    assert_eq!(outcome.rejection().map(|(reason, _)| reason), Some("test first"));
}

async fn questions_are_answered_step_by_step<P: Platform>(office: &Office<P>) {
    let asking = Asking { offer: asks(), ..Asking::new(&office.platform.private(JIN), "Ask") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            assert!(office.shown(&card).text.contains("Teal: Teal it is"), "{:?}", office.shown(&card));
            office.press(&card, "q1-o1", JIN).await;
            let mut form = Form { question: 1, drafts: vec![chosen(&[0]), chosen(&[])], ..Form::default() };
            let rooms = office.page(chat, &form, "Which rooms?").await;
            office.press_on(&rooms, &form, "q2-back", JIN).await;
            form.question = 0;
            let color = office.page(chat, &form, "Which color?").await;
            office.press_on(&color, &form, "q1-o2", JIN).await;
            form = Form { question: 1, drafts: vec![chosen(&[1]), chosen(&[])], ..Form::default() };
            let rooms = office.page(chat, &form, "Which rooms?").await;
            office.press_on(&rooms, &form, "q2-o3", JIN).await;
            form.drafts[1] = chosen(&[2]);
            let rooms = office.page(chat, &form, "✅ Attic").await;
            let press = office.press_on(&rooms, &form, "q2-other", JIN).await;
            if office.platform.fill(&press, "the *shed*").await.is_none() {
                let is_prompt = |shown: &Shown| shown.choices.is_empty() && shown.text.contains("Which rooms?");
                let prompt = office.card(chat, is_prompt).await;
                office.platform.reply(&prompt, JIN, "the *shed*");
            }
            form.drafts[1].text = Some("the *shed*".to_owned());
            let rooms = office.page(chat, &form, "the *shed*").await;
            office.press_on(&rooms, &form, "q2-next", JIN).await;
            form.question = 2;
            let review = office.page(chat, &form, "Check the answers").await;
            office.press_on(&review, &form, "submit", JIN).await;
        })
        .await;
    let answered = |question: &str, label: &str, text: Option<&str>| Answered {
        question: question.to_owned(),
        labels: vec![label.to_owned()],
        text: text.map(str::to_owned),
    };
    let answers = vec![answered("Which color?", "Blue", None), answered("Which rooms?", "Attic", Some("the *shed*"))];
    assert_eq!(approved_scope(&outcome), ApprovalScope::Answers { answers });
    nothing_can_be_pressed(office);
}

async fn a_press_on_a_step_that_is_past_is_told_and_changes_nothing<P: Platform>(office: &Office<P>) {
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = Asking { listed, offer: asks(), ..Asking::new(&office.platform.group(), "Past") };
    office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "q1-o2", JIN).await;
            let form = Form { question: 1, drafts: vec![chosen(&[1]), chosen(&[])], ..Form::default() };
            office.page(chat, &form, "Which rooms?").await;
            let late = office.press(&card, "q1-o1", MINA).await;
            let outdated =
                "The card has changed, so this choice does not count. Please choose again on the card as it is now.";
            assert!(office.platform.await_told(&late, &card, outdated).await);
            let page = office.page(chat, &form, "Which rooms?").await;
            office.press_on(&page, &form, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            office.skip(&prompt, JIN).await;
        })
        .await;
    let lines = office.platform.shown(&office.chat());
    assert!(lines.iter().filter(|shown| shown.text.starts_with("The card has changed")).count() <= 1, "{lines:#?}");
    nothing_can_be_pressed(office);
}

async fn an_end_elsewhere_ends_a_half_filled_form<P: Platform>(office: &Office<P>) {
    let asking = Asking { offer: asks(), ..Asking::new(&office.platform.private(JIN), "Half") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "q1-o2", JIN).await;
            let form = Form { question: 1, drafts: vec![chosen(&[1]), chosen(&[])], ..Form::default() };
            office.page(chat, &form, "Which rooms?").await;
            office.stop();
        })
        .await;
    assert_eq!(outcome, Outcome::ResolvedElsewhere(Resolver::Stopped));
    nothing_can_be_pressed(office);
}

async fn a_card_that_could_not_be_drawn_again_is_once_the_messenger_is_back<P: Platform>(office: &Office<P>) {
    let asking = Asking { offer: asks(), ..Asking::new(&office.platform.private(JIN), "Redraw") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let redraw = if P::ANSWERING != Answering::Reactions { Doing::Revise } else { Doing::Post };
            office.platform.wire().fail(On::call(P::request(redraw)).times(2), Fault::Html(502));
            office.press(&card, "q1-o2", JIN).await;
            let form = Form { question: 1, drafts: vec![chosen(&[1]), chosen(&[])], ..Form::default() };
            let page = office.page(chat, &form, "Which rooms?").await;
            office.press_on(&page, &form, "q2-o1", JIN).await;
            let form = Form { drafts: vec![chosen(&[1]), chosen(&[0])], ..form };
            let page = office.page(chat, &form, "✅ Hall").await;
            office.press_on(&page, &form, "q2-next", JIN).await;
            let form = Form { question: 2, ..form };
            let review = office.page(chat, &form, "Check the answers").await;
            office.press_on(&review, &form, "submit", JIN).await;
        })
        .await;
    assert!(matches!(approved_scope(&outcome), ApprovalScope::Answers { .. }));
}

async fn who_comes_second_is_told_who_was_first<P: Platform>(office: &Office<P>) {
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = Asking { listed, ..Asking::new(&office.platform.group(), "Both") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            let second = office.press(&card, "approve", MINA).await;
            let who = format!("{} has denied this request.", JIN.known::<P>().name);
            assert!(office.platform.await_told(&second, &card, &who).await, "{:#?}", office.platform.shown(chat));
            office.give_reason(&prompt, JIN, "no").await;
        })
        .await;
    assert!(outcome.rejection().is_some(), "{outcome:?}");
}

async fn a_long_plan_is_a_file<P: Platform>(office: &Office<P>) {
    let command = format!("# Plan\n{}\nthe end", "1. *do* it\n".repeat(2000));
    let offer = Offer { plan: true, ..Offer::default() };
    let asking = Asking { command: command.clone(), offer, ..Asking::new(&office.platform.private(JIN), "Long") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let files: Vec<_> = office.platform.shown(chat).into_iter().flat_map(|shown| shown.files).collect();
            let [(_, bytes)] = files.as_slice() else { panic!("one file: {files:?}") };
            assert!(String::from_utf8_lossy(bytes).contains(&command), "the whole of it");
            office.press(&card, "manual", JIN).await;
        })
        .await;
    assert_eq!(approved_scope(&outcome), ApprovalScope::Plan { edits: Edits::Manual });
}

fn chosen(options: &[usize]) -> Draft {
    Draft { options: options.to_vec(), text: None }
}

#[track_caller]
fn nothing_can_be_pressed<P: Platform>(office: &Office<P>) {
    let shown = office.platform.shown(&office.chat());
    let left: Vec<_> = shown.iter().filter(|shown| shown.by_bot && !shown.choices.is_empty()).collect();
    assert!(left.is_empty(), "{left:#?}");
}
