//! The scope of an approval: this call alone, or also what the person granted beyond it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::claude::{Answered, Scope};

/// The scope of an approval.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApprovalScope {
    /// An approval of this call, and of no other.
    #[default]
    Once,
    /// The client stored its suggestions, or else the narrowest rule, for the session.
    Session,
    /// The client's suggestions were stored where the person chose.
    Always {
        /// The place where the client stores them.
        scope: Scope,
        /// Whether suggestions that reach further than the call are stored as well.
        #[serde(alias = "wide")]
        broad: bool,
    },
    /// A plan was approved.
    Plan {
        /// How the edits that follow it are approved.
        edits: Edits,
    },
    /// The agent's questions were answered.
    Answers {
        /// One answer per question; masked once the request has ended.
        answers: Vec<Answered>,
    },
    /// The same call may be repeated for a while, by a dmplz grant.
    Granted {
        /// How long the call may be repeated.
        term: Term,
    },
}

/// How the edits that follow a plan are approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Edits {
    /// The client accepts them automatically.
    AutoAccept,
    /// A person approves them one by one.
    Manual,
}

/// How long a dmplz grant lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Term {
    /// The grant holds for 30 minutes.
    HalfHour,
    /// The grant holds until the client's session ends.
    Session,
}
