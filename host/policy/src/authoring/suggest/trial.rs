//! Tests candidate rules on the history.

use std::path::Path;

use super::Wanted;
use super::candidate::Candidate;
use super::evidence::{Case, input_key};
use crate::authoring::examples::checked;
use crate::file::File;
use crate::rules::decision::Decision;
use crate::rules::rule::{Origin, Tier};
use crate::tools::Kind;
use crate::{Call, Considered, Match, Policy};

/// The present policy, and the parameters of the search.
pub(super) struct Trial<'a> {
    files: &'a [File],
    policy: Policy,
    pub(super) wanted: &'a Wanted<'a>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(files: &'a [File], wanted: &'a Wanted<'a>) -> Self {
        Self { files, policy: Policy::new(files.to_vec()), wanted }
    }

    /// Returns whether the policy leaves a request to a person.
    pub(super) fn is_open(&self, case: &Case<'_>) -> bool {
        self.decide(&self.policy, case) == Decision::AskUser
    }

    /// Returns whether the policy allows a command by itself.
    pub(super) fn allows(&self, command: &str, cwd: Option<&Path>) -> bool {
        let input = [("command".to_owned(), command.into())].into_iter().collect();
        let call = Call { cwd, home: self.wanted.home, ..Call::new("Bash", &input, self.wanted.now) };
        self.policy.check(&call).decision == Decision::Allow
    }

    /// Returns whether a rule matches a request that was answered otherwise. The rule is tested as a deny, so that
    /// everything that it may mean counts.
    pub(super) fn contradicts<'c, 'h: 'c>(
        &self,
        candidate: &Candidate,
        cases: impl IntoIterator<Item = &'c Case<'h>>,
    ) -> bool {
        let policy = Policy::new(vec![parsed(&candidate.as_deny())]);
        let other = |case: &&Case<'_>| {
            case.asked.answer != candidate.decision
                && case.tool == candidate.tool
                && candidate.command().is_none_or(|name| case.may_run(name))
        };
        cases.into_iter().filter(other).any(|case| self.touches(&policy, candidate, case))
    }

    fn touches(&self, policy: &Policy, candidate: &Candidate, case: &Case<'_>) -> bool {
        let explanation = policy.explain(&self.call(case));
        let matched = |considered: &Considered| considered.matched != Match::No;
        let touched = explanation.units.iter().any(|unit| unit.rule.is_some() || unit.considered.iter().any(matched));
        // A command that cannot be parsed may contain it.
        let unread = case.kind == Kind::Shell && case.commands().is_none();
        let mentioned =
            || candidate.command().is_some_and(|name| case.subject().is_some_and(|text| text.contains(name)));
        touched || (unread && mentioned())
    }

    /// Returns the rule without the examples that it does not decide alone, for example because of one of their
    /// options.
    pub(super) fn with_fitting_examples(&self, mut candidate: Candidate) -> Candidate {
        let alone = Candidate { within: None, examples: Vec::new(), ..candidate.clone() };
        let policy = Policy::new(vec![parsed(&alone.to_string())]);
        let Some(key) = input_key(&candidate.tool) else { return Candidate { examples: Vec::new(), ..candidate } };
        candidate.examples.retain(|example| {
            let input = [(key.to_owned(), example.as_str().into())].into_iter().collect();
            policy.check(&Call::new(&candidate.tool, &input, self.wanted.now)).decision == candidate.decision
        });
        candidate
    }

    /// Returns how many open requests each candidate helps to decide as the person did, with all candidates together.
    /// Removes first the candidates with which a request would be decided otherwise.
    pub(super) fn saved_by(&self, candidates: &mut Vec<Candidate>, cases: &[Case<'_>]) -> Vec<usize> {
        loop {
            let text: String = candidates.iter().map(ToString::to_string).collect();
            let policy = Policy::new(self.files.iter().cloned().chain([parsed(&text)]).collect());
            let decided: Vec<Decision> = cases.iter().map(|case| self.decide(&policy, case)).collect();
            let is_wrong = |(case, decided): &(&Case<'_>, &Decision)| {
                case.open && **decided != Decision::AskUser && **decided != case.asked.answer
            };
            let wrong: Vec<&Case<'_>> = cases.iter().zip(&decided).filter(is_wrong).map(|(case, _)| case).collect();
            if wrong.is_empty() {
                let saved = |at: &&usize| {
                    cases.get(**at).is_some_and(|case| case.speaks && decided.get(**at) == Some(&case.asked.answer))
                };
                return candidates.iter().map(|candidate| candidate.cases.iter().filter(saved).count()).collect();
            }
            let before = candidates.len();
            candidates.retain(|candidate| !self.contradicts(candidate, wrong.iter().copied()));
            if candidates.len() == before {
                // If no single candidate is the cause, all are removed.
                candidates.clear();
            }
        }
    }

    fn decide(&self, policy: &Policy, case: &Case<'_>) -> Decision {
        policy.check(&self.call(case)).decision
    }

    fn call<'c>(&'c self, case: &'c Case<'_>) -> Call<'c> {
        let cwd = case.asked.cwd.as_deref().map(Path::new);
        Call { cwd, home: self.wanted.home, ..Call::new(&case.asked.tool, &case.input, self.wanted.now) }
    }
}

/// Parses the file that contains the suggestions.
fn parsed(text: &str) -> File {
    checked(File::parse(text, Origin { tier: Tier::User, path: "suggested".into(), root: None, trusted: true }))
}
