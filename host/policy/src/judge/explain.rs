//! Shows how a decision came about: every command that was judged, every rule that was considered for it, and which won.

use serde::Serialize;

use super::condition::Condition;
use super::index::Candidate;
use super::unit::Unit;
use super::{Judgement, Policy, Why};
use crate::call::Call;
use crate::call::names::ToolName;
use crate::rules::decision::{Decision, Match};
use crate::rules::rule::{Rule, Tier};
use crate::shell::Command;

/// A decision with everything that led to it.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// What becomes of the call.
    pub decision: Decision,
    /// `file:line` of the rule that decided.
    pub rule: Option<String>,
    /// Says in words why the call is decided so.
    pub reason: String,
    /// The same, for other languages.
    #[serde(skip)]
    pub why: Why,
    /// What was judged one by one: the commands of a line, or the one call.
    pub units: Vec<Explained>,
    /// What is wrong with the policy files, `file:line:column: what`.
    pub problems: Vec<String>,
}

/// How one command of a line, or the one call, was decided.
#[derive(Debug, Clone, Serialize)]
pub struct Explained {
    /// The command as it was read; None for a call that is not to the shell.
    pub command: Option<String>,
    /// The index of the command that starts it.
    pub within: Option<usize>,
    /// What the command is in the line.
    pub role: Role,
    /// What becomes of it. None when it is not counted: no rule names it, and what it starts is counted.
    pub decision: Option<Decision>,
    /// `file:line` of the rule that decided.
    pub rule: Option<String>,
    /// Says in words why the command is decided so.
    pub reason: String,
    /// The same, for other languages.
    #[serde(skip)]
    pub why: Why,
    /// The rules about this tool, in the order in which they decide.
    pub considered: Vec<Considered>,
    /// How many rules are about other tools.
    pub elsewhere: usize,
}

/// What a command is in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A tool call, or a command that needs an allow.
    Runs,
    /// It starts the next one and does nothing else.
    StandsAside,
    /// Another way in which the line could be read.
    Reading,
}

/// A rule that was considered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Considered {
    /// The rule that was looked at, as `file:line`.
    pub rule: String,
    /// Its `name`, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The tier of the rule's file.
    pub tier: Tier,
    /// The priority that the rule has.
    pub priority: u16,
    /// What the rule decides where it holds.
    pub decision: Decision,
    /// Whether its conditions hold.
    pub matched: Match,
    /// The condition that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Condition>,
    /// Whether it is the first that holds.
    pub won: bool,
}

impl Policy {
    /// Decides a call as [`Policy::check`] does, and tells how.
    pub fn explain(&self, call: &Call<'_>) -> Explanation {
        let script = super::script(call);
        let tool = ToolName::of(call);
        let mut rulings = Vec::new();
        let mut units = Vec::new();
        let mut found = Vec::new();
        for command in super::units(script.as_ref()) {
            let unit = Unit::new(call, &tool, command);
            self.candidates(&unit, &mut found);
            let ruling = self.rule_on(&unit, &found);
            let (considered, elsewhere) = self.considered(&unit, &found, ruling.rule);
            units.push(Explained {
                command: command.map(Command::to_string),
                within: command.and_then(|command| command.within),
                role: command.map_or(Role::Runs, role),
                decision: ruling.counts.then_some(ruling.decision),
                rule: ruling.rule.map(Rule::place),
                reason: ruling.why.to_string(),
                why: ruling.why.clone(),
                considered,
                elsewhere,
            });
            rulings.push((command, ruling));
        }
        let Judgement { decision, rule, why, .. } = self.strictest(call, script.as_ref(), rulings.into_iter());
        let problems = self.problems().iter().map(ToString::to_string).collect();
        Explanation { decision, rule: rule.map(Rule::place), reason: why.to_string(), why, units, problems }
    }

    /// All rules about the unit's tool, whether or not the index found them, and how many are about others.
    fn considered(&self, unit: &Unit<'_>, found: &[Candidate], winner: Option<&Rule>) -> (Vec<Considered>, usize) {
        let mut considered = Vec::new();
        let mut elsewhere = 0;
        for (rank, rule) in (0u32..).zip(self.rules()) {
            let candidate = found.iter().find(|candidate| candidate.rank == rank);
            let held = rule.holds(unit, candidate.and_then(|candidate| candidate.prefix).map(|(held, _)| held));
            if held.held == Match::No && held.weakest == Some(Condition::Tool) {
                elsewhere += 1;
                continue;
            }
            considered.push(Considered {
                rule: rule.place(),
                name: rule.name.clone(),
                tier: rule.origin.tier,
                priority: rule.priority,
                decision: rule.decision,
                matched: held.held,
                because: held.weakest,
                won: winner.is_some_and(|winner| std::ptr::eq(winner, rule)),
            });
        }
        (considered, elsewhere)
    }
}

fn role(command: &Command) -> Role {
    match command {
        Command { possible: true, .. } => Role::Reading,
        Command { is_transparent: true, .. } => Role::StandsAside,
        _ => Role::Runs,
    }
}
