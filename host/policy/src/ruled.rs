//! The decision of a rule or a grant, which ends a request without asking anybody.

use dmplz_core::request::{End, ReasonSource, Resolution};

use crate::judge::{Judgement, Permit};
use crate::rules::decision::Decision;

/// The decision of a rule or a grant. It is separate from [`Outcome`](dmplz_core::request::Outcome), the result of
/// asking a person, whose allow holds an approver. The allow of this type holds a [`Permit`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruled {
    /// A rule or a grant allows it; the permit proves it.
    Allowed(Permit),
    /// A rule denies it.
    Denied(RuleDenial),
}

/// A denial by a rule that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDenial {
    /// The rule that denied, as `file:line`.
    pub rule: String,
    /// The message that its author wrote for the agent: `denyMessage`.
    pub message: Option<String>,
    /// The reason, if the rule has one.
    pub reason: Option<String>,
}

impl Ruled {
    /// Returns the decision of a judgement. `None` if a person has to be asked.
    pub fn of(judgement: &Judgement<'_>) -> Option<Self> {
        match judgement.decision {
            Decision::Allow => judgement.permit().map(Self::Allowed),
            Decision::Deny => Some(Self::Denied(match judgement.rule {
                Some(rule) => {
                    let (message, reason) = (rule.deny_message.clone(), rule.reason.clone());
                    RuleDenial { rule: rule.place(), message, reason }
                }
                None => RuleDenial { rule: String::new(), message: None, reason: Some(judgement.why.to_string()) },
            })),
            Decision::AskUser => None,
        }
    }

    /// Returns the rule that decided, as `file:line`, or the grant.
    pub fn rule(&self) -> &str {
        match self {
            Self::Allowed(by) => by.place(),
            Self::Denied(denial) => &denial.rule,
        }
    }
}

impl RuleDenial {
    /// Returns the message for the agent.
    pub fn told(&self) -> String {
        let Self { rule, message, reason } = self;
        match (message, reason) {
            (Some(message), _) => message.clone(),
            (None, Some(reason)) => format!("Denied by policy: {reason} ({rule})"),
            (None, None) => format!("Denied by policy ({rule})"),
        }
    }
}

/// The decision as plain data. It cannot be turned into a [`Ruled`] again.
impl From<&Ruled> for Resolution {
    fn from(ruled: &Ruled) -> Self {
        let denial = match ruled {
            Ruled::Allowed(_) => None,
            Ruled::Denied(denial) => Some(denial),
        };
        let why = denial.and_then(|denial| denial.message.as_ref().or(denial.reason.as_ref()));
        Self {
            outcome: if denial.is_some() { End::DeniedByRule } else { End::AllowedByRule },
            by: None,
            scope: None,
            reason: why.filter(|why| !why.is_empty()).cloned(),
            reason_source: denial.map(|_| ReasonSource::Policy),
            cause: None,
            rule: Some(ruled.rule().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denial(message: Option<&str>, reason: Option<&str>) -> RuleDenial {
        let (message, reason) = (message.map(Into::into), reason.map(Into::into));
        RuleDenial { rule: "/etc/dmplz/policy.d/10.toml:7".into(), message, reason }
    }

    #[test]
    fn a_rules_deny_tells_its_message_or_else_its_reason_and_place() {
        let (plain, worded) =
            (denial(None, Some("not to main")), denial(Some("Open a pull request instead."), Some("x")));
        assert_eq!(plain.told(), "Denied by policy: not to main (/etc/dmplz/policy.d/10.toml:7)");
        assert_eq!(worded.told(), "Open a pull request instead.");
        assert_eq!(denial(None, None).told(), "Denied by policy (/etc/dmplz/policy.d/10.toml:7)");
    }

    #[test]
    fn a_rules_deny_is_recorded_with_its_reason_and_its_place_and_with_nobody() {
        for (denial, reason) in [
            (denial(None, Some("not to main")), Some("not to main")),
            (denial(Some("Open a pull request instead."), Some("x")), Some("Open a pull request instead.")),
            (denial(None, None), None),
        ] {
            let recorded = Resolution::from(&Ruled::Denied(denial));
            assert_eq!(recorded.reason.as_deref(), reason);
            assert_eq!(recorded.rule.as_deref(), Some("/etc/dmplz/policy.d/10.toml:7"));
            assert_eq!((recorded.outcome, recorded.reason_source), (End::DeniedByRule, Some(ReasonSource::Policy)));
            assert_eq!((&recorded.by, recorded.cause), (&None, None));
            assert!(recorded.outcome().is_err(), "what a rule decided is not read back");
            assert_eq!(serde_json::to_value(recorded.outcome).unwrap(), "denied_by_rule");
        }
    }
}
