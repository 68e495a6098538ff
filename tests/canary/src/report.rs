//! The result of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::shell::Shell;
use crate::verdict::Fired;

/// The maximum number of effects of a line that are printed.
const SHOWN: usize = 3;

/// A line that the policy allows, and that has an effect which no rule means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Failure {
    /// The name of the rule file.
    pub rules: String,
    /// The agent's permission mode.
    pub mode: String,
    /// The shortest form that was found.
    pub line: String,
    /// The shells in which the line has the effect.
    pub shells: Vec<Shell>,
    /// The canaries that it touched.
    pub fired: Vec<Fired>,
    /// The line as it was generated.
    pub from: String,
}

/// The figures and failures of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The number of lines that were judged.
    pub lines: u64,
    /// The number of lines that are allowed for at least one shell.
    pub allowed: u64,
    /// The number of lines that each shell ran.
    pub ran: BTreeMap<Shell, u64>,
    /// The number of those that exited with 0.
    pub succeeded: BTreeMap<Shell, u64>,
    /// The number of those that were killed at the time limit.
    pub late: u64,
    /// The numbers of lines and of allowed lines, by rule file.
    pub rules: BTreeMap<String, (u64, u64)>,
    /// The first words of the commands that were run.
    pub programs: BTreeSet<String>,
    /// The number of allowed lines in which a canary fired, before they were shortened and grouped.
    pub fired: u64,
    /// The failures, one of each sort.
    pub failures: Vec<Failure>,
    /// The duration of the run in seconds.
    pub seconds: f64,
}

impl Report {
    /// Adds the result of another worker.
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.allowed += other.allowed;
        self.late += other.late;
        self.fired += other.fired;
        for (ours, theirs) in [(&mut self.ran, other.ran), (&mut self.succeeded, other.succeeded)] {
            theirs.into_iter().for_each(|(shell, count)| *ours.entry(shell).or_default() += count);
        }
        for (rules, (lines, allowed)) in other.rules {
            let ours = self.rules.entry(rules).or_default();
            *ours = (ours.0 + lines, ours.1 + allowed);
        }
        self.programs.extend(other.programs);
        self.failures.extend(other.failures);
        self.failures.sort();
        self.failures.dedup_by(|one, other| (&one.rules, &one.line) == (&other.rules, &other.line));
        self.seconds = self.seconds.max(other.seconds);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "lines      {}", self.lines)?;
        writeln!(f, "allowed    {} ({:.0} %)", self.allowed, share(self.allowed, self.lines))?;
        for (shell, ran) in &self.ran {
            let succeeded = self.succeeded.get(shell).copied().unwrap_or_default();
            writeln!(f, "{:<10} {ran} run, {succeeded} ended with 0 ({:.0} %)", shell.name(), share(succeeded, *ran))?;
        }
        writeln!(f, "too late   {}", self.late)?;
        writeln!(f, "programs   {}", self.programs.len())?;
        writeln!(
            f,
            "time       {:.0} s, {:.0} lines a second",
            self.seconds,
            self.lines as f64 / self.seconds.max(0.001)
        )?;
        for (rules, (lines, allowed)) in &self.rules {
            writeln!(f, "  {rules:<10} {allowed} of {lines} allowed")?;
        }
        writeln!(f, "fired      {}", self.fired)?;
        writeln!(f, "failures   {}", self.failures.len())?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))
    }
}

/// Formats a row for a table test, and the effects of the line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shells: Vec<_> = self.shells.iter().map(|shell| shell.name()).collect();
        let more = if self.fired.len() > SHOWN { "; ..." } else { "" };
        let fired: Vec<_> = self.fired.iter().take(SHOWN).map(ToString::to_string).collect();
        write!(
            f,
            "({:?}, {:?}, {:?}, {:?}), // {}{more}",
            self.rules,
            self.mode,
            shells.join(" "),
            self.line,
            fired.join("; ")
        )
    }
}
