//! An index that finds the few rules that can match among many.
//!
//! A rule for one tool is found by the tool's name, a rule for the beginning of a command by the command's words in a
//! tree. Only rules that name neither are always examined. The result is a superset of the matching rules: every
//! condition is checked later.

mod key_index;

use std::collections::BTreeMap;

use super::unit::Unit;
use crate::call::tool_name;
use crate::rules::decision::{Match, Reading};
use crate::rules::pattern::{Glob, Paths};
use crate::rules::rule::{Arguments, Rule};
use crate::shell::{Command, Word, name};
use key_index::KeyIndex;

/// The index of a policy's rules. A rule is represented by its rank: its position in the order of precedence.
#[derive(Debug, Default)]
pub(crate) struct Index {
    tools: BTreeMap<String, KeyIndex>,
    every_tool: KeyIndex,
    narrow: Tree,
    broad: Tree,
    safety_checks: Vec<u32>,
    /// The safety checks that are about the beginning of a command.
    safety_checks_of_commands: Tree,
    /// The rules that deny files, or ask about them.
    pub(super) guards: KeyIndex,
}

/// A rule that may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Its rank.
    pub(crate) rank: u32,
    /// For a rule with a prefix: how it matches, and how many words it names.
    pub(crate) prefix: Option<(Match, usize)>,
}

/// The beginnings of commands, word by word. `ends` are prefixes that are complete here, `begins` regular expressions
/// whose first word is known.
#[derive(Debug, Default)]
struct Tree {
    next: BTreeMap<String, Tree>,
    ends: Vec<u32>,
    begins: Vec<u32>,
}

impl Index {
    /// Indexes rules in order of precedence.
    pub(crate) fn of(rules: &[Rule]) -> Self {
        let mut index = Self::default();
        for (rank, rule) in (0u32..).zip(rules) {
            index.add(rank, rule);
        }
        index
    }

    fn add(&mut self, rank: u32, rule: &Rule) {
        let reading = rule.decision.reading();
        if reading == Reading::Broad
            && !rule.safety_check
            && let Some(paths) = &rule.when.paths
        {
            self.guards.add(rank, paths.keys().as_deref());
            self.guards.add_names(rank, paths);
        }
        let tree = match reading {
            _ if rule.safety_check => &mut self.safety_checks_of_commands,
            Reading::Narrow => &mut self.narrow,
            Reading::Broad => &mut self.broad,
        };
        match &rule.when.arguments {
            Arguments::Prefixes(prefixes) => {
                for prefix in prefixes {
                    tree.at(prefix, reading).ends.push(rank);
                }
            }
            _ if rule.safety_check => self.safety_checks.push(rank),
            Arguments::Command(pattern) => match pattern.first_word() {
                Some(word) => tree.at(&[word], reading).begins.push(rank),
                None => self.add_by_tool(rank, rule),
            },
            Arguments::Any | Arguments::Args(_) => self.add_by_tool(rank, rule),
        }
    }

    fn add_by_tool(&mut self, rank: u32, rule: &Rule) {
        let paths = rule.when.paths.as_ref().and_then(Paths::keys);
        match keys_of_rule(rule) {
            Some(tools) => {
                for tool in tools {
                    self.tools.entry(tool).or_default().add(rank, paths.as_deref());
                }
            }
            None => self.every_tool.add(rank, paths.as_deref()),
        }
    }

    /// Returns the rules that may match a unit, in order of precedence.
    pub(crate) fn candidates(&self, unit: &Unit<'_>, found: &mut Vec<Candidate>) {
        found.clear();
        let of_tool = unit.tool.keys();
        let indexes = of_tool.iter().filter_map(|key| self.tools.get(key.as_ref())).chain([&self.every_tool]);
        for index in indexes {
            found.extend(index.find(|| unit.keys()).map(|rank| Candidate { rank, prefix: None }));
        }
        if let Some(command) = unit.command {
            self.narrow.walk_narrow(command, found);
            self.broad.walk_all(command, unit, found);
        }
        // If one rule matches in several ways, the best one comes first, and the others are removed.
        found.sort_unstable_by_key(|candidate| (candidate.rank, std::cmp::Reverse(candidate.prefix)));
        found.dedup_by_key(|candidate| candidate.rank);
    }

    /// Returns the rules of safety checkers that may apply to a unit; those about a command are found by its
    /// beginning alone.
    pub(crate) fn safety_checks(&self, unit: &Unit<'_>) -> Vec<Candidate> {
        let mut found: Vec<_> = self.safety_checks.iter().map(|rank| Candidate { rank: *rank, prefix: None }).collect();
        if let Some(command) = unit.command {
            self.safety_checks_of_commands.walk_all(command, unit, &mut found);
        }
        found
    }
}

