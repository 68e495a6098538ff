//! What a person says to a request, as the gateway's surfaces write it: `approval.respond` and `POST /approvals/{id}/answer`.
//!
//! | decision | with | allows |
//! |---|---|---|
//! | `approve` | | this call; a plan as the mode was |
//! | `session` | | and what its grant covers, for the session |
//! | `always` | `scope`, `wide` | and what the client suggests, stored there |
//! | `auto-accept`, `manual` | | a plan; its edits by themselves, or one by one |
//! | `answers` | `answers` | questions, answered |
//! | `grant` | `term` | and exactly the same again, by our own policy |
//! | `deny` | `reason`, `instead` | nothing |
//!
//! What belongs to another decision is refused, never overlooked.

use dmplz_core::flow::{Answered, Edits, Extent, Scope, Term};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::approvals::Answer;
use crate::view::schema;

/// The longest reason that is read, in characters; what is kept of it is a setting.
const MAX_REASON: usize = 10_000;

/// What a person says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Answer)]
pub(crate) struct Said {
    decision: Decision,
    /// Why, or with `instead` what to do instead; with `deny`.
    #[serde(default)]
    #[schema(nullable = false, max_length = 10_000)]
    reason: Option<String>,
    /// With `deny`: the reason says what to do instead.
    #[serde(default)]
    instead: bool,
    /// With `always`: where it is stored; else this project, just you.
    #[serde(default)]
    #[schema(value_type = Option<schema::Scope>, nullable = false)]
    scope: Option<Scope>,
    /// With `always`: also what reaches further than the call.
    #[serde(default)]
    wide: bool,
    /// With `answers`: at least one.
    #[serde(default)]
    #[schema(value_type = Option<Vec<schema::Answered>>, nullable = false)]
    answers: Option<Vec<Answered>>,
    /// With `grant`: for how long.
    #[serde(default)]
    #[schema(value_type = Option<schema::Term>, nullable = false)]
    term: Option<Term>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Decision {
    /// Allow it, this once.
    Approve,
    /// Allow it and what its grant covers for the session.
    Session,
    /// Allow it and store what the client suggests.
    Always,
    /// Approve a plan; its edits are accepted by themselves.
    AutoAccept,
    /// Approve a plan; its edits are approved one by one.
    Manual,
    /// Answer its questions.
    Answers,
    /// Allow it, and exactly the same again for a while.
    Grant,
    /// Deny it.
    Deny,
}

/// Why it says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsaid {
    #[error("a reason goes with a deny")]
    Reason,
    #[error("a reason takes {MAX_REASON} characters")]
    LongReason,
    #[error("`instead` goes with a deny that has a reason")]
    Instead,
    #[error("`scope` and `wide` go with always")]
    Scope,
    #[error("`answers` goes with answers, and only with it")]
    Answers,
    #[error("`term` goes with grant, and only with it")]
    Term,
}

impl Said {
    /// The answer. `to_come`: the reason of a denial follows later.
    pub(crate) fn answer(self, to_come: bool) -> Result<Answer, Unsaid> {
        let Self { decision, reason, instead, scope, wide, answers, term } = self;
        let deny = decision == Decision::Deny;
        let mistakes = [
            (reason.is_some() && !deny, Unsaid::Reason),
            (reason.as_ref().is_some_and(|reason| reason.chars().count() > MAX_REASON), Unsaid::LongReason),
            (instead && !(deny && (to_come || reason.is_some())), Unsaid::Instead),
            ((scope.is_some() || wide) && decision != Decision::Always, Unsaid::Scope),
            (answers.is_some() != (decision == Decision::Answers), Unsaid::Answers),
            (term.is_some() != (decision == Decision::Grant), Unsaid::Term),
        ];
        if let Some((_, unsaid)) = mistakes.into_iter().find(|(is_made, _)| *is_made) {
            return Err(unsaid);
        }
        Ok(Answer::Allow(match (decision, answers, term) {
            (Decision::Deny, ..) => return Ok(Answer::Deny { reason, instead }),
            (Decision::Session, ..) => Extent::Session,
            (Decision::Always, ..) => Extent::Always { scope: scope.unwrap_or_default(), wide },
            (Decision::AutoAccept, ..) => Extent::Plan { edits: Edits::AutoAccept },
            (Decision::Manual, ..) => Extent::Plan { edits: Edits::Manual },
            (Decision::Answers, Some(answers), _) => Extent::Answers { answers },
            (Decision::Grant, _, Some(term)) => Extent::Granted { term },
            (Decision::Answers, None, _) => return Err(Unsaid::Answers),
            (Decision::Grant, _, None) => return Err(Unsaid::Term),
            (Decision::Approve, ..) => Extent::Once,
        }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(value: serde_json::Value) -> Result<Answer, String> {
        let said: Said = serde_json::from_value(value).map_err(|error| error.to_string())?;
        said.answer(false).map_err(|unsaid| unsaid.to_string())
    }

    #[test]
    fn each_decision_reaches_as_far_as_it_says() {
        let allows = [
            (json!({ "decision": "approve" }), Extent::Once),
            (json!({ "decision": "session" }), Extent::Session),
            (json!({ "decision": "always" }), Extent::Always { scope: Scope::Local, wide: false }),
            (
                json!({ "decision": "always", "scope": "projectSettings", "wide": true }),
                Extent::Always { scope: Scope::Project, wide: true },
            ),
            (json!({ "decision": "auto-accept" }), Extent::Plan { edits: Edits::AutoAccept }),
            (json!({ "decision": "manual" }), Extent::Plan { edits: Edits::Manual }),
            (json!({ "decision": "grant", "term": "halfHour" }), Extent::Granted { term: Term::HalfHour }),
            (json!({ "decision": "answers", "answers": [] }), Extent::Answers { answers: Vec::new() }),
        ];
        for (value, extent) in allows {
            assert_eq!(said(value.clone()), Ok(Answer::Allow(extent)), "{value}");
        }
        assert_eq!(
            said(json!({ "decision": "deny", "reason": "use make", "instead": true })),
            Ok(Answer::Deny { reason: Some("use make".into()), instead: true })
        );
    }

    #[test]
    fn what_belongs_to_another_decision_is_refused() {
        for (value, why) in [
            (json!({ "decision": "approve", "scope": "session" }), "`scope` and `wide` go with always"),
            (json!({ "decision": "session", "wide": true }), "`scope` and `wide` go with always"),
            (json!({ "decision": "always", "reason": "no" }), "a reason goes with a deny"),
            (json!({ "decision": "always", "term": "session" }), "`term` goes with grant, and only with it"),
            (json!({ "decision": "grant" }), "`term` goes with grant, and only with it"),
            (json!({ "decision": "answers" }), "`answers` goes with answers, and only with it"),
            (json!({ "decision": "deny", "answers": [] }), "`answers` goes with answers, and only with it"),
            (json!({ "decision": "deny", "instead": true }), "`instead` goes with a deny that has a reason"),
            (json!({ "decision": "deny", "reason": "x".repeat(10_001) }), "a reason takes 10000 characters"),
        ] {
            assert_eq!(said(value.clone()), Err(why.to_owned()), "{value}");
        }
        assert!(said(json!({ "decision": "always", "scope": "cliArg" })).is_err());
        assert!(said(json!({ "decision": "allow" })).is_err());
        assert!(said(json!({ "decision": "approve", "more": 1 })).is_err());
    }
}
