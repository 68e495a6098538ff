//! The life of one request.

use dmplz_core::request::{ApprovalScope, Outcome};

use super::*;
use crate::bus::{Awaited, Bus, Requested};

#[tokio::test(start_paused = true)]
async fn whoever_asked_gets_the_first_answer_and_everybody_else_is_told_who_won() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    let asker = tokio::spawn({
        let approvals = it.approvals.clone();
        async move { approvals.ended(id).await }
    });
    let standing = it.approve(id, "ada").await.unwrap();
    assert_eq!(outcome(&standing), Some(End::Approved));
    assert_eq!(outcome(&asker.await.unwrap().unwrap()), Some(End::Approved));
    let Err(AnswerError::Ended(won)) = it.answer(id, because("no"), "eve").await else { panic!("it has ended") };
    let Status::Ended { resolution, .. } = won.status else { panic!("it has ended") };
    assert_eq!(resolution.by.unwrap().id, "ada");
    assert!(matches!(it.deny(id, "eve").await, Err(AnswerError::Ended(_))));
    assert!(matches!(it.approvals.withdraw(id, Resolver::ClientGone).await, Err(AnswerError::Ended(_))));
    assert_eq!(it.outcome(id).await, Some(End::Approved));
}

#[tokio::test(start_paused = true)]
async fn only_the_denier_says_why_and_nothing_makes_it_an_allow() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    let Status::Denied { until_ms, .. } = it.deny(id, "ada").await.unwrap().status else { panic!("it was denied") };
    assert_eq!(until_ms, START + 120_000);
    for (answer, who) in [(Answer::APPROVE, "ada"), (Answer::SESSION, "ada"), (because("mine"), "eve")] {
        assert!(matches!(it.answer(id, answer, who).await, Err(AnswerError::Denied(_))));
    }
    let standing = it.answer(id, because("not to main"), "ada").await.unwrap();
    assert_eq!(outcome(&standing), Some(End::RejectedWithReason));
}

#[tokio::test(start_paused = true)]
async fn a_denial_whose_reason_nobody_would_read_is_final_at_once() {
    let it = Fixture::new();
    let mut wanted = request("ls");
    wanted.offer.final_denial = true;
    it.approvals.ask(wanted.clone()).await.unwrap();
    assert_eq!(outcome(&it.deny(wanted.id, "ada").await.unwrap()), Some(End::RejectedNoReason));
}

#[tokio::test(start_paused = true)]
async fn nobody_listens_is_an_error_at_once() {
    let mut it = Fixture::new();
    let telegram = it.approvals.attach("telegram");
    let _second = it.approvals.attach("telegram");
    assert_eq!(it.approvals.surfaces(), BTreeMap::from([("other".to_owned(), 1), ("telegram".to_owned(), 2)]));
    drop((telegram, it.surface.take()));
    assert_eq!(it.approvals.surfaces(), BTreeMap::from([("telegram".to_owned(), 1)]));
    drop(_second);
    assert!(matches!(it.approvals.ask(request("ls")).await, Err(AskError::NobodyListens)));
    assert!(it.approvals.open().is_empty());
}

#[tokio::test(start_paused = true)]
async fn who_asks_again_gets_the_same_answer_also_when_it_ended_long_ago_or_before_a_restart() {
    let mut it = Fixture::new();
    let question = request("ls");
    it.approvals.ask(question.clone()).await.unwrap();
    it.approvals.ask(Request { created_ms: START + 5, ..question.clone() }).await.unwrap();
    assert_eq!(it.approvals.open().len(), 1);
    let other = Request { input: request("rm").input, ..question.clone() };
    assert!(matches!(it.approvals.ask(other.clone()).await, Err(AskError::IdTaken(_))));

    it.approve(question.id, "ada").await.unwrap();
    for wait in [0, 3600] {
        tokio::time::sleep(Duration::from_secs(wait)).await;
        it.approvals.ask(question.clone()).await.unwrap();
        assert_eq!(outcome(&it.approvals.ended(question.id).await.unwrap()), Some(End::Approved));
        assert!(matches!(it.approvals.ask(other.clone()).await, Err(AskError::IdTaken(_))));
    }
    assert_eq!(it.approvals.state().requests.len(), 0);
    it = it.restart();
    drop(it.surface.take());
    it.approvals.ask(question.clone()).await.unwrap();
    assert_eq!(outcome(&it.approvals.ended(question.id).await.unwrap()), Some(End::Approved));
    assert!(matches!(it.approvals.ask(other).await, Err(AskError::IdTaken(_))));
}

#[tokio::test(start_paused = true)]
async fn a_malformed_request_is_none() {
    let it = Fixture::new();
    let malformed = Request { tool: String::new(), ..request("ls") };
    assert!(matches!(it.approvals.ask(malformed).await, Err(AskError::Malformed(_))));
    let early = Request { expires_ms: START - 1, ..request("ls") };
    assert!(matches!(it.approvals.ask(early).await, Err(AskError::Malformed(_))));
}

#[tokio::test(start_paused = true)]
async fn more_than_anybody_answers_are_refused_and_room_comes_back() {
    let it = Fixture::new();
    it.approvals.state().unfinished = 19_999;
    let first = it.asked("ls").await;
    assert!(matches!(it.approvals.ask(request("ls")).await, Err(AskError::TooMany(20_000))));
    it.approve(first, "ada").await.unwrap();
    it.asked("ls").await;
}

