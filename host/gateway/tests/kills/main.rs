//! The disk of a gateway that is killed at any point under load: this program starts itself again as that gateway.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "test support: a broken fixture should fail loudly"
)]

mod gateway;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use dmplz_gateway::Disk;
use dmplz_gateway::ledger::Ledger;
use dmplz_protocol::{Message, RequestId, Status};
use dmplz_state::StateDir;
use dmplz_state::store::{StoreOptions, Verdict};

const ROLE: &str = "DMPLZ_GATEWAY_TEST_ROLE";
const ROUNDS: u64 = 25;

/// Decides, as the started process. Does nothing when the tests are run by a person.
#[test]
#[allow(clippy::disallowed_methods, reason = "how the test tells its child where to work")]
fn child() {
    if let Ok(dir) = env::var(ROLE) {
        gateway::decide(Path::new(&dir));
    }
}

/// What the gateway told surfaces, by request: the outcome, or `None` while it was not told.
type ReportedOutcomes = BTreeMap<RequestId, Option<String>>;

#[tokio::test]
async fn every_decision_that_a_surface_was_told_is_there_and_no_request_ended_twice() {
    let temp = tempfile::tempdir().unwrap();
    let (mut told, mut decided, mut roll) = (ReportedOutcomes::new(), 0, 7_u64);
    for _ in 0..ROUNDS {
        roll = roll.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        run_until_killed(temp.path(), (roll >> 33) % 400, Duration::from_micros((roll >> 20) % 5_000), &mut told);
        decided = holds(temp.path(), &told).await;
    }
    let promised = told.values().flatten().count();
    eprintln!("{promised} decisions were told, {decided} are there");
    assert!(promised as u64 > ROUNDS);
}

/// Starts a gateway, reads `lines` lines of its output, and kills it a little later.
fn run_until_killed(dir: &Path, lines: u64, later: Duration, told: &mut ReportedOutcomes) {
    let mut process = Command::new(env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(ROLE, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(process.stderr.take().unwrap()).lines();
    let mut said = said.map_while(Result::ok).filter_map(|line| line.strip_prefix("> ").map(str::to_owned));
    let mut hear = |line: String| {
        let (id, outcome) = line.split_once(' ').unwrap();
        let known = told.entry(id.parse().unwrap()).or_default();
        if outcome != "asked" {
            assert_eq!(known.replace(outcome.to_owned()), None, "{id} was answered before");
        }
    };
    said.by_ref().take(usize::try_from(lines).unwrap()).for_each(&mut hear);
    let until = Instant::now() + later;
    while Instant::now() < until {
        thread::yield_now();
    }
    process.kill().unwrap();
    process.wait().unwrap();
    said.for_each(hear);
}

/// Checks that everything that was told is stored. Returns how many requests have ended.
async fn holds(dir: &Path, told: &ReportedOutcomes) -> usize {
    let dir = StateDir::open(dir).unwrap();
    let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), 1).await.unwrap();
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { .. }));
    let open: BTreeSet<_> = recovered.open.iter().map(|standing| standing.request.id).collect();
    for (id, outcome) in told {
        let status = disk.get(*id).await.unwrap().expect("who was asked about is there").status;
        match (status, outcome) {
            (Status::Ended { resolution, .. }, Some(outcome)) => {
                assert_eq!(serde_json::to_value(resolution.outcome).unwrap(), **outcome, "{id}");
            }
            (Status::Ended { .. }, None) => assert!(!open.contains(id)),
            (_, None) => assert!(open.contains(id)),
            (status, Some(outcome)) => panic!("{id} was told to be {outcome}, and is {status:?}"),
        }
    }
    let (mut ended, mut after) = (BTreeSet::new(), 0);
    loop {
        let events = disk.events_after(after, 500).await.unwrap();
        let Some(last) = events.last() else { break };
        after = last.event_id.unwrap();
        for event in &events {
            if let Message::ApprovalResolved { approval } = &event.message {
                assert!(ended.insert(approval.request.id), "{} ended twice", approval.request.id);
            }
        }
    }
    assert_eq!(after, recovered.last_event);
    assert!(ended.is_disjoint(&open));
    disk.close().await;
    ended.len()
}
