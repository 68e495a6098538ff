//! Time is monotonic while the gateway runs; after a restart the wall clock is used with care.

use std::collections::HashSet;

use super::*;

async fn secs(secs: u64) {
    tokio::time::sleep(Duration::from_secs(secs)).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_answered_in_time_is_an_end_of_its_own() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    secs(299).await;
    assert_eq!(it.outcome(id).await, None);
    secs(2).await;
    assert_eq!(it.outcome(id).await, Some(End::Expired));
    assert!(matches!(it.approve(id, "ada").await, Err(AnswerError::Ended(_))));
}

#[tokio::test(start_paused = true)]
async fn a_request_never_lives_longer_than_the_gateway_allows_nor_than_it_says() {
    let it = Fixture::new();
    let (short, long) = (Request { expires_ms: START + 10_000, ..request("ls") }, request("ls"));
    let long = Request { expires_ms: START + 900_000, ..long };
    for request in [&short, &long] {
        it.approvals.ask(request.clone()).await.unwrap();
    }
    secs(11).await;
    assert_eq!((it.outcome(short.id).await, it.outcome(long.id).await), (Some(End::Expired), None));
    secs(290).await;
    assert_eq!(it.outcome(long.id).await, Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_comes_in_just_after_the_time_counts_and_an_approval_does_not() {
    let it = Fixture::new();
    let (denied, approved) = (it.asked("ls").await, it.asked("pwd").await);
    secs(300).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(matches!(it.approve(approved, "ada").await, Err(AnswerError::Ended(_))));
    it.deny(denied, "ada").await.unwrap();
    secs(1).await;
    assert_eq!(it.outcome(denied).await, Some(End::RejectedNoReason));
    assert_eq!(it.outcome(approved).await, Some(End::Expired));
}

async fn millis(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

#[tokio::test(start_paused = true)]
async fn a_request_on_a_messengers_card_ends_once_that_messenger_has_looked_after_its_time() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.approvals.shown(id, "telegram");
    millis(299_900).await;
    it.approvals.looked("telegram", Instant::now());
    millis(400).await;
    assert_eq!(it.outcome(id).await, None, "a press may be on its way");
    it.approvals.looked("telegram", Instant::now());
    millis(60).await;
    assert_eq!(it.outcome(id).await, Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_does_not_look_holds_no_request_open_for_long() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.approvals.shown(id, "telegram");
    millis(300_700).await;
    assert_eq!(it.outcome(id).await, None);
    millis(100).await;
    assert_eq!(it.outcome(id).await, Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn while_a_messenger_looks_for_the_last_time_a_denial_counts_and_an_approval_does_not() {
    let it = Fixture::new();
    let (denied, approved) = (it.asked("ls").await, it.asked("pwd").await);
    [denied, approved].into_iter().for_each(|id| it.approvals.shown(id, "telegram"));
    millis(300_500).await;
    assert!(matches!(it.approve(approved, "ada").await, Err(AnswerError::Ended(_))));
    it.deny(denied, "ada").await.unwrap();
    millis(60).await;
    assert_eq!(it.outcome(denied).await, Some(End::RejectedNoReason), "its asker does not wait for a reason");
    millis(240).await;
    assert_eq!(it.outcome(approved).await, Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn an_approval_after_the_time_does_not_end_a_request_for_which_a_denial_may_be_on_its_way() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.approvals.shown(id, "telegram");
    for wait in [300_050, 250] {
        millis(wait).await;
        let Err(AnswerError::Ended(told)) = it.approve(id, "eve").await else { panic!("it is too late") };
        assert_eq!(outcome(&told), Some(End::Expired));
    }
    it.deny(id, "ada").await.unwrap();
    millis(500).await;
    assert_eq!(it.outcome(id).await, Some(End::RejectedNoReason));
}

#[tokio::test(start_paused = true)]
async fn a_surface_whose_approval_comes_too_late_is_told_how_the_request_ended_in_the_end() {
    let it = Fixture::new();
    let (denied, expired) = (it.asked("ls").await, it.asked("pwd").await);
    [denied, expired].into_iter().for_each(|id| it.approvals.shown(id, "telegram"));
    millis(300_050).await;
    let late = async |id| match it.approvals.respond(id, Answer::APPROVE, person("eve")).await {
        Err(AnswerError::Ended(told)) => outcome(&told),
        answered => panic!("{answered:?}"),
    };
    let denying = async {
        millis(300).await;
        it.deny(denied, "ada").await.unwrap();
    };
    let (first, second, ()) = tokio::join!(late(denied), late(expired), denying);
    assert_eq!((first, second), (Some(End::RejectedNoReason), Some(End::Expired)));
}

/// Returns whether the request expired with the cause that no surface showed it.
async fn was_unshown(approvals: &Approvals, id: RequestId) -> bool {
    let Status::Ended { resolution, .. } = approvals.get(id).await.unwrap().status else { panic!("it has ended") };
    assert_eq!(resolution.outcome, End::Expired);
    resolution.reason.is_some_and(|why| why.starts_with("no messenger showed it in time"))
}

#[tokio::test(start_paused = true)]
async fn a_request_that_no_surface_showed_says_so_at_its_end() {
    let it = Fixture { surface: None, ..Fixture::new() };
    let messenger = it.approvals.attach_messenger("telegram");
    let (unshown, shown, seen) = (it.asked("ls").await, it.asked("pwd").await, it.asked("id").await);
    it.approvals.shown(shown, "telegram");
    secs(301).await;
    assert!(was_unshown(&it.approvals, unshown).await, "its messenger was never ready");
    assert!(!was_unshown(&it.approvals, shown).await, "its card was up");
    let page = it.approvals.attach("web");
    secs(1).await;
    assert!(was_unshown(&it.approvals, seen).await, "the page came after its end");
    let seen = it.asked("whoami").await;
    drop((page, messenger));
    secs(301).await;
    assert!(!was_unshown(&it.approvals, seen).await, "a page was there");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_comes_back_and_that_nobody_was_shown_says_so_at_its_end() {
    for (was_shown, is_ready) in [(false, false), (true, false), (false, true)] {
        let it = Fixture::new();
        let id = it.asked("ls").await;
        let Fixture { fake, wall, .. } = it;
        let fake = fake.killed();
        let shown = if was_shown { [id].into() } else { HashSet::new() };
        let approvals = Approvals::with(Arc::new(fake.clone()), Bus::default(), rules(), wall.clock());
        approvals.go_on(Recovered { shown, ..fake.recovered() });
        let messenger = approvals.attach_messenger("telegram");
        if is_ready {
            approvals.shown(id, "telegram");
        }
        secs(301).await;
        assert_eq!(was_unshown(&approvals, id).await, !was_shown && !is_ready);
        drop(messenger);
    }
}

#[tokio::test(start_paused = true)]
async fn a_reason_that_does_not_come_leaves_a_denial() {
    let it = Fixture::new();
    let (early, late) = (it.asked("ls").await, it.asked("pwd").await);
    it.deny(early, "ada").await.unwrap();
    secs(121).await;
    assert_eq!(it.outcome(early).await, Some(End::RejectedNoReason));
    // The time for a reason does not extend beyond the time for an answer.
    secs(139).await;
    let Status::Denied { until_ms, .. } = it.deny(late, "ada").await.unwrap().status else { panic!("it was denied") };
    assert_eq!(until_ms, START + 40_000);
    secs(41).await;
    assert_eq!(it.outcome(late).await, Some(End::RejectedNoReason));
}

#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_jumps_changes_nothing_while_the_gateway_runs() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.wall.set(START + 9_000_000);
    secs(299).await;
    assert_eq!(it.outcome(id).await, None);
    it.wall.set(0);
    secs(2).await;
    assert_eq!(it.outcome(id).await, Some(End::Expired));
}

/// As after a laptop was suspended: the wall clock moves on, and the monotonic one does not.
#[tokio::test(start_paused = true)]
async fn a_surface_counts_the_time_that_is_left_on_the_monotonic_clock() {
    let it = Fixture::new();
    let (asked_at, id) = (tokio::time::Instant::now(), it.asked("ls").await);
    it.wall.set(START + 7_200_000);
    assert_eq!(it.approvals.expires(id), Some(asked_at + Duration::from_secs(300)));
    assert_eq!(it.approvals.reason_until(id), None);
    it.deny(id, "ada").await.unwrap();
    assert_eq!(it.approvals.reason_until(id), Some(asked_at + Duration::from_secs(120)));
    assert_eq!(it.approvals.expires(RequestId::new()), None);
}

#[tokio::test(start_paused = true)]
async fn what_is_left_of_its_time_after_a_restart_is_never_more_than_it_had() {
    // The wall clock at the restart, and the seconds that are left then.
    for (back_ms, left) in
        [(START + 100_000, 200), (START + 300_000, 0), (START + 9_000_000, 0), (0, 300), (START, 300)]
    {
        let it = Fixture::new();
        let id = it.asked("ls").await;
        it.wall.set(back_ms);
        let it = it.restart();
        if left > 0 {
            secs(left - 1).await;
            assert_eq!(it.outcome(id).await, None, "{back_ms}");
        }
        secs(2).await;
        assert_eq!(it.outcome(id).await, Some(End::Expired), "{back_ms}");
    }
}

/// Restarts a killed gateway that knows how far its wall clock was set forward meanwhile.
fn restart_knowing(it: Fixture, id: RequestId, drift_ms: i64) -> Fixture {
    let Fixture { fake, wall, .. } = it;
    let fake = fake.killed();
    let approvals = Approvals::with(Arc::new(fake.clone()), Bus::default(), rules(), wall.clock());
    approvals.go_on(Recovered { drift_ms: [(id, drift_ms)].into(), ..fake.recovered() });
    let surface = Some(approvals.attach("other"));
    Fixture { approvals, fake, wall, surface }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumped_while_the_gateway_was_away_neither_ends_a_request_nor_lets_it_live_longer() {
    for drift_ms in [0, 600_000, -800_000, 1 - START.cast_signed()] {
        let it = Fixture::new();
        let id = it.asked("ls").await;
        let back_ms = (START + 100_000).saturating_add_signed(drift_ms);
        it.wall.set(back_ms);
        let it = restart_knowing(it, id, drift_ms);
        let shown = it.approvals.get(id).await.unwrap().request;
        assert_eq!(shown.expires_ms, back_ms + 200_000, "surfaces count by the clock as it is");
        secs(199).await;
        assert_eq!(it.outcome(id).await, None, "{drift_ms}");
        secs(2).await;
        assert_eq!(it.outcome(id).await, Some(End::Expired), "{drift_ms}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumped_leaves_a_denier_the_time_to_say_why() {
    for drift_ms in [600_000, -800_000] {
        let it = Fixture::new();
        let id = it.asked("ls").await;
        it.deny(id, "ada").await.unwrap();
        let back_ms = (START + 100_000).saturating_add_signed(drift_ms);
        it.wall.set(back_ms);
        let it = restart_knowing(it, id, drift_ms);
        let Status::Denied { until_ms, .. } = it.approvals.get(id).await.unwrap().status else {
            panic!("it is denied")
        };
        assert_eq!(until_ms, back_ms + 20_000);
        secs(19).await;
        assert_eq!(it.outcome(id).await, None, "{drift_ms}");
        it.answer(id, because("no"), "ada").await.unwrap();
        assert_eq!(it.outcome(id).await, Some(End::RejectedWithReason));
    }
}

#[tokio::test(start_paused = true)]
async fn a_denial_goes_on_after_a_restart_and_its_reason_still_counts() {
    for (back_ms, left) in [(START + 100_000, 20), (START + 9_000_000, 0), (0, 120)] {
        let it = Fixture::new();
        let (told, silent) = (it.asked("ls").await, it.asked("pwd").await);
        it.deny(told, "ada").await.unwrap();
        it.deny(silent, "ada").await.unwrap();
        it.wall.set(back_ms);
        let it = it.restart();
        if left > 0 {
            secs(left - 1).await;
            it.answer(told, because("no"), "ada").await.unwrap();
            assert_eq!(it.outcome(told).await, Some(End::RejectedWithReason));
            assert_eq!(it.outcome(silent).await, None);
        }
        secs(2).await;
        assert_eq!(it.outcome(silent).await, Some(End::RejectedNoReason));
    }
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_open_requests_expire_and_leave_memory() {
    let it = Fixture::new();
    let ids: Vec<_> = futures(&it, 10_000).await;
    it.approve(ids[5_000], "ada").await.unwrap();
    assert_eq!(it.approvals.open().len(), 9_999);
    secs(301).await;
    assert_eq!(it.approvals.open().len(), 0);
    secs(61).await;
    let state = it.approvals.state();
    assert_eq!((state.requests.len(), state.wakes.len(), state.unfinished), (0, 0, 0));
}

async fn futures(it: &Fixture, many: usize) -> Vec<RequestId> {
    let mut ids = Vec::new();
    for _ in 0..many {
        ids.push(it.asked("ls").await);
    }
    ids
}

#[tokio::test(start_paused = true)]
async fn the_task_that_waits_ends_with_its_owner() {
    let it = Fixture::new();
    it.asked("ls").await;
    let weak = Arc::downgrade(&it.approvals.shared);
    drop(it);
    secs(1).await;
    assert_eq!((weak.strong_count(), tokio::runtime::Handle::current().metrics().num_alive_tasks()), (0, 0));
}
