//! What a judgement comes to: an end of the request, or what whoever is asked should know.

use dmplz_core::card::Remark;
use dmplz_core::flow::{Outcome, RuleDenial};
use dmplz_core::policy::{Decision, Judgement, Policy};

/// How a rule decides; none where a person has to be asked.
pub(crate) fn outcome(judgement: &Judgement<'_>) -> Option<Outcome> {
    match judgement.decision {
        Decision::Allow => judgement.permit().map(|by| Outcome::AllowedByRule { by }),
        Decision::Deny => Some(Outcome::DeniedByRule(match judgement.rule {
            Some(rule) => {
                let (message, reason) = (rule.deny_message.clone(), rule.reason.clone());
                RuleDenial { rule: rule.place(), message, reason }
            }
            None => RuleDenial { rule: String::new(), message: None, reason: Some(judgement.why.to_string()) },
        })),
        Decision::AskUser => None,
    }
}

/// What that person should know.
pub(crate) fn remarks(policy: &Policy, judgement: &Judgement<'_>) -> Vec<Remark> {
    let asks = judgement.rule.filter(|rule| rule.decision == Decision::AskUser);
    let asks = asks.map(|rule| Remark::Rule { reason: rule.reason.clone(), place: rule.place() });
    let trouble = policy.problems().first().map(|first| match policy.problems().len() - 1 {
        0 => first.to_string(),
        more => format!("{first} (+{more})"),
    });
    asks.into_iter().chain(trouble.map(Remark::Trouble)).collect()
}
