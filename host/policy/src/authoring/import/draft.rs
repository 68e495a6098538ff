//! The rule that an entry is imported as.

use super::note::Warning;
use crate::authoring::write::RuleText;

/// A rule without its decision: its tools, its other conditions, and its examples.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) rule: RuleText,
    pub(super) matching: Vec<String>,
    pub(super) not_matching: Vec<String>,
    /// Notes on where the rule is tighter or wider than it seems.
    pub(super) warnings: Vec<Warning>,
}

impl Draft {
    /// Creates a rule about these tools.
    pub(super) fn of<T: AsRef<str>>(tools: &[T]) -> Self {
        let rule = RuleText::default().texts("toolName", tools);
        Self { rule, matching: Vec::new(), not_matching: Vec::new(), warnings: Vec::new() }
    }

    /// Adds a condition. One of several texts has to match.
    pub(super) fn with<T: AsRef<str>>(mut self, key: &'static str, texts: &[T]) -> Self {
        self.rule = self.rule.texts(key, texts);
        self
    }

    /// Adds an example that the rule matches.
    pub(super) fn matching(mut self, example: impl Into<String>) -> Self {
        self.matching.push(example.into());
        self
    }

    /// Adds an example that the rule does not match.
    pub(super) fn not_matching(mut self, example: impl Into<String>) -> Self {
        self.not_matching.push(example.into());
        self
    }

    /// Adds a note for a person.
    pub(super) fn warn(mut self, warning: Warning) -> Self {
        self.warnings.push(warning);
        self
    }
}
