//! Finds rules that never decide, because earlier rules do.

use super::cover::{Sides, circumstances, sides, subject};
use super::{Concern, Warn};
use crate::rules::rule::Rule;
use crate::{Decision, Match};

/// Compares a rule with the rules that precede it.
pub(super) fn look(rule: &Rule, before: &[&Rule], warn: &mut Warn<'_>) {
    for earlier in before {
        let Sides { first_covers, second_covers, .. } = sides(&earlier.when, &rule.when);
        let place = place(earlier, rule);
        if first_covers {
            return match (earlier.decision, rule.decision) {
                (Decision::Allow, Decision::Deny) => warn(
                    Concern::Shadowed,
                    format!("it never denies: {place} allows all of it first"),
                    "give the deny the higher priority, or narrow the allow".to_owned(),
                ),
                (first, second) if first == second && second_covers && same_otherwise(earlier, rule) => {
                    warn(Concern::Duplicate, format!("it says the same as {place}"), "delete one of them".to_owned())
                }
                (first, second) => warn(
                    Concern::Unreachable,
                    format!("it is never reached: {place} {} all of it first", says(first)),
                    if first == second || earlier.origin.tier > rule.origin.tier {
                        "delete it"
                    } else {
                        "give it a higher priority, or delete it"
                    }
                    .to_owned(),
                ),
            };
        }
        if earlier.decision == Decision::Allow && rule.decision == Decision::Deny && cuts_into(earlier, rule) {
            return warn(
                Concern::Shadowed,
                format!("some of what it denies is allowed first by {place}"),
                "give the deny the higher priority".to_owned(),
            );
        }
    }
}

/// Returns whether an allow unintentionally removes calls from a deny. An allow of a part of what the deny is about, or
/// in fewer circumstances, is an intended exception.
fn cuts_into(allow: &Rule, deny: &Rule) -> bool {
    let about = subject(&allow.when, &deny.when);
    about.meet == Match::Yes && !about.second_covers && circumstances(&allow.when, &deny.when).first_covers
}

fn says(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allows",
        Decision::AskUser => "asks for",
        Decision::Deny => "denies",
    }
}

/// Returns the place of a rule, as seen from another rule of the same file.
fn place(rule: &Rule, from: &Rule) -> String {
    if rule.origin == from.origin { format!("line {}", rule.line) } else { rule.place() }
}

fn same_otherwise(one: &Rule, other: &Rule) -> bool {
    one.allow_redirection == other.allow_redirection && one.deny_message == other.deny_message
}
