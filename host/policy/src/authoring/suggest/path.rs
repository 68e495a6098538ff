//! Suggests rules for files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::candidate::Candidate;
use super::evidence::Case;
use super::group::{Group, Item, offer};
use super::trial::Trial;
use crate::authoring::write::below;
use crate::rules::decision::Decision;
use crate::tools::Kind;

/// Returns candidates for calls that were always answered this way, for each tool and project.
pub(super) fn candidates(cases: &[Case<'_>], decision: Decision, trial: &Trial<'_>) -> Vec<Candidate> {
    let mut groups: BTreeMap<(&str, PathBuf), Vec<Item>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.speaks && case.asked.answer == decision) {
        if matches!(case.kind, Kind::File | Kind::Search)
            && let Some(cwd) = case.cwd()
            && let Some(words) = case.subject().and_then(|path| names(&cwd, path))
        {
            groups.entry((&case.tool, cwd)).or_default().push(Item { words, ends: true, moved: false, case: at });
        }
    }
    let of_group = |((tool, project), items): ((&str, PathBuf), Vec<Item>)| {
        offer(&items.iter().collect::<Vec<_>>(), trial.wanted.least, &mut |group| {
            let candidate = candidate(tool, &project, group, cases, decision);
            candidate.filter(|candidate| !trial.contradicts(candidate, cases))
        })
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// Returns the components of a file's path, from the root of the file system.
fn names(cwd: &Path, path: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for part in cwd.join(path).components() {
        match part {
            Component::Normal(name) => names.push(name.to_str()?.to_owned()),
            Component::ParentDir => drop(names.pop()),
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(_) => return None,
        }
    }
    Some(names)
}

fn candidate(
    tool: &str,
    project: &Path,
    group: &Group<'_>,
    cases: &[Case<'_>],
    decision: Decision,
) -> Option<Candidate> {
    let place = PathBuf::from(format!("/{}", group.beginning.join("/")));
    let inside = place.starts_with(project) && place != project;
    // Nobody's answers cover a folder outside the project, or the whole project.
    if !group.same && !inside {
        return None;
    }
    let pattern = below(&place, if group.same { "" } else { "/**" });
    let about = if group.same { place.display().to_string() } else { format!("{}/**", place.display()) };
    let examples: BTreeSet<String> = group.items.iter().map(|item| format!("/{}", item.words.join("/"))).collect();
    let search = group.cases().first().and_then(|at| cases.get(*at)).is_some_and(|case| case.kind == Kind::Search);
    Some(Candidate {
        decision,
        tool: tool.to_owned(),
        about,
        condition: Some(("paths", pattern)),
        within: None,
        cases: group.cases(),
        examples: if search { Vec::new() } else { examples.into_iter().collect() },
    })
}
