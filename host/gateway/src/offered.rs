//! Checks that an approval does not exceed its request's offer.
//!
//! | approval | counts if |
//! |---|---|
//! | once | the request asks no questions: the client takes no allow without their answers |
//! | session, plan, granted | the request offers it |
//! | always | it stores at least one suggestion: one that reaches no further than the call, or any with `broad` |
//! | any | a person asked for it on another surface, or nobody did |
//! | answers | each question has exactly one answer, and the answer fits the question |
//!
//! The labels of an answer must be options of its question, each once. A single choice takes one label or one text and
//! nothing else; a multiple choice takes at least one of either.
//!
//! Surfaces may list questions and labels in any order; the accepted approval uses the order of the request.

use dmplz_core::claude::{Answered, Question};
use dmplz_core::request::{ApprovalScope, Offer};
use dmplz_protocol::answer::MAX_WORDS;
use dmplz_protocol::refusal::NotOffered;

/// Returns the approval in its accepted form, if the offer includes it on that surface.
pub(crate) fn settled(offer: &Offer, scope: ApprovalScope, surface: &str) -> Result<ApprovalScope, NotOffered> {
    if offer.is_asked_on(surface) {
        return Err(NotOffered::AskedHere);
    }
    let scope = match scope {
        ApprovalScope::Answers { answers } => ApprovalScope::Answers { answers: answered(&offer.questions, answers)? },
        other => other,
    };
    if offer.offers(&scope) {
        return Ok(scope);
    }
    Err(match scope {
        ApprovalScope::Once => NotOffered::NoAnswers,
        ApprovalScope::Session => NotOffered::Session,
        ApprovalScope::Always { .. } if offer.always.is_empty() => NotOffered::Always,
        ApprovalScope::Always { .. } => NotOffered::OnlyBroad,
        ApprovalScope::Plan { .. } => NotOffered::Plan,
        ApprovalScope::Granted { .. } => NotOffered::Granted,
        ApprovalScope::Answers { .. } => NotOffered::NoQuestions,
    })
}

/// Returns the names of the decisions that a request takes, as used on the gateway's surfaces.
pub(crate) fn decisions(offer: &Offer) -> Vec<&'static str> {
    let all = [
        ("approve", offer.offers(&ApprovalScope::Once)),
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

fn answered(questions: &[Question], answers: Vec<Answered>) -> Result<Vec<Answered>, NotOffered> {
    if questions.is_empty() {
        return Err(NotOffered::NoQuestions);
    }
    let mut answers: Vec<Option<Answered>> = answers.into_iter().map(Some).collect();
    let mut of = |question: &Question| {
        let is_its = |it: &Option<Answered>| it.as_ref().is_some_and(|it| it.question == question.question);
        answers.iter_mut().find(|it| is_its(it))?.take()
    };
    let mut settled = Vec::new();
    for question in questions {
        let answer = of(question).ok_or_else(|| NotOffered::Missing { question: question.question.clone() })?;
        settled.push(fitting(question, answer)?);
    }
    match answers.into_iter().flatten().next() {
        None => Ok(settled),
        Some(left) if questions.iter().any(|asked| asked.question == left.question) => {
            Err(NotOffered::Twice { question: left.question })
        }
        Some(left) => Err(NotOffered::NotAsked { question: left.question }),
    }
}

fn fitting(asked: &Question, mut answer: Answered) -> Result<Answered, NotOffered> {
    let place = |label: &String| asked.options.iter().position(|option| option.label == *label);
    if let Some(label) = answer.labels.iter().find(|label| place(label).is_none()) {
        let options = asked.options.iter().map(|option| option.label.clone()).collect();
        return Err(NotOffered::Label { question: answer.question.clone(), label: label.clone(), options });
    }
    answer.labels.sort_by_key(place);
    if let Some(words) = &answer.text
        && (words.trim().is_empty() || words.chars().count() > MAX_WORDS)
    {
        return Err(NotOffered::Words { question: answer.question });
    }
    match (asked.takes(&answer), asked.multi_select) {
        (true, _) => Ok(answer),
        (false, true) => Err(NotOffered::Multiple { question: answer.question }),
        (false, false) => Err(NotOffered::Single { question: answer.question }),
    }
}

#[cfg(test)]
mod tests;
