//! Many who ask and many who answer, all of whom go on when the gateway is killed, and the book that they keep.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::line::{Line, Reply};

/// A request lives longer than any test: what ends it is an answer.
const EXPIRES_MS: u64 = 240_000;
/// Coming back after a kill.
const AGAIN: Duration = Duration::from_millis(3);
/// JSON-RPC codes of the gateway.
const UNKNOWN: i64 = -32001;
const ANSWERED: i64 = -32002;
const NOT_RECORDED: i64 = -32005;
const NOBODY_LISTENS: i64 = -32006;

/// What the gateway has to write on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Disk {
    #[default]
    Roomy,
    /// A denial that cannot be recorded reaches whoever asks all the same. If the gateway dies before there is room again,
    /// the next one finds the request open, with nobody waiting for it, and lets it be answered.
    Full,
}

/// What everybody saw.
#[derive(Default)]
pub(crate) struct Book {
    pub(crate) disk: Disk,
    /// Answers that the gateway acknowledged, by request.
    pub(crate) acknowledged: HashMap<String, Vec<&'static str>>,
    /// How requests ended, as those who asked were told.
    pub(crate) told: HashMap<String, Value>,
}

impl Book {
    /// Whether this end may be known to nobody but who asked.
    pub(crate) fn has_unrecorded(&self, told: &Value) -> bool {
        self.disk == Disk::Full && told["outcome"] == "rejected_with_reason"
    }
}

/// A load that runs until it is stopped.
pub(crate) struct Load {
    pub(crate) book: Arc<Mutex<Book>>,
    socket: PathBuf,
    /// Nobody asks anything new.
    closing: Arc<AtomicBool>,
    /// Everybody goes home.
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

    /// Lets every request come to its end, and gives the book. A request that is stuck makes this panic.
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

/// One request from its first word to its end, however often the gateway dies meanwhile; then once more, as a hook does
/// that lost its connection just before it was told.
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
        let Ok(mut line) = Line::connect(socket) else {
            std::thread::sleep(AGAIN);
            continue;
        };
        match line.call("hook.ask", &params, |_| ()) {
            Reply::Result(result) => return result["resolution"].clone(),
            Reply::Lost => {}
            // Whoever answers has not come back yet, or there is no room: nothing was asked.
            Reply::Refused(NOBODY_LISTENS | NOT_RECORDED) => std::thread::sleep(AGAIN),
            Reply::Refused(code) => panic!("hook.ask was refused: {code}"),
        }
    };
    let told = ask();
    book.lock().unwrap().told.insert(id, told.clone());
    if !book.lock().unwrap().has_unrecorded(&told) {
        assert_eq!(ask(), told, "the same request, asked again after its end");
    }
}

/// Answers whatever is open, in competition with the others, until it is over.
fn answer_all(book: &Mutex<Book>, socket: &Path, over: &AtomicBool, number: usize) {
    let mut random = fastrand::Rng::with_seed(number as u64);
    while !over.load(Ordering::Relaxed) {
        let Ok(mut line) = Line::connect(socket) else {
            std::thread::sleep(AGAIN);
            continue;
        };
        if !matches!(line.call("events.subscribe", &json!({}), |_| ()), Reply::Result(_)) {
            continue;
        }
        while !over.load(Ordering::Relaxed) {
            let Reply::Result(listed) = line.call("approvals.list", &json!({}), |_| ()) else { break };
            let open: Vec<String> = listed["approvals"].as_array().unwrap().iter().map(id_of).collect();
            if open.is_empty() {
                std::thread::sleep(AGAIN);
                continue;
            }
            let id = &open[random.usize(..open.len())];
            let decision = ["approve", "session", "deny"][random.usize(..3)];
            let params = json!({ "id": id, "decision": decision, "reason": "because" });
            let params = if decision == "deny" { params } else { json!({ "id": id, "decision": decision }) };
            match line.call("approval.respond", &params, |_| ()) {
                Reply::Result(_) => {
                    book.lock().unwrap().acknowledged.entry(id.clone()).or_default().push(decision);
                }
                Reply::Refused(UNKNOWN | ANSWERED | NOT_RECORDED) => {}
                Reply::Refused(code) => panic!("approval.respond was refused: {code}"),
                Reply::Lost => break,
            }
        }
    }
}

fn id_of(approval: &Value) -> String {
    approval["id"].as_str().expect("an id").to_owned()
}
