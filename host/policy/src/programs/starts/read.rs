//! Parses the words of a wrapper according to its row.

use super::super::mark;
use super::super::options::{Item, Known, Reader};
use super::super::row::{Row, Starts};
use super::{Inner, Unwrapped};
use crate::shell::{Assignment, Command, Unclear, Word, variable};

/// The parsed words of a wrapper.
pub(crate) struct Read<'a> {
    pub(super) command: &'a Command,
    pub(super) row: &'static Row,
    /// The options that have a mark.
    pub(super) marked: Vec<Known>,
    /// The index of the first word after the options and the wrapper's own operands.
    pub(super) rest: usize,
    /// The indices of the operands, if options may stand between them.
    pub(super) operands: Vec<usize>,
    /// Whether a word before `rest` could not be parsed.
    pub(super) doubtful: bool,
    /// The assignments `NAME=value` for the started command.
    assignments: Vec<Assignment>,
}

impl<'a> Read<'a> {
    /// Parses the words. `None` if nothing is started.
    pub(super) fn of(command: &'a Command, row: &'static Row, at: usize) -> Option<Self> {
        let mut read = Self {
            command,
            row,
            marked: Vec::new(),
            rest: command.words.len(),
            operands: Vec::new(),
            doubtful: false,
            assignments: Vec::new(),
        };
        if row.options.is_empty() {
            read.rest = at;
            return Some(read);
        }
        let mut reader = Reader::new(row.options, &command.words, at);
        let mut skip = row.skip;
        let only_options = matches!(row.starts, Starts::Nothing);
        while let Some(item) = reader.next() {
            match item {
                // After words that are split into a command, an option may belong to that command.
                Item::Known(known) if known.mark == Some(mark::IDLE) && read.has(mark::SPLIT) => read.doubtful = true,
                Item::Known(known) if known.mark == Some(mark::IDLE) => return None,
                Item::Known(known) => {
                    read.doubtful |= known.mark != Some(mark::SCRIPT) && known.value.as_ref().is_some_and(|it| !it.one);
                    if known.mark.is_some() {
                        read.marked.push(known);
                    }
                }
                Item::Unknown(_) => read.doubtful |= !only_options,
                Item::Operand(_) if only_options => {}
                Item::Operand(index) if row.permutes => read.operands.push(index),
                Item::Operand(index) => {
                    let word = command.words.get(index)?;
                    match assignment(word) {
                        Some(assignment) if row.assigns => read.assignments.push(assignment),
                        _ if row.assigns && word.text() == Some("-") => {}
                        _ if skip > 0 => {
                            skip -= 1;
                            reader.ended |= skip == 0 && !row.again;
                            read.doubtful |= !word.exact;
                        }
                        _ => {
                            read.rest = index;
                            break;
                        }
                    }
                }
            }
        }
        Some(read)
    }

    /// Returns whether an option has this mark.
    pub(super) fn has(&self, mark: char) -> bool {
        self.marked.iter().any(|known| known.mark == Some(mark))
    }

    /// Returns the value of the last option with this mark.
    pub(super) fn value(&self, mark: char) -> Option<&Word> {
        self.marked.iter().rev().find(|known| known.mark == Some(mark))?.value.as_ref()
    }

    /// Returns whether the value of an option is started as a script.
    pub(super) fn has_script(&self) -> bool {
        self.has(mark::SCRIPT) || self.has(mark::SPLIT)
    }

    /// Returns the scripts in the values of options.
    pub(super) fn scripts(&self) -> Vec<Inner> {
        let value = |known: &Known| match known.mark? {
            mark::SCRIPT => known.value.clone(),
            mark::SPLIT => Some(join(known.value.iter().cloned().chain(self.after(self.rest).iter().map(quoted)))),
            _ => None,
        };
        self.marked.iter().filter_map(value).map(Inner::Script).collect()
    }

    /// Returns the command that begins at a word.
    pub(super) fn words(&self, from: usize) -> Option<Unwrapped> {
        let entry = self.value(mark::ENTRY);
        let mut words: Vec<Word> = entry.into_iter().chain(self.after(from)).cloned().collect();
        if words.is_empty() {
            return self.has(mark::INPUT).then(|| self.shell(&[]));
        }
        let mut inner = vec![self.inner(words.clone())];
        // An inexact first word may be nothing, or options, or another command.
        let doubtful = self.doubtful || words.first().is_some_and(|word| !word.exact);
        if doubtful && words.len() > 1 {
            words.remove(0);
            inner.push(self.inner(words));
        }
        let unclear = (doubtful || self.has(mark::UNCLEAR)).then_some(Unclear::Options);
        Some(self.starts_unclear(inner, unclear))
    }

    /// Returns the command that begins at a word. If there is none, or it begins with a dash, the words are the
    /// arguments of a shell.
    pub(super) fn words_or_shell(&self, from: usize) -> Option<Unwrapped> {
        let rest = self.after(from);
        if rest.first().is_some_and(|word| !word.known.starts_with('-')) {
            return self.words(from);
        }
        Some(self.shell(rest))
    }

