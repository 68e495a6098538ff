//! Lists simple commands, and the commands that they start.

use super::{Place, Walk, builtin, possible};
use crate::programs::{self, Inner};
use crate::shell::parser::Dialect;
use crate::shell::syntax::Simple;
use crate::shell::{Assignment, Command, MAX_CHARS, Unclear, Word, name, variable};

/// The maximum number of wrappers around a command.
const MAX_WRAPPERS: usize = 8;

/// The maximum number of listed commands: more than a line can contain, because nested wrappers may have several
/// readings.
const MAX_COMMANDS: usize = 2 * MAX_CHARS;

/// The commands after which the folder may be another one. A sourced file may contain any of them.
const MOVING: [&str; 6] = ["cd", "pushd", "popd", "chdir", "source", "."];

impl Walk<'_> {
    pub(super) fn simple(&mut self, simple: Simple, place: &Place) {
        let Simple { assignments, words, redirects } = simple;
        let mut here = place.clone();
        let (mut nested, mut unclear) = (Vec::new(), None);
        for redirect in redirects {
            unclear = here.redirect(&redirect, &mut nested).or(unclear);
        }
        let mut command = here.command(Vec::with_capacity(words.len()), &self.folders);
        if let Some((first, arguments)) = words.split_first()
            && let Some(name) = first.word.text()
        {
            let arguments: Vec<_> = arguments.iter().map(|text| (&text.word, text.spreads && text.risky)).collect();
            unclear = unclear.or(builtin::evaluates(name, &arguments));
        }
        let readings = possible::of(&words);
        for (name, text) in assignments {
            unclear = unclear.or(text.hazard.then_some(Unclear::Expansion));
            command.assignments.extend(text.sets.into_iter().map(set));
            if text.partial {
                self.values.set(&name, &Word::beginning(""));
            }
            command.assignments.push(Assignment { name, value: text.word });
            nested.extend(text.nested);
        }
        for text in words {
            unclear = unclear.or(text.hazard.then_some(Unclear::Expansion));
            command.assignments.extend(text.sets.into_iter().map(set));
            nested.extend(text.nested);
            let more = text.spreads && !text.word.known.is_empty();
            command.words.push(text.word);
            command.words.extend(more.then(|| Word::beginning("")));
        }
        command.unclear = unclear;
        self.command(command, place);
        for words in readings {
            let command = Command { possible: true, ..here.command(words, &self.folders) };
            self.command(command, &Place { possible: true, ..place.clone() });
        }
        self.nested(nested, place);
    }

    /// Lists a command, and the commands that it starts.
    pub(in super::super) fn command(&mut self, mut command: Command, place: &Place) {
        let index = self.script.commands.len();
        if index >= MAX_COMMANDS {
            return self.unclear(Unclear::TooDeep);
        }
        if let Some(word) = command.words.first()
            && (!word.exact || word.known.contains(possible::is_odd))
        {
            command.unclear = command.unclear.or(Some(Unclear::Name));
            self.lost();
        }
        builtin::declared(&mut command);
        if command.assignments.iter().any(|set| variable::is_evaluated(&set.name, &set.value)) {
            command.unclear = command.unclear.or(Some(Unclear::Expansion));
        }
        if builtin::sets_any(&command) {
            self.values.open();
        }
        for set in &command.assignments {
            self.values.set(&set.name, &set.value);
        }
        let unwrapped = programs::unwrap(&command);
        let moves = command.name().is_some_and(|name| MOVING.contains(&name)) && !activates(&command);
        let evaluates = command.name() == Some("eval");
        self.script.commands.push(command.clone());
        self.variables(&command, index, place);
        if let Some(unwrapped) = unwrapped {
            let mut unclear = unwrapped.unclear;
            if place.wrappers >= MAX_WRAPPERS && !unwrapped.inner.is_empty() {
                unclear = Some(Unclear::TooDeep);
                self.script.incomplete = true;
            } else {
                for inner in unwrapped.inner {
                    let found = self.inner(inner, &command, index, unwrapped.moved, place);
                    unclear = unclear.or(found);
                }
            }
            if evaluates && unclear.is_some() {
                self.lost();
            }
            if let Some(command) = self.script.commands.get_mut(index) {
                command.is_transparent = unwrapped.is_transparent;
                command.unclear = command.unclear.or(unclear);
            }
        }
        if moves {
            self.moves(&command);
        }
    }

    /// Lists the commands in the values of variables: `GIT_PAGER='rm x' git log`. Rules can stop them, and need not
    /// allow them.
    fn variables(&mut self, command: &Command, index: usize, place: &Place) {
        if command.possible {
            return;
        }
        let commands = command.assignments.iter().filter(|set| programs::is_command(&set.name));
        for value in commands.filter_map(|set| set.value.text()) {
            if place.wrappers >= MAX_WRAPPERS {
                self.script.incomplete = true;
                return;
            }
            let before = (self.folders.clone(), self.failed.take(), self.unread, self.script.unclear);
            let here = Place {
                within: Some(index),
                wrappers: place.wrappers + 1,
                depth: place.depth + 1,
                possible: true,
                dialect: Dialect::Posix,
                ..place.clone()
            };
            // `LESSOPEN` begins with a pipe if its output is read.
            self.read(value.trim_start_matches(['|', '-', '@']), &here);
            // An unparsable value does not make the whole line unparsable.
            (self.folders, self.failed, self.unread, self.script.unclear) = before;
        }
    }

    /// Lists a command that a wrapper starts.
    fn inner(&mut self, inner: Inner, outer: &Command, index: usize, moved: bool, place: &Place) -> Option<Unclear> {
        let mut here = Place { within: Some(index), wrappers: place.wrappers + 1, ..place.clone() };
        match inner {
            Inner::Command(mut command) => {
                command.within = Some(index);
                command.possible |= outer.possible;
                command.moved |= outer.moved;
                if let Some(name) = command.name() {
                    let arguments: Vec<_> = command.words.iter().skip(1).map(|word| (word, !word.one)).collect();
                    command.unclear = command.unclear.or(builtin::evaluates(name, &arguments));
                }
                self.command(command, &here);
                None
            }
            Inner::Script(Word { exact: false, known, .. }) => {
                self.beginning(&known, Place { possible: true, ..here });
                Some(Unclear::Script)
            }
            Inner::Script(script) => {
                here.stdin = outer.stdin.clone();
                here.redirects = outer.redirects.clone();
                here.depth += 1;
                here.dialect = match outer.name().map(name::bare).as_deref() {
                    Some("bash") => Dialect::Bash,
                    Some("zsh") => Dialect::Zsh,
                    Some("eval" | "builtin" | "command") => place.dialect,
                    _ => Dialect::Posix,
                };
                let (before, start) = (self.folders.clone(), self.script.commands.len());
                if moved {
                    self.lost();
                }
                self.read(&script.known, &here);
                match outer.name() {
                    Some("eval") => {}
                    // It runs in this shell at any later time, wherever that is then.
                    Some("trap") => {
                        self.later.push(start..self.script.commands.len());
                        if self.folders != before {
                            self.lost();
                        }
                    }
                    _ => {
                        self.folders = before;
                        self.failed = None;
                    }
                }
                None
            }
        }
    }

    /// Lists the commands with which a script certainly begins, so that a deny still stops it. Its last word may be
    /// longer.
    fn beginning(&mut self, known: &str, place: Place) {
        let Some((words, _)) = known.rsplit_once(char::is_whitespace) else { return };
        let (folders, unread, unclear) = (self.folders.clone(), self.unread, self.script.unclear);
        self.read(words, &Place { depth: place.depth + 1, ..place });
        // The truncation does not make the whole line unparsable.
        (self.folders, self.unread, self.script.unclear) = (folders, unread, unclear);
    }
}

/// Returns whether a command only sets the variables of a virtual environment of Python in the workspace: `source
/// .venv/bin/activate`. A rule that allows it means all that the file does, and it stays in the folder.
fn activates(command: &Command) -> bool {
    let is_activate = |file: &str| {
        let mut names = file.split('/');
        file.ends_with("/bin/activate") && !file.starts_with(['/', '~']) && names.all(|name| name != "..")
    };
    match command.words.as_slice() {
        [name, file] => matches!(name.text(), Some("source" | ".")) && file.text().is_some_and(is_activate),
        _ => false,
    }
}

/// Returns the assignment of an unknown value, as in `${x:=y}`.
fn set(name: String) -> Assignment {
    Assignment { name, value: Word::beginning("") }
}
