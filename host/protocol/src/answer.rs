//! A person's answer to a request, for `approval.respond` and `POST /approvals/{id}/answer`.
//!
//! | decision | with | allows |
//! |---|---|---|
//! | `approve` | | this call; a plan in the present mode |
//! | `session` | | this call, and what the session grant covers |
//! | `always` | `scope`, `broad` | this call, and the client's suggestions, stored in `scope` |
//! | `auto-accept`, `manual` | | a plan, with its edits accepted automatically or one by one |
//! | `answers` | `answers` | questions, with these answers |
//! | `grant` | `term` | this call, and exactly the same again, by a dmplz grant |
//! | `deny` | `reason`, `instead` | nothing |
//!
//! A client sends an [`AnswerBody`], and the OpenAPI document describes it. It is parsed as `Members`, so that a member
//! of another decision is refused by its name and never ignored.

use dmplz_core::claude::{Answered, Scope};
use dmplz_core::request::{Answer, ApprovalScope, Edits, Term};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The longest reason that is accepted, in characters. A setting limits how much of it is stored.
pub const MAX_REASON: usize = 10_000;
/// The longest answer to a question in a person's own words, in characters.
pub const MAX_WORDS: usize = 4_000;

/// An answer to a request: one shape per decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "decision", rename_all = "kebab-case", try_from = "Members")]
#[schema(as = Answer)]
pub enum AnswerBody {
    /// Allow it, this once; a plan in the present mode.
    Approve,
    /// Allow it, and what its grant covers for the session.
    Session,
    /// Allow it, and store the client's suggestions.
    Always {
        /// Where they are stored; by default the project's local settings.
        #[schema(required = false)]
        scope: Scope,
        /// Whether suggestions that reach further than the call are stored as well.
        #[schema(required = false)]
        broad: bool,
    },
    /// Approve a plan; its edits are accepted automatically.
    AutoAccept,
    /// Approve a plan; its edits are approved one by one.
    Manual,
    /// Answer its questions.
    Answers {
        /// One answer per question.
        answers: Vec<Answered>,
    },
    /// Allow it, and exactly the same again for a while.
    Grant {
        /// How long the grant holds.
        term: Term,
    },
    /// Deny it.
    Deny {
        /// The reason; with `instead`, what to do instead.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 10_000)]
        reason: Option<String>,
        /// Whether the reason says what to do instead.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[schema(value_type = Option<bool>)]
        instead: bool,
    },
}

impl From<AnswerBody> for Answer {
    /// Converts the body to an answer. A denial without a reason is one as well, even with `instead`.
    fn from(body: AnswerBody) -> Self {
        Self::Allow(match body {
            AnswerBody::Approve => ApprovalScope::Once,
            AnswerBody::Session => ApprovalScope::Session,
            AnswerBody::Always { scope, broad } => ApprovalScope::Always { scope, broad },
            AnswerBody::AutoAccept => ApprovalScope::Plan { edits: Edits::AutoAccept },
            AnswerBody::Manual => ApprovalScope::Plan { edits: Edits::Manual },
            AnswerBody::Answers { answers } => ApprovalScope::Answers { answers },
            AnswerBody::Grant { term } => ApprovalScope::Granted { term },
            AnswerBody::Deny { reason, instead } => {
                let instead = instead && reason.is_some();
                return Self::Deny { reason, instead };
            }
        })
    }
}

/// The members of an answer. A member that is present must have a value. Only a denial's members may be null, because a
/// denial counts even if they are missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Members {
    decision: Decision,
    /// Belongs to `deny`.
    #[serde(default, deserialize_with = "present")]
    reason: Option<Option<String>>,
    /// Belongs to `deny`.
    #[serde(default, deserialize_with = "present")]
    instead: Option<Option<bool>>,
    /// Belongs to `always`.
    #[serde(default, deserialize_with = "present")]
    scope: Option<Scope>,
    /// Belongs to `always`.
    #[serde(default, deserialize_with = "present")]
    broad: Option<bool>,
    /// Belongs to `answers`.
    #[serde(default, deserialize_with = "answers")]
    answers: Option<Vec<Answered>>,
    /// Belongs to `grant`.
    #[serde(default, deserialize_with = "present")]
    term: Option<Term>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Decision {
    Approve,
    Session,
    Always,
    AutoAccept,
    Manual,
    Answers,
    Grant,
    Deny,
}

/// An answer to a question, as a client writes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    question: String,
    labels: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    text: Option<String>,
}

/// Reads a member that is present. Its `null` is a value like any other, and not an absent member.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn answers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Answered>>, D::Error> {
    let answer = |map| {
        let Written { question, labels, text } = object(map).map_err(D::Error::custom)?;
        if text.as_ref().is_some_and(|text| text.chars().count() > MAX_WORDS) {
            return Err(D::Error::custom(format!("a text takes {MAX_WORDS} characters")));
        }
        Ok(Answered { question, labels, text })
    };
    // Serde would also accept an array for a struct; only an object is valid here.
    Vec::<Map<String, Value>>::deserialize(deserializer)?.into_iter().map(answer).collect::<Result<_, _>>().map(Some)
}