    /// Returns the user's shell, with arguments.
    pub(in super::super) fn shell(&self, arguments: &[Word]) -> Unwrapped {
        let words = std::iter::once(Word::exact("sh")).chain(arguments.iter().cloned()).collect();
        self.starts(vec![self.inner(words)])
    }

    /// Returns the script that consists of the words from an index on, joined with spaces.
    pub(super) fn joined(&self, from: usize) -> Option<Unwrapped> {
        let rest = self.after(from);
        (!rest.is_empty()).then(|| self.starts(vec![Inner::Script(join(rest.iter().cloned()))]))
    }

    /// Returns the command that begins at a word. A single word is a script; it may be the only one if the others may
    /// be empty.
    pub(super) fn either(&self, from: usize) -> Option<Unwrapped> {
        let rest = self.after(from);
        if rest.len() == 1 {
            return self.joined(from);
        }
        let Unwrapped { mut inner, unclear, .. } = self.words(from)?;
        let mut certain = rest.iter().filter(|word| word.exact || !word.known.is_empty());
        if let (Some(script), None) = (certain.next(), certain.next()) {
            inner.push(Inner::Script(script.clone()));
        }
        Some(self.starts_unclear(inner, unclear))
    }

    /// Returns the first remaining word as a script.
    pub(super) fn first(&self) -> Option<Unwrapped> {
        let script = self.command.words.get(self.rest)?;
        Some(self.starts(vec![Inner::Script(script.clone())]))
    }

    /// Returns the file that an interpreter runs as a command of that name, `./deploy` for `bash ./deploy`: a rule about
    /// that stops it, and need not allow it.
    pub(super) fn file(&self, from: usize) -> Option<Unwrapped> {
        let words = self.after(from);
        words.first().filter(|file| file.exact)?;
        let Inner::Command(command) = self.inner(words.to_vec()) else { return None };
        let inner = vec![Inner::Command(Command { possible: true, ..command })];
        Some(Unwrapped { is_transparent: false, ..self.starts_unclear(inner, None) })
    }

    /// Returns the started commands, with the effects of all options.
    pub(super) fn starts(&self, inner: Vec<Inner>) -> Unwrapped {
        let unclear = (self.doubtful || self.has(mark::UNCLEAR)).then_some(Unclear::Options);
        self.starts_unclear(inner, unclear)
    }

    /// Returns the started commands, which may be unclear for another reason than the options.
    pub(super) fn starts_unclear(&self, inner: Vec<Inner>, unclear: Option<Unclear>) -> Unwrapped {
        // A script without a command does not use the wrapper's redirections and variables, so a rule has to allow the
        // wrapper for them.
        let plain = self.command.assignments.iter().all(|it| variable::is_safely_set(&it.name, &it.value))
            && self.command.redirects.iter().all(|redirect| redirect.target.text() == Some("/dev/null"));
        let passed_on = plain || inner.iter().all(|it| matches!(it, Inner::Command(_)));
        Unwrapped {
            is_transparent: self.row.transparent && passed_on && unclear.is_none() && !self.has(mark::WRITES),
            inner,
            moved: self.has(mark::MOVES) || (self.command.moved && self.command.folders.is_empty()),
            unclear,
        }
    }

    /// Returns a command that the wrapper starts.
    pub(super) fn inner(&self, words: Vec<Word>) -> Inner {
        let command = self.command;
        Inner::Command(Command {
            assignments: command.assignments.iter().chain(&self.assignments).cloned().collect(),
            redirects: if self.row.transparent { command.redirects.clone() } else { Vec::new() },
            stdin: command.stdin.clone(),
            moved: command.moved || self.has(mark::MOVES),
            folders: if self.has(mark::MOVES) { Vec::new() } else { command.folders.clone() },
            ..Command::of(words)
        })
    }

    /// Returns the words from an index on.
    pub(super) fn after(&self, from: usize) -> &'a [Word] {
        self.command.words.get(from..).unwrap_or_default()
    }
}

/// Joins words to one text, as `eval` does. The text is known up to the first unknown word.
pub(super) fn join(words: impl Iterator<Item = Word>) -> Word {
    let mut text = Word::exact("");
    for (index, word) in words.enumerate() {
        if index > 0 {
            text.known.push(' ');
        }
        text.known.push_str(&word.known);
        if !word.exact {
            text.exact = false;
            break;
        }
    }
    text
}

/// Quotes a word so that a shell reads it back unchanged.
pub(super) fn quoted(word: &Word) -> Word {
    let known = format!("'{}'", word.known.replace('\'', r"'\''"));
    word.with(known)
}

/// Parses `NAME=value`. For `env`, any text before a `=` is a name.
fn assignment(word: &Word) -> Option<Assignment> {
    let (name, value) = word.known.split_once('=')?;
    (!name.is_empty()).then(|| Assignment { name: name.to_owned(), value: word.with(value) })
}
