//! The text of a settings file as hooks: event → groups with a matcher → handlers.
//!
//! Reading never fails as a whole unless the text is not JSON: what cannot be read is a [`Finding`], and the rest counts.
//! Keys besides `hooks` and `disableAllHooks` are not looked at.

mod handler;

use serde_json::{Map, Value};

pub use handler::{Command, Handler, Kind, OnFailure};

use crate::condition::Base;
use crate::event::Dialect;
use crate::matcher::Matcher;
use crate::problem::{Finding, Problem, Shape};

/// Tools of Claude Code that people write into matchers.
const TOOLS: &[&str] = &[
    "Agent", "AskUserQuestion", "Bash", "Edit", "ExitPlanMode", "Glob", "Grep", "MultiEdit", "NotebookEdit", "Read",
    "Skill", "Task", "TodoWrite", "WebFetch", "WebSearch", "Write",
];

/// The hooks of one file.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Whether the file says `disableAllHooks`.
    pub all_off: bool,
    /// The groups in the order of the file.
    pub groups: Vec<Group>,
    /// What is wrong in the file.
    pub findings: Vec<Finding>,
}

/// Handlers that share an event and a matcher.
#[derive(Debug, Clone)]
pub struct Group {
    /// The name of the event.
    pub event: String,
    /// The matcher as written; empty for none.
    pub written: String,
    /// The matcher; `None` if it cannot be read, so that the group never runs.
    pub matcher: Option<Matcher>,
    /// The handlers in the order of the file, unsupported ones included.
    pub handlers: Vec<Handler>,
}

/// Where a handler is in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name of the event.
    pub event: String,
    /// The index of the group among those of the event, from 0.
    pub group: usize,
    /// The index of the handler in its group, from 0.
    pub index: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}].hooks[{}]", self.event, self.group, self.index)
    }
}

impl Hooks {
    /// Reads the text of a settings file.
    pub fn parse(text: &str, dialect: Dialect, base: Base<'_>) -> Self {
        let mut hooks = Self::default();
        // An editor of another system may have begun the file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            return hooks;
        }
        match serde_json::from_str::<Value>(text) {
            Err(error) => hooks.note("", not_json(&error)),
            Ok(Value::Object(settings)) => hooks.read(&settings, dialect, base),
            Ok(_) => hooks.note("", Problem::Shape { wants: Shape::Object }),
        }
        hooks
    }

    /// Returns the hooks of a file that cannot be read: none, with the reason.
    pub fn unreadable(why: String) -> Self {
        let mut hooks = Self::default();
        hooks.note("", Problem::Unreadable { why });
        hooks
    }

    /// Returns why nothing of the file counts: it cannot be read, or is not JSON.
    pub fn broken(&self) -> Option<&Finding> {
        let is_whole = |problem: &Problem| matches!(problem, Problem::NotJson { .. } | Problem::Unreadable { .. });
        self.findings.iter().find(|finding| is_whole(&finding.problem))
    }

    /// Returns all handlers with their groups.
    pub fn handlers(&self) -> impl Iterator<Item = (&Group, &Handler)> {
        self.groups.iter().flat_map(|group| group.handlers.iter().map(move |handler| (group, handler)))
    }

    fn read(&mut self, settings: &Map<String, Value>, dialect: Dialect, base: Base<'_>) {
        self.all_off = settings.get("disableAllHooks") == Some(&Value::Bool(true));
        let events = match settings.get("hooks") {
            None => return,
            Some(Value::Object(events)) => events,
            Some(_) => return self.note("hooks", Problem::Shape { wants: Shape::Object }),
        };
        for (event, groups) in events {
            // gemini-cli has switches beside the events.
            if dialect == Dialect::Gemini && matches!(event.as_str(), "enabled" | "disabled" | "notifications") {
                continue;
            }
            if !dialect.raises(event) {
                self.note(event, Problem::UnknownEvent { name: event.clone(), like: dialect.meant(event) });
            }
            let Some(groups) = groups.as_array() else {
                self.note(event, Problem::Shape { wants: Shape::List });
                continue;
            };
            for (index, group) in groups.iter().enumerate() {
                self.group(event, index, group, dialect, base);
            }
        }
    }

    fn group(&mut self, event: &str, index: usize, group: &Value, dialect: Dialect, base: Base<'_>) {
        let place = format!("{event}[{index}]");
        let Some(group) = group.as_object() else {
            return self.note(&place, Problem::Shape { wants: Shape::Object });
        };
        let written = match group.get("matcher") {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text,
            Some(_) => return self.note(&format!("{place}.matcher"), Problem::Shape { wants: Shape::Text }),
        };
        let matcher = self.matcher(&place, event, written, dialect);
        let Some(entries) = group.get("hooks").and_then(Value::as_array) else {
            return self.note(&format!("{place}.hooks"), Problem::Shape { wants: Shape::List });
        };
        let mut handlers = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let place = Place { event: event.to_owned(), group: index, index: at };
            let Some(entry) = entry.as_object() else {
                self.note(&place.to_string(), Problem::Shape { wants: Shape::Object });
                continue;
            };
            handlers.push(Handler::read(entry, place, dialect, base, &mut self.findings));
        }
        self.groups.push(Group { event: event.to_owned(), written: written.to_owned(), matcher, handlers });
    }

    fn matcher(&mut self, place: &str, event: &str, text: &str, dialect: Dialect) -> Option<Matcher> {
        let owned = || text.to_owned();
        let is_all = matches!(text, "" | "*");
        if dialect.raises(event) && dialect.matched_field(event).is_none() && !is_all {
            self.note(place, Problem::MatcherIgnored { event: event.to_owned() });
            return Some(Matcher::All);
        }
        // A permission rule happens to be a regular expression, but never one that matches a tool's name.
        if dialect.matched_field(event) == Some("tool_name") && is_rule(text) {
            self.note(place, Problem::MatcherIsRule { text: owned() });
            return None;
        }
        match Matcher::parse(text, event, dialect) {
            Ok(matcher) => {
                match &matcher {
                    Matcher::Wildcard(_) => self.note(place, Problem::MatcherWildcard { text: owned() }),
                    Matcher::Names(names) if dialect.matched_field(event) == Some("tool_name") => {
                        for (name, like) in names.iter().filter_map(|name| Some((name, miscased(name)?))) {
                            self.note(place, Problem::MatcherCase { text: name.clone(), like });
                        }
                    }
                    _ => {}
                }
                Some(matcher)
            }
            Err(error) => {
                self.note(place, Problem::Matcher { text: owned(), why: error.to_string() });
                None
            }
        }
    }

    fn note(&mut self, place: &str, problem: Problem) {
        self.findings.push(Finding { place: place.to_owned(), problem });
    }
}

fn not_json(error: &serde_json::Error) -> Problem {
    let whole = error.to_string();
    // The place is said by the finding itself.
    let what = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(what, _)| what);
    Problem::NotJson { line: error.line(), column: error.column(), what: what.to_owned() }
}

/// Returns whether a matcher is written as `Tool(...)` with something in the parentheses that no name has.
fn is_rule(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else { return false };
    TOOLS.contains(&name) && rest.ends_with(')') && !rest.contains('|')
}

/// Returns the tool whose name differs from this one in upper and lower case only.
fn miscased(name: &str) -> Option<&'static str> {
    TOOLS.iter().copied().find(|tool| tool.eq_ignore_ascii_case(name) && *tool != name)
}

#[cfg(test)]
mod tests;
