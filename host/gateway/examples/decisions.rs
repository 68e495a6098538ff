//! Measures how many decisions per second become durable, compared with the commits of SQLite itself on the same disk
//! in the same run.
//!
//! ```text
//! cargo run --release -p dmplz-gateway --example decisions -- [DIRECTORY [SECONDS]]
//! ```
//!
//! Prints one JSON object. `alone` is one task that waits for each decision before the next one; `together` are 64 such
//! tasks. `sqlite` is a series of commits of the minimum that a decision writes, one changed row and one new row,
//! through plain SQLite with the same settings and a log of the same initial length. The three take turns, so that a
//! disk that is busy for a while slows all of them. The goal is `together` / `sqlite` of at least 0.7.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement that fails should fail loudly")]

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::request::{End, Resolution};
use dmplz_gateway::Disk;
use dmplz_gateway::ledger::{Ledger, Record};
use dmplz_protocol::{Request, RequestId, Source};
use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use rusqlite::Connection;
use serde_json::json;
use tokio::task::LocalSet;

const DECIDERS: usize = 64;

/// The length of a turn.
const TURN: Duration = Duration::from_millis(250);

/// Requests that are open when a turn begins, by how many decide.
const OPEN: usize = 1_000;

/// The results of several turns.
#[derive(Default)]
struct Done {
    took: Duration,
    waits: Vec<Duration>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let parent = arguments.next().map_or_else(std::env::temp_dir, Into::into);
    let seconds: u32 = arguments.next().map_or(3, |seconds| seconds.parse().unwrap());
    let temp = tempfile::tempdir_in(parent).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let plain = plain(&temp.path().join("plain.db"));
    let dir = StateDir::open(temp.path().join("state")).unwrap();
    let options = StoreOptions { room_ahead: true, ..StoreOptions::default() };
    let (disk, _) = runtime.block_on(Disk::open(&dir, options, 1)).unwrap();
    let [mut sqlite, mut alone, mut together] = [(); 3].map(|()| Done::default());
    for _ in 0..seconds * 4 {
        commits(&plain, &mut sqlite);
        runtime.block_on(decisions(&disk, 1, &mut alone));
        runtime.block_on(decisions(&disk, DECIDERS, &mut together));
    }
    let [sqlite_p50, alone_p50, together_p50] = [&mut sqlite, &mut alone, &mut together].map(|done| done.wait(50));
    println!(
        "{}",
        json!({
            "sqlite_per_s": sqlite.rate().round(),
            "alone_per_s": alone.rate().round(),
            "together_per_s": together.rate().round(),
            "together": DECIDERS,
            "together_by_sqlite": (together.rate() / sqlite.rate() * 100.0).round() / 100.0,
            "alone_by_sqlite": (alone.rate() / sqlite.rate() * 100.0).round() / 100.0,
            "ms": {
                "sqlite": { "p50": sqlite_p50, "p99": sqlite.wait(99) },
                "alone": { "p50": alone_p50, "p99": alone.wait(99) },
                "together": { "p50": together_p50, "p99": together.wait(99) },
            },
        })
    );
}

impl Done {
    fn rate(&self) -> f64 {
        self.waits.len() as f64 / self.took.as_secs_f64()
    }

    /// Returns the time in milliseconds within which this percentage of decisions was durable.
    fn wait(&mut self, percent: usize) -> f64 {
        self.waits.sort_unstable();
        let at = (self.waits.len() * percent / 100).min(self.waits.len().saturating_sub(1));
        self.waits.get(at).map_or(0.0, |wait| (wait.as_secs_f64() * 1e5).round() / 100.0)
    }
}

/// Runs a turn of `deciders` tasks, each of which waits for its decision before the next one.
async fn decisions(disk: &Disk, deciders: usize, done: &mut Done) {
    let adding = (0..OPEN * deciders.min(4)).map(|_| {
        let disk = disk.clone();
        tokio::spawn(async move {
            let request = Arc::new(request());
            disk.write(Record::Asked(Arc::clone(&request)), 1, Box::new(|_| {})).await.unwrap();
            request.id
        })
    });
    let mut open = Vec::new();
    for added in adding.collect::<Vec<_>>() {
        open.push(added.await.unwrap());
    }
    let (open, local, started) = (Rc::new(RefCell::new(open)), LocalSet::new(), Instant::now());
    let decider = |_| {
        let (disk, open) = (disk.clone(), Rc::clone(&open));
        local.spawn_local(async move {
            let mut waits = Vec::new();
            while started.elapsed() < TURN {
                let next = open.borrow_mut().pop();
                let Some(id) = next else { break };
                let handed_in = Instant::now();
                let ended = Record::Ended { id, resolution: approved() };
                assert!(disk.write(ended, 2, Box::new(|_| {})).await.unwrap().is_some());
                waits.push(handed_in.elapsed());
            }
            waits
        })
    };
    let deciding: Vec<_> = (0..deciders).map(decider).collect();
    local
        .run_until(async {
            for decider in deciding {
                done.waits.extend(decider.await.unwrap());
            }
        })
        .await;
    done.took += started.elapsed();
}

fn plain(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                    PRAGMA secure_delete = ON; \
                    CREATE TABLE requests (number INTEGER PRIMARY KEY, status TEXT, resolution TEXT) STRICT; \
                    CREATE TABLE audit (seq INTEGER PRIMARY KEY, body TEXT) STRICT; \
                    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
                    INSERT INTO requests SELECT n, 'open', NULL FROM n;";
    connection.execute_batch(settings).unwrap();
    // Its log is as long from the start as that of the store, and so is no slower to write.
    let room = "CREATE TABLE room (zeros BLOB); INSERT INTO room VALUES (zeroblob(4096000)); DROP TABLE room";
    connection.execute_batch(room).unwrap();
    connection
}

/// Runs a turn of commits of one changed and one new row.
fn commits(connection: &Connection, done: &mut Done) {
    let body = json!({"resolution": approved(), "inputSha256": "0".repeat(64)}).to_string();
    let started = Instant::now();
    while started.elapsed() < TURN {
        let begun = Instant::now();
        let transaction = connection.unchecked_transaction().unwrap();
        let change = "UPDATE requests SET status = 'ended', resolution = ? WHERE number = ?";
        transaction.prepare_cached(change).unwrap().execute((&body, done.waits.len() % 10_000 + 1)).unwrap();
        transaction.prepare_cached("INSERT INTO audit (body) VALUES (?)").unwrap().execute([&body]).unwrap();
        transaction.commit().unwrap();
        done.waits.push(begun.elapsed());
    }
    done.took += started.elapsed();
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
            granted: None,
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(true),
        created_ms: 1,
        expires_ms: 300_001,
    }
}

fn approved() -> Resolution {
    let by = Answerer { surface: "web".into(), id: "owner".into(), name: "Ada".into() };
    Resolution {
        outcome: End::Approved,
        by: Some(by),
        scope: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    }
}
