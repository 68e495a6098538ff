//! Finds allows of everything of a kind.

use super::{Blanket, Finding, Instead, Warn};
use crate::rules::pattern::Pattern;
use crate::rules::rule::{Arguments, Rule};
use crate::tools::{self, Kind};
use crate::{Decision, Match};

/// Checks how much an allow covers.
pub(super) fn look(rule: &Rule, warn: &mut Warn<'_>) {
    if rule.decision != Decision::Allow {
        return;
    }
    if let Some(blanket) = blanket(rule) {
        warn(Finding::Blanket(blanket));
    } else if rule.allow_redirection && !is_chosen_by_mode(rule) {
        warn(Finding::Redirection);
    }
    if let Arguments::Args(patterns) = &rule.when.arguments {
        for pattern in patterns.iter().filter(|pattern| !is_anchored(pattern)) {
            warn(Finding::Unanchored { pattern: pattern.as_str().to_owned(), instead: instead(rule) });
        }
    }
}

/// Returns what is allowed without any condition.
fn blanket(rule: &Rule) -> Option<Blanket> {
    let when = &rule.when;
    if let Arguments::Command(pattern) = &when.arguments {
        return (pattern.may_start("") == Match::Yes).then_some(Blanket::Expression);
    }
    let narrowed = !matches!(when.arguments, Arguments::Any) || when.annotations.is_some();
    if narrowed || when.paths.is_some() || when.domains.is_some() || is_chosen_by_mode(rule) {
        return None;
    }
    let named = |name: &str| when.tools.as_ref().is_some_and(|tools| tools.iter().any(|tool| tool.as_str() == name));
    let all = when.tools.is_none() || named("*");
    match &when.server {
        Some(server) if server.as_str() != "*" => None,
        Some(_) if all => Some(Blanket::McpTools),
        Some(_) => None,
        None if all => Some(Blanket::Tools),
        None if named("mcp_*") || named("mcp__*") => Some(Blanket::McpTools),
        None if named("Bash") => Some(Blanket::Commands),
        None if named("PowerShell") => Some(Blanket::PowerShell),
        None if ["Write", "Edit", "NotebookEdit"].into_iter().any(named) => Some(Blanket::Writes),
        None if named("WebFetch") => Some(Blanket::Fetches),
        None => None,
    }
}

/// Returns whether the rule only applies in modes in which everything, or every edit, is allowed, because the person
/// chose them.
fn is_chosen_by_mode(rule: &Rule) -> bool {
    let chosen = |mode: &String| matches!(mode.as_str(), "acceptEdits" | "bypassPermissions");
    !rule.when.modes.is_empty() && rule.when.modes.iter().all(chosen)
}

/// Returns whether a pattern begins where an argument does, which no text in an argument can imitate
/// ([`crate::call::args`]).
fn is_anchored(pattern: &Pattern) -> bool {
    ["^", r"\0", r"\x00", r"\u0000"].iter().any(|begin| pattern.as_str().starts_with(begin))
}

/// Returns the condition that its tools have for what the pattern looks for.
fn instead(rule: &Rule) -> Instead {
    let has = |kind: Kind| rule.when.tools.iter().flatten().any(|tool| tools::kind(tool.as_str()) == kind);
    let conditions = [(Kind::Shell, Instead::Prefix), (Kind::File, Instead::Paths), (Kind::Web, Instead::Domains)];
    conditions.into_iter().find(|(kind, _)| has(*kind)).map_or(Instead::Argument, |(_, instead)| instead)
}
