//! A rule that is thought of.

use std::fmt;
use std::path::Path;

use super::evidence::input_key;
use crate::authoring::write::{RuleText, below};
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
