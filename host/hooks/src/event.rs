//! The events of hooks, and the field of an event that a matcher is compared with.
//!
//! An event without such a field runs its hooks whatever the matcher says, as in the clients. Events that are not in the
//! tables can be written into a settings file, but no client raises them.

use serde::Serialize;

/// A client whose hooks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Claude Code: `.claude/settings.json`, timeouts in seconds.
    Claude,
    /// gemini-cli: `.gemini/settings.json`, timeouts in milliseconds.
    Gemini,
    /// Codex: `.codex/hooks.json`, timeouts in seconds.
    Codex,
}

type Row = (&'static str, Option<&'static str>);

/// The events of Claude Code 2.1.330.
const CLAUDE: &[Row] = &[
    ("PreToolUse", Some("tool_name")),
    ("PostToolUse", Some("tool_name")),
    ("PostToolUseFailure", Some("tool_name")),
    ("PermissionRequest", Some("tool_name")),
    ("PermissionDenied", Some("tool_name")),
    ("PostToolBatch", None),
    ("Notification", Some("notification_type")),
    ("UserPromptSubmit", None),
    ("UserPromptExpansion", Some("command_name")),
    ("SessionStart", Some("source")),
    ("SessionEnd", Some("reason")),
    ("Stop", None),
    ("StopFailure", Some("error")),
    ("SubagentStart", Some("agent_type")),
    ("SubagentStop", Some("agent_type")),
    ("PreCompact", Some("trigger")),
    ("PostCompact", Some("trigger")),
    ("PreModelSwitch", None),
    ("PostModelSwitch", None),
    ("Setup", Some("trigger")),
    ("TeammateIdle", None),
    ("TaskCreated", None),
    ("TaskCompleted", None),
    ("Elicitation", Some("mcp_server_name")),
    ("ElicitationResult", Some("mcp_server_name")),
    ("ConfigChange", Some("source")),
    ("WorktreeCreate", None),
    ("WorktreeRemove", None),
    ("InstructionsLoaded", Some("load_reason")),
    ("CwdChanged", None),
    ("FileChanged", Some("file_path")),
    ("DirectoryAdded", None),
    ("MessageDisplay", None),
];

const GEMINI: &[Row] = &[
    ("BeforeTool", Some("tool_name")),
    ("AfterTool", Some("tool_name")),
    ("BeforeAgent", None),
    ("AfterAgent", None),
    ("BeforeModel", None),
    ("AfterModel", None),
    ("BeforeToolSelection", None),
    ("SessionStart", Some("source")),
    ("SessionEnd", Some("reason")),
    ("PreCompress", Some("trigger")),
    ("Notification", Some("notification_type")),
];

const CODEX: &[Row] = &[
    ("PreToolUse", Some("tool_name")),
    ("PostToolUse", Some("tool_name")),
    ("PermissionRequest", Some("tool_name")),
    ("PreCompact", Some("trigger")),
    ("PostCompact", Some("trigger")),
    ("UserPromptSubmit", None),
    ("SubagentStart", Some("agent_type")),
    ("SubagentStop", Some("agent_type")),
    ("SessionStart", Some("source")),
    ("SessionEnd", Some("reason")),
    ("Stop", None),
    ("Interrupt", None),
];

/// The events for which a hook may write variables for later hooks.
const WITH_ENV_FILE: &[&str] = &["SessionStart", "Setup", "CwdChanged", "FileChanged"];

/// The events that dmplz raises itself, around the commands that it runs.
const RAISED: &[&str] = &["PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure"];

/// The least similarity, from 0 to 1, at which a name is suggested for another.
const ALIKE: f64 = 0.82;

impl Dialect {
    fn rows(self) -> &'static [Row] {
        match self {
            Self::Claude => CLAUDE,
            Self::Gemini => GEMINI,
            Self::Codex => CODEX,
        }
    }

    /// Returns the names of the client's events.
    pub fn events(self) -> impl Iterator<Item = &'static str> {
        self.rows().iter().map(|(name, _)| *name)
    }

    /// Returns whether the client raises an event of this name.
    pub fn raises(self, event: &str) -> bool {
        self.events().any(|name| name == event)
    }

    /// Returns the field that matchers of this event are compared with; `None` if matchers have no effect.
    pub fn matched_field(self, event: &str) -> Option<&'static str> {
        self.rows().iter().find(|(name, _)| *name == event).and_then(|(_, field)| *field)
    }

    /// Returns the event that was probably meant: of this client, or the equivalent of another client's event.
    pub fn meant(self, event: &str) -> Option<&'static str> {
        let equivalent = match (self, event) {
            (Self::Gemini, "PreToolUse") => Some("BeforeTool"),
            (Self::Gemini, "PostToolUse") => Some("AfterTool"),
            (Self::Gemini, "UserPromptSubmit") => Some("BeforeAgent"),
            (Self::Gemini, "Stop") => Some("AfterAgent"),
            (Self::Gemini, "PreCompact") => Some("PreCompress"),
            (_, "BeforeTool") => Some("PreToolUse"),
            (_, "AfterTool") => Some("PostToolUse"),
            (_, "BeforeAgent") => Some("UserPromptSubmit"),
            (_, "AfterAgent") => Some("Stop"),
            (_, "PreCompress") => Some("PreCompact"),
            _ => None,
        };
        equivalent.or_else(|| alike(event, self.events()))
    }
}

/// Returns whether a hook of this event may write variables for later hooks into `CLAUDE_ENV_FILE`.
pub fn has_env_file(event: &str) -> bool {
    WITH_ENV_FILE.contains(&event)
}

/// Returns whether dmplz raises the event itself. Hooks of any other get it from a client, or by `dmplz hooks run`.
pub fn is_raised(event: &str) -> bool {
    RAISED.contains(&event)
}

/// Returns the name that is most like a misspelt one, if one is like it at all.
pub(crate) fn alike<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
    let wanted = plain(name);
    let scored = names.map(|candidate| (strsim::jaro_winkler(&wanted, &plain(candidate)), candidate));
    scored.filter(|(score, _)| *score >= ALIKE).max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_33_events_of_claude_code_are_known_once_each() {
        let mut names: Vec<_> = Dialect::Claude.events().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 33);
        assert!(RAISED.iter().all(|event| names.contains(event)));
    }

    #[test]
    fn a_misspelt_event_or_that_of_another_client_is_answered_with_the_one_that_was_meant() {
        for (dialect, written, meant) in [
            (Dialect::Claude, "preToolUse", Some("PreToolUse")),
            (Dialect::Claude, "PreToolUSe", Some("PreToolUse")),
            (Dialect::Claude, "session_start", Some("SessionStart")),
            (Dialect::Claude, "PostToolsUse", Some("PostToolUse")),
            (Dialect::Claude, "BeforeTool", Some("PreToolUse")),
            (Dialect::Gemini, "PreToolUse", Some("BeforeTool")),
            (Dialect::Codex, "Interupt", Some("Interrupt")),
            (Dialect::Claude, "zzz", None),
        ] {
            assert_eq!(dialect.meant(written), meant, "{written}");
            assert!(!dialect.raises(written));
        }
    }
}
