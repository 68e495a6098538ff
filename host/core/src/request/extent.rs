//! How far an approval reaches: this call alone, or what the person let it carry.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How far an approval reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Extent {
    /// This call.
    #[default]
    Once,
    /// The session: the client's suggestions, or the narrowest rule, were stored for it.
    Session,
    /// The client's suggestions were stored where the person chose.
    Always {
        /// Where.
        scope: Scope,
        /// Whether also what reaches further than the call.
        wide: bool,
    },
    /// A plan: how its edits are approved from now on.
    Plan {
        /// How its edits are approved.
        edits: Edits,
    },
    /// The agent's questions were answered.
    Answers {
        /// One answer a question; masked once the request has ended.
        answers: Vec<Answered>,
    },
    /// Exactly the same may be done again for a while, by a grant of our own.
    Granted {
        /// For how long.
        term: Term,
    },
}

/// Where the client stores a permission. A card offers them in this order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// This project, just you: `.claude/settings.local.json`.
    #[default]
    #[serde(rename = "localSettings")]
    Local,
    /// Every project of the user: `~/.claude/settings.json`.
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
    /// The client accepts them by itself.
    AutoAccept,
    /// One by one, by a person.
    Manual,
}

/// How long a grant of our own lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Term {
    /// The grant holds for 30 minutes.
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
    /// Labels of its options, in their order: one of a single choice, or none beside a text.
    pub labels: Vec<String>,
    /// The person's own words, instead or besides.
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
