//! The remarks for a person who is asked because the rules leave the call to them.

use dmplz_core::card::Remark;
use dmplz_policy::{Decision, Judgement, Policy};

/// Returns the rule that asks, and the problems of the policy.
pub(crate) fn remarks(policy: &Policy, judgement: &Judgement<'_>) -> Vec<Remark> {
    let asks = judgement.rule.filter(|rule| rule.decision == Decision::AskUser);
    let asks = asks.map(|rule| Remark::Rule { reason: rule.reason.clone(), place: rule.place() });
    let trouble = policy.problems().first().map(|first| match policy.problems().len() - 1 {
        0 => first.to_string(),
        more => format!("{first} (+{more})"),
    });
    asks.into_iter().chain(trouble.map(Remark::Trouble)).collect()
}
