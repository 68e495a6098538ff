//! How many decisions a second become durable, against what SQLite itself commits on the same disk in the same run.
//!
//! ```text
//! cargo run --release -p dmplz-gateway --example decisions -- [DIRECTORY [SECONDS]]
//! ```
//!
//! Prints one JSON object. `alone` is one decider who waits for each decision before the next one; `together` are 64.
//! `sqlite` is one commit after the other of what a decision at least is, one changed row and one new row, through plain
//! SQLite with the same settings. The goal is a `ratio` (`together` / `sqlite`) of at least 0.7.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement that fails should fail loudly")]

use std::path::Path;
use std::time::{Duration, Instant};

use dmplz_core::card::Subject;
use dmplz_core::resolution::{Answerer, Resolution};
use dmplz_core::stats::End;
use dmplz_gateway::{Disk, Request, RequestId, Source};
use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use rusqlite::Connection;
use serde_json::json;

const DECIDERS: usize = 64;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().unwrap_or_else(|| ".".to_owned());
    let time = Duration::from_secs(arguments.next().map_or(3, |seconds| seconds.parse().unwrap()));
    let temp = tempfile::tempdir_in(parent).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sqlite = commits(&temp.path().join("plain.db"), time);
    let (alone, alone_times) = runtime.block_on(decisions(&temp.path().join("alone"), 1, time));
    let (together, together_times) = runtime.block_on(decisions(&temp.path().join("together"), DECIDERS, time));
    let rounded = |rate: f64| rate.round();
    println!(
        "{}",
        json!({
            "sqliteCommitsPerSecond": rounded(sqlite),
            "decisionsPerSecond": { "alone": rounded(alone), "together": rounded(together), "deciders": DECIDERS },
            "milliseconds": { "alone": spread(alone_times), "together": spread(together_times) },
            "ratio": (together / sqlite * 100.0).round() / 100.0,
            "ratioAlone": (alone / sqlite * 100.0).round() / 100.0,
        })
    );
}

/// Durable decisions a second by so many who each wait for one before the next, and how long each waited.
async fn decisions(dir: &Path, deciders: usize, time: Duration) -> (f64, Vec<Duration>) {
    let dir = StateDir::open(dir).unwrap();
    let options = StoreOptions { room_ahead: true, ..StoreOptions::default() };
    let (disk, _) = Disk::open(&dir, options, 1).await.unwrap();
    let requests = 1_500 * deciders.min(8);
    let asking = (0..requests).map(|_| {
        let disk = disk.clone();
        tokio::spawn(async move {
            let request = request();
            disk.add(&request).await.unwrap();
            request.id
        })
    });
    let mut open = Vec::new();
    for asked in asking.collect::<Vec<_>>() {
        open.push(asked.await.unwrap());
    }
    let open = std::rc::Rc::new(std::cell::RefCell::new(open));
    let started = Instant::now();
    let local = tokio::task::LocalSet::new();
    let deciding: Vec<_> = (0..deciders)
        .map(|_| {
            let (disk, open) = (disk.clone(), open.clone());
            local.spawn_local(async move {
                let mut decided = Vec::new();
                while started.elapsed() < time {
                    let Some(id) = open.borrow_mut().pop() else { break };
                    let handed_in = Instant::now();
                    assert!(disk.resolve(id, &approved(), 2).await.unwrap().is_some());
                    decided.push(handed_in.elapsed());
                }
                decided
            })
        })
        .collect();
    let decided = local
        .run_until(async {
            let mut decided = Vec::new();
            for decider in deciding {
                decided.extend(decider.await.unwrap());
            }
            decided
        })
        .await;
    (decided.len() as f64 / started.elapsed().as_secs_f64(), decided)
}

/// The median and the 99th percentile.
fn spread(mut times: Vec<Duration>) -> serde_json::Value {
    times.sort_unstable();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len() - 1));
    let milliseconds = |percent| at(percent).map(|time| (time.as_secs_f64() * 1e5).round() / 100.0);
    json!({ "p50": milliseconds(50), "p99": milliseconds(99) })
}

/// Commits a second of one changed and one new row.
fn commits(path: &Path, time: Duration) -> f64 {
    let connection = Connection::open(path).unwrap();
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                    PRAGMA secure_delete = ON; \
                    CREATE TABLE requests (number INTEGER PRIMARY KEY, status TEXT, resolution TEXT) STRICT; \
                    CREATE TABLE audit (seq INTEGER PRIMARY KEY, body TEXT) STRICT; \
                    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
                    INSERT INTO requests SELECT n, 'open', NULL FROM n;";
    connection.execute_batch(settings).unwrap();
    let body = json!({"resolution": approved(), "inputSha256": "0".repeat(64)}).to_string();
    let (started, mut committed) = (Instant::now(), 0_u32);
    while started.elapsed() < time {
        let transaction = connection.unchecked_transaction().unwrap();
        let change = "UPDATE requests SET status = 'ended', resolution = ? WHERE number = ?";
        transaction.prepare_cached(change).unwrap().execute((&body, committed % 10_000)).unwrap();
        transaction.prepare_cached("INSERT INTO audit (body) VALUES (?)").unwrap().execute([&body]).unwrap();
        transaction.commit().unwrap();
        committed += 1;
    }
    f64::from(committed) / started.elapsed().as_secs_f64()
}

fn request() -> Request {
    let id = RequestId::new();
    let input = json!({"command": "cargo test --workspace", "description": "Runs all tests"});
    Request {
        id,
        source: Source::Hook { session_id: "5b3f4c1e-session".into(), agent_id: None },
        tool: "Bash".into(),
        input: input.as_object().unwrap().clone(),
        cwd: "/home/ada/project".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: Vec::new(),
            parts: Vec::new(),
            grant: None,
        },
        offers_session: true,
        created_ms: 1,
        expires_ms: 300_001,
    }
}

fn approved() -> Resolution {
    let by = Answerer { surface: "web".into(), id: "owner".into(), name: "Ada".into() };
    Resolution { outcome: End::Approved, by: Some(by), reason: None, reason_source: None, cause: None, rule: None }
}
