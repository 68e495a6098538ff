//! What the client receives with an approval.

use super::{ApprovalScope, Edits, Offer};
use crate::claude::{Allow, Commands, Mode, PermissionUpdate, Scope, ToolCall, questions, session_grant};

impl ApprovalScope {
    /// Returns what the client receives with an allow of this scope: the answers, and the permissions to store.
    pub fn allow(&self, call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Allow {
        let is_asked = || Offer { questions: questions(call), ..Offer::default() }.offers(self);
        let answers = match self {
            Self::Answers { answers } if is_asked() => Some(answers.clone()),
            _ => None,
        };
        Allow { answers, stored: self.stored(call, cwd, commands) }
    }

    /// Returns the permissions that the client stores. A mode keeps the destination that was suggested for it.
    fn stored(&self, call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Vec<PermissionUpdate> {
        match self {
            Self::Session => session_grant(call, cwd, commands),
            Self::Always { scope, broad } => Offer::of(call, cwd, commands).stored(*scope, *broad),
            Self::Plan { edits } => {
                let mode = match edits {
                    Edits::AutoAccept => Mode::AcceptEdits,
                    Edits::Manual => Mode::Default,
                };
                vec![PermissionUpdate::SetMode { mode, destination: Scope::Session }]
            }
            Self::Once | Self::Answers { .. } | Self::Granted { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude::breadth::tests::FirstWords;
    use crate::claude::{Answered, permission_allow};

    #[test]
    fn an_allow_is_what_the_client_was_seen_to_honour() {
        let allow = |tool: &str, suggestions: &str, scope| {
            let call = ToolCall {
                tool: tool.into(),
                input: serde_json::from_str(r#"{"questions":[{"question":"Which?","multiSelect":true,"options":[{"label":"A"},{"label":"B"}]}]}"#).unwrap(),
                tool_use_id: None,
                suggestions: serde_json::from_str(suggestions).unwrap(),
            };
            let scope: ApprovalScope = scope;
            permission_allow(&call, &scope.allow(&call, "/p", &FirstWords))
        };
        insta::assert_snapshot!(allow("Bash", "[]", ApprovalScope::Once), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#);
        insta::assert_snapshot!(allow("ExitPlanMode", "[]", ApprovalScope::Once), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}}"#);
        insta::assert_snapshot!(
            allow("ExitPlanMode", "[]", ApprovalScope::Plan { edits: Edits::AutoAccept }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{},"updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}}}"#
        );
        insta::assert_snapshot!(
            allow("Write", r#"[{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"addDirectories","directories":["/d"],"destination":"session"}]"#, ApprovalScope::Always { scope: Scope::User, broad: false }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"addDirectories","directories":["/d"],"destination":"userSettings"}]}}}"#
        );
        let answered = |question: &str, labels: &[&str], text: Option<&str>| Answered {
            question: question.into(),
            labels: labels.iter().map(|label| label.to_string()).collect(),
            text: text.map(Into::into),
        };
        insta::assert_snapshot!(
            allow("AskUserQuestion", "[]", ApprovalScope::Answers { answers: vec![answered("Which?", &["A", "B"], Some("and C"))] }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"questions":[{"question":"Which?","multiSelect":true,"options":[{"label":"A"},{"label":"B"}]}],"answers":{"Which?":"A, B, and C"}}}}}"#
        );
    }
}
