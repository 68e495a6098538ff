//! The process that is killed. It asks and decides as fast as it can, many requests at once, with several surfaces
//! each.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::request::{End, ReasonSource, Resolution};
use dmplz_gateway::Disk;
use dmplz_gateway::ledger::{Ledger, Record};
use dmplz_protocol::{Request, RequestId, Source};
use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use serde_json::json;
use tokio::task::JoinSet;

/// The number of requests that are open at the same time.
const AT_ONCE: usize = 16;

/// Asks and decides until the process is killed.
pub(crate) fn decide(dir: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let dir = StateDir::open(dir).unwrap();
        let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), 1).await.unwrap();
        let mut all = JoinSet::new();
        // What an earlier one left is answered first.
        for standing in recovered.open {
            all.spawn(answer(disk.clone(), standing.request.id));
        }
        all.join_all().await;
        let mut all = JoinSet::new();
        for _ in 0..AT_ONCE {
            let disk = disk.clone();
            all.spawn(async move {
                loop {
                    let request = Arc::new(request());
                    disk.write(Record::Asked(Arc::clone(&request)), 1, Box::new(|_| {})).await.unwrap();
                    say(request.id, "asked");
                    answer(disk.clone(), request.id).await;
                }
            });
        }
        all.join_all().await;
    });
}

/// Answers on two surfaces at once, of which one wins. Half of the denials come in two steps.
async fn answer(disk: Disk, id: RequestId) {
    let way = id.to_string().bytes().last().unwrap_or_default() % 4;
    if way == 0 {
        let denied = Record::Denied { id, by: by("telegram"), until_ms: 9, instead: false };
        disk.write(denied, 2, Box::new(|_| {})).await.unwrap();
    }
    let deny = Resolution {
        outcome: End::RejectedNoReason,
        reason_source: Some(ReasonSource::ExplicitSkip),
        ..approved("telegram")
    };
    let (one, other) = match way {
        1 => (approved("web"), deny),
        2 => (approved("web"), approved("cli")),
        _ => (deny, approved("web")),
    };
    let ended = |resolution: &Resolution| Record::Ended { id, resolution: resolution.clone() };
    let (first, second) =
        tokio::join!(disk.write(ended(&one), 3, Box::new(|_| {})), disk.write(ended(&other), 3, Box::new(|_| {})));
    match (first.unwrap(), second.unwrap()) {
        (Some(_), None) => say(id, &word(&one)),
        (None, Some(_)) => say(id, &word(&other)),
        both => panic!("one of two wins: {both:?}"),
    }
    disk.write(Record::Taken { id, taken: true }, 4, Box::new(|_| {})).await.unwrap();
}

/// Prints a line in one write, so that a kill cuts no line.
fn say(id: RequestId, what: &str) {
    std::io::stderr().write_all(format!("> {id} {what}\n").as_bytes()).unwrap();
}

fn word(resolution: &Resolution) -> String {
    serde_json::to_value(resolution.outcome).unwrap().as_str().unwrap().to_owned()
}

fn by(surface: &str) -> Answerer {
    Answerer { surface: surface.into(), id: "owner".into(), name: "Ada".into() }
}

fn approved(surface: &str) -> Resolution {
    Resolution {
        outcome: End::Approved,
        by: Some(by(surface)),
        scope: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    }
}

fn request() -> Request {
    let id = RequestId::new();
    Request {
        id,
        source: Source::Hook { session_id: "s".into(), agent_id: None },
        tool: "Bash".into(),
        input: json!({"command": "make ".repeat(100)}).as_object().unwrap().clone(),
        cwd: "/work".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: Vec::new(),
            parts: Vec::new(),
            grant: None,
            granted: None,
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(false),
        created_ms: 1,
        expires_ms: 300_001,
    }
}
