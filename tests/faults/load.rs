//! Threads that ask and threads that answer, all of which continue when the gateway is killed, and the book in which
//! they record what they saw.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dmplz_e2e::Surface;
use serde_json::{Value, json};

/// The expiry of requests. It is later than the end of every test, so that only an answer ends a request.
const EXPIRES_MS: u64 = 240_000;
/// The pause before another attempt.
const AGAIN: Duration = Duration::from_millis(3);
/// JSON-RPC codes of the gateway.
const UNKNOWN: i64 = -32001;
const ANSWERED: i64 = -32002;
pub(crate) const NOT_RECORDED: i64 = -32005;
const NOBODY_LISTENS: i64 = -32006;

/// The state of the gateway's disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Disk {
    #[default]
    Roomy,
    /// The disk is full. A denial that cannot be stored still reaches the client that asked. If the gateway dies before
    /// there is space again, its successor finds the request open, with no client waiting, and accepts an answer to it.
    Full,
}

/// What all threads saw.
#[derive(Default)]
pub(crate) struct Book {
    pub(crate) disk: Disk,
    /// The answers that the gateway acknowledged, by request id.
    pub(crate) acknowledged: HashMap<String, Vec<&'static str>>,
    /// The outcomes of requests as the asking clients received them, by request id.
    pub(crate) told: HashMap<String, Value>,
}

impl Book {
    /// Returns whether only the client that asked may know this outcome.
    pub(crate) fn has_unrecorded(&self, told: &Value) -> bool {
        self.disk == Disk::Full && told["outcome"] == "rejected_with_reason"
    }
}

/// A load that runs until it is stopped.
pub(crate) struct Load {
    pub(crate) book: Arc<Mutex<Book>>,
    socket: PathBuf,
    /// Set to stop asking new requests.
    closing: Arc<AtomicBool>,
    /// Set to stop answering.
    over: Arc<AtomicBool>,
    askers: Vec<JoinHandle<()>>,
    answerers: Vec<JoinHandle<()>>,
}

impl Load {
    pub(crate) fn start(socket: PathBuf, disk: Disk, askers: usize, answerers: usize) -> Self {
        let book = Arc::new(Mutex::new(Book { disk, ..Book::default() }));
        let (closing, over) = (Arc::default(), Arc::default());
        let mut load = Self { book, socket, closing, over, askers: Vec::new(), answerers: Vec::new() };
        for number in 0..answerers {
            let (book, socket, over) = (Arc::clone(&load.book), load.socket.clone(), Arc::clone(&load.over));
            load.answerers.push(std::thread::spawn(move || answer_all(&book, &socket, &over, number)));
        }
        for _ in 0..askers {
            let (book, socket, closing) = (Arc::clone(&load.book), load.socket.clone(), Arc::clone(&load.closing));
            load.askers.push(std::thread::spawn(move || {
                while !closing.load(Ordering::Relaxed) {
                    ask_one(&book, &socket);
                }
            }));
        }
        load
    }

    /// Waits until every request has ended, and returns the book. Panics if a request is stuck.
    pub(crate) fn finish(self) -> Book {
        self.closing.store(true, Ordering::Relaxed);
        let end = Instant::now() + Duration::from_secs(60);
        for asker in self.askers {
            while !asker.is_finished() {
                assert!(Instant::now() < end, "a request is stuck");
                std::thread::sleep(AGAIN);
            }
            asker.join().unwrap();
        }
        self.over.store(true, Ordering::Relaxed);
        self.answerers.into_iter().for_each(|answerer| answerer.join().unwrap());
        Arc::into_inner(self.book).unwrap().into_inner().unwrap()
    }
}

/// Asks one request until it ends, however often the gateway dies meanwhile. Then asks it again, like a hook that lost
/// its connection just before the answer.
fn ask_one(book: &Mutex<Book>, socket: &Path) {
    let id = uuid::Uuid::new_v4().to_string();
    let params = json!({
        "requestId": id, "remarks": [], "expiresInMs": EXPIRES_MS,
        "input": {
            "hook_event_name": "PermissionRequest", "session_id": "faults", "cwd": "/home/user/project",
            "tool_name": "Bash", "tool_input": { "command": format!("echo {id}") },
        },
    });
    let ask = || loop {
        let Ok(mut surface) = Surface::try_to(socket) else {
            std::thread::sleep(AGAIN);
            continue;
        };
        match surface.try_call("hook.ask", &params) {
            Some(Ok(result)) => return result["resolution"].clone(),
            // No client that answers is connected yet, or the disk is full. The gateway did not accept the request.
            Some(Err(error)) if matches!(code(&error), NOBODY_LISTENS | NOT_RECORDED) => std::thread::sleep(AGAIN),
            Some(Err(error)) => panic!("hook.ask was refused: {error}"),
            None => {}
        }
    };
    let told = ask();
    book.lock().unwrap().told.insert(id, told.clone());
    if !book.lock().unwrap().has_unrecorded(&told) {
        assert_eq!(ask(), told, "the same request, asked again after its end");
    }
}

/// Answers open requests, in competition with the other threads, until `over` is set.
fn answer_all(book: &Mutex<Book>, socket: &Path, over: &AtomicBool, number: usize) {
    let mut random = fastrand::Rng::with_seed(number as u64);
    while !over.load(Ordering::Relaxed) {
        let Ok(mut surface) = Surface::try_to(socket) else {
            std::thread::sleep(AGAIN);
            continue;
        };
        if !matches!(surface.try_call("events.subscribe", &json!({})), Some(Ok(_))) {
            continue;
        }
        while !over.load(Ordering::Relaxed) {
            let Some(Ok(listed)) = surface.try_call("approvals.list", &json!({})) else { break };
            let open: Vec<String> = listed["approvals"].as_array().unwrap().iter().map(id_of).collect();
            if open.is_empty() {
                std::thread::sleep(AGAIN);
                continue;
            }
            let id = &open[random.usize(..open.len())];
            let decision = ["approve", "session", "deny"][random.usize(..3)];
            let params = json!({ "id": id, "decision": decision, "reason": "because" });
            let params = if decision == "deny" { params } else { json!({ "id": id, "decision": decision }) };
            match surface.try_call("approval.respond", &params) {
                Some(Ok(_)) => {
                    book.lock().unwrap().acknowledged.entry(id.clone()).or_default().push(decision);
                }
                Some(Err(error)) if matches!(code(&error), UNKNOWN | ANSWERED | NOT_RECORDED) => {}
                Some(Err(error)) => panic!("approval.respond was refused: {error}"),
                None => break,
            }
        }
    }
}

/// Returns the code of a JSON-RPC error.
pub(crate) fn code(error: &Value) -> i64 {
    error["code"].as_i64().unwrap_or_default()
}

fn id_of(approval: &Value) -> String {
    approval["id"].as_str().expect("an id").to_owned()
}
