//! Measures what a notice costs the hook that reports it, and how many events a gateway takes.
//!
//! | candidate | what is measured |
//! |---|---|
//! | empty | a Rust program that does nothing: start to exit |
//! | hook | `dmplz hook` with a PostToolUseFailure that a route is for: start to exit; the event is then on the disk of a running `dmplz serve`, or in the spool where none runs |
//! | gateway | `notify.happened` over 16 connections, each of which waits for a reply before its next event, beside the sending of the same notices |

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::gateway::{Serve, program};
use super::run::to_exit;
use super::table::{Row, median};
use super::{Goal, ROUNDS, WARM_UP, build};

/// A channel that nobody is subscribed to, so that sending costs no network.
const SETTINGS: &str = "[notify.channels.nobody]\ntype = \"push\"\n\n[[notify.routes]]\n\
                        events = [\"PostToolUseFailure\", \"Stop\"]\nto = [\"nobody\"]\n";
/// The number of connections, and of events on each of them.
const CONNECTIONS: u32 = 16;
const EVENTS: u32 = 500;

/// What a round measures.
pub(super) struct Notices {
    dmplz: PathBuf,
    empty: PathBuf,
    event: PathBuf,
    serve: Serve,
    /// The home in which no gateway runs.
    spool: tempfile::TempDir,
    _scratch: tempfile::TempDir,
}

impl Notices {
    /// Builds the empty program and starts a gateway. `dmplz` is the binary that is measured.
    pub(super) fn prepare(root: &Path, dmplz: &Path) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir()?;
        let spool = tempfile::tempdir()?;
        std::fs::create_dir(spool.path().join("state"))?;
        std::fs::write(spool.path().join("state/config.toml"), SETTINGS)?;
        Ok(Self {
            dmplz: dmplz.to_owned(),
            empty: build::empty(root, scratch.path())?,
            event: root.join("tests/e2e/stdin/PostToolUseFailure-Bash.json"),
            serve: Serve::with(dmplz, SETTINGS)?,
            spool,
            _scratch: scratch,
        })
    }

    /// Runs the empty program, and the hook with a gateway and without one.
    pub(super) fn round(&self) -> anyhow::Result<[Duration; 3]> {
        let hook = |home: &Path| {
            let mut hook = program(&self.dmplz, home);
            hook.arg("hook");
            to_exit(hook, &self.event)
        };
        Ok([to_exit(Command::new(&self.empty), &self.event)?, hook(self.serve.home())?, hook(self.spool.path())?])
    }
}

/// Measures them in rounds of their own. `dmplz` is the binary that is measured.
pub(super) fn rows(root: &Path, dmplz: &Path) -> anyhow::Result<Vec<Row>> {
    let notices = Notices::prepare(root, dmplz)?;
    let mut rounds = Vec::new();
    for round in 0..WARM_UP + ROUNDS {
        let took = notices.round()?;
        if round >= WARM_UP {
            rounds.push(took.map(millis));
        }
    }
    let row = |what: &str, goal, of: fn(&[f64; 3]) -> f64| {
        let (values, ratios) = rounds.iter().map(|round @ [empty, ..]| (of(round), of(round) / empty)).unzip();
        Row::new(what, median(values), "ms", median(ratios), goal)
    };
    let most = Some(Goal::RatioAtMost(1.5));
    let per_second = per_second(&notices.serve)?;
    Ok(vec![
        row("empty process, to exit, beside notices", None, |[empty, ..]| *empty),
        row("hook that hands an event to the gateway, to exit", most, |[_, handed, _]| *handed),
        row("hook that leaves an event in the spool, to exit", most, |[.., left]| *left),
        Row::new("events into the queue", Some(per_second), "/s", None, Some(Goal::ValueAtLeast(1_000.0))),
    ])
}

/// Returns how many events a second the gateway has on disk.
fn per_second(serve: &Serve) -> anyhow::Result<f64> {
    let lines = (0..CONNECTIONS).map(|_| serve.connect()).collect::<anyhow::Result<Vec<_>>>()?;
    let start = Instant::now();
    let threads: Vec<_> = (0..CONNECTIONS)
        .zip(lines)
        .map(|(connection, mut line)| {
            std::thread::spawn(move || {
                (0..EVENTS).try_for_each(|event| {
                    // Of sessions of their own: nothing is merged.
                    let id = format!("{connection}-{event}");
                    let occurrence =
                        json!({ "event": "Stop", "id": id, "atMs": 1_800_000_000_000_u64, "sessionId": id });
                    line.call("notify.happened", &json!({ "occurrence": occurrence })).map(drop)
                })
            })
        })
        .collect();
    for thread in threads {
        thread.join().ok().context("wait for a connection")??;
    }
    Ok(f64::from(CONNECTIONS * EVENTS) / start.elapsed().as_secs_f64())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
