//! Many callers at once, and a disk that fails.

use super::*;
use crate::approvals::answer::Begun;

#[tokio::test(start_paused = true)]
async fn of_many_who_answer_at_once_one_wins_and_all_others_are_told_who() {
    let it = Fixture::new();
    it.fake.takes(&[7, 1, 3]);
    let id = it.asked("ls").await;
    let all: Vec<_> = (0..100)
        .map(|n| {
            let approvals = it.approvals.clone();
            tokio::spawn(async move {
                let answer = if n % 2 == 0 { Answer::APPROVE } else { because("no") };
                let answered = approvals.answer(id, answer, person(&format!("p{n}"))).await;
                (format!("p{n}"), answered)
            })
        })
        .collect();
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for task in all {
        match task.await.unwrap() {
            (who, Ok(_)) => won.push(who),
            (_, Err(AnswerError::Ended(standing))) => {
                let Status::Ended { resolution, .. } = standing.status else { panic!("it has ended") };
                lost.push(resolution.by.unwrap().id);
            }
            (_, other) => panic!("{other:?}"),
        }
    }
    assert_eq!(won.len(), 1);
    assert_eq!(lost, vec![won[0].clone(); 99]);
}

#[tokio::test(start_paused = true)]
async fn an_allow_that_the_disk_does_not_take_is_none_and_the_request_is_open_again() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.fake.takes(&[50]);
    it.fake.fails(true);
    let second = tokio::spawn({
        let approvals = it.approvals.clone();
        async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            approvals.answer(id, Answer::APPROVE, person("eve")).await
        }
    });
    assert!(matches!(it.approve(id, "ada").await, Err(AnswerError::NotRecorded(..))));
    assert_eq!(it.approvals.get(id).await.unwrap().status, Status::Open);
    // The second caller waited for the result of the first.
    it.fake.fails(false);
    assert_eq!(outcome(&second.await.unwrap().unwrap()), Some(End::Approved));
}

