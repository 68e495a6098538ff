//! A candidate for a suggested rule.

use std::fmt;
use std::path::Path;

use crate::authoring::write::{RuleText, below};
use crate::rules::decision::Decision;

/// A candidate rule, and the requests that support it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) decision: Decision,
    /// The tool, in the first of its spellings.
    pub(super) tool: String,
    /// The subject of the rule, for people.
    pub(super) about: String,
    /// The key and value of the rule's condition, if it has one besides the tool.
    pub(super) condition: Option<(&'static str, String)>,
    /// The folder that the rule is restricted to.
    pub(super) within: Option<String>,
    /// The indices of the requests that were answered this way.
    pub(super) cases: Vec<usize>,
    /// Calls from the history, as examples of the rule.
    pub(super) examples: Vec<String>,
}

/// The priority of a suggested allow: lower than that of rules that a person writes.
const ALLOW: u16 = 50;
const DENY: u16 = 500;

/// The maximum number of examples of a rule.
const EXAMPLES: usize = 3;

impl Candidate {
    /// Returns a deny with the same conditions, which matches everything that the conditions may mean.
    pub(super) fn as_deny(&self) -> String {
        self.conditions(false).decides(Decision::Deny, DENY).to_string()
    }

    /// Returns the command that the rule is about.
    pub(super) fn command(&self) -> Option<&str> {
        self.condition.as_ref().filter(|(key, _)| key.starts_with("command"))?;
        self.about.split_whitespace().next()
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
