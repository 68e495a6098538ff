use dmplz_core::approvers::Answerer;
use dmplz_core::card::{Part, Subject};
use dmplz_core::request::{Cause, End, ReasonSource, Resolution};
use dmplz_protocol::tool::State;
use dmplz_protocol::{Event, Kind, Message, Request, Source, Status};
use dmplz_state::StateDir;
use dmplz_state::store::{Filter, StoreOptions, Verdict, Which};
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::disk::ledger::Ledger;

mod pruning;
mod salvage;
mod time;
mod writes;

const ASKED: u64 = 1_000;

fn request(command: &str) -> Request {
    let id = RequestId::new();
    let input = json!({"command": command, "env": {"password": "correct horse"}});
    Request {
        id,
        source: Source::Hook { session_id: "s1".into(), agent_id: None },
        tool: "Bash".into(),
        input: input.as_object().unwrap().clone(),
        cwd: "/work".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: Vec::new(),
            parts: vec![Part::Code(command.into())],
            grant: None,
            granted: None,
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(true),
        created_ms: ASKED,
        expires_ms: ASKED + 300_000,
    }
}

fn by(surface: &str) -> Answerer {
    Answerer { surface: surface.into(), id: "owner".into(), name: "Ada".into() }
}

fn end(outcome: End) -> Resolution {
    Resolution { outcome, by: Some(by("web")), scope: None, reason: None, reason_source: None, cause: None, rule: None }
}

fn rejected(reason: &str) -> Resolution {
    let reason_source = Some(ReasonSource::UserInput);
    Resolution { reason: Some(reason.into()), reason_source, ..end(End::RejectedWithReason) }
}

async fn disk(temp: &TempDir) -> (Disk, Recovered) {
    let dir = StateDir::open(temp.path()).unwrap();
    Disk::open(&dir, StoreOptions::default(), ASKED).await.unwrap()
}

fn kinds(events: &[Event]) -> Vec<(u64, Kind)> {
    events.iter().map(|event| (event.event_id.unwrap(), event.message.kind())).collect()
}

#[tokio::test]
async fn what_was_asked_denied_and_answered_is_there_after_a_restart() {
    let temp = tempfile::tempdir().unwrap();
    let (open, denied, ended) = (request("one"), request("two"), request("three"));
    {
        let (disk, recovered) = disk(&temp).await;
        assert_eq!(recovered, Recovered::default());
        for request in [&open, &denied, &ended] {
            disk.add(request).await.unwrap();
        }
        assert_eq!(disk.deny(denied.id, &by("telegram"), 2_000, false, 1_500).await.unwrap(), Some(4));
        assert_eq!(disk.resolve(ended.id, &end(End::Approved), 1_600).await.unwrap(), Some(5));
        assert_eq!(disk.taken(ended.id, true, 1_700).await.unwrap(), Some(6));
        assert_eq!(disk.taken(ended.id, false, 1_800).await.unwrap(), None);
    }
    let (disk, recovered) = disk(&temp).await;
    let status = Status::Denied { by: by("telegram"), until_ms: 2_000, instead: false };
    let standing = |request: &Request, status| Standing { request: request.clone(), status };
    assert_eq!(recovered.open, [standing(&open, Status::Open), standing(&denied, status)]);
    assert_eq!(recovered.last_event, 6);
    let kept = disk.get(ended.id).await.unwrap().unwrap();
    let status = Status::Ended { resolution: end(End::Approved), ended_ms: 1_600, taken: Some(true) };
    assert_eq!(kept.status, status);
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { last, .. } if last.seq == 6));
}

