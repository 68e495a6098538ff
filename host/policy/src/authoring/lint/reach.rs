//! Finds rules that never decide, because earlier rules do.

use super::cover::{Sides, circumstances, sides, subject};
use super::{Earlier, Finding, Warn};
use crate::rules::rule::Rule;
use crate::{Decision, Match};

/// Compares a rule with the rules that precede it.
pub(super) fn look(rule: &Rule, before: &[&Rule], warn: &mut Warn<'_>) {
    for earlier in before {
        let Sides { first_covers, second_covers, .. } = sides(&earlier.when, &rule.when);
        let place = place(earlier, rule);
        if first_covers {
            return warn(match (earlier.decision, rule.decision) {
                (Decision::Allow, Decision::Deny) => Finding::Shadowed(place),
                (first, second) if first == second && second_covers && same_otherwise(earlier, rule) => {
                    Finding::Duplicate(place)
                }
                (decision, second) => {
                    let may_be_first = decision != second && earlier.origin.tier <= rule.origin.tier;
                    Finding::Unreachable { by: place, decision, may_be_first }
                }
            });
        }
        if earlier.decision == Decision::Allow && rule.decision == Decision::Deny && cuts_into(earlier, rule) {
            return warn(Finding::PartlyShadowed(place));
        }
    }
}

/// Returns whether an allow unintentionally removes calls from a deny. An allow of a part of what the deny is about, or
/// in fewer circumstances, is an intended exception.
fn cuts_into(allow: &Rule, deny: &Rule) -> bool {
    let about = subject(&allow.when, &deny.when);
    about.meet == Match::Yes && !about.second_covers && circumstances(&allow.when, &deny.when).first_covers
}

/// Returns the place of a rule, as seen from another rule of the same file.
fn place(rule: &Rule, from: &Rule) -> Earlier {
    if rule.origin == from.origin { Earlier::Line(rule.line) } else { Earlier::Place(rule.place()) }
}

fn same_otherwise(one: &Rule, other: &Rule) -> bool {
    one.allow_redirection == other.allow_redirection && one.deny_message == other.deny_message
}
