//! Tests on the real disk.

use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use tempfile::TempDir;

use super::*;
use crate::disk::Disk;

async fn durable(temp: &TempDir) -> (Approvals, Attached) {
    let dir = StateDir::open(temp.path()).unwrap();
    let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), START).await.unwrap();
    let approvals = Approvals::over(disk, recovered, Bus::default(), rules(), Wall::new().clock());
    let surface = approvals.attach("web");
    (approvals, surface)
}

#[tokio::test]
async fn everything_goes_on_after_a_restart() {
    let temp = tempfile::tempdir().unwrap();
    let questions: Vec<_> = ["open", "denied", "approved"].into_iter().map(request).collect();
    let [open, denied, approved] = [0, 1, 2].map(|n: usize| questions[n].id);
    {
        let (approvals, _surface) = durable(&temp).await;
        for question in &questions {
            approvals.ask(question.clone()).await.unwrap();
        }
        approvals.deny(denied, person("ada"), false).await.unwrap();
        approvals.answer(approved, Answer::APPROVE, person("ada")).await.unwrap();
        approvals.taken(approved, true).await;
        assert_eq!(approvals.last_event_id(), 6);
    }
    let (approvals, _surface) = durable(&temp).await;
    assert_eq!(approvals.last_event_id(), 6);
    for question in &questions {
        approvals.ask(question.clone()).await.unwrap();
        let other = Request { input: request("rm -rf /").input, ..question.clone() };
        assert!(matches!(approvals.ask(other).await, Err(AskError::IdTaken(_))));
    }
    assert_eq!(outcome(&approvals.ended(approved).await.unwrap()), Some(End::Approved));
    approvals.answer(denied, because("no"), person("ada")).await.unwrap();
    approvals.answer(open, Answer::APPROVE, person("ada").on("cli")).await.unwrap();
    let mut replay = approvals.subscribe_from(0, Kind::APPROVALS);
    for number in 1..=8 {
        assert_eq!(replay.next().await.unwrap().event_id, Some(number));
    }
    assert_eq!(approvals.history(&Filter::default(), 9).await.unwrap().len(), 3);
    assert_eq!(approvals.figures(None, None).await.unwrap().requests, 3);
}

#[tokio::test]
async fn live_events_come_in_the_order_of_the_audit_trail_and_say_what_it_says() {
    let temp = tempfile::tempdir().unwrap();
    let (approvals, _surface) = durable(&temp).await;
    let mut live = approvals.bus().subscribe(Kind::APPROVALS);
    let all: Vec<_> = (0..100)
        .map(|_| {
            let approvals = approvals.clone();
            tokio::spawn(async move {
                let question = request("ls");
                let id = question.id;
                approvals.ask(question).await.unwrap();
                approvals.answer(id, Answer::APPROVE, person("ada")).await.unwrap();
                approvals.taken(id, true).await;
            })
        })
        .collect();
    for task in all {
        task.await.unwrap();
    }
    let told: Vec<_> = std::iter::from_fn(|| live.take()).map(|event| (*event).clone()).collect();
    let numbers: Vec<_> = told.iter().map(|event| event.event_id.unwrap()).collect();
    assert_eq!(numbers, (1..=300).collect::<Vec<_>>());
    let told_again = approvals.events_after(0, 300).await.unwrap();
    let plain = |event: &&Event| event.message.kind() != Kind::ApprovalRequested;
    assert!(told.iter().filter(plain).eq(told_again.iter().filter(plain)));
}

#[tokio::test]
async fn threads_with_runtimes_of_their_own_race_for_every_request_and_each_has_one_winner() {
    let temp = tempfile::tempdir().unwrap();
    let (approvals, _surface) = durable(&temp).await;
    let questions: Vec<_> = (0..40).map(|_| request("ls")).collect();
    for question in &questions {
        approvals.ask(question.clone()).await.unwrap();
    }
    let ids: Vec<_> = questions.iter().map(|question| question.id).collect();
    let race = |n: usize| {
        let (approvals, ids) = (approvals.clone(), ids.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            let answer = if n.is_multiple_of(2) { Answer::APPROVE } else { because("no") };
            let mut won = Vec::new();
            for id in ids {
                match runtime.block_on(approvals.answer(id, answer.clone(), person(&format!("p{n}")))) {
                    Ok(standing) => won.push((id, outcome(&standing))),
                    Err(AnswerError::Ended(_)) => {}
                    Err(other) => panic!("{other:?}"),
                }
            }
            won
        })
    };
    let threads: Vec<_> = (0..6).map(race).collect();
    let joined =
        tokio::task::spawn_blocking(|| threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect());
    let mut won: Vec<(RequestId, Option<End>)> = joined.await.unwrap();
    for (id, end) in &won {
        assert_eq!(outcome(&approvals.ended(*id).await.unwrap()), *end);
    }
    won.sort_by_key(|(id, _)| *id);
    let mut sorted = ids;
    sorted.sort();
    assert_eq!(won.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), sorted);
}

