//! What `dmplz hook` costs, as ratios measured in one run on one machine: medians over [`ROUNDS`] rounds, in each of which
//! every candidate runs once, so that a busy moment hits all of them.
//!
//! | candidate | what is measured |
//! |---|---|
//! | empty | a Rust program that does nothing, built like `dmplz`: start to exit |
//! | hook | the release binary with the embedded Telegram component and a captured PermissionRequest: start to the first request at a loopback server, over HTTP and TLS; the server's press to the JSON on stdout; peak memory when the last request is made |
//! | event | the same binary with a captured PostToolUse and no open request: start to exit |
//! | python3, node, bun | their start; and one POST from a bare script: start to the request at the same server |

mod build;
mod candidates;
mod chat;
mod run;
mod scripts;
mod table;

use std::path::Path;
use std::time::Duration;

use candidates::{Candidates, Round};
use table::{Row, median};

pub use table::Table;

/// How often everything runs. Odd, so that the median is one of them.
pub const ROUNDS: usize = 41;
/// Rounds before it counts: caches get warm.
const WARM_UP: usize = 3;

/// Builds what is measured and measures it; or measures a binary that is there already.
///
/// # Errors
/// When something does not build or start, or the hook does not answer as it should.
pub fn bench(root: &Path, binary: Option<&Path>) -> anyhow::Result<Table> {
    let candidates = Candidates::prepare(root, binary)?;
    for _ in 0..WARM_UP {
        candidates.round()?;
    }
    let rounds = (0..ROUNDS).map(|_| candidates.round()).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(rows(&rounds))
}

fn rows(rounds: &[Round]) -> Table {
    let ratio =
        |what: &str, goal: Option<Goal>, of: fn(&Round) -> Option<Duration>, to: fn(&Round) -> Option<Duration>| {
            let pairs = rounds.iter().filter_map(|round| Some((of(round)?.as_secs_f64(), to(round)?.as_secs_f64())));
            let (values, ratios): (Vec<f64>, Vec<f64>) = pairs.map(|(of, to)| (of * 1e3, of / to)).unzip();
            Row::new(what, median(values), "ms", median(ratios), goal)
        };
    let plain = |what: &str, unit: &'static str, goal: Option<Goal>, of: fn(&Round) -> Option<f64>| {
        Row::new(what, median(rounds.iter().filter_map(of).collect()), unit, None, goal)
    };
    Table {
        rounds: rounds.len(),
        rows: vec![
            ratio("empty process, to exit", None, |r| Some(r.empty), |r| Some(r.empty)),
            ratio(
                "hook to first request, HTTP",
                Some(Goal::RatioAtMost(2.0)),
                |r| Some(r.http.first),
                |r| Some(r.empty),
            ),
            ratio("hook to first request, TLS", Some(Goal::RatioAtMost(4.0)), |r| Some(r.tls.first), |r| Some(r.empty)),
            ratio("hook to exit, HTTP, less the wait for the press", None, |r| Some(r.http.exit), |r| Some(r.empty)),
            ratio(
                "PostToolUse without a card, to exit",
                Some(Goal::RatioAtMost(1.3)),
                |r| Some(r.event),
                |r| Some(r.empty),
            ),
            plain("press to stdout, HTTP", "ms", Some(Goal::ValueBelow(3.0)), |r| {
                Some(r.http.press.as_secs_f64() * 1e3)
            }),
            plain("press to stdout, TLS", "ms", Some(Goal::ValueBelow(3.0)), |r| Some(r.tls.press.as_secs_f64() * 1e3)),
            plain("peak memory, HTTP", "MiB", Some(Goal::ValueBelow(12.0)), |r| Some(r.http.peak_kib as f64 / 1024.0)),
            plain("peak memory, TLS", "MiB", Some(Goal::ValueBelow(12.0)), |r| Some(r.tls.peak_kib as f64 / 1024.0)),
            ratio(
                "python3 -c 'import json, urllib.request', by the empty one",
                None,
                |r| r.python_start,
                |r| Some(r.empty),
            ),
            ratio("node -e 0, by the empty one", None, |r| r.node_start, |r| Some(r.empty)),
            ratio("POST from bun, by the hook", Some(Goal::RatioAtLeast(3.0)), |r| r.bun, |r| Some(r.http.first)),
            ratio(
                "POST from python3, by the hook",
                Some(Goal::RatioAtLeast(25.0)),
                |r| r.python,
                |r| Some(r.http.first),
            ),
            ratio("POST from node, by the hook", Some(Goal::RatioAtLeast(60.0)), |r| r.node, |r| Some(r.http.first)),
            ratio("POST from bun over TLS, by the hook", None, |r| r.bun_tls, |r| Some(r.tls.first)),
            ratio("POST from python3 over TLS, by the hook", None, |r| r.python_tls, |r| Some(r.tls.first)),
            ratio("POST from node over TLS, by the hook", None, |r| r.node_tls, |r| Some(r.tls.first)),
        ],
    }
}

/// What is to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// At most so many times the other one.
    RatioAtMost(f64),
    /// At least so many times the other one.
    RatioAtLeast(f64),
    /// Less than so much, in the row's unit.
    ValueBelow(f64),
}
