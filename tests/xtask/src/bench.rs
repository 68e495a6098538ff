//! Measures what `dmplz hook` costs, as ratios within one run on one machine. Each figure is the median of [`ROUNDS`]
//! rounds. In each round every candidate runs once, so that a moment of load affects all of them.
//!
//! | candidate | what is measured |
//! |---|---|
//! | empty | a Rust program that does nothing, built like `dmplz`: start to exit |
//! | hook | the release binary (profile `dist`), with the embedded Telegram component and a captured PermissionRequest: start to the first request at a loopback server, over HTTP and TLS; from the press to the JSON on stdout; peak memory at its last request |
//! | event | the same binary with a captured PostToolUse and no open request: start to exit |
//! | policy | the rules alone, in one process: `host/policy/examples/policy.rs` |
//! | rules | the same binary with a request that a rule of `dmplz policy init` allows, and with one that a rule denies; no messenger: start to exit, both logs written |
//! | gateway | `dmplz serve` with many open requests, and a hook that asks through it |
//! | notices | a hook that reports an event, and the events that a gateway takes in a second |
//! | python3, node, bun | starting the runtime; one POST from a minimal script: start to exit, and start to the request at the same server |

mod build;
mod candidates;
mod chat;
mod gateway;
mod notices;
mod policy;
mod rows;
mod rules;
mod run;
mod scripts;
mod table;

use std::path::Path;

use candidates::Candidates;

pub use table::Table;

/// The number of measured rounds. It is odd, so that the median is one of the measured values.
pub const ROUNDS: usize = 41;
/// The number of rounds that run first, unmeasured, to warm the caches.
const WARM_UP: usize = 3;

/// Builds the candidates and measures them. `binary` is a built `dmplz` to measure instead of building one.
///
/// # Errors
/// Returns an error if a candidate does not build or start, or the hook gives an unexpected answer.
pub fn bench(root: &Path, binary: Option<&Path>) -> anyhow::Result<Table> {
    let policy = policy::rows(root)?;
    let candidates = Candidates::prepare(root, binary)?;
    for _ in 0..WARM_UP {
        candidates.round()?;
    }
    let rounds = (0..ROUNDS).map(|_| candidates.round()).collect::<anyhow::Result<Vec<_>>>()?;
    let mut table = rows::rows(&rounds);
    table.rows.extend(policy);
    table.rows.extend(gateway::rows(root, candidates.dmplz())?);
    table.rows.extend(notices::rows(root, candidates.dmplz())?);
    Ok(table)
}

/// Measures only what notices cost.
///
/// # Errors
/// As [`bench()`].
pub fn of_notices(root: &Path, binary: Option<&Path>) -> anyhow::Result<Table> {
    let dmplz = binary.map_or_else(|| build::dmplz(root), |binary| Ok(binary.to_owned()))?;
    Ok(Table { rounds: ROUNDS, rows: notices::rows(root, &dmplz)? })
}

/// The value that a figure has to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The ratio is at most this.
    RatioAtMost(f64),
    /// The ratio is at least this.
    RatioAtLeast(f64),
    /// The value is below this, in the row's unit.
    ValueBelow(f64),
    /// The value is at least this, in the row's unit.
    ValueAtLeast(f64),
}
