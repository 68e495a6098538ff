//! The questions of `AskUserQuestion`, read strictly: what is not as the client was seen to send it offers no questions,
//! and so no answers (`claude-code/README.md`, AskUserQuestion).

use serde::{Deserialize, Serialize};

use super::input::ToolCall;

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Its text, by which the client knows it.
    pub question: String,
    /// A word or two.
    #[serde(default)]
    pub header: String,
    /// Whether several options may be chosen.
    #[serde(default)]
    pub multi_select: bool,
    /// What may be chosen.
    pub options: Vec<AnswerOption>,
}

/// One option of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerOption {
    /// What is answered.
    pub label: String,
    /// What it means.
    #[serde(default)]
    pub description: String,
}

/// The questions of a call; none when it asks none, or they cannot be read.
pub fn questions(call: &ToolCall) -> Vec<Question> {
    let asked = (call.tool == "AskUserQuestion").then(|| call.input.get("questions")).flatten();
    asked.map(|asked| Vec::<Question>::deserialize(asked).unwrap_or_default()).unwrap_or_default()
}