#[tokio::test]
async fn the_first_answer_counts_and_a_denial_ends_as_a_rejection_only() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked = request("rm -r build");
    disk.add(&asked).await.unwrap();
    assert!(disk.deny(asked.id, &by("web"), 9_000, false, 2_000).await.unwrap().is_some());
    assert_eq!(disk.deny(asked.id, &by("cli"), 9_000, false, 2_000).await.unwrap(), None);
    let late = Resolution { by: None, cause: Some(Cause::Nobody), ..end(End::Expired) };
    for other in [end(End::Approved), end(End::ApprovedSession), late] {
        assert_eq!(disk.resolve(asked.id, &other, 3_000).await.unwrap(), None);
    }
    assert!(disk.resolve(asked.id, &rejected("no"), 4_000).await.unwrap().is_some());
    assert_eq!(disk.resolve(asked.id, &rejected("again"), 5_000).await.unwrap(), None);
    assert_eq!(disk.resolve(RequestId::new(), &rejected("who"), 5_000).await.unwrap(), None);
}

#[tokio::test]
async fn an_allow_without_a_person_is_not_kept() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked = request("ls");
    disk.add(&asked).await.unwrap();
    for outcome in [Resolution { by: None, ..end(End::Approved) }, end(End::AllowedByRule)] {
        assert!(matches!(disk.resolve(asked.id, &outcome, 2_000).await, Err(DiskError::Incomplete(_))));
    }
    assert_eq!(disk.get(asked.id).await.unwrap().unwrap().status, Status::Open);
}

#[tokio::test]
async fn what_ended_is_kept_masked() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked = request("curl --token abc123def456 https://x");
    disk.add(&asked).await.unwrap();
    assert_eq!(disk.get(asked.id).await.unwrap().unwrap().request, asked);
    disk.resolve(asked.id, &rejected("use password=hunter2 instead"), 2_000).await.unwrap();
    let kept = disk.get(asked.id).await.unwrap().unwrap();
    insta::assert_snapshot!(serde_json::to_string(&kept.request.input).unwrap(), @r#"{"command":"curl --token abc1******** https://x","env":{"password":"****"}}"#);
    assert_eq!(kept.request.subject.parts, [Part::Code("curl --token abc1******** https://x".into())]);
    let Status::Ended { resolution, .. } = kept.status else { panic!("it ended") };
    assert_eq!(resolution.reason.as_deref(), Some("use password=**** instead"));
}

#[tokio::test]
async fn events_are_told_again_from_any_point() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let (one, two) = (request("one"), request("two"));
    disk.add(&one).await.unwrap();
    disk.add(&two).await.unwrap();
    disk.deny(one.id, &by("web"), 9_000, false, 2_000).await.unwrap();
    disk.resolve(one.id, &rejected("no"), 3_000).await.unwrap();
    disk.taken(one.id, true, 4_000).await.unwrap();
    let all = disk.events_after(0, 100).await.unwrap();
    let told = [Kind::ApprovalRequested, Kind::ApprovalRequested, Kind::ApprovalDenied, Kind::ApprovalResolved];
    let told: Vec<_> = (1..).zip(told.into_iter().chain([Kind::ApprovalTaken])).collect();
    assert_eq!(kinds(&all), told);
    assert_eq!(disk.events_after(2, 2).await.unwrap(), all[2..4]);
    assert_eq!(disk.events_after(5, 2).await.unwrap(), []);
    let Message::ApprovalRequested { approval } = &all[1].message else { panic!("it was asked") };
    assert_eq!(**approval, Standing { request: two, status: Status::Open });
}

