//! What was chosen on one surface's card so far, before it answers anything.

use serde::{Deserialize, Serialize};

use super::Scope;

/// A card's state besides its request's. Plain data: it survives a restart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Form {
    /// Where "always" would store.
    pub scope: Scope,
    /// Whether "always" would also store what reaches further than the call.
    pub wide: bool,
    /// Which question is asked, from 0; their number where all are answered and may be sent.
    pub question: usize,
    /// What was chosen so far, by question.
    pub drafts: Vec<Draft>,
    /// Who is asked to write the answer to the question themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<String>,
}

/// The answer to one question so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// Numbers of the options, from 0, ascending.
    pub options: Vec<usize>,
    /// What somebody wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
