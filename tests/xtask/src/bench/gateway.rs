//! Measures the gateway: the time from an answer to a hook's stdout while many requests are open, its memory, its rate
//! of durable decisions, and what asking through it costs a hook.
//!
//! | candidate | what is measured |
//! |---|---|
//! | serve | `dmplz serve` on its own state directory, with 1, 1,000 and 10,000 open requests: from the answer at its socket to the JSON on the stdout of a real `dmplz hook`; resident memory with all of them open |
//! | hook | `dmplz hook` with a benchmark socket in place of the gateway's: start to its request there |
//! | cards | `tests/e2e/examples/cards.rs`: `dmplz serve` with 100 and with 1,000 cards up on Discord over its gateway: from a press to its acknowledgement at the server, memory, processor time per frame |
//! | decisions | `host/gateway/examples/decisions.rs`: durable decisions a second, next to SQLite's own commits on the same disk |

mod crowd;
mod line;
mod serve;

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use self::crowd::Crowd;
pub(super) use self::line::Line;
pub(super) use self::serve::{Serve, program};
use super::table::{Row, median};
use super::{Goal, build};

pub(super) use self::serve::to_request;

/// The numbers of open requests to measure with.
const SIZES: [usize; 3] = [1, 1_000, 10_000];
/// The number of answers at each size: enough that the 99th percentile is not the maximum.
const ANSWERS: usize = 300;

/// Measures a gateway with many open requests. `dmplz` is the binary that is measured.
pub(super) fn rows(root: &Path, dmplz: &Path) -> anyhow::Result<Vec<Row>> {
    let request = root.join("tests/e2e/stdin/PermissionRequest-Bash.json");
    let serve = Serve::start(dmplz)?;
    let mut crowd = Crowd::default();
    let mut rows = Vec::new();
    for size in SIZES {
        crowd.grow(&serve, size)?;
        let mut took = (0..ANSWERS).map(|_| serve.answered(&request)).collect::<anyhow::Result<Vec<f64>>>()?;
        took.sort_by(f64::total_cmp);
        let goal = (size == 10_000).then_some(Goal::ValueBelow(10.0));
        let what = |share: &str| format!("answer to stdout, {size} open, {share}");
        rows.push(Row::new(&what("p50"), median(took.clone()), "ms", None, None));
        rows.push(Row::new(&what("p99"), took.get(took.len() * 99 / 100).copied(), "ms", None, goal));
    }
    rows.push(Row::new(
        "the gateway's memory, 10,000 open",
        Some(serve.resident_mib()?),
        "MiB",
        None,
        Some(Goal::ValueBelow(80.0)),
    ));
    Ok(rows)
}

/// Measures many open cards on Discord.
pub(super) fn cards(root: &Path, dmplz: &Path) -> anyhow::Result<Vec<Row>> {
    let figures = figures(build::example(root, "cards").arg("--").arg(dmplz))?;
    let row =
        |what: &str, key: &str, unit, goal| anyhow::Ok(Row::new(what, Some(read(&figures, key)?), unit, None, goal));
    Ok(vec![
        row("press to acknowledgement, 100 cards, p50", "acknowledged_p50_ms", "ms", None)?,
        row("press to acknowledgement, 100 cards, p99", "acknowledged_p99_ms", "ms", Some(Goal::ValueBelow(50.0)))?,
        row("the gateway's memory, no card on Discord", "no_cards_mib", "MiB", None)?,
        row("the gateway's memory, 1,000 cards on Discord", "many_cards_mib", "MiB", None)?,
        row("processor time for a frame of 1 KiB", "frame_us", "µs", None)?,
    ])
}

/// Measures the store's durable decisions next to SQLite's own commits.
pub(super) fn decisions(root: &Path) -> anyhow::Result<Vec<Row>> {
    let figures = figures(&mut build::example(root, "decisions"))?;
    let sqlite = read(&figures, "sqlite_per_s")?;
    let row = |what: &str, value: f64, goal| Row::new(what, Some(value), "/s", Some(value / sqlite), goal);
    Ok(vec![
        row("commits of SQLite itself", sqlite, None),
        row("durable decisions, one at a time, by SQLite's commits", read(&figures, "alone_per_s")?, None),
        row(
            "durable decisions, 64 at a time, by SQLite's commits",
            read(&figures, "together_per_s")?,
            Some(Goal::RatioAtLeast(0.7)),
        ),
    ])
}

/// Runs a benchmark that prints one JSON object.
fn figures(benchmark: &mut Command) -> anyhow::Result<Value> {
    let output = benchmark.output().context("start a benchmark")?;
    anyhow::ensure!(output.status.success(), "run a benchmark: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("read a benchmark's figures")
}

fn read(figures: &Value, key: &str) -> anyhow::Result<f64> {
    figures.get(key).and_then(Value::as_f64).with_context(|| format!("read {key}"))
}
