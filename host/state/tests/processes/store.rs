//! The database of a process that is killed at any point.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use dmplz_state::StateDir;
use dmplz_state::store::{End, NewRequest, Prunable, Reader, Store, StoreError, StoreOptions, Verdict, digest};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::children::{ChildLine, Dice, Role, Started, say};

const ROUNDS: usize = 30;
const LONG: Duration = Duration::from_secs(60);

fn asked(id: &str) -> NewRequest {
    NewRequest {
        id: id.to_owned(),
        source: "hook".to_owned(),
        session_id: None,
        agent_id: None,
        tool: "Bash".to_owned(),
        cwd: "/".to_owned(),
        created_ms: 1,
        expires_ms: 2,
        digest: digest(id.as_bytes()),
        body: "x".repeat(2_000),
        masked: "m".repeat(1_000),
        masked_digest: digest("m".repeat(1_000).as_bytes()),
        stamp: None,
    }
}

/// Returns the body of the trail's entry about a request.
fn told(id: &str) -> String {
    format!(r#"{{"inputSha256":"{}","tool":"Bash"}}"#, digest(id.as_bytes()))
}

fn ended(outcome: &str) -> End {
    let (outcome, surface) = (outcome.to_owned(), Some("web".to_owned()));
    End { resolution: format!(r#"{{"outcome":"{outcome}","by":{{"surface":"web"}}}}"#), outcome, surface, at_ms: 3 }
}

fn open(dir: &Path) -> Store {
    Store::open(&StateDir::open(dir.join("state")).unwrap(), StoreOptions::default(), 1).unwrap()
}

/// Decides as fast as it can, some decisions to a commit, and says what it decided once that is committed.
pub(crate) fn decide(role: &Role) {
    let mut dice = Dice(role.index as u64);
    let mut store = open(&role.dir);
    for number in 0.. {
        let mut decided = Vec::new();
        let mut batch = store.batch().unwrap();
        for part in 0..=dice.roll(4) {
            let id = format!("{}-{number}-{part}", role.index);
            let outcome = if dice.roll(2) == 0 { "approved" } else { "rejected_with_reason" };
            batch
                .attempt(|writes| {
                    writes.add(&asked(&id), &told(&id))?;
                    if outcome != "approved" {
                        writes.deny(&id, "{}", 2, None)?;
                    }
                    writes.resolve(&id, &ended(outcome))
                })
                .unwrap()
                .unwrap();
            decided.push(format!("{id} {outcome}"));
        }
        // One more is asked about and stays open.
        let open = format!("{}-{number}-open", role.index);
        batch.attempt(|writes| writes.add(&asked(&open), &told(&open))).unwrap();
        batch.commit().unwrap();
        decided.iter().for_each(|decision| say(decision));
    }
}

fn remember(said: ChildLine, decided: &mut BTreeMap<String, String>) {
    if let (_, Some(decision)) = said {
        let (id, outcome) = decision.split_once(' ').unwrap();
        assert!(decided.insert(id.to_owned(), outcome.to_owned()).is_none());
    }
}

#[test]
fn every_decision_that_was_acknowledged_outlives_a_process_that_is_killed() {
    let temp = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let mut decided = BTreeMap::new();
    let mut behind = 0;
    for round in 0..ROUNDS {
        let (sender, said) = mpsc::channel();
        let mut process = Started::new("store", temp.path(), round, sender);
        for _ in 0..dice.roll(40) {
            remember(said.recv_timeout(LONG).unwrap(), &mut decided);
        }
        let until = Instant::now() + Duration::from_micros(dice.roll(5_000));
        while Instant::now() < until {
            thread::yield_now();
        }
        process.kill();
        said.iter().take_while(|said| said.1.is_some()).for_each(|said| remember(said, &mut decided));

        let dir = StateDir::open(temp.path().join("state")).unwrap();
        // Killed before there was a database, there is nothing to look at.
        if let Ok(reader) = Reader::open(&dir, StoreOptions::default()) {
            match reader.verify(None).unwrap() {
                Verdict::Verified { last, head, .. } => behind += usize::from(head.is_some_and(|head| head != last)),
                broken => panic!("{broken:?}"),
            }
        }
        let store = open(temp.path());
        for (id, outcome) in &decided {
            let kept = store.reads().request(id).unwrap().unwrap();
            assert_eq!((&*kept.status, kept.resolution.unwrap()), ("ended", ended(outcome).resolution), "{id}");
        }
        let open = store.reads().open_requests().unwrap();
        let (entries, batches) = (store.reads().last().unwrap().seq as usize, open.len());
        assert!(open.iter().flatten().all(|row| row.status == "open" && row.body.starts_with('x')));
        assert!(entries >= 2 * decided.len() + batches, "{entries} entries of {} decisions", decided.len());
    }
    eprintln!("{} decisions, {behind} heads behind their trails", decided.len());
    assert!(decided.len() > ROUNDS);
}

/// Asks, answers and removes what was answered before, as fast as it can, and says what it removed.
pub(crate) fn cut(role: &Role) {
    let mut store = open(&role.dir);
    for number in 0.. {
        let id = format!("{}-{number}", role.index);
        let mut batch = store.batch().unwrap();
        batch
            .attempt(|writes| {
                writes.add(&asked(&id), &told(&id))?;
                writes.resolve(&id, &ended("approved"))
            })
            .unwrap()
            .unwrap();
        batch.commit().unwrap();
        let prunable = Prunable { before_ms: 9, through: u64::MAX, ..Prunable::default() };
        let mut batch = store.batch().unwrap();
        let pruned = batch.attempt(|writes| writes.cut(&prunable, 4)).unwrap();
        batch.commit().unwrap();
        say(&pruned.requests.to_string());
    }
}

#[test]
fn a_trail_that_is_being_cut_is_in_order_whenever_the_process_is_killed() {
    let temp = tempfile::tempdir().unwrap();
    let mut dice = Dice(11);
    let mut pruned = 0;
    for round in 0..ROUNDS {
        let (sender, said) = mpsc::channel();
        let mut process = Started::new("store-cut", temp.path(), round, sender);
        for _ in 0..dice.roll(20) {
            pruned += usize::from(said.recv_timeout(LONG).unwrap().1.is_some());
        }
        let until = Instant::now() + Duration::from_micros(dice.roll(5_000));
        while Instant::now() < until {
            thread::yield_now();
        }
        process.kill();
        let dir = StateDir::open(temp.path().join("state")).unwrap();
        if let Ok(reader) = Reader::open(&dir, StoreOptions::default()) {
            let verdict = reader.verify(None).unwrap();
            assert!(matches!(verdict, Verdict::Verified { .. }), "{verdict:?}");
        }
        drop(open(temp.path()));
    }
    assert!(pruned > ROUNDS);
}

/// Limits how large files may become; none takes the limit away.
fn limit(bytes: Option<u64>) {
    setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

fn add(store: &mut Store, id: usize) -> Result<(), StoreError> {
    let mut batch = store.batch()?;
    let id = id.to_string();
    batch.attempt(|writes| writes.add(&asked(&id), &told(&id)))?;
    batch.commit()
}

pub(crate) fn full_disk(role: &Role) {
    let mut store = open(&role.dir);
    let mut kept = 0;
    // Whether the write-ahead log or the database itself is the first that cannot grow depends on where the limit is.
    for room in (20..200).step_by(7) {
        limit(Some(room * 1024));
        let error = loop {
            match add(&mut store, kept) {
                Ok(()) => kept += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::Io(_) | StoreError::Full(_)), "{error:?}");
        assert_eq!(store.reads().open_requests().unwrap().len(), kept);
        limit(None);
        add(&mut store, kept).unwrap();
        kept += 1;
    }
    drop(store);
    assert_eq!(open(&role.dir).reads().open_requests().unwrap().len(), kept);
    let dir = StateDir::open(role.dir.join("state")).unwrap();
    let verdict = Reader::open(&dir, StoreOptions::default()).unwrap().verify(None).unwrap();
    assert!(matches!(verdict, Verdict::Verified { last, head, .. } if last.seq == kept as u64 && head == Some(last)));
}

#[test]
fn a_full_disk_is_an_error_and_the_same_store_goes_on_once_there_is_room() {
    let temp = tempfile::tempdir().unwrap();
    Role::run_with_limited_files("store-full", temp.path());
    assert!(temp.path().join("state/state.db").exists());
}
