//! Cards that change, and what of them survives a process.

use super::*;

fn words_of(world: &World, call: &str) -> Vec<String> {
    world.log.iter().filter(|line| line.starts_with(call)).cloned().collect()
}

#[tokio::test(start_paused = true)]
async fn a_press_is_acknowledged_once_what_it_chose_is_written_down() {
    let world = World {
        events: [press(1000, "scope-user", "ann", 10)].into(),
        offer: Some(suggestion()),
        writing: 400,
        ..World::default()
    };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(1350).await;
        assert_eq!(words_of(&office.world.borrow(), "acknowledge"), [""; 0]);
        assert_eq!(office.world.borrow().saved.last().unwrap().view.form.scope, dmplz_core::claude::Scope::User);
        office.until(1450).await;
        assert_eq!(words_of(&office.world.borrow(), "acknowledge").len(), 1);
    })
    .await;
    assert!(story(&world).contains("revise 10:"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_half_filled_form_goes_on_where_a_process_that_is_gone_left_it() {
    for (transport, first) in [(transport(), 10), (reactions(), 20)] {
        let answer = |at, id: &str, on| match transport.answering {
            Answering::Buttons | Answering::Typed => press(at, id, "ann", on),
            Answering::Reactions => reaction(at, id, "ann", on),
        };
        let events = [answer(1000, "q1-o2", 10), answer(5000, "q2-other", first)];
        let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
        let before = serve(world, transport.clone(), 1, &[], async |office: &Office| {
            office.ask("A");
            office.until(9000).await;
        })
        .await;
        let left = before.saved.last().unwrap().clone();
        assert!(left.view.form.writer.is_some() && left.prompt.is_some(), "{}", story(&before));
        let prompt = left.prompt.clone().unwrap().sequence;
        let (after, end) = (prompt + 1, prompt + 100);
        let next = if transport.answering == Answering::Buttons { 10 } else { end + 10 };
        let last = if transport.answering == Answering::Buttons { 10 } else { first };
        let events = [
            says(1000, "Medium", "ann", after),
            answer(5000, "q2-o1", last),
            answer(9000, "q2-next", last),
            answer(15_000, "submit", next),
        ];
        let world = World {
            events: events.into(),
            offer: Some(questions()),
            messages: end,
            clock_set_by: 60_000,
            ..World::default()
        };
        let world = serve(world, transport.clone(), 1, &[], async |office: &Office| {
            let job = Job { progress: Some(left.clone()), ..office.job("A") };
            office.commands.try_send(Command::Ask(Box::new(job))).unwrap();
            office.until(30_000).await;
        })
        .await;
        assert!(story(&world).contains("= A answered at 15000"), "{transport:?}\n{}", story(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn presses_are_acknowledged_while_another_card_takes_its_time() {
    for persistent in [false, true] {
        let events = [press(2000, "scope-user", "ann", 10), press(3000, "approve", "eve", 10)];
        let world = World { events: events.into(), offer: Some(suggestion()), ..World::default() };
        serve(world, Transport { persistent, ..transport() }, 3, &[], async |office: &Office| {
            office.ask("A");
            office.until(1000).await;
            office.world.borrow_mut().slow.push(("post", 20_000));
            office.ask("B");
            office.until(2010).await;
            assert_eq!(words_of(&office.world.borrow(), "acknowledge").len(), 1);
            office.until(3010).await;
            assert_eq!(words_of(&office.world.borrow(), "acknowledge").len(), 2);
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_form_is_to_say_is_known_a_second_after_its_card_or_prompt_is_posted() {
    let persistent = Transport { persistent: true, reads_chat: false, ..transport() };
    let events = [press(30_000, "deny", "ann", 10)];
    let world = World { events: events.into(), ..World::default() };
    serve(world, persistent, 1, &[], async |office: &Office| {
        let title = |at: usize| {
            let world = office.world.borrow();
            let fields = world.watched.get(at).into_iter().flat_map(|watch| &watch.choices);
            fields.filter_map(|choice| choice.field.as_ref()).map(|field| field.title.clone()).next()
        };
        office.until(10_000).await;
        office.ask("A");
        office.until(11_500).await;
        assert_eq!(title(0).as_deref(), Some("Tell Claude what to do instead"));
        office.until(31_500).await;
        assert_eq!(title(1).as_deref(), Some("Why do you deny it?"), "{:?}", office.world.borrow().watched);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_is_down_while_a_card_is_drawn_again_gets_it_when_it_is_back() {
    let events = [press(1000, "q1-o2", "ann", 10)];
    let world =
        World { events: events.into(), offer: Some(questions()), outage: Some((1000, 90_000)), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(500).await;
        office.world.borrow_mut().outage = Some((1001, 90_000));
        office.until(120_000).await;
    })
    .await;
    let saved = world.saved.last().unwrap();
    assert_eq!((saved.view.shown.question, saved.view.form.question), (1, 1), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn an_answer_elsewhere_ends_a_card_that_is_half_filled_in_and_a_late_press_loses() {
    let by = approver("bob");
    let events = [press(1000, "q1-o2", "ann", 10), press(3000, "q2-o1", "ann", 10)];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(2000).await;
        close(&office.commands, "A", &Outcome::Approved { by, scope: dmplz_core::request::ApprovalScope::Once });
        office.until(5000).await;
    })
    .await;
    assert!(story(&world).contains("acknowledge ann-q2-o1-3000 This permission request"), "{}", story(&world));
    assert!(world.shown["10"].choices.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_restart_does_not_change_the_age_of_a_choice() {
    let events = [press(1000, "scope-user", "ann", 10)];
    let world = World { events: events.into(), offer: Some(suggestion()), ..World::default() };
    let before = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(5000).await;
    })
    .await;
    let left = before.saved.last().unwrap();
    assert_eq!(left.view.form.touched_ms, Some(DAY + 1000));
    let restarted = |clock_set_by: i64| {
        let events = [press(1000, "always-user", "ann", 10), press(5000, "always-local", "ann", 10)];
        let world = World { events: events.into(), offer: Some(suggestion()), clock_set_by, ..World::default() };
        let progress = Some(left.clone());
        serve(world, transport(), 1, &[], async move |office: &Office| {
            let job = Job { progress: progress.clone(), ..office.job("A") };
            office.commands.try_send(Command::Ask(Box::new(job))).unwrap();
            office.until(20_000).await;
        })
    };
    for (clock_set_by, answered_at) in [(60_000, 1000), (900_000, 1000), (900_001, 5000), (-86_400_000, 5000)] {
        let world = restarted(clock_set_by).await;
        let answered = format!("= A approved_always at {answered_at}");
        assert!(story(&world).contains(&answered), "{clock_set_by}: {}", story(&world));
        assert_eq!(story(&world).contains("more than 15 minutes old"), answered_at == 5000, "{}", story(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_has_a_field_where_the_chat_is_not_read_and_only_there() {
    for (persistent, reads_chat) in [(false, true), (false, false), (true, true), (true, false)] {
        let world = World { events: [press(1000, "deny", "ann", 10)].into(), ..World::default() };
        serve(world, Transport { persistent, reads_chat, ..transport() }, 1, &[], async |office: &Office| {
            office.ask("A");
            office.until(5000).await;
            let world = office.world.borrow();
            let prompt = world.shown.values().find(|card| card.wants_text).unwrap();
            let has_field = prompt.choices.iter().any(|choice| choice.field.is_some());
            assert_eq!(has_field, !reads_chat, "persistent: {persistent}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_posted_once_its_tag_is_written_down() {
    let world = World { writing: 400, ..World::default() };
    serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(350).await;
        assert_eq!(words_of(&office.world.borrow(), "post"), [""; 0]);
        assert_eq!(office.world.borrow().saved.last().unwrap().stage, Stage::Posting);
        office.until(450).await;
        assert_eq!(words_of(&office.world.borrow(), "post").len(), 1);
    })
    .await;
}
