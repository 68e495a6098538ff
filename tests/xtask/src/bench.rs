//! Measures what `dmplz hook` costs, as ratios within one run on one machine. Each figure is the median of [`ROUNDS`]
//! rounds. In each round every candidate is measured once, so that a moment of load affects all of them.
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
//! | sessions | clients of sessions that ask and that write; the official Agent SDK for Python with the same client, if it is installed |
//! | python3, node, bun | starting the runtime; one POST from a minimal script: start to exit, and start to the request at the same server |

mod build;
mod candidates;
mod chat;
mod client;
mod gateway;
mod installed;
mod notices;
mod order;
mod policy;
mod rows;
mod rules;
mod run;
mod scripts;
mod sdk;
mod sessions;
mod table;

use std::path::{Path, PathBuf};

use anyhow::Context;
use candidates::Candidates;

use crate::dist;

pub use client::{CLIENT, client};
pub use order::{Order, startup_order};
pub use table::{Row, Table};

/// The number of measured rounds. It is odd, so that the median is one of the measured values.
pub const ROUNDS: usize = 41;
/// The number of rounds that run first, unmeasured, to warm the caches.
const WARM_UP: usize = 3;

/// A part of the measurements, which can be run without the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The rules alone, in one process.
    Policy,
    /// A hook by itself, next to an empty process and to runtimes of scripts.
    Hook,
    /// A gateway with many open requests.
    Gateway,
    /// The gateway's durable decisions, next to SQLite's own commits.
    Decisions,
    /// Many open cards on Discord.
    Cards,
    /// What notices cost a hook and a gateway.
    Notices,
    /// What sessions of an agent cost.
    Sessions,
}

impl Part {
    /// All parts, in the order in which they are run.
    pub const ALL: [Self; 7] =
        [Self::Policy, Self::Hook, Self::Gateway, Self::Decisions, Self::Cards, Self::Notices, Self::Sessions];

    /// Returns the name by which a part is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Hook => "hook",
            Self::Gateway => "gateway",
            Self::Decisions => "decisions",
            Self::Cards => "cards",
            Self::Notices => "notices",
            Self::Sessions => "sessions",
        }
    }

    /// Returns the part with this name.
    ///
    /// # Errors
    /// Returns an error that lists the names if there is none.
    pub fn named(name: &str) -> anyhow::Result<Self> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|part| part.name() == name).with_context(|| format!("find {name} among {}", names()))
    }

    /// Returns whether the part starts `dmplz`.
    fn runs_dmplz(self) -> bool {
        !matches!(self, Self::Policy | Self::Decisions)
    }

    fn rows(self, root: &Path, dmplz: &Path) -> anyhow::Result<Vec<Row>> {
        match self {
            Self::Policy => policy::rows(root),
            Self::Hook => hook(root, dmplz),
            Self::Gateway => gateway::rows(root, dmplz),
            Self::Decisions => gateway::decisions(root),
            Self::Cards => gateway::cards(root, dmplz),
            Self::Notices => notices::rows(root, dmplz),
            Self::Sessions => sessions::rows(dmplz),
        }
    }
}

/// Builds the candidates and measures them, and tells `each` the rows of every part as soon as they are there. `binary` is a
/// built `dmplz` to measure instead of building one.
///
/// # Errors
/// Returns an error if a candidate does not build or start, or the hook gives an unexpected answer.
pub fn bench(
    root: &Path,
    binary: Option<&Path>,
    parts: &[Part],
    mut each: impl FnMut(&[Row]),
) -> anyhow::Result<Table> {
    let dmplz = match binary {
        // Candidates are started in other directories.
        Some(binary) => std::path::absolute(binary)?,
        None if parts.iter().any(|part| part.runs_dmplz()) => dist::build(root, &dist::this_target()?, None)?,
        None => PathBuf::new(),
    };
    let mut table = Table::default();
    for part in parts {
        let rows = part.rows(root, &dmplz).with_context(|| format!("measure {}", part.name()))?;
        each(&rows);
        table.rows.extend(rows);
    }
    Ok(table)
}

fn hook(root: &Path, dmplz: &Path) -> anyhow::Result<Vec<Row>> {
    let candidates = Candidates::prepare(root, dmplz)?;
    for _ in 0..WARM_UP {
        candidates.round()?;
    }
    let rounds = (0..ROUNDS).map(|_| candidates.round()).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(rows::rows(&rounds))
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
