//! Suggests rules for whole hosts, and for tools without a known subject.

use std::collections::BTreeMap;

use url::Url;

use super::candidate::Candidate;
use super::evidence::Case;
use super::trial::Trial;
use crate::rules::decision::Decision;
use crate::tools::Kind;

/// Returns candidates for the calls that a person answered this way.
pub(super) fn of_hosts_and_tools(cases: &[Case<'_>], decision: Decision, trial: &Trial<'_>) -> Vec<Candidate> {
    let mut groups: BTreeMap<(&str, Option<String>), Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.speaks && case.asked.answer == decision) {
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
