//! Claude Code's hook protocol: the input on stdin, the output on stdout, and the answers of its control protocol.
//!
//! **Invariant:** nothing else in the program knows these JSON shapes. The envelopes of the control protocol belong
//! to `dmplz_runner::control`. The facts were observed with Claude Code 2.1.330.

pub(crate) mod breadth;
mod input;
mod notice;
mod output;
mod permissions;
mod questions;
mod rule;
mod settings;
mod surrogates;

pub use breadth::{Breadth, Commands};
pub use input::{HookEvent, HookInput, InputError, ToolCall, input_digest};
pub use notice::occurrence;
pub use output::{
    Allow, control_allow, control_deny, permission_allow, permission_deny, tool_answers, tool_ask, tool_deny,
};
pub use permissions::{Behavior, Mode, Permission, PermissionUpdate, Scope, Suggestion, session_grant, suggestions};
pub use questions::{AnswerOption, Answered, Question, questions};
pub use rule::{Rule, path_pattern};
pub use settings::{SettingsFile, config_dir};
