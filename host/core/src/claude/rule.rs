//! A permission rule of the client, and the narrowest rule that covers a call:
//!
//! | tool | rule | none when |
//! |---|---|---|
//! | `Bash`, `PowerShell` | the exact command | it contains `*` (the client's wildcard), ends in `:*`, or is longer than 10,000 characters (always asked) |
//! | `Write`, `Edit`, `MultiEdit`, `NotebookEdit` | `Edit(//path)` | the path is not plain and absolute |
//! | `Read` | `Read(//path)` | the same |
//! | `WebFetch` | `WebFetch(domain:host)` | the URL has no plain host |
//! | `ExitPlanMode`, `AskUserQuestion` | | always: each plan and each question is a new one |
//! | any other | the tool | |

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::input::ToolCall;

/// The client asks about a longer command whatever its rules are.
const MAX_RULE_COMMAND: usize = 10_000;

/// A permission rule: `toolName` or `toolName(ruleContent)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The tool that the rule is about.
    pub tool_name: String,
    /// The part of the tool's calls that the rule covers; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule_content: Option<String>,
}

impl Rule {
    /// Parses a rule that the client suggests.
    pub(super) fn read(rule: &Value) -> Option<Self> {
        let tool_name = rule.get("toolName")?.as_str().filter(|name| !name.is_empty())?.to_owned();
        let rule_content = match rule.get("ruleContent") {
            None | Some(Value::Null) => None,
            Some(content) => Some(content.as_str()?.to_owned()),
        };
        Some(Self { tool_name, rule_content })
    }

    /// Returns the narrowest rule that covers exactly this call.
    pub(super) fn narrowest(call: &ToolCall, cwd: &str) -> Option<Self> {
        let narrowed =
            |tool: &str, content: String| Some(Self { tool_name: tool.to_owned(), rule_content: Some(content) });
        match call.tool.as_str() {
            tool @ ("Bash" | "PowerShell") => {
                let command = string(&call.input, "command")?;
                let plain = !command.contains('*') && !command.trim().is_empty() && command.len() <= MAX_RULE_COMMAND;
                narrowed(tool, plain.then(|| command.to_owned())?)
            }
            "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => narrowed("Edit", path_pattern(&call.input, cwd)?),
            "Read" => narrowed("Read", path_pattern(&call.input, cwd)?),
            "WebFetch" => narrowed("WebFetch", format!("domain:{}", host(string(&call.input, "url")?)?)),
            tool => Some(Self { tool_name: tool.to_owned(), rule_content: None }),
        }
    }

    /// Returns the rule as the client writes it into its settings, where `\`, `(` and `)` of the content are escaped
    /// (observed on 2.1.330). Its `Display`, which people read, escapes nothing.
    pub fn setting(&self) -> String {
        match &self.rule_content {
            Some(content) => {
                let content = content.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
                format!("{}({content})", self.tool_name)
            }
            None => self.tool_name.clone(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule_content {
            Some(content) => write!(f, "{}({content})", self.tool_name),
            None => f.write_str(&self.tool_name),
        }
    }
}

/// Returns `//abs/path`, the client's notation for an absolute path, if the path contains nothing that a pattern
/// would interpret.
pub fn path_pattern(input: &Map<String, Value>, cwd: &str) -> Option<String> {
    let path = string(input, "file_path").or_else(|| string(input, "notebook_path"))?;
    let absolute =
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", cwd.trim_end_matches('/')) };
    let plain = absolute.starts_with('/')
        && !absolute.contains(['*', '?', '[', ']', '!', '\\', '{', '}', '\n', '\r', '#'])
        && !absolute.ends_with([' ', '/'])
        && absolute.split('/').skip(1).all(|part| !matches!(part, "" | "." | ".."));
    plain.then(|| format!("/{absolute}"))
}

pub(super) fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.split(':').next()?;
    let plain = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    (plain && !authority.contains('@')).then_some(host)
}

fn string<'a>(input: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    input.get(key).and_then(Value::as_str)
}
