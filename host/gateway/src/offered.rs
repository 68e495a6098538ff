//! Whether an approval goes no further than what its request offers.
//!
//! | approval | counts where |
//! |---|---|
//! | once | it asks no questions: without answers the client takes no allow |
//! | session, plan, granted | it offers that |
//! | always | one suggestion at least goes with it: one that reaches no further than the call, or any with `wide` |
//! | answers | each is to another question that is asked; its labels are options of it, none twice; a single choice has one label or one text and nothing else, a multiple choice at least one of either |
//!
//! Some questions may stay without an answer, but not all: the client was seen to take a part.

use std::collections::HashSet;

use dmplz_core::claude::Question;
use dmplz_core::flow::{Answered, Extent, Offer};

/// The longest answer in a person's own words, in characters.
pub const MAX_WORDS: usize = 4_000;

/// Why an approval goes further than what is offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOffered {
    /// A bare allow of questions.
    #[error("approve it without answers: it asks questions")]
    Bare,
    /// It offers no session grant.
    #[error("allow it for the session: it offers no such grant")]
    Session,
    /// The client suggests nothing.
    #[error("always allow it: the client suggests nothing to store")]
    Always,
    /// All that the client suggests reaches further than the call.
    #[error("always allow it without `wide`: all that the client suggests reaches further than the call")]
    Narrow,
    /// It is no plan.
    #[error("approve it as a plan: it is none")]
    Plan,
    /// It offers no grants of ours.
    #[error("grant it for a while: it offers no such grant")]
    Granted,
    /// It asks no questions.
    #[error("answer it: it asks no questions")]
    NoQuestions,
    /// Answers without any.
    #[error("answer it: there is no answer")]
    NoAnswers,
    /// A question that is not asked.
    #[error("answer {0:?}: that is not asked")]
    Question(String),
    /// Two answers to a question.
    #[error("answer {0:?}: there are two answers to it")]
    Twice(String),
    /// A label that is no option of its question.
    #[error("answer {question:?} with {label:?}: its options are {options:?}")]
    Label {
        /// The question.
        question: String,
        /// What was chosen.
        label: String,
        /// What could be.
        options: Vec<String>,
    },
    /// Two answers to a single choice, or none.
    #[error("answer {0:?}: it takes one option, or words instead")]
    Single(String),
    /// Nothing chosen of a multiple choice, or the same twice.
    #[error("answer {0:?}: it takes options, each once, or words")]
    Multiple(String),
    /// Words without an end, or without any.
    #[error("answer {0:?}: words are between 1 and {MAX_WORDS} characters")]
    Words(String),
}

/// Whether an approval may reach as far as that.
pub fn check(offer: &Offer, extent: &Extent) -> Result<(), NotOffered> {
    let refused = match extent {
        Extent::Answers { answers } => return answered(&offer.questions, answers),
        Extent::Once if offer.questions.is_empty() => return Ok(()),
        Extent::Once => return Err(NotOffered::Bare),
        Extent::Session => NotOffered::Session,
        Extent::Always { .. } if offer.always.is_empty() => NotOffered::Always,
        Extent::Always { .. } => NotOffered::Narrow,
        Extent::Plan { .. } => NotOffered::Plan,
        Extent::Granted { .. } => NotOffered::Granted,
    };
    if offer.offers(extent) { Ok(()) } else { Err(refused) }
}

/// The decisions that a request takes, as the gateway's surfaces call them.
pub(crate) fn decisions(offer: &Offer) -> Vec<&'static str> {
    let all = [
        ("approve", offer.questions.is_empty()),
        ("session", offer.session),
        ("always", !offer.always.is_empty()),
        ("auto-accept", offer.plan),
        ("manual", offer.plan),
        ("answers", !offer.questions.is_empty()),
        ("grant", offer.granted),
        ("deny", true),
    ];
    all.into_iter().filter_map(|(decision, offered)| offered.then_some(decision)).collect()
}

fn answered(questions: &[Question], answers: &[Answered]) -> Result<(), NotOffered> {
    match (questions, answers) {
        ([], _) => return Err(NotOffered::NoQuestions),
        (_, []) => return Err(NotOffered::NoAnswers),
        _ => {}
    }
    let mut seen = HashSet::new();
    for answer in answers {
        let name = || answer.question.clone();
        let asked = questions.iter().find(|asked| asked.question == answer.question);
        fits(asked.ok_or_else(|| NotOffered::Question(name()))?, answer)?;
        if !seen.insert(&answer.question) {
            return Err(NotOffered::Twice(name()));
        }
    }
    Ok(())
}

fn fits(asked: &Question, answer: &Answered) -> Result<(), NotOffered> {
    let name = || answer.question.clone();
    let is_option = |label: &&String| asked.options.iter().any(|option| option.label == **label);
    if let Some(label) = answer.labels.iter().find(|label| !is_option(label)) {
        let options = asked.options.iter().map(|option| option.label.clone()).collect();
        return Err(NotOffered::Label { question: name(), label: label.clone(), options });
    }
    if let Some(words) = &answer.text
        && (words.trim().is_empty() || words.chars().count() > MAX_WORDS)
    {
        return Err(NotOffered::Words(name()));
    }
    let count = answer.labels.len() + usize::from(answer.text.is_some());
    let repeats = answer.labels.iter().collect::<HashSet<_>>().len() != answer.labels.len();
    match asked.multi_select {
        false if count != 1 => Err(NotOffered::Single(name())),
        true if count == 0 || repeats => Err(NotOffered::Multiple(name())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