#[tokio::test]
async fn what_a_rule_decides_is_in_the_history() {
    let temp = tempfile::tempdir().unwrap();
    let dir = StateDir::open(temp.path()).unwrap();
    let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), START).await.unwrap();
    let denial = dmplz_policy::RuleDenial { rule: "policy.toml:3".into(), message: None, reason: None };
    let judge = move |_: &Request| crate::bus::Verdict::Ruled(dmplz_policy::Ruled::Denied(denial.clone()));
    let bus = Bus::judged(judge, dmplz_core::text::Lang::En);
    let approvals = Approvals::over(disk, recovered, bus, rules(), Wall::new().clock());
    let requested = approvals.bus().request(request("ls"), START).await.unwrap();
    assert!(matches!(requested, crate::bus::Requested::Ruled(dmplz_policy::Ruled::Denied(_))));
    let mut told = approvals.subscribe_from(0, &[Kind::PolicyRejection]);
    let kept = loop {
        let kept = approvals.history(&Filter::default(), 9).await.unwrap();
        match kept.is_empty() {
            true => tokio::task::yield_now().await,
            false => break kept,
        }
    };
    assert_eq!(outcome(&kept[0]), Some(End::DeniedByRule));
    assert_eq!(told.next().await.unwrap().event_id, Some(1));
}

/// Returns the process's resident memory in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
#[ignore = "measures: run it alone, with --release and --nocapture"]
async fn what_ten_thousand_open_requests_cost() {
    let temp = tempfile::tempdir().unwrap();
    let (approvals, _surface) = durable(&temp).await;
    let command = format!("cargo test --workspace -- {}", "some_filter ".repeat(20));
    approvals.ask(request(&command)).await.unwrap();
    let before = resident();
    let started = std::time::Instant::now();
    let (mut ids, mut askers) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let some: Vec<_> = (0..100).map(|_| request(&command)).collect();
        let asked = some.iter().map(|question| {
            let (approvals, question) = (approvals.clone(), question.clone());
            tokio::spawn(async move { approvals.ask(question).await.unwrap() })
        });
        for task in asked.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        for question in &some {
            let (approvals, id) = (approvals.clone(), question.id);
            ids.push(id);
            askers.push(tokio::spawn(async move { approvals.ended(id).await.unwrap() }));
        }
    }
    tokio::task::yield_now().await;
    println!("asked: {:?} each, {} bytes each", started.elapsed() / 10_000, (resident() - before) * 1024 / 10_000);
    let mut times = Vec::new();
    for (id, asker) in ids.drain(..500).zip(askers.drain(..500)) {
        let started = std::time::Instant::now();
        let answered = approvals.answer(id, Answer::APPROVE, person("ada"));
        let (answered, _) = tokio::join!(answered, asker);
        answered.unwrap();
        times.push(started.elapsed());
    }
    times.sort();
    println!("answer to asker: p50 {:?}, p99 {:?}", times[250], times[495]);
    let started = std::time::Instant::now();
    let all: Vec<_> = ids
        .iter()
        .map(|id| {
            let (approvals, id) = (approvals.clone(), *id);
            tokio::spawn(async move { approvals.answer(id, Answer::APPROVE, person("ada")).await.unwrap() })
        })
        .collect();
    for task in all {
        task.await.unwrap();
    }
    println!("answers at once: {:.0} a second", ids.len() as f64 / started.elapsed().as_secs_f64());
}

#[tokio::test]
async fn who_asks_again_for_what_cannot_be_read_gets_an_error_and_nobody_can_allow_it() {
    let temp = tempfile::tempdir().unwrap();
    let question = request("ls");
    {
        let (approvals, _surface) = durable(&temp).await;
        approvals.ask(question.clone()).await.unwrap();
    }
    let file = rusqlite::Connection::open(temp.path().join("state.db")).unwrap();
    file.execute("UPDATE requests SET body = 'no JSON'", []).unwrap();
    let (approvals, surface) = durable(&temp).await;
    assert_eq!(approvals.open(), []);
    for _ in 0..2 {
        assert!(matches!(approvals.ask(question.clone()).await, Err(AskError::NotRecorded(..))));
    }
    for answer in [Answer::APPROVE, because("no")] {
        let answered = approvals.answer(question.id, answer, person("ada")).await;
        assert!(matches!(answered, Err(AnswerError::Unreadable(..))), "{answered:?}");
    }
    assert!(matches!(approvals.ended(question.id).await, Err(AnswerError::Unreadable(..))));
    assert!(matches!(approvals.named(question.id).await, Err(AnswerError::Unreadable(..))));
    drop(surface);
    assert!(matches!(approvals.ask(question).await, Err(AskError::NotRecorded(..))), "nor where nobody listens");
    let status: String = file.query_row("SELECT status FROM requests", [], |row| row.get(0)).unwrap();
    assert_eq!(status, "open", "it stays as it is");
}