#[tokio::test]
async fn history_is_found_by_what_one_remembers() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked: Vec<_> = (0..6).map(|n| request(&format!("make step{n}"))).collect();
    for request in &asked {
        disk.add(request).await.unwrap();
    }
    disk.resolve(asked[1].id, &end(End::Approved), 2_000).await.unwrap();
    disk.resolve(asked[2].id, &rejected("not before Tuesday"), 2_000).await.unwrap();
    let found = |search: Filter, limit| {
        let (disk, asked) = (disk.clone(), asked.clone());
        async move {
            let page = disk.history(&search, limit).await.unwrap();
            let place = |kept: &Standing| asked.iter().position(|request| request.id == kept.request.id).unwrap();
            page.iter().map(place).collect::<Vec<_>>()
        }
    };
    let all = Filter::default();
    assert_eq!(found(all.clone(), 100).await, [5, 4, 3, 2, 1, 0]);
    assert_eq!(found(Filter { before: Some(asked[4].id.to_string()), ..all.clone() }, 2).await, [3, 2]);
    assert_eq!(found(Filter { which: Which::Ended, ..all.clone() }, 9).await, [2, 1]);
    assert_eq!(found(Filter { which: Which::Open, ..all.clone() }, 9).await, [5, 4, 3, 0]);
    assert_eq!(found(Filter { outcome: Some(End::Approved), ..all.clone() }, 9).await, [1]);
    assert_eq!(found(Filter { text: Some("STEP3".into()), ..all.clone() }, 9).await, [3]);
    assert_eq!(found(Filter { text: Some("%".into()), ..all.clone() }, 9).await, [0; 0]);
    assert_eq!(found(Filter { text: Some("tuesday".into()), ..all.clone() }, 9).await, [2]);
    let came = asked[0].created_ms;
    for (since_ms, until_ms, count) in [(came, came + 1, 6), (came + 1, came + 9, 0), (0, came, 0)] {
        let search = Filter { since_ms: Some(since_ms), until_ms: Some(until_ms), ..all.clone() };
        assert_eq!(found(search, 9).await.len(), count, "{since_ms} {until_ms}");
    }
    assert_eq!(found(Filter { surface: Some("web".into()), ..all.clone() }, 9).await, [2, 1]);
    assert_eq!(found(Filter { tool: Some("Write".into()), ..all }, 9).await, [0; 0]);
}

#[tokio::test]
async fn of_many_deciders_exactly_one_wins() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked: Vec<_> = (0..40).map(|n| request(&n.to_string())).collect();
    for request in &asked {
        disk.add(request).await.unwrap();
    }
    let mut deciding = tokio::task::JoinSet::new();
    for decider in 0..8 {
        for request in &asked {
            let (disk, id) = (disk.clone(), request.id);
            let outcome = if decider % 2 == 0 { end(End::Approved) } else { rejected("no") };
            deciding
                .spawn(async move { disk.resolve(id, &outcome, 2_000).await.unwrap().map(|seq| (seq, id, outcome)) });
        }
    }
    let mut won: Vec<_> = deciding.join_all().await.into_iter().flatten().collect();
    won.sort_by_key(|(seq, ..)| *seq);
    assert_eq!(won.iter().map(|(seq, ..)| *seq).collect::<Vec<_>>(), (41..=80).collect::<Vec<_>>());
    for (seq, id, outcome) in won {
        let Status::Ended { resolution, .. } = disk.get(id).await.unwrap().unwrap().status else { panic!("it ended") };
        assert_eq!(resolution, outcome);
        let told = disk.events_after(seq - 1, 1).await.unwrap().remove(0);
        let Message::ApprovalResolved { approval } = told.message else { panic!("it ended") };
        assert_eq!(approval.request.id, id);
    }
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { last, .. } if last.seq == 80));
}

#[tokio::test]
async fn one_that_has_no_room_on_the_disk_takes_no_other_with_it() {
    let temp = tempfile::tempdir().unwrap();
    let dir = StateDir::open(temp.path()).unwrap();
    let options = StoreOptions { max_pages: Some(60), ..StoreOptions::default() };
    let (disk, _) = Disk::open(&dir, options, ASKED).await.unwrap();
    let before = request("before");
    disk.add(&before).await.unwrap();
    let (small, big) = (request("small"), request(&"x".repeat(1 << 20)));
    let denied = rejected("no");
    // All three are queued before the first is done, so they share a transaction.
    let (kept, refused, ended) =
        tokio::join!(disk.add(&small), disk.add(&big), disk.resolve(before.id, &denied, 2_000));
    assert!(matches!(refused, Err(DiskError::Store(StoreError::Full(_)))), "{refused:?}");
    assert!(kept.is_ok() && matches!(ended, Ok(Some(_))), "{kept:?} {ended:?}");
    disk.add(&request("after")).await.unwrap();
    assert!(disk.get(big.id).await.unwrap().is_none());
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { last, .. } if last.seq == 4));
}

