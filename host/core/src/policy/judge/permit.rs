//! The proof that a rule allowed a call.

use crate::policy::rule::Rule;

/// A rule's allow. Only the judge makes one, of a rule that a person wrote and that surely holds; besides an
/// [`Approver`](crate::approvers::Approver) nothing else leads to an allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    place: String,
}

impl Permit {
    pub(super) fn by(rule: &Rule) -> Self {
        Self { place: rule.place() }
    }

    /// The rule that allows: `file:line`. Of several, the first.
    pub fn place(&self) -> &str {
        &self.place
    }
}
