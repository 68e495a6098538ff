//! The tools of Claude Code and gemini-cli, in one table: what they are called, and what their inputs are about.
//!
//! A tool's first name is Claude Code's where it has the tool, and what rules and calls are brought to ([`canonical`]).
//! Sources: Claude Code 2.1.330 as observed; gemini-cli's `packages/core/src/tools/tool-names.ts` and
//! `definitions/base-declarations.ts`.

mod mcp;
mod table;

use std::borrow::Cow;

pub use mcp::ToolName;
pub(crate) use mcp::{key, key_of, key_of_server};
pub(crate) use table::Tool;
use table::{MODES, TOOLS};

/// What a tool works on, and so which conditions can hold for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Runs a command line of bash.
    Shell,
    /// Reads or writes files that it names.
    File,
    /// Looks at everything in a folder.
    Search,
    /// A tool that fetches a URL.
    Web,
    /// Asks the person something: an allow would answer for them.
    Question,
    /// Any other tool.
    Other,
}

/// The first name of a tool: `Bash` for `run_shell_command`. An MCP tool in Claude Code's spelling, `mcp__server__tool`,
/// unless gemini-cli's (`mcp_my_server_tool`) could be cut in several places. Any other name is its own.
pub fn canonical(name: &str) -> Cow<'_, str> {
    if let Some(tool) = find(name) {
        return Cow::Borrowed(tool.name());
    }
    match name.strip_prefix("mcp_").map(|rest| rest.split('_').collect::<Vec<_>>()).as_deref() {
        Some([server, tool]) if !server.is_empty() && !tool.is_empty() => Cow::Owned(format!("mcp__{server}__{tool}")),
        _ => Cow::Borrowed(name),
    }
}

/// As [`canonical`], for a tool of the table in any case: `Bash` for `bash`.
pub fn canonical_in_any_case(name: &str) -> Cow<'_, str> {
    let any_case = |tool: &&Tool| tool.names.iter().any(|other| other.eq_ignore_ascii_case(name));
    TOOLS.iter().find(any_case).map_or_else(|| canonical(name), |tool| Cow::Borrowed(tool.name()))
}

/// What a tool works on, under any of its names.
pub fn kind(name: &str) -> Kind {
    find(name).map_or(Kind::Other, |tool| tool.kind)
}

/// The first name of a mode: `acceptEdits` for `autoEdit`, `bypassPermissions` for `yolo`.
pub fn mode(name: &str) -> Cow<'_, str> {
    let found = MODES.iter().find(|names| names.contains(&name)).and_then(|names| names.first());
    Cow::Borrowed(found.copied().unwrap_or(name))
}

/// Every name of every tool, for a "did you mean".
pub fn known() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().flat_map(|tool| tool.names).copied()
}

/// Every name of every mode.
pub fn known_modes() -> impl Iterator<Item = &'static str> {
    MODES.iter().copied().flatten().copied()
}

pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.names.contains(&name))
}

#[cfg(test)]
mod tests;
