//! What an allow does not reach, although its conditions hold.
//!
//! A person who allows `git log` means reading a log: not writing one to a file (`git log --output=x`, `git log > x`), not
//! another program that an option or a variable runs. A rule that allows every command (without `commandPrefix`,
//! `commandRegex` or `argsPattern`) means every command, so only redirections and what cannot be read are held back from it; beside
//! rules that stop some commands that is also code, and a program that an option runs.

use super::folder;
use super::guard;
use super::unit::Unit;
use crate::policy::names;
use crate::policy::programs::{self, Escape};
use crate::policy::rule::{Arguments, Rule};
use crate::policy::shell::{Command, Redirect, RedirectKind, Unclear, variable};

/// Why an allow does not reach a unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reservation {
    /// Only a person can answer it.
    #[error("it is a question to a person")]
    Question,
    /// A policy file has errors, so a stricter rule may be missing.
    #[error("a policy file has errors ({0}), so a stricter rule may be missing")]
    Damaged(String),
    /// What the command is cannot be read.
    #[error("{0}")]
    Unclear(Unclear),
    /// It sets a variable that may change what the command does.
    #[error("it sets {0}, which may change what the command does")]
    Variable(String),
    /// It is redirected, and the rule has no `allowRedirection`.
    #[error("it is redirected to or from {0}")]
    Redirection(String),
    /// Where it is redirected to is not known.
    #[error("the file that it is redirected to is only known when it runs")]
    UnknownFile,
    /// A program of the current folder, after the folder may have changed.
    #[error("it runs a program of a folder that is only known when it runs")]
    Moved,
    /// A program that does what the folder says, in another folder.
    #[error("it does what the files of its folder say, and that is not surely one of the workspace")]
    Elsewhere,
    /// An option that the rule does not name.
    #[error("{0}")]
    Escape(Escape),
    /// A file that decides what is allowed, or a command of ours that changes it.
    #[error("it may change what is allowed ({0})")]
    Protected(String),
}

/// Modes in which the agent writes files without asking, so that a redirection is nothing more.
const WRITING_MODES: [&str; 2] = ["acceptEdits", "bypassPermissions"];

/// Redirections to these write no file.
const NO_FILES: [&str; 4] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// What speaks against letting `rule` allow `unit`. `named` is how many words of the command its prefix names,
/// `stops_commands` whether there are rules that stop some commands.
pub(super) fn against(unit: &Unit<'_>, rule: &Rule, named: usize, stops_commands: bool) -> Option<Reservation> {
    if let Some(reservation) = against_every_rule(unit) {
        return Some(reservation);
    }
    let command = unit.command?;
    let may_write =
        rule.allow_redirection || unit.call.mode.is_some_and(|mode| WRITING_MODES.contains(&&*names::mode(mode)));
    if let Some(reservation) = command.redirects.iter().find_map(|redirect| file(redirect, may_write)) {
        return Some(reservation);
    }
    if matches!(rule.when.arguments, Arguments::Any) {
        // What nobody reads may be what another rule stops.
        return stops_commands.then(|| programs::unread(&command.words)).flatten().map(Reservation::Escape);
    }
    if let Some(variable) = command.assignments.iter().find(|set| !variable::is_safe(&set.name)) {
        return Some(Reservation::Variable(variable.name.clone()));
    }
    if command.moved && is_relative_program(command) {
        return Some(Reservation::Moved);
    }
    if folder::obeys(command) && folder::is_elsewhere(unit.call, command) {
        return Some(Reservation::Elsewhere);
    }
    programs::escape(&command.words, named).map(Reservation::Escape)
}

/// What speaks against letting anything but a person allow `unit`.
pub(super) fn against_every_rule(unit: &Unit<'_>) -> Option<Reservation> {
    let Some(command) = unit.command else {
        return guard::protected_file(unit).map(Reservation::Protected);
    };
    let protected = || guard::protected_word(unit.call, command).or_else(|| guard::own_change(command));
    unreadable(unit).or_else(|| protected().map(Reservation::Protected))
}

/// What holds every allow back.
pub(super) fn unreadable(unit: &Unit<'_>) -> Option<Reservation> {
    unit.command.filter(|command| !command.possible).and_then(|command| command.unclear).map(Reservation::Unclear)
}

fn file(redirect: &Redirect, may_write: bool) -> Option<Reservation> {
    match redirect.target.text() {
        Some(file) if NO_FILES.contains(&file) && redirect.kind == RedirectKind::Write => None,
        // A connection, not a file.
        Some(file) if file.starts_with("/dev/tcp/") || file.starts_with("/dev/udp/") => {
            Some(Reservation::Redirection(file.to_owned()))
        }
        Some(_) if may_write => None,
        Some(file) => Some(Reservation::Redirection(file.to_owned())),
        None if may_write => Some(Reservation::UnknownFile),
        None => Some(Reservation::Redirection(format!("{}...", redirect.target.known))),
    }
}

fn is_relative_program(command: &Command) -> bool {
    command.name().is_some_and(|name| name.contains('/') && !name.starts_with(['/', '~']))
}
