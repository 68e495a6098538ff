//! `dmplz policy`, by the real binary.

mod agrees;
mod check;
mod explain;
mod files;
mod lines;
mod others;
mod promises;

pub(crate) use others::history;

/// A policy with a rule of each kind.
pub(crate) const POLICY: &str = r#"[[rule]]
name = "looking"
toolName = "Bash"
commandPrefix = ["git status", "ls"]
decision = "allow"
priority = 100
match = "git status -s"
not_match = "git push"

[[rule]]
toolName = "Bash"
commandPrefix = "git push"
decision = "deny"
priority = 200
reason = "pushing is for people"

[[rule]]
toolName = "Write"
paths = "src/**"
decision = "allow"
priority = 100
"#;
