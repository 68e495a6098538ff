//! A rule that is thought of.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use url::Url;

use super::evidence::Case;
use super::trial::Trial;
use crate::authoring::write::{RuleText, below};
use crate::call::names::{self, Kind};
use crate::rules::decision::Decision;

/// A rule that is thought of, and the requests that speak for it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) decision: Decision,
    /// The tool, in its first spelling.
    pub(super) tool: String,
    /// For people.
    pub(super) about: String,
    /// Key and value of its condition, if it has one besides the tool.
    pub(super) condition: Option<(&'static str, String)>,
    /// The folder that it holds in.
    pub(super) within: Option<String>,
    /// Which requests were answered so.
    pub(super) cases: Vec<usize>,
    /// Calls of the history.
    pub(super) examples: Vec<String>,
}

/// Weaker than what a person writes, unless it denies.
const ALLOW: u16 = 50;
const DENY: u16 = 500;

/// How many examples are enough.
const EXAMPLES: usize = 3;

impl Candidate {
    /// The same conditions as a deny, for what they may mean.
    pub(super) fn as_deny(&self) -> String {
        self.conditions(false).decides(Decision::Deny, DENY).to_string()
    }

    /// The command that it is about.
    pub(super) fn command(&self) -> Option<&str> {
        self.condition.as_ref().filter(|(key, _)| key.starts_with("command"))?;
        self.about.split_whitespace().next()
    }

    /// Under which key of the input the tool has what the rule is about.
    pub(super) fn input_key(&self) -> Option<&'static str> {
        input_key(&self.tool)
    }

    fn conditions(&self, within: bool) -> RuleText {
        let mut rule = RuleText::default().text("toolName", &self.tool);
        if let Some((key, value)) = &self.condition {
            rule = rule.text(key, value);
        }
        match &self.within {
            Some(folder) if within => rule.text("cwd", &below(Path::new(folder), "/**")),
            _ => rule,
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let priority = if self.decision == Decision::Deny { DENY } else { ALLOW };
        let examples = self.examples.get(..EXAMPLES).unwrap_or(&self.examples);
        let rule = self.conditions(true).decides(self.decision, priority);
        let rule = rule.text("reason", &format!("suggested from {} answers", self.cases.len()));
        rule.texts("match", examples).fmt(formatter)
    }
}

/// Under which key of its input a tool has what a rule can be about.
pub(super) fn input_key(tool: &str) -> Option<&'static str> {
    match names::kind(tool) {
        Kind::Shell => Some("command"),
        Kind::File | Kind::Search => names::find(tool).and_then(|tool| tool.paths.first()).copied(),
        Kind::Web => Some("url"),
        Kind::Question | Kind::Other => None,
    }
}

/// Rules of whole hosts, and of tools of which nothing more is known.
pub(super) fn of_hosts_and_tools(cases: &[Case<'_>], decision: Decision, trial: &Trial<'_>) -> Vec<Candidate> {
    let mut groups: BTreeMap<(&str, Option<String>), Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.speaks && case.decision == decision) {
        let host = case.subject().and_then(host);
        let known = case.tool.starts_with("mcp_") || case.tool == "WebSearch";
        if (case.kind == Kind::Web && host.is_some()) || (case.kind == Kind::Other && known) {
            groups.entry((&case.tool, host)).or_default().push(at);
        }
    }
    let candidate = |((tool, host), at): ((&str, Option<String>), Vec<usize>)| {
        let first = at.iter().filter(|_| host.is_some()).find_map(|at| cases.get(*at)?.subject());
        Candidate {
            decision,
            tool: tool.to_owned(),
            about: host.clone().unwrap_or_else(|| tool.to_owned()),
            condition: host.map(|host| ("domains", host)),
            within: None,
            examples: first.map(str::to_owned).into_iter().collect(),
            cases: at,
        }
    };
    let enough = groups.into_iter().filter(|(_, at)| at.len() >= trial.wanted.least).map(candidate);
    enough.filter(|candidate| !trial.contradicts(candidate, cases)).collect()
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?.host_str().map(str::to_owned)
}
