//! The choices that a request's card offers besides yes and no. They follow from the call alone, so every surface
//! offers the same.

use serde::{Deserialize, Serialize};

use super::{Answer, ApprovalScope, Command};
use crate::approvers::Approver;
use crate::claude::{
    Answered, Commands, PermissionUpdate, Question, Scope, Suggestion, ToolCall, questions, session_grant, suggestions,
};

/// The card shows in full what "always" would store. Beyond this number of characters "always" is not offered.
const MAX_SHOWN: usize = 1000;

/// The answers that a request takes besides yes and no.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Offer {
    /// Whether the card offers the session grant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub session: bool,
    /// The suggestions that "always" would store; empty if the client suggests nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<Suggestion>,
    /// Whether the card offers dmplz grants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub granted: bool,
    /// Whether the call is a plan, whose edits are approved automatically or one by one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plan: bool,
    /// The questions that need an answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// Whether it can only be denied here: its questions cannot be read, so that a bare allow would answer nothing and only
    /// the terminal can answer them, or it was asked for on this very surface.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unanswerable: bool,
    /// Whether a denial is final at once, because nobody would read a reason for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub final_denial: bool,
    /// The surface on which a person asked for it. Only another surface can approve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_on: Option<String>,
}

/// The surfaces of programs with the gateway's token: to confirm, they are one.
const PROGRAMS: [&str; 2] = ["websocket", "rest"];

impl Offer {
    /// Returns the offer for a call. `commands` tells which of the client's suggestions reach further than the call.
    pub fn of(call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Self {
        let questions = questions(call);
        Self {
            session: !session_grant(call, cwd, commands).is_empty(),
            always: Some(suggestions(call, cwd, commands))
                .filter(|it| shown_length(it) <= MAX_SHOWN)
                .unwrap_or_default(),
            plan: call.tool == "ExitPlanMode",
            unanswerable: call.tool == "AskUserQuestion" && questions.is_empty(),
            questions,
            ..Self::default()
        }
    }

    /// Returns whether a person asked for it on that surface, which therefore cannot approve it.
    pub fn is_asked_on(&self, surface: &str) -> bool {
        let is_program = |name: &str| PROGRAMS.contains(&name);
        self.asked_on.as_deref().is_some_and(|asked| asked == surface || (is_program(asked) && is_program(surface)))
    }

    /// Returns the offer as that surface has it: where it was asked for, it can only be denied.
    pub fn seen_on(&self, surface: &str) -> Self {
        Self { unanswerable: self.unanswerable || self.is_asked_on(surface), ..self.clone() }
    }

    /// Returns the command of a person who denies: it ends the request where nobody would read a reason.
    pub fn denial(&self, by: Approver, instead: bool) -> Command {
        match self.final_denial {
            true => Command::Answer { answer: Answer::Deny { reason: None, instead: false }, by },
            false => Command::Deny { by, instead },
        }
    }

    /// Returns whether the offer includes an approval of this scope.
    pub fn offers(&self, scope: &ApprovalScope) -> bool {
        match scope {
            ApprovalScope::Once => self.questions.is_empty() && !self.unanswerable,
            ApprovalScope::Session => self.session,
            ApprovalScope::Always { scope, broad } => !self.stored(*scope, *broad).is_empty(),
            ApprovalScope::Plan { .. } => self.plan,
            ApprovalScope::Answers { answers } => {
                let right = |(question, answer): (&Question, &Answered)| question.takes(answer);
                !answers.is_empty()
                    && answers.len() == self.questions.len()
                    && self.questions.iter().zip(answers).all(right)
            }
            ApprovalScope::Granted { .. } => self.granted,
        }
    }

    /// Returns what "always" stores in `scope`: the client gets exactly what the card shows. A mode keeps its own
    /// destination. Suggestions that reach further than the call are included only if `broad` is set.
    pub fn stored(&self, scope: Scope, broad: bool) -> Vec<PermissionUpdate> {
        let chosen = self.always.iter().filter(|suggestion| broad || suggestion.broad.is_none());
        let update = |suggestion: &Suggestion| match suggestion.update.clone() {
            mode @ PermissionUpdate::SetMode { .. } => mode,
            other => other.stored_in(scope),
        };
        chosen.map(update).collect()
    }

    /// Returns whether any suggestion reaches further than the call.
    pub fn has_broad(&self) -> bool {
        self.always.iter().any(|suggestion| suggestion.broad.is_some())
    }

    /// Returns whether the choice of the scope changes what "always" stores.
    pub fn has_scope(&self, broad: bool) -> bool {
        let moves = |update: &PermissionUpdate| !matches!(update, PermissionUpdate::SetMode { .. });
        self.stored(Scope::default(), broad).iter().any(moves)
    }

    /// Returns an offer of yes, no and, if `session` is set, the session grant.
    pub fn plain(session: bool) -> Self {
        Self { session, ..Self::default() }
    }
}

/// Returns the length of the suggestions in characters.
fn shown_length(suggestions: &[Suggestion]) -> usize {
    let lengths = suggestions.iter().flat_map(|suggestion| suggestion.update.items());
    lengths.map(|item| item.chars().count()).sum()
}
