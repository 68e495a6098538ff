//! Finds allows of everything of a kind.

use super::{Concern, Warn};
use crate::rules::pattern::Pattern;
use crate::rules::rule::{Arguments, Rule};
use crate::tools::{self, Kind};
use crate::{Decision, Match};

/// Checks how much an allow covers.
pub(super) fn look(rule: &Rule, warn: &mut Warn<'_>) {
    if rule.decision != Decision::Allow {
        return;
    }
    if let Some((what, hint)) = blanket(rule) {
        warn(Concern::Blanket, format!("it allows {what}"), hint.to_owned());
    } else if rule.allow_redirection && !is_chosen_by_mode(rule) {
        let hint = "take `allowRedirection` away, or deny the files that matter";
        warn(Concern::Blanket, "its commands may write any file with `>`".to_owned(), hint.to_owned());
    }
    if let Arguments::Args(patterns) = &rule.when.arguments {
        for pattern in patterns.iter().filter(|pattern| !is_anchored(pattern)) {
            let what = format!("text in any argument can imitate `{}`", pattern.as_str());
            warn(Concern::Unanchored, what, instead(rule).to_owned());
        }
    }
}

/// Returns what is allowed without any condition, and the correction.
fn blanket(rule: &Rule) -> Option<(&'static str, &'static str)> {
    let when = &rule.when;
    if let Arguments::Command(pattern) = &when.arguments {
        let all = pattern.may_start("") == Match::Yes;
        return all.then_some(("every command", "begin the expression with the commands that are meant"));
    }
    let narrowed = !matches!(when.arguments, Arguments::Any) || when.annotations.is_some();
    if narrowed || when.paths.is_some() || when.domains.is_some() || is_chosen_by_mode(rule) {
        return None;
    }
    let named = |name: &str| when.tools.as_ref().is_some_and(|tools| tools.iter().any(|tool| tool.as_str() == name));
    let all = when.tools.is_none() || named("*");
    match &when.server {
        Some(server) if server.as_str() != "*" => None,
        Some(_) if all => Some(("every tool of every MCP server", "name the servers")),
        Some(_) => None,
        None if all => Some(("every tool", "name the tools")),
        None if named("mcp_*") || named("mcp__*") => Some(("every tool of every MCP server", "name the servers")),
        None if named("Bash") => Some(("every command", "add `commandPrefix`")),
        None if named("PowerShell") => Some(("every command of PowerShell", "let it ask")),
        None if ["Write", "Edit", "NotebookEdit"].into_iter().any(named) => Some(("to write any file", "add `paths`")),
        None if named("WebFetch") => Some(("to fetch any URL", "add `domains`")),
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

fn instead(rule: &Rule) -> &'static str {
    let has = |kind: Kind| rule.when.tools.iter().flatten().any(|tool| tools::kind(tool.as_str()) == kind);
    let hints = [
        (Kind::Shell, "use `commandPrefix`, which reads the command itself"),
        (Kind::File, "use `paths`, which reads the file's own argument"),
        (Kind::Web, "use `domains`, which reads the URL itself"),
    ];
    let hint = hints.into_iter().find(|(kind, _)| has(*kind));
    hint.map_or(r#"begin it with the argument, as in `\0"name":"`"#, |(_, hint)| hint)
}