#[tokio::test]
async fn figures_count_as_those_of_the_log_do() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let silent = Resolution { reason_source: Some(ReasonSource::Timeout), ..end(End::RejectedNoReason) };
    let expired = Resolution { by: None, cause: Some(Cause::Nobody), ..end(End::Expired) };
    let ends = [end(End::Approved), end(End::ApprovedSession), rejected("no"), silent, expired];
    for (n, outcome) in ends.iter().enumerate() {
        let asked = request(&n.to_string());
        disk.add(&asked).await.unwrap();
        disk.resolve(asked.id, outcome, ASKED + 1_000 * (n as u64 + 1)).await.unwrap().unwrap();
    }
    let by_rule = Resolution {
        by: None,
        rule: Some("policy.toml:3".into()),
        reason: Some("never".into()),
        reason_source: Some(ReasonSource::Policy),
        ..end(End::DeniedByRule)
    };
    disk.settle(&request("rm -rf /"), &by_rule, 9_000).await.unwrap();
    disk.add(&request("open")).await.unwrap();
    let figures = disk.figures(None, None).await.unwrap();
    insta::assert_snapshot!(serde_json::to_string(&figures).unwrap(), @r#"{"requests":6,"unreadable_lines":0,"by_policy":{"count":1,"of":6,"rate":0.16666666666666666},"allowed_by_rule":0,"denied_by_rule":1,"approved":1,"approved_for_session":1,"denied":{"count":2,"of":4,"rate":0.5},"with_reason":{"count":1,"of":2,"rate":0.5},"explicit_skip":{"count":0,"of":2,"rate":0.0},"reason_timeout":{"count":1,"of":2,"rate":0.5},"hook_timeout":{"count":1,"of":5,"rate":0.2},"failed":{"count":0,"of":5,"rate":0.0},"elsewhere":{"count":0,"of":5,"rate":0.0},"answers":{"count":4,"median_ms":2000,"p90_ms":4000}}"#);
    assert_eq!(disk.figures(Some(3_000), Some(5_000)).await.unwrap().requests, 2);
    let told = disk.events_after(10, 10).await.unwrap();
    insta::assert_snapshot!(serde_json::to_string(&told[0]).unwrap().replace(&told_id(&told[0]), "ID"), @r#"{"eventId":11,"atMs":9000,"type":"policy.rejection","correlationId":"ID","rule":"policy.toml:3","message":"never"}"#);
}

fn told_id(event: &Event) -> String {
    let Message::PolicyRejection { correlation_id, .. } = &event.message else { panic!("a rule denied") };
    correlation_id.to_string()
}

#[tokio::test]
async fn notes_and_invocations_are_kept() {
    let temp = tempfile::tempdir().unwrap();
    let (asked, unshown, id) = (request("one"), request("two"), Uuid::new_v4());
    let running = json!({"state": "running"});
    {
        let (disk, _) = disk(&temp).await;
        disk.add(&asked).await.unwrap();
        // The first note with a card is a receipt in the trail, and takes a number there.
        for card in [None, Some(4), Some(5)] {
            disk.keep_note(asked.id, "telegram", &json!({ "card": card }), 1).await.unwrap();
        }
        disk.keep_invocation(id, None, &running).await.unwrap();
        let finished = Message::ToolFinished { invocation_id: id, state: State::Succeeded, exit_code: Some(0) };
        assert_eq!(disk.record(&finished, 5).await.unwrap(), 3);
        assert_eq!(disk.events_after(1, 9).await.unwrap()[0].message, finished);
        disk.add(&unshown).await.unwrap();
        disk.keep_note(unshown.id, "telegram", &json!({"card": null}), 1).await.unwrap();
    }
    let (disk, recovered) = disk(&temp).await;
    assert_eq!((recovered.open.len(), recovered.shown), (2, [asked.id].into()));
    let notes = disk.notes::<serde_json::Value>("telegram").await.unwrap();
    assert_eq!(notes, [(asked.id, json!({"card": 5})), (unshown.id, json!({"card": null}))]);
    assert_eq!(disk.unfinished_invocations().await.unwrap(), [(id, running.clone())]);
    assert_eq!(disk.invocation(id).await.unwrap(), Some(running));
    for id in [asked.id, unshown.id] {
        disk.drop_note(id, "telegram").await.unwrap();
    }
    disk.drop_invocation(id).await.unwrap();
    assert_eq!(disk.notes::<serde_json::Value>("telegram").await.unwrap(), []);
    assert_eq!(disk.invocation::<serde_json::Value>(id).await.unwrap(), None);
}

#[tokio::test]
async fn once_it_is_closed_all_that_was_handed_in_is_there_and_no_log_is_left() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let (one, two) = (request("one"), request("two"));
    disk.add(&one).await.unwrap();
    disk.add(&two).await.unwrap();
    let (approved, denied) = (end(End::Approved), rejected("no"));
    let (first, second, ()) =
        tokio::join!(disk.resolve(one.id, &approved, 2_000), disk.resolve(two.id, &denied, 2_000), disk.close());
    assert_eq!((first.unwrap(), second.unwrap()), (Some(3), Some(4)));
    assert!(matches!(disk.add(&request("late")).await, Err(DiskError::Gone)));
    assert!(matches!(disk.get(one.id).await, Err(DiskError::Gone)));
    disk.close().await;
    let mut names: Vec<_> = std::fs::read_dir(temp.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["audit.head", "state.db"]);
}

