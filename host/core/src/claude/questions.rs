//! Parses the questions of `AskUserQuestion`, strictly: an input that differs from what the client was observed to
//! send offers no questions, and so no answers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::input::ToolCall;

/// The most questions of a call; the client was observed to send up to four.
const MAX_QUESTIONS: usize = 8;
/// The most options of a question, because each has a digit.
const MAX_OPTIONS: usize = 9;

/// A question of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Its text, which identifies it in the answer.
    pub question: String,
    /// Its heading of a word or two.
    #[serde(default)]
    #[schema(required = true)]
    pub header: String,
    /// Whether several options may be chosen.
    #[serde(default)]
    #[schema(required = true)]
    pub multi_select: bool,
    /// The options of the question.
    pub options: Vec<AnswerOption>,
}

/// An option of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerOption {
    /// The option's label, in a few words.
    pub label: String,
    /// Explains what the answer means.
    #[serde(default)]
    #[schema(required = true)]
    pub description: String,
}

/// Returns the questions of a call. It is empty if the call asks none, if they cannot be parsed, or if their answers
/// could not be told apart.
pub fn questions(call: &ToolCall) -> Vec<Question> {
    let asked = (call.tool == "AskUserQuestion").then(|| call.input.get("questions")).flatten();
    let questions = asked.and_then(|asked| Vec::<Question>::deserialize(asked).ok()).unwrap_or_default();
    let texts: HashSet<&str> = questions.iter().map(|question| question.question.as_str()).collect();
    let clear =
        questions.len() <= MAX_QUESTIONS && texts.len() == questions.len() && questions.iter().all(Question::is_clear);
    if clear { questions } else { Vec::new() }
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The question's text, by which the client identifies it.
    pub question: String,
    /// The labels of the chosen options, in their order: exactly one for a single choice, or none beside a text.
    pub labels: Vec<String>,
    /// The person's own words, in addition to or in place of labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 4_000)]
    pub text: Option<String>,
}

impl Question {
    /// Returns whether an answer belongs to the question: its labels, each once and in their order, or a person's own
    /// words.
    pub fn takes(&self, answer: &Answered) -> bool {
        let mut left = self.options.iter();
        let labels = answer.labels.iter().all(|label| left.any(|option| option.label == *label));
        let words = answer.text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let count = answer.labels.len() + usize::from(words);
        self.question == answer.question
            && labels
            && (words || answer.text.is_none())
            && count >= 1
            && (self.multi_select || count == 1)
    }

    /// Returns whether it has a text, and its options can be told apart.
    fn is_clear(&self) -> bool {
        let labels: HashSet<&str> = self.options.iter().map(|option| option.label.as_str()).collect();
        !self.question.trim().is_empty()
            && self.options.len() <= MAX_OPTIONS
            && labels.len() == self.options.len()
            && labels.iter().all(|label| !label.trim().is_empty())
    }
}
