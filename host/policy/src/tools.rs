//! The tools of Claude Code and gemini-cli in one table: their names, and the targets in their inputs.
//!
//! The first name of a tool is Claude Code's if it has the tool. Names in rules and calls are normalized to it
//! ([`canonical`]). Sources: Claude Code 2.1.330 as observed; gemini-cli's `packages/core/src/tools/tool-names.ts`
//! and `definitions/base-declarations.ts`.

mod table;

use std::borrow::Cow;

pub(crate) use table::Tool;
use table::{MODES, OTHERS, TOOLS};

/// The kind of a tool's target, which decides which conditions can hold for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Runs a command line of bash.
    Shell,
    /// Reads or writes the files that it names.
    File,
    /// Reads everything in a folder.
    Search,
    /// A tool that fetches a URL.
    Web,
    /// Asks the person something: an allow would answer in their place.
    Question,
    /// Any other tool.
    Other,
}

/// Returns the first name of a tool: `Bash` for `run_shell_command`. The result for an MCP tool is Claude Code's
/// spelling, `mcp__server__tool`, unless gemini-cli's (`mcp_my_server_tool`) is ambiguous. Any other name is returned
/// unchanged.
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
    canonical(known().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name))
}

/// Returns the kind of a tool's target, by any of its names.
pub fn kind(name: &str) -> Kind {
    find(name).map_or(Kind::Other, |tool| tool.kind)
}

/// Returns the first name of a mode: `acceptEdits` for `autoEdit`, `bypassPermissions` for `yolo`.
pub fn mode(name: &str) -> Cow<'_, str> {
    let found = MODES.iter().find(|names| names.contains(&name)).and_then(|names| names.first());
    Cow::Borrowed(found.copied().unwrap_or(name))
}

/// Returns every name of every tool, for suggestions.
pub fn known() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().flat_map(|tool| tool.names).chain(OTHERS).copied()
}

/// Returns every name of every mode, for suggestions.
pub fn known_modes() -> impl Iterator<Item = &'static str> {
    MODES.iter().copied().flatten().copied()
}

pub(crate) fn find(name: &str) -> Option<Tool> {
    let other = || OTHERS.iter().find(|other| **other == name).map(Tool::of_other);
    TOOLS.iter().find(|tool| tool.names.contains(&name)).copied().or_else(other)
}

#[cfg(test)]
mod tests;
