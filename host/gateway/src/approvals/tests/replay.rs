//! Every event is returned once, in order, wherever a subscription begins.

use super::*;

async fn ids(replay: &mut Replay, many: usize) -> Vec<u64> {
    let mut ids = Vec::new();
    for _ in 0..many {
        ids.push(replay.next().await.unwrap().event_id.unwrap());
    }
    ids
}

#[tokio::test(start_paused = true)]
async fn a_subscription_begins_anywhere_and_goes_on_live() {
    let it = Fixture::new();
    for _ in 0..600 {
        it.asked("ls").await;
    }
    for after in [0, 1, 300, 599, 600] {
        let mut replay = it.approvals.subscribe_from(after, Kind::APPROVALS);
        let last = it.approvals.last_event_id();
        it.asked("live").await;
        let wanted: Vec<_> = (after + 1..=last + 1).collect();
        assert_eq!(ids(&mut replay, wanted.len()).await, wanted);
        assert_eq!(replay.after, last + 1);
        let more = tokio::time::timeout(Duration::from_secs(1), replay.next()).await;
        assert!(more.is_err(), "{more:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_types_that_were_asked_for_come() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.asked("pwd").await;
    it.approve(id, "ada").await.unwrap();
    let mut replay = it.approvals.subscribe_from(0, &[Kind::ApprovalResolved]);
    assert_eq!(ids(&mut replay, 1).await, [3]);
    it.approvals.taken(id, true).await;
    it.approve(it.approvals.open()[0].request.id, "ada").await.unwrap();
    assert_eq!(ids(&mut replay, 1).await, [5]);
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_too_slowly_gets_all_of_it_from_the_disk() {
    let it = Fixture::new();
    let mut replay = it.approvals.subscribe_from(0, Kind::APPROVALS);
    it.asked("ls").await;
    assert_eq!(ids(&mut replay, 1).await, [1]);
    for _ in 0..3_000 {
        it.asked("ls").await;
    }
    assert_eq!(ids(&mut replay, 3_000).await, (2..=3_001).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn what_is_recorded_besides_is_told_in_the_same_order() {
    let it = Fixture::new();
    let mut replay = it.approvals.subscribe_from(0, &[Kind::ApprovalRequested, Kind::ToolStarted]);
    it.asked("ls").await;
    let started = Message::ToolStarted { invocation_id: uuid::Uuid::from_u128(1) };
    assert_eq!(it.approvals.record(started).await.unwrap(), 2);
    it.asked("ls").await;
    assert_eq!(ids(&mut replay, 3).await, [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn history_and_figures_are_of_everything() {
    let it = Fixture::new();
    let (one, two) = (it.asked("make one").await, it.asked("make two").await);
    it.asked("make three").await;
    it.approve(one, "ada").await.unwrap();
    it.answer(two, because("no"), "ada").await.unwrap();
    let ids = |found: Vec<Standing>| found.into_iter().map(|standing| standing.request.id).collect::<Vec<_>>();
    let ended = Filter { outcome: Some(End::Approved), ..Filter::default() };
    assert_eq!(ids(it.approvals.history(&ended, 9).await.unwrap()), [one]);
    let before = Filter { before: Some(two.to_string()), ..Filter::default() };
    assert_eq!(ids(it.approvals.history(&before, 9).await.unwrap()), [one]);
    let figures = it.approvals.figures(None, None).await.unwrap();
    assert_eq!((figures.requests, figures.approved, figures.with_reason.count), (2, 1, 1));
}
