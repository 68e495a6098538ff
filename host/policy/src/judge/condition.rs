//! Checks whether a rule's conditions hold for a unit, and names the one that does not.

use std::path::Path;

use super::unit::Unit;
use crate::call::Call;
use crate::call::targets;
use crate::rules::decision::{Match, Reading};
use crate::rules::pattern::{Anchors, Extent, Glob};
use crate::rules::rule::{Arguments, Rule};
use crate::tools;

/// The condition because of which a rule does not match, or only may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The file of the rule is not trusted, and the rule allows.
    Trust,
    /// The rule's `expires` has passed.
    Expires,
    /// The rule's `toolName` or `mcpName`.
    Tool,
    /// The rule's `commandPrefix` or `commandRegex`.
    Command,
    /// The rule's `argsPattern`.
    Arguments,
    /// The rule's `paths`.
    Paths,
    /// The rule's `domains`.
    Domains,
    /// The rule's `cwd`.
    Cwd,
    /// The rule's `modes`.
    Modes,
    /// The rule's `interactive`.
    Interactive,
    /// The rule's `toolAnnotations`.
    Annotations,
    /// The rule's `subagent`.
    Subagent,
    /// The rule's `agent`.
    Agent,
}

/// The result of checking a rule's conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) held: Match,
    /// The weakest condition, if they do not all hold.
    pub(crate) weakest: Option<Condition>,
}

impl Rule {
    /// Checks all conditions. `prefix` is what the index found about the rule's `commandPrefix`.
    pub(crate) fn holds(&self, unit: &Unit<'_>, prefix: Option<Match>) -> Held {
        let mut so_far = Held { held: Match::Yes, weakest: None };
        // Cheap conditions come first; the first No ends the check.
        for (condition, check) in CHECKS {
            let held = check(self, unit, prefix);
            if held < so_far.held {
                so_far = Held { held, weakest: Some(*condition) };
            }
            if held == Match::No {
                break;
            }
        }
        // An allow does not match if a condition only may hold.
        if so_far.held == Match::Maybe && self.decision.reading() == Reading::Narrow {
            so_far.held = Match::No;
        }
        so_far
    }

    /// Returns whether all conditions hold besides those on the command.
    pub(crate) fn holds_for_some_command(&self, unit: &Unit<'_>) -> bool {
        let mut others =
            CHECKS.iter().filter(|(condition, _)| !matches!(condition, Condition::Command | Condition::Arguments));
        others.all(|(_, check)| check(self, unit, None) == Match::Yes)
    }
}

type Check = fn(&Rule, &Unit<'_>, Option<Match>) -> Match;

const CHECKS: &[(Condition, Check)] = &[
    (Condition::Trust, |rule, _, _| (rule.origin.trusted || rule.decision.reading() == Reading::Broad).into()),
    (Condition::Expires, |rule, unit, _| rule.when.expires.is_none_or(|end| unit.call.now < end).into()),
    (Condition::Tool, |rule, unit, _| unit.tool.matches(rule.when.tools.as_deref(), rule.when.server.as_ref())),
    (Condition::Modes, modes),
    (Condition::Interactive, |rule, unit, _| rule.when.interactive.is_none_or(|is| is == unit.call.interactive).into()),
    (Condition::Agent, |rule, unit, _| named(rule.when.agent.as_ref(), Some(unit.call.agent))),
    (Condition::Subagent, |rule, unit, _| named(rule.when.subagent.as_ref(), unit.call.subagent)),
    (Condition::Annotations, annotations),
    (Condition::Command, command),
    (Condition::Arguments, arguments),
    (Condition::Cwd, cwd),
    (Condition::Domains, domains),
    (Condition::Paths, paths),
];

fn modes(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    if rule.when.modes.is_empty() {
        return Match::Yes;
    }
    // An agent that does not report its mode is in no mode that an allow requires, and in any mode that a deny names.
    // An empty name is not a mode.
    let mode = unit.call.mode.filter(|mode| !mode.trim().is_empty());
    mode.map_or(Match::Maybe, |mode| rule.when.modes.iter().any(|one| *one == tools::mode(mode)).into())
}

fn named(pattern: Option<&Glob>, name: Option<&str>) -> Match {
    pattern.is_none_or(|pattern| name.is_some_and(|name| pattern.matches(name))).into()
}

fn annotations(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    let Some(wanted) = &rule.when.annotations else { return Match::Yes };
    match unit.call.annotations {
        Some(known) => wanted.iter().all(|(key, value)| known.get(key) == Some(value)).into(),
        // Only tools of MCP servers have annotations, and not every agent passes them on.
        None if unit.tool.is_mcp() => Match::Maybe,
        None => Match::No,
    }
}

fn command(rule: &Rule, unit: &Unit<'_>, prefix: Option<Match>) -> Match {
    match &rule.when.arguments {
        Arguments::Prefixes(_) => prefix.unwrap_or(Match::No),
        Arguments::Command(pattern) => unit.command_matches(pattern, rule.decision.reading()),
        Arguments::Any | Arguments::Args(_) => Match::Yes,
    }
}

fn arguments(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    let Arguments::Args(patterns) = &rule.when.arguments else { return Match::Yes };
    let reading = rule.decision.reading();
    patterns.iter().map(|pattern| unit.input_matches(pattern, reading)).max().unwrap_or(Match::No)
}

fn cwd(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    let Some(folders) = &rule.when.cwd else { return Match::Yes };
    let (call, reading) = (unit.call, rule.decision.reading());
    let elsewhere = unit.command.is_some_and(|command| command.moved) || targets::command_folder(call).is_some();
    match call.cwd.and_then(Path::to_str) {
        Some(cwd) if !elsewhere => folders.matches(cwd, Extent::Folder, &anchors(rule, call), call.cwd, reading),
        _ => Match::Maybe,
    }
}

fn domains(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    let Some(hosts) = &rule.when.domains else { return Match::Yes };
    unit.urls().matches(hosts, rule.decision.reading())
}

fn paths(rule: &Rule, unit: &Unit<'_>, _: Option<Match>) -> Match {
    let Some(lines) = &rule.when.paths else { return Match::Yes };
    unit.files().matches(lines, &anchors(rule, unit.call), unit.call, rule.decision.reading())
}

pub(super) fn anchors<'a>(rule: &'a Rule, call: &Call<'a>) -> Anchors<'a> {
    Anchors { root: rule.origin.root.as_deref().or(call.cwd), home: call.home }
}
