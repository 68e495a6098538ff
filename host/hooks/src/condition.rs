//! The `if` of a handler: a permission rule of Claude Code, such as `Bash(git push *)`, that a tool call has to match.
//!
//! The rule is read as an entry of the client's `permissions.deny`, by the import of the policy: any part of a command line is
//! enough, and a call that may match does. A rule that cannot be read exactly matches every call of its tool. A hook only
//! notifies, so running once too often is the smaller mistake.
//!
//! Unlike in permissions, and as in Claude Code 2.1.330, a rule names the tool itself:
//!
//! | the `if` | what it is about |
//! |---|---|
//! | `Edit(*.ts)` | `Edit`, and not `Write` |
//! | `mcp__github`, `mcp__*` | no tool, because none has this name |
//! | `Bash()` | every call of `Bash` |

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dmplz_policy::authoring::import;
use dmplz_policy::{Call, File, Origin, Policy, Tier};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The permission rule of an `if`.
#[derive(Clone)]
pub struct Condition {
    text: String,
    /// The name of the rule's tool.
    tool: String,
    policy: Arc<Policy>,
}

/// What a relative path in a rule, and `~`, refer to. The file is one of the folder that `/path` is below: the client takes
/// the project's, whichever file has the rule.
pub use dmplz_policy::authoring::import::Source as Base;

impl Condition {
    /// Reads a rule; `None` if it is no permission rule.
    pub fn parse(text: &str, base: Base<'_>) -> Option<Self> {
        let name = text.split('(').next().unwrap_or_default().trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-*".contains(c));
        if !is_name || text.contains('(') != text.trim_end().ends_with(')') {
            return None;
        }
        let rule = text.trim().strip_suffix("()").unwrap_or(text.trim());
        let settings = json!({ "permissions": { "deny": [rule] } });
        let origin = Origin { tier: Tier::User, path: PathBuf::from("if"), root: None, trusted: true };
        let file = File::parse(&import::claude(&settings, &base).toml, origin);
        if file.rules.is_empty() || !file.problems.is_empty() {
            return None;
        }
        Some(Self { text: text.to_owned(), tool: name.to_owned(), policy: Arc::new(Policy::new(vec![file])) })
    }

    /// Returns whether a tool call matches, or may match.
    pub fn matches(&self, tool: &str, input: &Map<String, Value>, cwd: Option<&Path>, home: Option<&Path>) -> bool {
        if known_as(&self.tool) != known_as(tool) {
            return false;
        }
        // The moment is compared with `expires` only, which an imported rule never has.
        let call = Call { cwd, home, ..Call::new(tool, input, Timestamp::UNIX_EPOCH) };
        self.policy.check(&call).rule.is_some()
    }

    /// Returns the rule as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Returns the present name of a tool: the client called `Agent` by another name before, which rules may still use.
fn known_as(tool: &str) -> &str {
    if tool == "Task" { "Agent" } else { tool }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({:?})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_matches_what_the_permission_rule_does() {
        let base = Base { file: Path::new("/home/u/.claude/settings.json"), home: Some(Path::new("/home/u")) };
        for (rule, tool, input, expected) in [
            ("Bash(git push *)", "Bash", json!({ "command": "git push origin main" }), true),
            ("Bash(git push *)", "Bash", json!({ "command": "cd /x && git push" }), true),
            ("Bash(git push *)", "Bash", json!({ "command": "git status" }), false),
            ("Bash(git push:*)", "Bash", json!({ "command": "git push" }), true),
            ("Bash", "Bash", json!({ "command": "ls" }), true),
            ("Bash", "Write", json!({ "file_path": "/a", "content": "" }), false),
            ("Write(//srv/**)", "Write", json!({ "file_path": "/srv/x/y", "content": "" }), true),
            ("Write(//srv/**)", "Write", json!({ "file_path": "/tmp/y", "content": "" }), false),
            ("Edit(*.ts)", "Edit", json!({ "file_path": "/p/a.ts" }), true),
            ("Edit(*.ts)", "Edit", json!({ "file_path": "/p/a.rs" }), false),
            ("WebFetch(domain:example.org)", "WebFetch", json!({ "url": "https://example.org/2" }), true),
            ("WebFetch(domain:example.org)", "WebFetch", json!({ "url": "https://example.com/2" }), false),
            ("mcp__tiny__ask", "mcp__tiny__ask", json!({}), true),
            // As Claude Code 2.1.330 does it: the rule has to name the tool itself.
            ("mcp__tiny", "mcp__tiny__ask", json!({}), false),
            ("mcp__*", "mcp__tiny__ask", json!({}), false),
            ("Edit(*.ts)", "Write", json!({ "file_path": "/p/a.ts", "content": "" }), false),
            ("Write(*.ts)", "Edit", json!({ "file_path": "/p/a.ts" }), false),
            ("Edit", "Write", json!({ "file_path": "/p/a.ts", "content": "" }), false),
            ("Read(*.ts)", "Edit", json!({ "file_path": "/p/a.ts" }), false),
            ("Task", "Agent", json!({ "prompt": "x" }), true),
            ("Bash()", "Bash", json!({ "command": "ls" }), true),
        ] {
            let condition = Condition::parse(rule, base).unwrap_or_else(|| panic!("{rule}"));
            let matches = condition.matches(tool, input.as_object().unwrap(), Some(Path::new("/p")), base.home);
            assert_eq!(matches, expected, "{rule} {input}");
        }
    }

    #[test]
    fn what_is_no_permission_rule_is_no_condition() {
        let base = Base { file: Path::new("/s.json"), home: None };
        for text in ["", "tool == \"Bash\"", "Bash(git", "$TOOL", "(x)"] {
            assert!(Condition::parse(text, base).is_none(), "{text}");
        }
    }
}
