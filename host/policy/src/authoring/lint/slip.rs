//! Finds mistakes in a single rule.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Concern, Warn, Warning};
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
        warn(Concern::Expired, format!("its time was over at {end}"), "delete it, or renew `expires`".to_owned());
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
        let what = match count {
            1 => "an allow of this file does not count, because nobody trusted it".to_owned(),
            _ => format!("{count} allows of this file do not count, because nobody trusted it"),
        };
        let hint = "read it, then run `dmplz policy trust`".to_owned();
        found.push(Warning { concern: Concern::Never, place: rule.place(), what, hint });
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
            let what = format!("`{name}` is no tool: it names a server and none of its tools");
            warn(Concern::UnknownTool, what, format!("write `mcp__{server}` for all of them"));
        } else if !name.starts_with("mcp_") && !name.starts_with("discovered_tool_") && !is_known(tool) {
            let names: Vec<_> = tools::known().collect();
            let hint = match nearest(name, &names) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "see the table in the manual, or name an MCP tool as `mcp__server__tool`".to_owned(),
            };
            warn(Concern::UnknownTool, format!("no tool is called `{name}`"), hint);
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
        let what = "it never allows: the tool asks a person, and a rule does not answer for them".to_owned();
        warn(Concern::Never, what, "delete it".to_owned());
    }
    let conditions = [
        (when.paths.is_some(), "paths", "file", all(|kind| !matches!(kind, Kind::File | Kind::Search))),
        (when.domains.is_some(), "domains", "URL", all(|kind| kind != Kind::Web)),
    ];
    for (given, key, of, none_has) in conditions {
        if given && none_has && !(key == "paths" && all(|kind| kind == Kind::Shell)) {
            warn(
                Concern::Never,
                format!("`{key}` never holds: the tool has no {of}"),
                format!("take `{key}` away, or name other tools"),
            );
        } else if given && allows && none_has {
            let what = "it never allows: which files a command touches is not certain".to_owned();
            warn(Concern::Never, what, "use `commandPrefix`".to_owned());
        } else if given && allows && mcp {
            let what = format!("it never allows: which arguments of an MCP tool hold a {of} is not certain");
            warn(Concern::Never, what, format!("take `{key}` away, or use an anchored `argsPattern`"));
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
            let what = format!("`{line}` begins at the folder of the workspace, not of the disk");
            warn(
                Concern::Root,
                what,
                format!("write `{}/{pattern}` for the disk", line.strip_suffix(pattern).unwrap_or_default()),
            );
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
        let what =
            format!("`{}` is not the only way to write it: options have other orders and spellings", words.join(" "));
        warn(Concern::Options, what, format!("let `{command}` ask as well, or deny all of it"));
    }
}
