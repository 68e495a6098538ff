//! What an entry becomes.

use crate::authoring::write::RuleText;

/// A rule without what it says: its tools, its other conditions, and examples of what it means.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) rule: RuleText,
    pub(super) matching: Vec<String>,
    pub(super) not_matching: Vec<String>,
    /// What is tighter or wider than it seems.
    pub(super) warnings: Vec<String>,
}

/// Why an entry cannot be expressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// A clause.
    pub(super) why: String,
    /// It is about nothing that an agent can call, so nothing is lost.
    pub(super) moot: bool,
}

impl Draft {
    /// About these tools.
    pub(super) fn of<T: AsRef<str>>(tools: &[T]) -> Self {
        let rule = RuleText::default().texts("toolName", tools);
        Self { rule, matching: Vec::new(), not_matching: Vec::new(), warnings: Vec::new() }
    }

    /// With a condition; the first of several texts that holds is enough.
    pub(super) fn with<T: AsRef<str>>(mut self, key: &'static str, texts: &[T]) -> Self {
        self.rule = self.rule.texts(key, texts);
        self
    }

    /// With an example of what it matches.
    pub(super) fn matching(mut self, example: impl Into<String>) -> Self {
        self.matching.push(example.into());
        self
    }

    /// With an example of what it does not match.
    pub(super) fn not_matching(mut self, example: impl Into<String>) -> Self {
        self.not_matching.push(example.into());
        self
    }

    /// With something that a person should know.
    pub(super) fn warn(mut self, what: impl Into<String>) -> Self {
        self.warnings.push(what.into());
        self
    }
}

impl Refusal {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), moot: false }
    }
}
