//! What a request's card offers besides yes and no, drawn up from the call alone, so that every surface offers the same.

use serde::{Deserialize, Serialize};

use super::Extent;
use crate::claude::{
    Answered, Commands, PermissionUpdate, Question, Scope, Suggestion, ToolCall, questions, session_grant, suggestions,
};

/// What "always" would store stands on the card in full, so it is not offered beyond so many characters.
const MAX_SHOWN: usize = 1000;

/// What may be answered besides yes and no.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Offer {
    /// Whether the card offers the session grant.
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
    /// It asks questions that cannot be read, so that only the terminal can answer them: a bare allow says nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unanswerable: bool,
}

impl Offer {
    /// What the card of a call offers. `commands` tells which of the client's suggestions reach further than the call.
    pub fn of(call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Self {
        let questions = questions(call);
        Self {
            session: !session_grant(call, cwd, commands).is_empty(),
            always: Some(suggestions(call, cwd, commands))
                .filter(|it| shown_length(it) <= MAX_SHOWN)
                .unwrap_or_default(),
            granted: false,
            plan: call.tool == "ExitPlanMode",
            unanswerable: call.tool == "AskUserQuestion" && questions.is_empty(),
            questions,
        }
    }

    /// Whether an approval may reach as far as that.
    pub fn offers(&self, extent: &Extent) -> bool {
        match extent {
            Extent::Once => self.questions.is_empty() && !self.unanswerable,
            Extent::Session => self.session,
            Extent::Always { scope, wide } => !self.stored(*scope, *wide).is_empty(),
            Extent::Plan { .. } => self.plan,
            Extent::Answers { answers } => {
                let right = |(question, answer): (&Question, &Answered)| question.takes(answer);
                !answers.is_empty()
                    && answers.len() == self.questions.len()
                    && self.questions.iter().zip(answers).all(right)
            }
            Extent::Granted { .. } => self.granted,
        }
    }

    /// What "always" stores there: what the card shows is what the client gets. A mode keeps its own destination, and
    /// what is wide is only stored where somebody asked for it.
    pub fn stored(&self, scope: Scope, wide: bool) -> Vec<PermissionUpdate> {
        let chosen = self.always.iter().filter(|suggestion| wide || suggestion.wide.is_none());
        let update = |suggestion: &Suggestion| match suggestion.update.clone() {
            mode @ PermissionUpdate::SetMode { .. } => mode,
            other => other.stored_in(scope),
        };
        chosen.map(update).collect()
    }

    /// Whether any suggestion reaches further than the call.
    pub fn has_wide(&self) -> bool {
        self.always.iter().any(|suggestion| suggestion.wide.is_some())
    }

    /// Whether it makes a difference where "always" stores.
    pub fn has_scope(&self, wide: bool) -> bool {
        let moves = |update: &PermissionUpdate| !matches!(update, PermissionUpdate::SetMode { .. });
        self.stored(Scope::default(), wide).iter().any(moves)
    }

    /// Yes and no, and the session grant perhaps.
    pub fn plain(session: bool) -> Self {
        Self { session, ..Self::default() }
    }
}

/// The length of what would be stored, in characters.
fn shown_length(suggestions: &[Suggestion]) -> usize {
    let lengths = suggestions.iter().flat_map(|suggestion| suggestion.update.items());
    lengths.map(|item| item.chars().count()).sum()
}
