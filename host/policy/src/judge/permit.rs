//! The proof that a rule allowed a call.

use dmplz_core::grant::Grant;

use crate::rules::rule::Rule;

/// A rule's allow. Only the judge makes one, from a rule or a grant that a person wrote and that certainly matches.
/// Besides an [`Approver`](dmplz_core::approvers::Approver) nothing else leads to an allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    place: String,
}

impl Permit {
    pub(super) fn by(rule: &Rule) -> Self {
        Self { place: rule.place() }
    }

    pub(super) fn of(grant: &Grant) -> Self {
        Self { place: grant.place() }
    }

    /// Returns the place of the rule that allows, as `file:line` (the first one of several), or for a grant `grant:`
    /// and the beginning of its id.
    pub fn place(&self) -> &str {
        &self.place
    }
}