impl Tree {
    fn at(&mut self, words: &[String], reading: Reading) -> &mut Self {
        let mut tree = self;
        for (at, word) in words.iter().enumerate() {
            let key = match (at, reading) {
                (0, Reading::Narrow) => name::narrow(word).to_owned(),
                (0, Reading::Broad) => name::bare(word).into_owned(),
                _ => word.clone(),
            };
            tree = tree.next.entry(key).or_default();
        }
        tree
    }

    /// Finds the rules whose prefix certainly matches.
    fn walk_narrow(&self, command: &Command, found: &mut Vec<Candidate>) {
        let mut tree = self;
        for (at, word) in command.words.iter().enumerate() {
            let Some(word) = word.text() else { return };
            let Some(next) = tree.next.get(if at == 0 { name::narrow(word) } else { word }) else { return };
            tree = next;
            tree.take(Match::Yes, at + 1, found);
        }
    }

    /// Finds the rules whose prefix may match a command, or other words for what it does.
    fn walk_all(&self, command: &Command, unit: &Unit<'_>, found: &mut Vec<Candidate>) {
        if self.next.is_empty() {
            return;
        }
        self.walk_broad(&command.words, found);
        for words in unit.synonyms() {
            self.walk_broad(words, found);
        }
    }

    /// Finds the rules whose prefix may match. Between the words of a prefix, options are skipped, each with or
    /// without a value. The number of words that a prefix names is not counted, because only an allow needs it.
    fn walk_broad(&self, words: &[Word], found: &mut Vec<Candidate>) {
        let Some(first) = words.first() else { return };
        if !first.exact {
            for (key, tree) in &self.next {
                if key.starts_with(name::bare(&first.known).as_ref()) || first.known.contains('/') {
                    tree.take_all(found);
                }
            }
            return;
        }
        let Some(tree) = self.next.get(name::bare(&first.known).as_ref()) else { return };
        tree.take(Match::Yes, 0, found);
        // The places that were reached at this word, and at the next one: a tree, and how certain it is.
        let mut here = vec![(tree, Match::Yes)];
        let mut after = Vec::new();
        for word in words.iter().skip(1) {
            let mut then = std::mem::take(&mut after);
            for (tree, sure) in here {
                if tree.next.is_empty() {
                    continue;
                }
                if !word.exact {
                    let may_be = |key: &str| key.starts_with(word.known.as_str());
                    tree.next.iter().filter(|(key, _)| may_be(key)).for_each(|(_, tree)| tree.take_all(found));
                    // It may also turn out to be nothing, or an option.
                    reach(&mut then, tree, Match::Maybe);
                    continue;
                }
                if let Some(next) = tree.next.get(&word.known) {
                    next.take(sure, 0, found);
                    reach(&mut then, next, sure);
                }
                if word.known.starts_with('-') {
                    reach(&mut then, tree, sure);
                    if !word.known.contains('=') {
                        reach(&mut after, tree, sure);
                    }
                }
            }
            here = then;
            if here.is_empty() && after.is_empty() {
                return;
            }
        }
    }

    fn take(&self, sure: Match, named: usize, found: &mut Vec<Candidate>) {
        found.extend(self.ends.iter().map(|rank| Candidate { rank: *rank, prefix: Some((sure, named)) }));
        found.extend(self.begins.iter().map(|rank| Candidate { rank: *rank, prefix: None }));
    }

    /// Takes everything from here on; none of it is certain.
    fn take_all(&self, found: &mut Vec<Candidate>) {
        self.take(Match::Maybe, 0, found);
        self.next.values().for_each(|tree| tree.take_all(found));
    }
}

/// Returns the keys under which every tool that a rule may mean is found; `None` if there is no such list.
fn keys_of_rule(rule: &Rule) -> Option<Vec<String>> {
    let literals =
        |tools: &[Glob]| tools.iter().map(|tool| tool.literal().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let tools = rule.when.tools.as_deref().map(literals);
    match (tools, &rule.when.server) {
        (Some(tools), None) => Some(tools?.iter().map(|tool| tool_name::key(tool).into_owned()).collect()),
        (Some(tools), Some(server)) => {
            let server = server.literal()?;
            Some(tools?.iter().map(|tool| tool_name::key_of(server, tool)).collect())
        }
        (None, Some(server)) => Some(vec![tool_name::key_of_server(server.literal()?)]),
        (None, None) => None,
    }
}

/// Adds a place once, with the greatest certainty of all ways to it.
fn reach<'a>(places: &mut Vec<(&'a Tree, Match)>, tree: &'a Tree, sure: Match) {
    match places.iter_mut().find(|(known, _)| std::ptr::eq(*known, tree)) {
        Some((_, known)) => *known = (*known).max(sure),
        None => places.push((tree, sure)),
    }
}