#[tokio::test(start_paused = true)]
async fn an_allow_that_the_disk_does_not_take_does_not_outlive_the_requests_time() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    tokio::time::sleep(Duration::from_secs(299)).await;
    it.fake.takes(&[5_000]);
    it.fake.fails(true);
    assert!(matches!(it.approve(id, "ada").await, Err(AnswerError::NotRecorded(..))));
    it.fake.fails(false);
    assert_eq!(outcome(&it.approvals.ended(id).await.unwrap()), Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_the_disk_does_not_take_counts_and_is_recorded_as_soon_as_it_can_be() {
    for reason_to_come in [true, false] {
        let it = Fixture::new();
        let id = it.asked("ls").await;
        let mut heard = it.approvals.bus().subscribe(Kind::APPROVALS);
        it.fake.fails(true);
        let denied = match reason_to_come {
            true => it.deny(id, "ada").await,
            false => it.answer(id, because("no"), "ada").await,
        };
        assert!(matches!(denied, Err(AnswerError::NotRecorded(..))));
        let end = if reason_to_come { End::RejectedNoReason } else { End::RejectedWithReason };
        assert_eq!(outcome(&it.approvals.ended(id).await.unwrap()), Some(end));
        assert!(matches!(it.approve(id, "eve").await, Err(AnswerError::Ended(_))));
        it.approvals.taken(id, true).await;
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert_eq!(it.approvals.events_after(1, 9).await.unwrap(), []);

        it.fake.fails(false);
        tokio::time::sleep(Duration::from_secs(3)).await;
        let told: Vec<_> =
            std::iter::from_fn(|| heard.take()).map(|event| (event.event_id, event.message.kind())).collect();
        let resolved = Kind::ApprovalResolved;
        assert_eq!(told, [(None, resolved), (Some(2), resolved), (Some(3), Kind::ApprovalTaken)]);
        tokio::time::sleep(Duration::from_secs(120)).await;
        assert_eq!(it.approvals.state().requests.len(), 0);
        assert_eq!(it.outcome(id).await, Some(end));
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_stuck_when_the_disk_fails() {
    let it = Fixture::new();
    let (expires, gone) = (it.asked("ls").await, it.asked("pwd").await);
    it.fake.fails(true);
    assert!(matches!(it.approvals.ask(request("make")).await, Err(AskError::NotRecorded(..))));
    assert!(it.approvals.withdraw(gone, Resolver::ClientGone).await.is_err());
    assert_eq!(outcome(&it.approvals.ended(gone).await.unwrap()), Some(End::ResolvedElsewhere));
    assert_eq!(outcome(&it.approvals.ended(expires).await.unwrap()), Some(End::Expired));
}

#[tokio::test(start_paused = true)]
async fn who_asks_twice_at_once_waits_for_the_same_record() {
    let it = Fixture::new();
    it.fake.takes(&[20]);
    let question = request("ls");
    let both = tokio::join!(it.approvals.ask(question.clone()), it.approvals.ask(question.clone()));
    assert!(both.0.is_ok() && both.1.is_ok());
    assert_eq!(it.approvals.events_after(0, 9).await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_goes_on_when_whoever_brought_it_is_gone() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.fake.takes(&[50]);
    let answer = tokio::time::timeout(Duration::from_millis(10), it.approve(id, "ada")).await;
    assert!(answer.is_err());
    assert_eq!(outcome(&it.approvals.ended(id).await.unwrap()), Some(End::Approved));
}

#[tokio::test(start_paused = true)]
async fn a_change_that_breaks_off_leaves_the_request_to_the_next_one() {
    let it = Fixture::new();
    let id = it.asked("ls").await;
    it.fake.takes(&[50]);
    let allow = Command::Answer { answer: Answer::APPROVE, by: person("ada") };
    let Ok(Begun::First(turn, step)) = it.approvals.begin(id, Some(&allow)) else { panic!() };
    let broken = Approvals::carry_out(turn, step);
    tokio::time::sleep(Duration::from_millis(10)).await;
    it.fake.fails(true);
    broken.abort();
    assert!(broken.await.unwrap_err().is_cancelled());
    it.fake.takes(&[]);
    it.fake.fails(false);
    assert_eq!(outcome(&it.answer(id, because("no"), "eve").await.unwrap()), Some(End::RejectedWithReason));
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_closes_puts_what_was_answered_on_the_disk_and_takes_no_more() {
    let it = Fixture::new();
    let (denied, late) = (it.asked("ls").await, it.asked("pwd").await);
    it.fake.takes(&[700]);
    let approvals = it.approvals.clone();
    let closing = tokio::spawn(async move { approvals.close().await });
    // The command had arrived before `close`, and is applied a moment later.
    tokio::time::sleep(Duration::from_millis(90)).await;
    let approvals = it.approvals.clone();
    let answered = tokio::spawn(async move { approvals.answer(denied, because("no"), person("ada")).await });
    closing.await.unwrap();
    assert!(answered.is_finished());
    assert_eq!(outcome(&answered.await.unwrap().unwrap()), Some(End::RejectedWithReason));
    for answer in [Answer::APPROVE, because("no")] {
        assert!(matches!(it.answer(late, answer, "eve").await, Err(AnswerError::Closing(_))));
    }
    let it = it.restart();
    assert_eq!(it.outcome(denied).await, Some(End::RejectedWithReason));
    assert_eq!(outcome(&it.approve(late, "eve").await.unwrap()), Some(End::Approved));
}

#[tokio::test(start_paused = true)]
async fn an_owner_stays_closed_where_the_disk_is_too_slow_to_wait_for() {
    let it = Fixture::new();
    let (slow, late) = (it.asked("ls").await, it.asked("pwd").await);
    it.fake.takes(&[60_000]);
    let approvals = it.approvals.clone();
    let answered = tokio::spawn(async move { approvals.answer(slow, because("no"), person("ada")).await });
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(tokio::time::timeout(Duration::from_secs(2), it.approvals.close()).await.is_err());
    assert!(matches!(it.approve(late, "eve").await, Err(AnswerError::Closing(_))));
    assert_eq!(outcome(&answered.await.unwrap().unwrap()), Some(End::RejectedWithReason));
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_gave_up_while_the_disk_was_slow_leaves_no_request_open() {
    use crate::rpc::{Limits, Peer, Role, Services, Session};
    use serde_json::json;

    let it = Fixture::new();
    let id = RequestId::new();
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/work",
        "tool_name": "Bash", "tool_input": { "command": "git push" },
    });
    let params = json!({ "requestId": id, "input": input, "expiresInMs": 300_000 });
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "hook.ask", "params": params }).to_string();
    let peer = Peer { by: person("owner").on("cli"), role: Role::Local, limits: Limits::LOCAL };
    let (mut hook, outbox) = Session::open(Services::new(it.approvals.clone(), Default::default()), peer);
    it.fake.takes(&[10_000]);
    hook.receive(&ask).await;
    // The socket drops a connection whose last calls take longer than this.
    assert!(tokio::time::timeout(Duration::from_secs(5), hook.hung_up()).await.is_err());
    drop(outbox);
    assert_eq!(it.approvals.open_count(), 1, "it is still being recorded");
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(it.outcome(id).await, Some(End::ResolvedElsewhere));
    assert_eq!(it.approvals.open_count(), 0);
}