fn object<T: DeserializeOwned>(map: Map<String, Value>) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(map))
}

/// Why the members form no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Unsaid {
    #[error("a reason goes with a deny")]
    Reason,
    #[error("a reason takes {MAX_REASON} characters")]
    LongReason,
    #[error("`instead` goes with deny")]
    Instead,
    #[error("`scope` and `broad` go with always")]
    Scope,
    #[error("`answers` goes with answers, and only with it")]
    Answers,
    #[error("`term` goes with grant, and only with it")]
    Term,
}

impl TryFrom<Members> for AnswerBody {
    type Error = Unsaid;

    fn try_from(members: Members) -> Result<Self, Unsaid> {
        let Members { decision, reason, instead, scope, broad, answers, term } = members;
        let deny = decision == Decision::Deny;
        let mistakes = [
            (reason.is_some() && !deny, Unsaid::Reason),
            (reason.iter().flatten().any(|reason| reason.chars().count() > MAX_REASON), Unsaid::LongReason),
            (instead.is_some() && !deny, Unsaid::Instead),
            ((scope.is_some() || broad.is_some()) && decision != Decision::Always, Unsaid::Scope),
            (answers.is_some() != (decision == Decision::Answers), Unsaid::Answers),
            (term.is_some() != (decision == Decision::Grant), Unsaid::Term),
        ];
        if let Some((_, unsaid)) = mistakes.into_iter().find(|(is_made, _)| *is_made) {
            return Err(unsaid);
        }
        Ok(match decision {
            Decision::Approve => Self::Approve,
            Decision::Session => Self::Session,
            Decision::Always => Self::Always { scope: scope.unwrap_or_default(), broad: broad.unwrap_or_default() },
            Decision::AutoAccept => Self::AutoAccept,
            Decision::Manual => Self::Manual,
            Decision::Answers => Self::Answers { answers: answers.ok_or(Unsaid::Answers)? },
            Decision::Grant => Self::Grant { term: term.ok_or(Unsaid::Term)? },
            Decision::Deny => Self::Deny { reason: reason.flatten(), instead: instead.flatten().unwrap_or_default() },
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(value: serde_json::Value) -> Result<AnswerBody, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn an_answer_is_read_as_it_is_written() {
        let deny = |reason: Option<&str>, instead| AnswerBody::Deny { reason: reason.map(str::to_owned), instead };
        for (answer, written) in [
            (AnswerBody::Approve, json!({ "decision": "approve" })),
            (AnswerBody::Session, json!({ "decision": "session" })),
            (
                AnswerBody::Always { scope: Scope::Project, broad: true },
                json!({ "decision": "always", "scope": "projectSettings", "broad": true }),
            ),
            (AnswerBody::AutoAccept, json!({ "decision": "auto-accept" })),
            (AnswerBody::Manual, json!({ "decision": "manual" })),
            (AnswerBody::Grant { term: Term::HalfHour }, json!({ "decision": "grant", "term": "halfHour" })),
            (AnswerBody::Answers { answers: Vec::new() }, json!({ "decision": "answers", "answers": [] })),
            (deny(None, false), json!({ "decision": "deny" })),
            (deny(Some("use make"), true), json!({ "decision": "deny", "reason": "use make", "instead": true })),
        ] {
            assert_eq!(serde_json::to_value(&answer).unwrap(), written);
            assert_eq!(said(written), Ok(answer));
        }
        let local = AnswerBody::Always { scope: Scope::Local, broad: false };
        assert_eq!(said(json!({ "decision": "always" })), Ok(local));
        let nulls = json!({ "decision": "deny", "reason": null, "instead": null });
        assert_eq!(said(nulls), Ok(deny(None, false)), "a denial is never lost");
    }

    #[test]
    fn what_belongs_to_another_decision_is_refused() {
        for (value, why) in [
            (json!({ "decision": "approve", "scope": "session" }), "`scope` and `broad` go with always"),
            (json!({ "decision": "session", "broad": true }), "`scope` and `broad` go with always"),
            (json!({ "decision": "always", "reason": "no" }), "a reason goes with a deny"),
            (json!({ "decision": "always", "term": "session" }), "`term` goes with grant, and only with it"),
            (json!({ "decision": "grant" }), "`term` goes with grant, and only with it"),
            (json!({ "decision": "answers" }), "`answers` goes with answers, and only with it"),
            (json!({ "decision": "deny", "answers": [] }), "`answers` goes with answers, and only with it"),
            (json!({ "decision": "approve", "instead": false }), "`instead` goes with deny"),
            (json!({ "decision": "approve", "broad": false }), "`scope` and `broad` go with always"),
            (json!({ "decision": "deny", "reason": "x".repeat(10_001) }), "a reason takes 10000 characters"),
        ] {
            assert_eq!(said(value.clone()), Err(why.to_owned()), "{value}");
        }
        assert!(said(json!({ "decision": "always", "scope": "cliArg" })).is_err());
        assert!(said(json!({ "decision": "allow" })).is_err());
        assert!(said(json!({ "decision": "approve", "more": 1 })).is_err());
    }
}