#[tokio::test(start_paused = true)]
async fn what_requests_hold_together_is_bounded() {
    let it = Fixture::new();
    it.asked("ls").await;
    let held = it.approvals.state().weight;
    it.approvals.state().weight = 512 << 20;
    assert!(matches!(it.approvals.ask(request("ls")).await, Err(AskError::TooMany(1))));
    it.approvals.state().weight = held;
    it.asked("ls").await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(it.approvals.state().weight, 0);
}

#[tokio::test(start_paused = true)]
async fn open_requests_are_found_by_what_they_are_about() {
    let it = Fixture::new();
    it.asked("ls").await;
    it.asked("ls").await;
    assert_eq!(it.approvals.open_where(|request| request.tool == "Bash").len(), 2);
    assert_eq!(it.approvals.open_where(|request| request.tool == "Edit"), []);
}

#[tokio::test(start_paused = true)]
async fn what_was_made_of_it_is_kept_once() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.approvals.taken(id, true).await;
    assert_eq!(it.approvals.get(id).await.unwrap().status, Status::Open);
    it.approve(id, "ada").await.unwrap();
    it.approvals.taken(id, true).await;
    it.approvals.taken(id, false).await;
    let Status::Ended { taken, .. } = it.approvals.get(id).await.unwrap().status else { panic!("it has ended") };
    assert_eq!(taken, Some(true));
}

#[tokio::test(start_paused = true)]
async fn secrets_are_shown_while_it_is_open_and_masked_from_then_on_but_not_to_whoever_asked() {
    let it = Fixture::new();
    let id = it.asked("curl --token abc123def456").await;
    assert!(it.approvals.get(id).await.unwrap().request.input["command"].as_str().unwrap().contains("def456"));
    it.answer(id, because("use password=hunter2 instead"), "ada").await.unwrap();
    let asked = it.approvals.ended(id).await.unwrap();
    let Status::Ended { resolution, .. } = asked.status else { panic!("it has ended") };
    assert_eq!(resolution.reason.as_deref(), Some("use password=hunter2 instead"));
    let shown = serde_json::to_string(&it.approvals.get(id).await.unwrap()).unwrap();
    assert!(!shown.contains("hunter2") && !shown.contains("def456"), "{shown}");
    for event in it.approvals.events_after(1, 9).await.unwrap() {
        let told = serde_json::to_string(&event).unwrap();
        assert!(!told.contains("hunter2") && !told.contains("def456"), "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_publisher_leaves_stays_open_and_its_response_reaches_the_next_one() {
    let it = Fixture::new();
    it.approvals.serve_bus();
    let question = request("ls");
    let id = question.id;
    asked(it.approvals.bus(), question).await.leave();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(it.approvals.open_count(), 1);
    let mut awaited = it.approvals.resume(id).unwrap();
    assert!(matches!(it.approvals.resume(id), Err(AskError::IdTaken(_))));
    it.approve(id, "ada").await.unwrap();
    let approved = Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once };
    assert_eq!(awaited.outcome().await, Some(approved));
}

/// Publishes a request that no rule decides.
async fn asked(bus: &Bus, question: Request) -> Awaited {
    match bus.request(question, START).await.unwrap() {
        Requested::Asked(awaited) => awaited,
        Requested::Ruled(ruled) => panic!("{ruled:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_requests_of_the_bus_are_asked_and_answered() {
    let it = Fixture::new();
    it.approvals.serve_bus();
    let question = request("ls");
    let id = question.id;
    let waiting = tokio::spawn({
        let bus = it.approvals.bus().clone();
        async move { asked(&bus, question).await.outcome().await }
    });
    let mut shown = it.approvals.subscribe_from(0, Kind::APPROVALS);
    assert_eq!(shown.next().await.unwrap().event_id, Some(1));
    it.approve(id, "ada").await.unwrap();
    let approved = Outcome::Approved { by: person("ada"), scope: ApprovalScope::Once };
    assert_eq!(waiting.await.unwrap(), Some(approved));
}

#[tokio::test(start_paused = true)]
async fn a_request_of_the_bus_is_withdrawn_when_nobody_waits_for_it() {
    let it = Fixture::new();
    it.approvals.serve_bus();
    let question = request("ls");
    let id = question.id;
    let mut awaited = asked(it.approvals.bus(), question).await;
    assert!(tokio::time::timeout(Duration::from_secs(9), awaited.outcome()).await.is_err());
    drop(awaited);
    assert_eq!(outcome(&it.approvals.ended(id).await.unwrap()), Some(End::ResolvedElsewhere));
}

#[tokio::test(start_paused = true)]
async fn a_request_of_the_bus_that_no_surface_could_show_is_an_error_at_once() {
    let mut it = Fixture::new();
    it.approvals.serve_bus();
    it.surface = None;
    let mut heard = it.approvals.bus().subscribe(&[Kind::ConfirmationResponse]);
    let refused = it.approvals.bus().request(request("ls"), START).await.unwrap_err();
    assert!(matches!(refused, AskError::NobodyListens));
    let Message::ConfirmationResponse { confirmed, .. } = heard.next().await.unwrap().message else { unreachable!() };
    assert!(!confirmed);
}
