//! What a request's card offers besides yes and no, drawn up from the call alone, so that every surface offers the same.

use serde::{Deserialize, Serialize};

use super::Extent;
use crate::claude::{PermissionUpdate, Question, ToolCall, questions, session_grant, suggestions};

/// What may be answered besides yes and no.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Offer {
    /// The session grant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub session: bool,
    /// What "always" would store; none where the client suggests nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<Suggestion>,
    /// Grants of our own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub granted: bool,
    /// It is a plan: its edits are approved by themselves or one by one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plan: bool,
    /// The questions to be answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

/// One of the client's suggestions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// What would be stored.
    pub update: PermissionUpdate,
    /// Whether it reaches further than the call: then it is not stored unless somebody asks for it.
    pub wide: bool,
}

impl Offer {
    /// What the card of a call offers.
    pub fn of(call: &ToolCall, cwd: &str) -> Self {
        Self {
            session: !session_grant(call, cwd).is_empty(),
            always: suggestions(call),
            granted: false,
            plan: call.tool == "ExitPlanMode",
            questions: questions(call),
        }
    }

    /// Whether an approval may reach as far as that.
    pub fn offers(&self, extent: &Extent) -> bool {
        match extent {
            Extent::Once => true,
            Extent::Session => self.session,
            Extent::Always { wide, .. } => self.always.iter().any(|suggestion| *wide || !suggestion.wide),
            Extent::Plan { .. } => self.plan,
            Extent::Answers { answers } => {
                let asked = |question: &String| self.questions.iter().any(|asked| asked.question == *question);
                !answers.is_empty() && answers.iter().all(|answered| asked(&answered.question))
            }
            Extent::Granted { .. } => self.granted,
        }
    }

    /// Yes and no, and the session grant perhaps.
    pub fn plain(session: bool) -> Self {
        Self { session, ..Self::default() }
    }
}
