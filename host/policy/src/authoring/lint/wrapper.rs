//! Finds allows of a command that starts another one, which no rule allows: it is asked although the rule holds.

use jiff::Timestamp;
use serde_json::Map;

use super::{Finding, Warn};
use crate::judge::{Condition, Policy};
use crate::rules::rule::{Arguments, Rule};
use crate::{Call, Decision, Why, commands};

/// Checks what the prefixes of an allow start.
pub(super) fn look(policy: &Policy, rule: &Rule, now: Timestamp, warn: &mut Warn<'_>) {
    let Arguments::Prefixes(prefixes) = &rule.when.arguments else { return };
    if rule.decision != Decision::Allow {
        return;
    }
    for prefix in prefixes.iter().map(|words| words.join(" ")) {
        if commands::read(&prefix).commands.iter().any(|command| command.within.is_some())
            && let Some(command) = unallowed(policy, &prefix, now)
        {
            warn(Finding::Starts { prefix, command });
        }
    }
}

/// Returns the first command that a line ends with and starts, if no allow is about it, whatever its other conditions are.
fn unallowed(policy: &Policy, line: &str, now: Timestamp) -> Option<String> {
    let input = Map::from_iter([("command".to_owned(), line.into())]);
    let units = policy.explain(&Call::new("Bash", &input, now)).units;
    let mut started = units.into_iter().filter(|unit| unit.within.is_some() && unit.decision.is_some());
    let unit = started.find(|unit| {
        let is_written = unit.command.as_ref().is_some_and(|command| line.ends_with(&format!(" {command}")));
        let mut allows = unit.considered.iter().filter(|rule| rule.decision == Decision::Allow);
        is_written && unit.why == Why::NoRule && allows.all(|rule| rule.because == Some(Condition::Command))
    })?;
    unit.command
}
