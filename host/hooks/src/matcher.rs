//! Whether a group is about an event.
//!
//! | written | Claude Code reads it as |
//! |---|---|
//! | nothing, `""`, `*` | everything |
//! | letters, digits, `_`, `-`, blanks, `,` and `\|` | names, each compared whole and case-sensitively |
//! | anything else | a regular expression that may match anywhere |
//!
//! gemini-cli reads tools as a regular expression and everything else as one exact name; Codex reads regular expressions.
//! A text such as `*Edit` is no regular expression. It is read as a name with wildcards here, with a warning, because no client
//! would run its hooks.

use dmplz_policy::Match;
use dmplz_policy::rules::pattern::{Glob, Pattern, PatternError};

use crate::event::Dialect;

/// The matcher of a group of handlers.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// Everything matches.
    All,
    /// One of these names.
    Names(Vec<String>),
    /// The expression occurs in it.
    Pattern(Pattern),
    /// A name with `*`.
    Wildcard(Glob),
}

impl Matcher {
    /// Reads a matcher of a group, as the client reads it for this event.
    ///
    /// # Errors
    /// Returns an error if it is neither a list of names nor a regular expression.
    pub fn parse(text: &str, event: &str, dialect: Dialect) -> Result<Self, PatternError> {
        if matches!(text, "" | "*") {
            return Ok(Self::All);
        }
        let is_tool = dialect.matched_field(event) == Some("tool_name");
        let is_list = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|'));
        match dialect {
            Dialect::Claude if is_list => {
                let names = text.split(['|', ',']).map(str::trim).filter(|name| !name.is_empty());
                Ok(Self::Names(names.map(str::to_owned).collect()))
            }
            Dialect::Gemini if !is_tool => Ok(Self::Names(vec![text.to_owned()])),
            _ => match Pattern::new(text) {
                Err(_) if is_wildcard(text) => Ok(Self::Wildcard(Glob::new(text))),
                read => read.map(Self::Pattern),
            },
        }
    }

    /// Returns whether a value of the event's field matches. An event without the field matches only [`Matcher::All`].
    pub fn matches(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return matches!(self, Self::All) };
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|name| name == value),
            Self::Pattern(pattern) => pattern.is_in(value) == Match::Yes,
            Self::Wildcard(glob) => glob.matches(value),
        }
    }
}

/// Returns whether a text is a name with `*` and nothing that only a regular expression has.
fn is_wildcard(text: &str) -> bool {
    text.contains('*') && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn matches(dialect: Dialect, event: &str, matcher: &str, value: &str) -> bool {
        Matcher::parse(matcher, event, dialect).unwrap().matches(Some(value))
    }

    #[test]
    fn a_matcher_means_what_it_means_in_claude_code() {
        for (matcher, tool, expected) in [
            ("", "Bash", true),
            ("*", "mcp__tiny__ask", true),
            ("Bash", "Bash", true),
            ("Bash", "BashOutput", false),
            ("bash", "Bash", false),
            ("Ba", "Bash", false),
            ("Edit|Write", "Write", true),
            ("Edit | Write", "Write", true),
            ("Edit,Write", "Edit", true),
            ("Edit|Write", "MultiEdit", false),
            ("Ba.*", "Bash", true),
            ("^Ba", "Bash", true),
            (".*", "Write", true),
            ("(Edit|Write)", "MultiEdit", true),
            ("^(Edit|Write)$", "MultiEdit", false),
            ("mcp__tiny", "mcp__tiny__ask", false),
            ("mcp__tiny__.*", "mcp__tiny__ask", true),
            ("mcp__.*__write.*", "mcp__memory__write_graph", true),
            ("Bash(curl *)", "Bash", false),
            ("mcp__*", "mcp__tiny__ask", true),
            ("*Edit", "NotebookEdit", true),
            ("*Edit", "Editor", false),
        ] {
            assert_eq!(matches(Dialect::Claude, "PreToolUse", matcher, tool), expected, "{matcher} {tool}");
        }
    }

    #[test]
    fn gemini_matches_tools_by_expression_and_all_else_by_name() {
        assert!(matches(Dialect::Gemini, "BeforeTool", "write", "write_file"));
        assert!(matches(Dialect::Gemini, "BeforeTool", "write_file|replace", "replace"));
        assert!(matches(Dialect::Gemini, "SessionStart", "startup", "startup"));
        assert!(!matches(Dialect::Gemini, "SessionStart", "start.*", "startup"));
    }

    #[test]
    fn codex_matches_by_expression() {
        assert!(matches(Dialect::Codex, "PreToolUse", "Ba", "Bash"));
    }

    #[test]
    fn what_is_no_expression_is_an_error_in_words() {
        let error = Matcher::parse("Bash(", "PreToolUse", Dialect::Claude).unwrap_err();
        assert!(error.to_string().starts_with("the regular expression cannot be read"), "{error}");
        assert!(Matcher::parse("(?=x)", "PreToolUse", Dialect::Claude).is_err());
    }

    #[test]
    fn an_event_without_the_field_runs_only_what_matches_everything() {
        let parse = |text| Matcher::parse(text, "PreToolUse", Dialect::Claude).unwrap();
        assert!(parse("*").matches(None));
        assert!(!parse("Bash").matches(None) && !parse(".*").matches(None));
    }
}