#[test]
fn what_the_first_version_kept_can_be_read() {
    let by = r#"{"surface":"telegram","id":"7","name":"Ada"}"#;
    let id = "6f0c1a52-8f7e-4d53-9a0e-2f1f0f6f3c11";
    let row = |source: &str, denial: Option<String>, resolution: Option<String>| dmplz_state::store::RequestRow {
        number: 1,
        id: id.to_owned(),
        body: format!(
            r#"{{"id":"{id}","source":{source},"tool":"Bash","input":{{"command":"ls"}},"cwd":"/work","subject":{{"request_id":"{id}","tool":"Bash","context":["folder"],"parts":[{{"text":"a"}},{{"code":"ls"}}],"grant":null}},"offersSession":true,"createdMs":1,"expiresMs":2}}"#
        ),
        status: String::new(),
        denial,
        ended_ms: resolution.is_some().then_some(9),
        resolution,
        created_ms: 1,
        answered_ms: None,
        taken: Some(false),
    };
    let hook = r#"{"kind":"hook","sessionId":"s","agentId":"a"}"#;
    let tool = r#"{"kind":"tool","invocationId":"6f0c1a52-8f7e-4d53-9a0e-2f1f0f6f3c12"}"#;
    let denial = format!(r#"{{"by":{by},"untilMs":5}}"#);
    let end = format!(
        r#"{{"outcome":"rejected_with_reason","by":{by},"reason":"no","reasonSource":"user_input","cause":null,"rule":null}}"#
    );
    let read = |row| rows::standing(&row).unwrap().status;
    assert_eq!(read(row(hook, None, None)), Status::Open);
    assert_eq!(
        read(row(tool, Some(denial.clone()), None)),
        Status::Denied { by: by_ada(), until_ms: 5, instead: false }
    );
    let Status::Ended { resolution, ended_ms: 9, taken: Some(false) } = read(row(hook, Some(denial), Some(end))) else {
        panic!("it ended")
    };
    assert_eq!(resolution, Resolution { by: Some(by_ada()), ..rejected("no") });
}

fn by_ada() -> Answerer {
    Answerer { id: "7".into(), ..by("telegram") }
}
