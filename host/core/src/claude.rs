//! Claude Code's hook protocol: what comes on stdin, what goes to stdout; and what an answer over its control protocol holds.
//!
//! **Invariant:** nothing else in the program knows these JSON shapes; those around the control protocol's are `dmplz_runner::control`'s. Facts: Claude Code 2.1.330 as observed.

mod input;
mod notice;
mod output;
mod permissions;
mod questions;
mod rule;
pub(crate) mod wide;

pub use input::{HookEvent, HookInput, InputError, ToolCall, input_digest};
pub use notice::occurrence;
pub use output::{Allow, control_allow, control_deny, permission_allow, permission_deny, tool_answers, tool_deny};
pub use permissions::{Behavior, Mode, PermissionUpdate, Scope, Suggestion, session_grant, suggestions};
pub use questions::{AnswerOption, Answered, Question, questions};
pub use rule::{Rule, path_pattern};
pub use wide::{Commands, Wide};
