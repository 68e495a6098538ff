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
//! What belongs to another decision is refused, never overlooked. [`schema::Answer`] is the same for the OpenAPI document,
//! and a test holds the two together.

use dmplz_core::flow::{Answered, Edits, Extent, Scope, Term};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::approvals::Answer;
use crate::offered::MAX_WORDS;
#[cfg(doc)]
use crate::view::schema;

/// The longest reason that is read, in characters; what is kept of it is a setting.
const MAX_REASON: usize = 10_000;

/// What a person says. A member that is there has a value; only beside a denial, which is taken whatever is missing beside it,
/// null is none.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Said {
    decision: Decision,
    /// Why, or with `instead` what to do instead; with `deny`.
    #[serde(default, deserialize_with = "present")]
    reason: Option<Option<String>>,
    /// With `deny`: the reason says what to do instead.
    #[serde(default, deserialize_with = "present")]
    instead: Option<Option<bool>>,
    /// With `always`: where it is stored; else this project, just you.
    #[serde(default, deserialize_with = "present")]
    scope: Option<Scope>,
    /// With `always`: also what reaches further than the call.
    #[serde(default, deserialize_with = "present")]
    wide: Option<bool>,
    /// With `answers`.
    #[serde(default, deserialize_with = "answers")]
    answers: Option<Vec<Answered>>,
    /// With `grant`: for how long.
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

/// An answer to a question, as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    question: String,
    labels: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    text: Option<String>,
}

fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
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
    // Serde also takes an array for a struct; an object is an object here.
    Vec::<Map<String, Value>>::deserialize(deserializer)?.into_iter().map(answer).collect::<Result<_, _>>().map(Some)
}

fn object<T: DeserializeOwned>(map: Map<String, Value>) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(map))
}

/// Why it says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsaid {
    #[error("a reason goes with a deny")]
    Reason,
    #[error("a reason takes {MAX_REASON} characters")]
    LongReason,
    #[error("`instead` goes with deny")]
    Instead,
    #[error("`scope` and `wide` go with always")]
    Scope,
    #[error("`answers` goes with answers, and only with it")]
    Answers,
    #[error("`term` goes with grant, and only with it")]
    Term,
}

impl Said {
    /// The answer. `to_come`: the reason of a denial follows later. A denial counts also where nothing is said instead.
    pub(crate) fn answer(self, to_come: bool) -> Result<Answer, Unsaid> {
        let Self { decision, reason, instead, scope, wide, answers, term } = self;
        let deny = decision == Decision::Deny;
        let mistakes = [
            (reason.is_some() && !deny, Unsaid::Reason),
            (reason.iter().flatten().any(|reason| reason.chars().count() > MAX_REASON), Unsaid::LongReason),
            (instead.is_some() && !deny, Unsaid::Instead),
            ((scope.is_some() || wide.is_some()) && decision != Decision::Always, Unsaid::Scope),
            (answers.is_some() != (decision == Decision::Answers), Unsaid::Answers),
            (term.is_some() != (decision == Decision::Grant), Unsaid::Term),
        ];
        if let Some((_, unsaid)) = mistakes.into_iter().find(|(is_made, _)| *is_made) {
            return Err(unsaid);
        }
        let (reason, instead) = (reason.flatten(), instead.flatten());
        let instead = instead.unwrap_or_default() && (to_come || reason.is_some());
        Ok(Answer::Allow(match (decision, answers, term) {
            (Decision::Deny, ..) => return Ok(Answer::Deny { reason, instead }),
            (Decision::Session, ..) => Extent::Session,
            (Decision::Always, ..) => {
                Extent::Always { scope: scope.unwrap_or_default(), wide: wide.unwrap_or_default() }
            }
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
        let nothing_instead = json!({ "decision": "deny", "instead": true });
        assert_eq!(said(nothing_instead), Ok(Answer::Deny { reason: None, instead: false }), "a denial is never lost");
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
            (json!({ "decision": "approve", "instead": false }), "`instead` goes with deny"),
            (json!({ "decision": "approve", "wide": false }), "`scope` and `wide` go with always"),
            (json!({ "decision": "deny", "reason": "x".repeat(10_001) }), "a reason takes 10000 characters"),
        ] {
            assert_eq!(said(value.clone()), Err(why.to_owned()), "{value}");
        }
        assert!(said(json!({ "decision": "always", "scope": "cliArg" })).is_err());
        assert!(said(json!({ "decision": "allow" })).is_err());
        assert!(said(json!({ "decision": "approve", "more": 1 })).is_err());
    }
}
