//! What would run for an event, and why the rest would not.
//!
//! | source | file | runs when |
//! |---|---|---|
//! | user | `~/.claude/settings.json` | it is switched on |
//! | project | `.claude/settings.json` of the folder | it is switched on, and a person trusts the folder's hooks as they are |
//! | local | `.claude/settings.local.json` of the folder | the same |
//!
//! All matching handlers of all sources run, at the same time; their results keep the order of the sources and files. The same
//! command runs once for an event, however often it is written. A file with `disableAllHooks` that would itself run turns
//! everything off.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use dmplz_core::claude::SettingsFile;
use serde::Serialize;

use crate::event::Dialect;
use crate::input::Input;
use crate::settings::{self, Group, Handler, Hooks};

/// Whether the hooks of a file may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// They run.
    On,
    /// The source is not switched on.
    Off,
    /// There is no such file.
    Missing,
    /// The file cannot be read, or is not JSON.
    Broken,
    /// Nobody has said that the folder's hooks are trusted.
    Untrusted,
    /// The folder's hooks are not those that a person trusted.
    Changed,
}

/// A settings file with its hooks and their standing.
#[derive(Debug, Clone)]
pub struct Source {
    /// Which of the files it is.
    pub kind: SettingsFile,
    /// The path of the file.
    pub path: PathBuf,
    /// Whether its hooks may run.
    pub standing: Standing,
    /// Its hooks; empty if it is missing or broken.
    pub hooks: Hooks,
}

/// Why a handler does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Skip {
    /// Its source is not switched on.
    SourceOff,
    /// Nobody trusts the hooks of its folder.
    Untrusted,
    /// The hooks of its folder changed since a person trusted them.
    Changed,
    /// A file says `disableAllHooks`.
    AllOff,
    /// It is of a type that dmplz does not run, or that nobody knows.
    Type {
        /// The type.
        kind: String,
    },
    /// It has no command that can be run.
    NoCommand,
    /// It is dmplz's own hook, which Claude Code runs.
    Ours,
    /// No client raises its event.
    UnknownEvent,
    /// Its matcher cannot be read.
    UnreadableMatcher,
    /// Its `if` cannot be read.
    UnreadableCondition,
    /// Its matcher is about something else.
    OtherSubject,
    /// Its `if` is about another call.
    OtherCall,
    /// The same command runs already.
    Twice,
}

/// A handler, and whether it runs.
#[derive(Debug, Clone)]
pub struct Planned<'a> {
    /// The kind of its file.
    pub source: SettingsFile,
    /// The group that it belongs to.
    pub group: &'a Group,
    /// The handler as its file has it.
    pub handler: &'a Handler,
    /// Why it does not run; `None` if it does.
    pub skip: Option<Skip>,
}

/// Returns all handlers of all sources, and why those do not run that never would, whatever the event.
pub fn standing(sources: &[Source]) -> Vec<Planned<'_>> {
    let all_off = sources.iter().any(|source| source.standing == Standing::On && source.hooks.all_off);
    let planned = sources.iter().flat_map(|source| {
        source.hooks.handlers().map(move |(group, handler)| Planned {
            source: source.kind,
            group,
            handler,
            skip: never(source.standing, all_off, group, handler),
        })
    });
    planned.collect()
}

/// Returns the handlers of an event, in order, and why those do not run that do not.
pub fn plan<'a>(sources: &'a [Source], input: &Input, home: Option<&Path>) -> Vec<Planned<'a>> {
    let mut seen = HashSet::new();
    let mut planned = standing(sources);
    planned.retain(|planned| planned.group.event == input.event());
    for planned in &mut planned {
        if planned.skip.is_none() {
            planned.skip = not_now(planned, input, home);
        }
        if planned.skip.is_none() && !seen.insert(planned.handler.command.clone()) {
            planned.skip = Some(Skip::Twice);
        }
    }
    planned
}

/// Returns why a handler does not run for any event.
fn never(standing: Standing, all_off: bool, group: &Group, handler: &Handler) -> Option<Skip> {
    match standing {
        Standing::On => {}
        Standing::Off | Standing::Missing | Standing::Broken => return Some(Skip::SourceOff),
        Standing::Untrusted => return Some(Skip::Untrusted),
        Standing::Changed => return Some(Skip::Changed),
    }
    if all_off {
        return Some(Skip::AllOff);
    }
    if let settings::Kind::Unsupported(kind) | settings::Kind::Unknown(kind) = &handler.kind {
        return Some(Skip::Type { kind: kind.clone() });
    }
    match () {
        () if handler.command.is_none() => Some(Skip::NoCommand),
        () if handler.is_ours() => Some(Skip::Ours),
        () if !Dialect::Claude.raises(&group.event) => Some(Skip::UnknownEvent),
        () if group.matcher.is_none() => Some(Skip::UnreadableMatcher),
        () if matches!(handler.condition, Some(Err(_))) => Some(Skip::UnreadableCondition),
        () => None,
    }
}

/// Returns why a handler does not run for this event.
fn not_now(planned: &Planned<'_>, input: &Input, home: Option<&Path>) -> Option<Skip> {
    if !planned.group.matcher.as_ref().is_some_and(|matcher| matcher.matches(input.subject())) {
        return Some(Skip::OtherSubject);
    }
    let Some(Ok(condition)) = &planned.handler.condition else { return None };
    let call = input.text("tool_name").zip(input.tool_input());
    let cwd = input.text("cwd").map(Path::new);
    let holds = call.is_some_and(|(tool, input)| condition.matches(tool, input, cwd, home));
    (!holds).then_some(Skip::OtherCall)
}

#[cfg(test)]
mod tests;
