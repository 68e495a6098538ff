//! Reasons that hold an allow back although its conditions hold.
//!
//! A person who allows `git log` means reading a log: not writing one to a file (`git log --output=x`, `git log >
//! x`), and not another program that an option or a variable starts. A rule that allows every command (without
//! `commandPrefix`, `commandRegex` or `argsPattern`) means every command, so only redirections and what cannot be
//! parsed are held back from it. If other rules stop some commands, so are code and programs that an option starts.

use std::collections::HashSet;

use super::folder;
use super::guard;
use super::protection;
use super::unit::Unit;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::Spot;
use crate::programs::repository::Repository;
use crate::programs::{self, Operands};
use crate::rules::decision::Decision;
use crate::rules::rule::{Arguments, Rule};
use crate::shell::{Assignment, Command, Redirect, RedirectKind, Word, name, variable};
use crate::tools;
use crate::why::Hold;

/// The names, without folder, of the programs that rules deny or ask about.
#[derive(Debug, Default)]
pub(super) struct Stopped(HashSet<String>);

impl Stopped {
    /// Collects them from all rules.
    pub(super) fn by(rules: &[Rule]) -> Self {
        let mut names = HashSet::new();
        for rule in rules.iter().filter(|rule| rule.decision != Decision::Allow) {
            match &rule.when.arguments {
                Arguments::Prefixes(prefixes) => {
                    names.extend(prefixes.iter().filter_map(|words| Some(name::bare(words.first()?).into_owned())));
                }
                // A rule whose prefix may begin with any word stops no known program, but it stops something.
                Arguments::Command(pattern) => {
                    names.insert(pattern.first_word().map(|word| name::bare(&word).into_owned()).unwrap_or_default());
                }
                Arguments::Any | Arguments::Args(_) => {}
            }
        }
        Self(names)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn contains(&self, name: &str) -> bool {
        !name.is_empty() && self.0.contains(name)
    }
}

/// Modes in which the agent writes files without asking, so that a redirection adds nothing.
const WRITING_MODES: [&str; 2] = ["acceptEdits", "bypassPermissions"];

/// Files to which a redirection writes nothing.
const NO_FILES: [&str; 2] = ["/dev/stdout", "/dev/stderr"];

/// Returns why `rule` does not allow `unit`. `named` is the number of words of the command that its prefix names,
/// `stopped` the programs that other rules deny or ask about.
pub(super) fn against(unit: &Unit<'_>, rule: &Rule, named: usize, stopped: &Stopped) -> Option<Hold> {
    if let Some(hold) = against_every_rule(unit, named, Some(rule)) {
        return Some(hold);
    }
    let command = unit.command?;
    let redirects = command.redirects.iter();
    if let Some(hold) = redirects.filter(|redirect| !may_redirect(unit, command, rule, redirect)).find_map(file) {
        return Some(hold);
    }
    if let Some(word) = started(command, named, stopped) {
        return Some(Hold::Starts(word));
    }
    if matches!(rule.when.arguments, Arguments::Any) {
        // Unread code can be what another rule stops.
        let starts = || starts_by_settings(unit.call, command).map(Hold::Repository);
        let elsewhere = || is_git_anywhere(unit.call, command).then_some(Hold::Elsewhere);
        return (!stopped.is_empty()).then(|| may_start(command).or_else(starts).or_else(elsewhere)).flatten();
    }
    let may_be = |set: &Assignment| variable::may_be(&set.name, &set.value) || programs::is_path_of_tests(set, command);
    if let Some(variable) = command.assignments.iter().find(|set| !may_be(set)) {
        return Some(Hold::Variable(variable.name.clone()));
    }
    if command.moved && is_relative_program(command) {
        return Some(Hold::Moved);
    }
    if let Some(what) = starts_by_settings(unit.call, command) {
        return Some(Hold::Repository(what));
    }
    if folder::obeys(command) && folder::is_elsewhere(unit.call, command) {
        return Some(Hold::Elsewhere);
    }
    let behind_links = || programs::escape(&folder::behind_links(unit.call, command, named)?, named);
    programs::escape(&folder::from_here(unit.call, command), named).or_else(behind_links).map(Hold::Escape)
}

/// Returns why only a person can allow `unit`. `named` is the number of words of the command that the rule names.
pub(super) fn against_every_rule(unit: &Unit<'_>, named: usize, rule: Option<&Rule>) -> Option<Hold> {
    let Some(command) = unit.command else {
        let names = |path: &str| rule.is_some_and(|rule| names_place(rule, path));
        return protection::of_tool(unit, names);
    };
    let own = || guard::own_change(command).map(Hold::Own);
    let protected = || protection::of_command(unit.call, command, named);
    unreadable(unit).or_else(own).or_else(protected)
}

/// Returns whether the paths of a rule name a protected place, and not only a folder above it: they contain a name
/// that begins with a dot, `bin` or `LaunchAgents`, and the path contains it too.
fn names_place(rule: &Rule, path: &str) -> bool {
    let lines = rule.when.paths.iter().flat_map(|paths| paths.lines()).filter(|line| !line.starts_with('!'));
    let mut written = lines.flat_map(|line| line.split('/'));
    let is_place = |name: &str| {
        name.len() > 1 && (name.starts_with('.') && name != ".." || name == "bin" || name == "LaunchAgents")
    };
    written.any(|name| is_place(name) && path.split('/').any(|part| part == name))
}

/// Returns what holds every allow back.
pub(super) fn unreadable(unit: &Unit<'_>) -> Option<Hold> {
    unit.command.filter(|command| !command.possible).and_then(|command| command.unclear).map(Hold::Unclear)
}

/// Returns whether git runs in a folder that the line enters and that is only known when it runs, so that the settings of its
/// repository are not known.
fn is_git_anywhere(call: &Call<'_>, command: &Command) -> bool {
    folder::is_git(command) && command.moved && !Source::of(call, command).is_known()
}

/// Returns what the settings of a repository make git start, whichever folder the command runs in.
fn starts_by_settings(call: &Call<'_>, command: &Command) -> Option<String> {
    if !folder::is_git(command) {
        return None;
    }
    Source::of(call, command).paths().map(call.repository).find_map(|repository| match repository {
        Repository::Plain | Repository::Hooks(_) => None,
        Repository::Starts(what) => Some(what),
    })
}

/// Returns the unread part of what a command may start: by an option, by code, or by a variable.
fn may_start(command: &Command) -> Option<Hold> {
    let variable = command.assignments.iter().find(|set| programs::may_start(&set.name));
    let variable = variable.map(|set| Hold::Variable(set.name.clone()));
    variable.or_else(|| programs::unread(&command.words).map(Hold::Escape))
}

/// Returns the word with which a program may start what other rules stop, or give it another name. A program with a
/// row in the table is known to start only what the row says.
fn started(command: &Command, named: usize, stopped: &Stopped) -> Option<String> {
    if stopped.is_empty() {
        return None;
    }
    let row = programs::find(&name::bare(command.name()?)).filter(|row| !row.open);
    let renames = row.is_some_and(|row| matches!(row.operands, Operands::Copies | Operands::Moves | Operands::Links));
    if row.is_some() && !renames {
        return None;
    }
    let words = command.words.iter().skip(named.max(1));
    let names = |word: &&Word| match renames {
        true => word.known.contains('/') && stopped.contains(&name::bare(&word.known)),
        false => word.known.split(is_between).any(|part| stopped.contains(&name::bare(part))),
    };
    words.filter(|word| !word.known.is_empty()).find(names).map(|word| word.known.clone())
}

/// Returns whether a character separates words in a script that is a single word.
fn is_between(sign: char) -> bool {
    !(sign.is_alphanumeric() || "_./+-".contains(sign))
}

/// Returns whether a command may have its redirections: the rule permits them, or the agent may write there without
/// asking.
fn may_redirect(unit: &Unit<'_>, command: &Command, rule: &Rule, redirect: &Redirect) -> bool {
    if rule.allow_redirection {
        let connects = ["/dev/tcp/", "/dev/udp/"].iter().any(|device| redirect.target.known.starts_with(device));
        return redirect.target.exact && !connects;
    }
    let writes = unit.call.mode.is_some_and(|mode| WRITING_MODES.contains(&&*tools::mode(mode)));
    let Some(cwd) = unit.call.cwd.filter(|_| writes) else { return false };
    let real = (unit.call.real_path)(cwd);
    let inside = |spot: &Spot| spot.is_inside(cwd) || real.as_deref().is_some_and(|real| spot.is_inside(real));
    let spots = paths::of_word(&redirect.target, &Source::of(unit.call, command));
    // The path is checked as written, and after following links.
    !spots.is_empty() && spots.iter().all(inside)
}

fn file(redirect: &Redirect) -> Option<Hold> {
    match redirect.target.text() {
        Some("/dev/null") => None,
        Some(file) if NO_FILES.contains(&file) && redirect.kind == RedirectKind::Write => None,
        Some(file) => Some(Hold::Redirection(file.to_owned())),
        None => Some(Hold::Redirection(format!("{}...", redirect.target.known))),
    }
}

fn is_relative_program(command: &Command) -> bool {
    command.name().is_some_and(|name| name.contains('/') && !name.starts_with(['/', '~']))
}
