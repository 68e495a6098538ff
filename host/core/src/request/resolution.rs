//! How a request ended, as plain data. The gateway stores it, shows it on every surface and sends it to the waiting
//! hook.
//!
//! The conversion back to an [`Outcome`] is strict: an allow needs the person who gave it, and a rule's decision cannot
//! be converted at all, because only the policy's judge may make one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ApprovalScope, Cause, End, ExpiredCause, Outcome, ReasonSource, Resolver, Trouble};
use crate::approvers::{Answerer, Approver};

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// The outcome's name in logs and APIs.
    pub outcome: End,
    /// The person who answered, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by: Option<Answerer>,
    /// The scope of an approval, if the outcome does not imply it.
    #[serde(alias = "extent", default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub scope: Option<ApprovalScope>,
    /// The reason of a denial, in the words of the person or the rule; or what failed, if nobody could be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// The source of a denial's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason_source: Option<ReasonSource>,
    /// Why nobody's answer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cause: Option<Cause>,
    /// The rule that decided, as `file:line`, if it was a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule: Option<String>,
}

/// A resolution without a field that its outcome needs, or one that only the policy may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not known how the request ended: {0:?} without what belongs to it")]
pub struct Incomplete(pub End);

impl Resolution {
    /// Returns the record of an outcome.
    pub fn of(outcome: &Outcome) -> Self {
        let (end, cause) = End::of(outcome);
        let by = outcome.by().map(|by| by.answerer().clone());
        let (reason, reason_source) = outcome.rejection().unzip();
        let reason = match outcome {
            Outcome::Expired(ExpiredCause::Failed(why)) => Some(why.to_string()),
            _ => reason.map(str::to_owned),
        };
        let reason = reason.filter(|reason| !reason.is_empty());
        let scope = match outcome {
            Outcome::Approved { scope, .. } => Some(scope.clone()),
            _ => None,
        };
        let scope = scope.filter(|scope| !matches!(scope, ApprovalScope::Once | ApprovalScope::Session));
        Self { outcome: end, by, scope, reason, reason_source, cause, rule: None }
    }

    /// Returns whether a person denied. An incomplete resolution does not count as a denial.
    pub fn rejects(&self) -> bool {
        self.outcome().is_ok_and(|outcome| outcome.rejection().is_some())
    }

    /// Returns the recorded outcome.
    pub fn outcome(&self) -> Result<Outcome, Incomplete> {
        let incomplete = || Incomplete(self.outcome);
        let by = || self.by.as_ref().and_then(Approver::recorded).ok_or_else(incomplete);
        Ok(match self.outcome {
            End::Approved | End::ApprovedSession | End::ApprovedAlways | End::ApprovedGranted | End::Answered => {
                let scope = match (self.outcome, &self.scope) {
                    (End::Approved, None) => ApprovalScope::Once,
                    (End::ApprovedSession, None) => ApprovalScope::Session,
                    (_, scope) => scope.clone().ok_or_else(incomplete)?,
                };
                let outcome = Outcome::Approved { by: by()?, scope };
                if End::of(&outcome).0 != self.outcome {
                    return Err(incomplete());
                }
                outcome
            }
            End::RejectedWithReason => Outcome::RejectedWithReason {
                by: by()?,
                reason: self.reason.clone().ok_or_else(incomplete)?,
                instead: self.reason_source == Some(ReasonSource::Instead),
            },
            End::RejectedNoReason => Outcome::RejectedNoReason {
                by: by()?,
                source: self.reason_source.unwrap_or(ReasonSource::ExplicitSkip),
            },
            End::Expired => Outcome::Expired(match self.cause {
                Some(Cause::Failed) => ExpiredCause::Failed(Trouble::Other(self.reason.clone().unwrap_or_default())),
                _ => ExpiredCause::Nobody,
            }),
            End::ResolvedElsewhere => Outcome::ResolvedElsewhere(match self.cause {
                Some(Cause::Stopped) => Resolver::Stopped,
                Some(Cause::ClientGone) => Resolver::ClientGone,
                _ => Resolver::Terminal,
            }),
            End::AllowedByRule | End::DeniedByRule => return Err(incomplete()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by() -> Option<Answerer> {
        Some(Answerer { surface: "web".into(), id: "owner".into(), name: "Ada".into() })
    }

    fn resolution(outcome: End) -> Resolution {
        Resolution { outcome, by: by(), scope: None, reason: None, reason_source: None, cause: None, rule: None }
    }

    #[test]
    fn an_allow_without_the_person_who_gave_it_is_none() {
        for outcome in [End::Approved, End::ApprovedSession] {
            assert!(resolution(outcome).outcome().is_ok());
            assert_eq!(Resolution { by: None, ..resolution(outcome) }.outcome(), Err(Incomplete(outcome)));
            let nameless = by().map(|by| Answerer { id: String::new(), ..by });
            assert_eq!(Resolution { by: nameless, ..resolution(outcome) }.outcome(), Err(Incomplete(outcome)));
        }
    }

    #[test]
    fn a_rules_allow_cannot_be_read_back() {
        assert_eq!(resolution(End::AllowedByRule).outcome(), Err(Incomplete(End::AllowedByRule)));
    }

    #[test]
    fn every_resolution_is_read_back_unchanged() {
        let rejected = Resolution {
            reason: Some("not to main".into()),
            reason_source: Some(ReasonSource::UserInput),
            ..resolution(End::RejectedWithReason)
        };
        let late = Resolution { by: None, cause: Some(Cause::Nobody), ..resolution(End::Expired) };
        let failed = Resolution { cause: Some(Cause::Failed), reason: Some("it went away".into()), ..late.clone() };
        let gone = Resolution { by: None, cause: Some(Cause::ClientGone), ..resolution(End::ResolvedElsewhere) };
        for recorded in [resolution(End::Approved), resolution(End::ApprovedSession), rejected, late, failed, gone] {
            assert_eq!(Resolution::of(&recorded.outcome().unwrap()), recorded);
        }
    }

    #[test]
    fn a_resolution_as_json() {
        let silent = Resolution { reason_source: Some(ReasonSource::Timeout), ..resolution(End::RejectedNoReason) };
        insta::assert_snapshot!(serde_json::to_string(&silent).unwrap(), @r#"{"outcome":"rejected_no_reason","by":{"surface":"web","id":"owner","name":"Ada"},"reasonSource":"timeout"}"#);
    }
    #[test]
    fn a_record_with_the_former_names_of_its_fields_is_read() {
        let former = r#"{"outcome":"approved_always","by":{"surface":"web","id":"owner","name":"Ada"},"extent":{"kind":"always","scope":"userSettings","wide":true}}"#;
        let read: Resolution = serde_json::from_str(former).unwrap();
        assert_eq!(read.scope, Some(ApprovalScope::Always { scope: crate::claude::Scope::User, broad: true }));
    }
}
