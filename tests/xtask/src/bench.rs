//! What `dmplz hook` costs, as ratios measured in one run on one machine: medians over [`ROUNDS`] rounds, in each of which
//! every candidate runs once, so that a busy moment hits all of them.
//!
//! | candidate | what is measured |
//! |---|---|
//! | empty | a Rust program that does nothing, built like `dmplz`: start to exit |
//! | hook | the binary as it is given out (profile `dist`), with the embedded Telegram component and a captured PermissionRequest: start to the first request at a loopback server, over HTTP and TLS; the server's press to the JSON on stdout; peak memory when the last request is made |
//! | event | the same binary with a captured PostToolUse and no open request: start to exit |
//! | policy | the rules alone, in one process: `host/policy/examples/policy.rs` |
//! | rules | the same binary with a request that a rule of `dmplz policy init` allows, and with one that a rule denies; no messenger: start to exit, both logs written |
//! | gateway | `dmplz serve` under many open requests, and the way of a hook through it |
//! | python3, node, bun | their start; and one POST from a bare script: start to exit, and to the request at the same server |

mod build;
mod candidates;
mod chat;
mod gateway;
mod policy;
mod rows;
mod rules;
mod run;
mod scripts;
mod table;

use std::path::Path;

use candidates::Candidates;

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
    let policy = policy::rows(root)?;
    let candidates = Candidates::prepare(root, binary)?;
    for _ in 0..WARM_UP {
        candidates.round()?;
    }
    let rounds = (0..ROUNDS).map(|_| candidates.round()).collect::<anyhow::Result<Vec<_>>>()?;
    let mut table = rows::rows(&rounds);
    table.rows.extend(policy);
    table.rows.extend(gateway::rows(root, candidates.dmplz())?);
    Ok(table)
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
