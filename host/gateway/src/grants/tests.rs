use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dmplz_core::grant::Covers;
use dmplz_core::grant::HALF_HOUR_MS;
use dmplz_core::grant::change::Over;
use dmplz_protocol::Message;
use dmplz_state::Retention;
use tempfile::TempDir;

use super::*;
use crate::approvals::Rules;
use crate::bus::Bus;
use crate::disk::Disk;
use crate::disk::ledger::Ledger;

pub(crate) const NOW: Moment = Moment { wall_ms: 1_790_000_000_000, up_ms: 5_000 };

pub(crate) fn of(state: &StateDir, approvals: Approvals) -> Grants {
    at(state, approvals, Arc::new(|| NOW))
}

fn at(state: &StateDir, approvals: Approvals, clocks: Clocks) -> Grants {
    let retention = Retention { rotate_bytes: 1 << 20, max_files: 1 };
    let log = Journal::new(state.path().join("grants.jsonl"), retention, Duration::from_secs(2));
    Grants::new(state.clone(), log, clocks, approvals)
}

/// Adds a grant for a file, as a hook does.
pub(crate) fn given(state: &StateDir, number: u8, session: Option<&str>) -> Grant {
    let covers = Covers::File { tool: "Write".into(), path: format!("/work/{number}"), leads: None };
    let by = Answerer { surface: "telegram".into(), id: "7".into(), name: "Jin".into() };
    let id = format!("{number:02x}{}", "0a".repeat(15));
    let request = format!("7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f{number:02x}");
    let grant = Grant::new(id, session.map(Into::into), (covers, "/work".into()), by, request, NOW);
    dmplz_state::Grants::of(state).add(&grant, NOW).unwrap();
    grant
}

fn ann() -> Answerer {
    Answerer { surface: "web".into(), id: "owner".into(), name: "Ann".into() }
}

struct Fixture {
    temp: TempDir,
    state: StateDir,
    disk: Disk,
    grants: Grants,
    /// How many milliseconds have passed.
    later: Arc<AtomicU64>,
}

impl Fixture {
    async fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        let (disk, recovered) = Disk::open(&state, Default::default(), NOW.wall_ms).await.unwrap();
        let rules = Rules {
            expiry: Duration::from_secs(300),
            reason_timeout: Duration::from_secs(60),
            reason: dmplz_core::reason::ReasonRules { max_chars: 300, skip_keywords: Vec::new() },
        };
        let approvals = Approvals::over(disk.clone(), recovered, Bus::default(), rules, Arc::new(|| NOW.wall_ms));
        let later = Arc::<AtomicU64>::default();
        let passed = Arc::clone(&later);
        let clocks = move || {
            let passed = passed.load(Ordering::SeqCst);
            Moment { wall_ms: NOW.wall_ms + passed, up_ms: NOW.up_ms + passed }
        };
        let grants = at(&state, approvals, Arc::new(clocks));
        Self { temp, state, disk, grants, later }
    }

    async fn trail(&self) -> Vec<Message> {
        let events = self.disk.events_after(0, 100).await.unwrap();
        events.into_iter().map(|event| event.message).collect()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.state.path().join("grants.jsonl")).unwrap_or_default()
    }
}

#[tokio::test]
async fn a_grant_that_is_taken_back_counts_no_more_and_is_in_the_trail_and_in_the_log() {
    let it = Fixture::new().await;
    let (first, second) = (given(&it.state, 1, None), given(&it.state, 2, Some("s1")));
    assert_eq!(it.grants.held().await.unwrap(), [first.clone(), second.clone()]);
    let (revoked, unrecorded) = it.grants.revoke_one(&first.id, &ann()).await.unwrap();
    assert!(revoked == first && unrecorded.is_none(), "{unrecorded:?}");
    assert_eq!(it.grants.held().await.unwrap(), [second]);
    assert_eq!(it.trail().await, [Message::GrantRevoked { grant: first.into(), by: ann() }]);
    insta::assert_snapshot!(it.log(), @r#"{"timestamp":"2026-09-21T14:13:20.000Z","change":"revoked","grant":{"id":"010a0a0a0a0a0a0a0a0a0a0a0a0a0a0a","created":{"wall_ms":1790000000000,"up_ms":5000},"until_ms":1790001800000,"covers":{"kind":"file","tool":"Write","path":"/work/1"},"folder":"/work","by":{"surface":"telegram","id":"7","name":"Jin"},"request_id":"7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f01"},"by":{"surface":"web","id":"owner","name":"Ann"}}"#);
    let verdict = it.disk.verify(None).await.unwrap();
    assert!(matches!(verdict, dmplz_state::store::Verdict::Verified { .. }), "{verdict:?}");
}

#[tokio::test]
async fn only_a_whole_id_takes_a_grant_back() {
    let it = Fixture::new().await;
    let grant = given(&it.state, 0x1f, None);
    let whole = grant.id.as_str();
    let upper = whole.to_uppercase();
    for id in ["", " ", "*", "1f", "1f0a", &whole[..31], &upper, &format!("{whole}\0"), &format!("{whole} "), "한글"]
    {
        assert!(matches!(it.grants.revoke_one(id, &ann()).await, Err(GrantError::Unknown)), "{id:?}");
    }
    assert_eq!(it.grants.held().await.unwrap(), std::slice::from_ref(&grant));
    it.grants.revoke_one(whole, &ann()).await.unwrap();
    assert!(matches!(it.grants.revoke_one(whole, &ann()).await, Err(GrantError::Unknown)), "it is gone");
}

#[tokio::test]
async fn one_whose_time_passed_is_said_to_have_ended_with_the_next_that_is_taken_back() {
    let it = Fixture::new().await;
    let (short, long) = (given(&it.state, 1, None), given(&it.state, 2, Some("s1")));
    it.later.store(HALF_HOUR_MS, Ordering::SeqCst);
    assert_eq!(it.grants.held().await.unwrap(), std::slice::from_ref(&long));
    it.grants.revoke_one(&long.id, &ann()).await.unwrap();
    let expired = Message::GrantEnded { grant: short.into(), why: Over::Expired };
    assert_eq!(it.trail().await, [expired, Message::GrantRevoked { grant: long.into(), by: ann() }]);
}

#[tokio::test]
async fn a_log_or_trail_that_cannot_be_written_keeps_no_grant_alive() {
    let it = Fixture::new().await;
    let first = given(&it.state, 1, None);
    fs::create_dir(it.state.path().join("grants.jsonl")).unwrap();
    let (_, unrecorded) = it.grants.revoke_one(&first.id, &ann()).await.unwrap();
    assert!(matches!(unrecorded, Some(Unrecorded::Log(_))), "{unrecorded:?}");
    assert_eq!(it.trail().await.len(), 1, "the trail has it all the same");
    let second = given(&it.state, 2, None);
    it.disk.close().await;
    let (_, unrecorded) = it.grants.revoke_one(&second.id, &ann()).await.unwrap();
    assert!(matches!(unrecorded, Some(Unrecorded::Trail(_))), "{unrecorded:?}");
    assert!(it.grants.held().await.unwrap().is_empty());
    drop(it.temp);
}

#[tokio::test]
async fn a_list_that_others_may_have_written_is_an_error_and_not_an_empty_one() {
    let it = Fixture::new().await;
    let grant = given(&it.state, 1, None);
    let list = it.state.path().join("grants.json");
    fs::set_permissions(&list, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(it.grants.held().await, Err(GrantError::Kept(_))));
    assert!(matches!(it.grants.revoke_one(&grant.id, &ann()).await, Err(GrantError::Kept(_))));
    assert!(it.trail().await.is_empty());
}
