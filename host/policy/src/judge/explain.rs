//! Explains a decision: every command that was judged, every rule that was considered for it, and which rule won.

use serde::Serialize;

use super::condition::Condition;
use super::index::Candidate;
use super::unit::Unit;
use super::{Judgement, Policy, Why};
use crate::call::Call;
use crate::call::tool_name::ToolName;
use crate::rules::decision::{Decision, Match};
use crate::rules::rule::{Rule, Tier};
use crate::shell::Command;

/// A decision, with everything that led to it.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// What happens to the call.
    pub decision: Decision,
    /// The rule that decided, as `file:line`.
    pub rule: Option<String>,
    /// Why the call is decided this way, written as a clause.
    #[serde(rename = "reason")]
    pub why: Why,
    /// The judged units: the commands of a line, or the one call.
    pub units: Vec<Explained>,
    /// The problems of the policy files, as `file:line:column: what`.
    pub problems: Vec<String>,
}

/// The decision on one command of a line, or on the one call.
#[derive(Debug, Clone, Serialize)]
pub struct Explained {
    /// The command as it was parsed; `None` for a call to another tool than the shell.
    pub command: Option<String>,
    /// The index of the command that starts it.
    pub within: Option<usize>,
    /// The role of the command in the line.
    pub role: Role,
    /// The decision. `None` if the command is not counted: no rule names it, and the command that it starts is
    /// counted.
    pub decision: Option<Decision>,
    /// The rule that decided, as `file:line`.
    pub rule: Option<String>,
    /// Why the command is decided this way, written as a clause.
    #[serde(rename = "reason")]
    pub why: Why,
    /// The rules about this tool, in order of precedence.
    pub considered: Vec<Considered>,
    /// The number of rules about other tools.
    pub elsewhere: usize,
}

/// The role of a command in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A tool call, or a command that needs an allow.
    Runs,
    /// It only starts the next command.
    StandsAside,
    /// An alternative reading of the line.
    Reading,
}

/// A rule that was considered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Considered {
    /// The rule, as `file:line`.
    pub rule: String,
    /// The rule's `name`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The tier of the rule's file.
    pub tier: Tier,
    /// The priority that the rule has.
    pub priority: u16,
    /// The decision of the rule if it matches.
    pub decision: Decision,
    /// Whether its conditions hold.
    pub matched: Match,
    /// The condition that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Condition>,
    /// Whether it is the first rule that matches.
    pub won: bool,
}

impl Policy {
    /// Decides a call as [`Policy::check`] does, and explains the decision.
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
                why: ruling.why.clone(),
                considered,
                elsewhere,
            });
            rulings.push((command, ruling));
        }
        let Judgement { decision, rule, why, .. } = self.strictest(call, script.as_ref(), rulings.into_iter());
        let problems = self.problems().iter().map(ToString::to_string).collect();
        Explanation { decision, rule: rule.map(Rule::place), why, units, problems }
    }

    /// Returns all rules about the unit's tool, whether or not the index found them, and the number of rules about
    /// other tools.
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
