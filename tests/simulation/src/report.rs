//! The results of all runs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::oracle::Invariant;

/// An invariant that broke, with the shortest script in which it does.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    /// The promise that was broken.
    pub invariant: Invariant,
    /// The sort of the failure. Failures of one sort are reported once.
    pub sort: Vec<&'static str>,
    /// The seed of the run that showed it.
    pub seed: u64,
    /// Says what happened instead.
    pub why: String,
    /// The script that plays it again.
    pub script: String,
    /// The story of the run, one line per event.
    pub story: Vec<String>,
}

/// The summary of all runs.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The number of runs.
    pub runs: u64,
    /// The number of requests by how they ended.
    pub ends: BTreeMap<String, u64>,
    /// The number of times that each invariant broke, and the first seed.
    pub broken: BTreeMap<Invariant, (u64, u64)>,
    /// Some of those, reduced to the shortest script.
    pub failures: Vec<Failure>,
    /// The duration in seconds.
    pub seconds: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = 1000.0 * self.seconds / self.runs.max(1) as f64;
        writeln!(f, "runs       {} in {:.0} s, {each:.1} ms each", self.runs, self.seconds)?;
        for (end, count) in &self.ends {
            writeln!(f, "  {end:<22} {count}")?;
        }
        writeln!(f, "broken     {}", self.broken.len())?;
        for (invariant, (count, seed)) in &self.broken {
            writeln!(f, "  {:<22} {count}, first with seed {seed}", format!("{invariant:?}"))?;
        }
        for failure in &self.failures {
            writeln!(f, "\n{failure}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { invariant, seed, why, script, story, .. } = self;
        write!(f, "{invariant:?} (seed {seed}): {why}\n{script}\n# {}", story.join("\n# "))
    }
}
