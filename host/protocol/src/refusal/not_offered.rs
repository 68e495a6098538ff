//! Why an approval is not among those that a request offers.

use serde::{Deserialize, Serialize};

use crate::answer::MAX_WORDS;

/// The part of an approval that its request does not offer. It displays a clause of the error's message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the sentence of each variant says what its values are")]
pub enum NotOffered {
    /// A plain approval of a request that asks questions.
    #[error("it asks questions, so it cannot be approved without answers")]
    NoAnswers,
    /// The request offers no session grant.
    #[error("it offers no grant for the session")]
    Session,
    /// The client suggests nothing to store.
    #[error("it cannot always be allowed: the client suggests nothing to store")]
    Always,
    /// Every suggestion of the client reaches further than the call.
    #[error("it cannot always be allowed without `broad`: all that the client suggests reaches further than the call")]
    OnlyBroad,
    /// The request is no plan.
    #[error("it cannot be approved as a plan: it is none")]
    Plan,
    /// The request offers no dmplz grants.
    #[error("it offers no grant for a while")]
    Granted,
    /// The request asks no questions.
    #[error("it asks no questions, so it takes no answers")]
    NoQuestions,
    /// The request was asked for on the surface that approves it.
    #[error("it was asked for on this surface, so it is approved on another one")]
    AskedHere,
    /// A question has no answer.
    #[error("there is no answer to {question:?}")]
    Missing { question: String },
    /// An answer belongs to no question.
    #[error("there is an answer to {question:?}, which is not asked")]
    NotAsked { question: String },
    /// A question has two answers.
    #[error("there are two answers to {question:?}")]
    Twice { question: String },
    /// A label is no option of its question.
    #[error("{label:?} is no option of {question:?}: its options are {options:?}")]
    Label { question: String, label: String, options: Vec<String> },
    /// A single choice has several answers, or none.
    #[error("{question:?} takes one option, or words instead")]
    Single { question: String },
    /// A multiple choice has no answer, or the same label twice.
    #[error("{question:?} takes options, each once, or words")]
    Multiple { question: String },
    /// The user's own words are blank or too long.
    #[error("{question:?} takes words of 1 to {MAX_WORDS} characters")]
    Words { question: String },
}
