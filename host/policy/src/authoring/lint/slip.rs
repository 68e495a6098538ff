//! Finds mistakes in a single rule.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Finding, Subject, Warn, Warning};
use crate::Decision;
use crate::judge::Policy;
use crate::rules::nearest::nearest;
use crate::rules::pattern::Glob;
use crate::rules::rule::{Arguments, Origin, Rule};
use crate::tools::{self, Kind};

/// Warns if the rule has expired, and returns whether it has.
pub(super) fn is_over(rule: &Rule, now: Timestamp, warn: &mut Warn<'_>) -> bool {
    let over = rule.when.expires.filter(|end| *end <= now);
    if let Some(end) = over {
        warn(Finding::Expired(end));
    }
    over.is_some()
}

/// Returns whether the decision of the rule has an effect.
pub(super) fn counts(rule: &Rule) -> bool {
    rule.origin.trusted || rule.decision != Decision::Allow
}

/// Warns once for each file whose allows have no effect because it is not trusted.
pub(super) fn untrusted(policy: &Policy, found: &mut Vec<Warning>) {
    let mut told: Vec<&Arc<Origin>> = Vec::new();
    for rule in policy.rules().iter().filter(|rule| !counts(rule)) {
        if told.contains(&&rule.origin) {
            continue;
        }
        told.push(&rule.origin);
        let count = policy.rules().iter().filter(|other| other.origin == rule.origin && !counts(other)).count();
        found.push(Warning { place: rule.place(), finding: Finding::Untrusted(count) });
    }
}

/// Checks a rule by itself.
pub(super) fn look(rule: &Rule, warn: &mut Warn<'_>) {
    tools(rule, warn);
    never(rule, warn);
    roots(rule, warn);
    options(rule, warn);
}

fn tools(rule: &Rule, warn: &mut Warn<'_>) {
    // The tools of a server are not known.
    if rule.when.server.is_some() {
        return;
    }
    for tool in rule.when.tools.iter().flatten() {
        let name = tool.as_str();
        if let Some(server) = name.strip_prefix("mcp_").filter(|rest| !rest.contains(['_', '*'])) {
            warn(Finding::ServerAlone(server.to_owned()));
        } else if !name.starts_with("mcp_") && !name.starts_with("discovered_tool_") && !is_known(tool) {
            let names: Vec<&'static str> = tools::known().collect();
            warn(Finding::UnknownTool(name.to_owned(), nearest(name, &names)));
        }
    }
}

fn is_known(tool: &Glob) -> bool {
    tools::known().any(|name| tool.matches(name))
}

/// Warns about conditions that none of the rule's tools can meet, and allows that have no effect.
fn never(rule: &Rule, warn: &mut Warn<'_>) {
    let when = &rule.when;
    let Some(tools) = when.tools.as_ref().filter(|tools| tools.iter().all(|tool| tool.literal().is_some())) else {
        return;
    };
    let allows = rule.decision == Decision::Allow;
    let mcp = when.server.is_some() || tools.iter().all(|tool| tool.as_str().starts_with("mcp_"));
    let all = |is: fn(Kind) -> bool| {
        !mcp && tools.iter().all(|tool| tools::find(tool.as_str()).is_some_and(|tool| is(tool.kind)))
    };
    if allows && all(|kind| kind == Kind::Question) {
        warn(Finding::Question);
    }
    let conditions = [
        (when.paths.is_some(), Subject::Paths, all(|kind| !matches!(kind, Kind::File | Kind::Search))),
        (when.domains.is_some(), Subject::Domains, all(|kind| kind != Kind::Web)),
    ];
    for (given, subject, none_has) in conditions {
        if given && none_has && !(subject == Subject::Paths && all(|kind| kind == Kind::Shell)) {
            warn(Finding::NoneHas(subject));
        } else if given && allows && none_has {
            warn(Finding::FilesOfCommand);
        } else if given && allows && mcp {
            warn(Finding::ArgumentOfMcp(subject));
        }
    }
}

/// Folders that are at the root of a disk and seldom at the root of a workspace.
const ROOTS: &[&str] = &[
    "Applications", "Library", "System", "Users", "Volumes", "boot", "dev", "etc", "home", "mnt", "opt", "private",
    "proc", "root", "sbin", "srv", "sys", "tmp", "usr", "var",
];

fn roots(rule: &Rule, warn: &mut Warn<'_>) {
    let lines = [&rule.when.paths, &rule.when.cwd].into_iter().flatten().flat_map(|paths| paths.lines());
    for line in lines {
        let pattern = line.trim_start_matches('!');
        let first = pattern.strip_prefix('/').and_then(|rest| rest.split('/').next());
        if first.is_some_and(|first| ROOTS.contains(&first)) {
            let on_disk = format!("{}/{pattern}", line.strip_suffix(pattern).unwrap_or_default());
            warn(Finding::Root { written: line.to_owned(), on_disk });
        }
    }
}

/// Warns about a deny of options: `rm -rf` does not match `rm -r -f`.
fn options(rule: &Rule, warn: &mut Warn<'_>) {
    let Arguments::Prefixes(prefixes) = &rule.when.arguments else { return };
    if rule.decision == Decision::Allow {
        return;
    }
    for words in prefixes {
        let ends_in_option = words.last().is_some_and(|last| last.len() > 1 && last.starts_with('-'));
        let command = words.iter().take(words.len() - 1).map(String::as_str).collect::<Vec<_>>().join(" ");
        if !ends_in_option || command.is_empty() {
            continue;
        }
        warn(Finding::Options { prefix: words.join(" "), command });
    }
}
