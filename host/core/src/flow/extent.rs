//! How far an approval reaches: this call alone, or what the person let it carry.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an approval carries beyond the one call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Extent {
    /// Nothing.
    #[default]
    Once,
    /// The session grant of seed 0: the client's suggestions, or the narrowest rule, for the session.
    Session,
    /// The client's suggestions, stored where the person chose.
    Always {
        /// Where.
        scope: Scope,
        /// Whether those go with it that reach further than the call.
        wide: bool,
    },
    /// A plan: how its edits are approved from now on.
    Plan {
        /// How.
        edits: Edits,
    },
    /// What the person answered to the agent's questions.
    Answers {
        /// By question.
        answers: Vec<Answered>,
    },
    /// A grant of our own for exactly the same thing.
    Granted {
        /// For how long.
        term: Term,
    },
}

/// Where the client stores a permission update. The order is the cycle of seed 4, 2.1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// This project, just you: `.claude/settings.local.json`.
    #[default]
    #[serde(rename = "localSettings")]
    Local,
    /// All projects: `~/.claude/settings.json`.
    #[serde(rename = "userSettings")]
    User,
    /// This project, shared: `.claude/settings.json`.
    #[serde(rename = "projectSettings")]
    Project,
    /// This session, in the client's memory.
    Session,
}

/// How the edits that follow a plan are approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Edits {
    /// By themselves.
    AutoAccept,
    /// One by one, by a person.
    Manual,
}

/// How long a grant of our own lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Term {
    /// 30 minutes.
    HalfHour,
    /// Until the client's session ends.
    Session,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The question's text, by which the client knows it.
    pub question: String,
    /// The labels that were chosen, in the question's order.
    pub labels: Vec<String>,
    /// What the person wrote instead or besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 4_000)]
    pub text: Option<String>,
}

impl Scope {
    /// The next one of the cycle.
    pub fn next(self) -> Self {
        match self {
            Self::Local => Self::User,
            Self::User => Self::Project,
            Self::Project => Self::Session,
            Self::Session => Self::Local,
        }
    }
}
