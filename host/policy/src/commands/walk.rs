//! Walks the syntax tree of a script and lists its commands.

mod builtin;
mod folders;
mod place;
mod possible;
mod simple;

use std::cell::Cell;

use super::Script;
use super::values::Values;
use crate::shell::parser::parse;
use crate::shell::syntax::{AndOr, Compound, Link, List, Loop, Nested, Node, Pipeline, Program, Redirect, Text};
use crate::shell::{Assignment, Command, Stdin, Unclear, Word, variable};
use folders::Folders;
pub(super) use place::Place;

/// The state of a walk.
pub(super) struct Walk<'a> {
    pub(super) script: Script,
    /// Whether a part of the script could not be parsed, and may contain more commands.
    pub(super) unread: bool,
    /// The folders in which the next command may run.
    folders: Folders,
    /// The folders in which it may run if the command before it failed, if they differ.
    failed: Option<Folders>,
    /// Whether any command changes the folder.
    moves: bool,
    /// The possible values of the script's variables.
    values: Values,
    /// Whether a name may be another program: of a function, an alias, or a file that is read.
    defines: bool,
    /// The ranges of commands that run again later, because they are in functions.
    later: Vec<std::ops::Range<usize>>,
    fuel: &'a Cell<usize>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(fuel: &'a Cell<usize>) -> Self {
        Self {
            script: Script::default(),
            unread: false,
            folders: Folders::start(),
            failed: None,
            moves: false,
            values: Values::default(),
            defines: false,
            later: Vec::new(),
            fuel,
        }
    }

    /// Parses a script and lists its commands at a place.
    pub(super) fn read(&mut self, script: &str, place: &Place) {
        self.program(parse(script, place.depth, place.dialect, self.fuel), place);
    }

    /// Returns to the folder in which the line starts.
    pub(super) fn restart(&mut self) {
        self.folders = Folders::start();
    }

    /// Finishes the walk. A command of a function that is written before a `cd` runs after it when the function is
    /// called.
    pub(super) fn finish(mut self) -> Script {
        if self.moves {
            let later = std::mem::take(&mut self.later);
            later.into_iter().for_each(|range| self.mark_moved(range.start, range.end));
        }
        let mut values = self.values;
        if self.moves {
            values.moves();
        }
        let names = |command: &Command| matches!(command.name(), Some("alias" | "source" | "."));
        let defines = self.defines || self.script.commands.iter().any(names);
        for command in &mut self.script.commands {
            self.script.incomplete |= command.unclear == Some(Unclear::TooDeep);
            let folders = command.folders.iter_mut().flatten();
            let assigned = command.assignments.iter_mut().map(|set| &mut set.value);
            let redirected = command.redirects.iter_mut().map(|redirect| &mut redirect.target);
            command.words.iter_mut().chain(assigned).chain(redirected).chain(folders).for_each(|word| {
                values.fill(word);
                if defines {
                    word.forget_revisions();
                }
            });
        }
        self.script
    }

    fn program(&mut self, program: Program, place: &Place) {
        self.list(program.list, place);
        if let Some(unclear) = program.unclear {
            self.unread(unclear);
        }
    }

    /// Records that a script cannot be parsed.
    pub(super) fn unread(&mut self, unclear: Unclear) {
        self.unread = true;
        self.unclear(unclear);
    }

    fn unclear(&mut self, unclear: Unclear) {
        self.script.incomplete |= unclear == Unclear::TooDeep;
        self.script.unclear.get_or_insert(unclear);
    }

    fn list(&mut self, list: List, place: &Place) {
        for AndOr { pipelines, background } in list {
            let before = self.folders.clone();
            let mut failed: Option<Folders> = None;
            let mut ahead_of_last = before.clone();
            for (link, pipeline) in pipelines {
                let succeeded = self.folders.clone();
                ahead_of_last = failed.iter().fold(succeeded.clone(), |folders, failed| folders.or(failed));
                if link == Link::Or {
                    self.folders = failed.take().unwrap_or_else(|| succeeded.clone());
                }
                self.pipeline(pipeline, place);
                let fails = self.failed.take().unwrap_or_else(|| self.folders.clone());
                match link {
                    Link::And => failed = Some(failed.map_or(fails.clone(), |failed: Folders| failed.or(&fails))),
                    Link::Or => {
                        self.folders = self.folders.clone().or(&succeeded);
                        failed = Some(fails);
                    }
                }
            }
            if let Some(failed) = failed {
                self.folders = self.folders.clone().or(&failed);
            }
            // In the background runs a subshell: of all of it in bash, and of its last pipeline in zsh.
            if background {
                self.folders = if place.dialect.is_zsh() { before.or(&ahead_of_last) } else { before };
            }
        }
        self.failed = None;
    }

    fn pipeline(&mut self, pipeline: Pipeline, place: &Place) {
        let before = self.folders.clone();
        let several = pipeline.commands.len() > 1;
        for (index, node) in pipeline.commands.into_iter().enumerate() {
            self.folders = before.clone();
            self.failed = None;
            if index == 0 {
                self.node(node, place);
            } else {
                self.node(node, &place.reading(Stdin::Pipe));
            }
        }
        // Each part of a pipeline runs in a subshell, except the last one in zsh.
        if several {
            self.folders = before.or(&self.folders);
            self.failed = None;
        }
        if pipeline.negated {
            let succeeded = self.folders.clone();
            self.folders = self.failed.take().unwrap_or_else(|| succeeded.clone());
            self.failed = Some(succeeded);
        }
    }

    fn node(&mut self, node: Node, place: &Place) {
        match node {
            Node::Simple(simple) => self.simple(simple, place),
            Node::Compound(compound, redirects) => {
                let place = self.redirected(redirects, place);
                self.compound(compound, &place);
                self.failed = None;
            }
            Node::Function(name, body) => {
                self.defines = true;
                if !name.word.exact {
                    self.unclear(Unclear::Name);
                }
                self.evaluate(name, place);
                let start = self.script.commands.len();
                let before = self.folders.clone();
                self.node(*body, place);
                self.later.push(start..self.script.commands.len());
                self.failed = None;
                // A function that changes the folder does so at every call.
                if self.folders != before {
                    self.lost();
                }
            }
            Node::Coprocess(node) => {
                let before = self.folders.clone();
                self.node(*node, &place.reading(Stdin::Pipe));
                self.folders = before;
                self.failed = None;
            }
            Node::Expression(text, redirects) => self.expression(text, redirects, place),
        }
    }

    /// Returns the place with redirections added.
    fn redirected(&mut self, redirects: Vec<Redirect>, place: &Place) -> Place {
        let mut inner = place.clone();
        for redirect in redirects {
            let mut nested = Vec::new();
            if let Some(unclear) = inner.redirect(&redirect, &mut nested) {
                self.unclear(unclear);
            }
            self.nested(nested, place);
        }
        inner
    }

    /// Records the redirections and hazards of `[[ ]]` and `(( ))`, which are not commands.
    fn expression(&mut self, text: Text, redirects: Vec<Redirect>, place: &Place) {
        let mut here = place.clone();
        let (mut nested, mut unclear) = (Vec::new(), None);
        for redirect in redirects {
            unclear = here.redirect(&redirect, &mut nested).or(unclear);
        }
        unclear = unclear.or(text.hazard.then_some(Unclear::Expansion));
        if here.redirects.len() > place.redirects.len() || unclear.is_some() {
            let command = Command { unclear, ..here.command(Vec::new(), &self.folders) };
            self.script.commands.push(command);
        }
        text.sets.iter().for_each(|name| self.sets(name, place));
        nested.extend(text.nested);
        self.nested(nested, place);
    }

    fn compound(&mut self, compound: Compound, place: &Place) {
        match compound {
            Compound::Group(list) => self.list(list, place),
            Compound::Subshell(list) => {
                let before = self.folders.clone();
                self.list(list, place);
                self.folders = before;
            }
            Compound::For(over, list) => self.repeated(|walk| {
                match over {
                    Loop::Words(variable, values) => walk.loop_variable(&variable, values, place),
                    Loop::Arithmetic(text) => walk.evaluate(*text, place),
                }
                walk.list(list, place);
            }),
            Compound::While(condition, list) => self.repeated(|walk| {
                walk.list(condition, place);
                walk.list(list, place);
            }),
            Compound::If(branches, otherwise) => {
                let mut after: Option<Folders> = None;
                for (condition, list) in branches {
                    self.list(condition, place);
                    let tested = self.folders.clone();
                    self.list(list, place);
                    after = Some(after.map_or(self.folders.clone(), |after| after.or(&self.folders)));
                    self.folders = tested;
                }
                let tested = self.folders.clone();
                if let Some(list) = otherwise {
                    self.list(list, place);
                }
                let after = after.map_or(self.folders.clone(), |after| after.or(&self.folders));
                self.folders = after.or(&tested);
            }
            Compound::Case(value, items) => {
                self.evaluate(*value, place);
                let before = self.folders.clone();
                let mut after = before.clone();
                for (patterns, list) in items {
                    // One case may continue into the next one (`;&`).
                    self.folders = before.clone().or(&after);
                    patterns.into_iter().for_each(|pattern| self.evaluate(pattern, place));
                    self.list(list, place);
                    after = after.or(&self.folders);
                }
                self.folders = after;
            }
        }
    }

    /// Records the variable of a `for` and its values.
    fn loop_variable(&mut self, variable: &str, values: Vec<Text>, place: &Place) {
        let mut value = Word::exact("");
        // Without values the loop runs over the arguments.
        if values.is_empty() {
            self.values.set(variable, &Word::beginning(""));
        }
        let several = values.len() > 1;
        for text in values {
            value = if several { Word::beginning("") } else { text.word.clone() };
            self.values.set(variable, &text.word);
            self.evaluate(text, place);
        }
        self.assigns(variable, value, place);
    }

    /// Records that a variable is set to an unknown value.
    fn sets(&mut self, name: &str, place: &Place) {
        self.values.set(name, &Word::beginning(""));
        self.assigns(name, Word::beginning(""), place);
    }

    /// Lists a command that only sets a variable.
    fn assigns(&mut self, name: &str, value: Word, place: &Place) {
        let unclear = variable::is_evaluated(name, &value).then_some(Unclear::Expansion);
        let mut command = Command { unclear, ..place.command(Vec::new(), &self.folders) };
        command.assignments.push(Assignment { name: name.to_owned(), value });
        self.script.commands.push(command);
    }

    /// Records the scripts and hazards in a word that is not a part of a command.
    fn evaluate(&mut self, text: Text, place: &Place) {
        if text.hazard {
            self.unclear(Unclear::Expansion);
        }
        for name in text.sets {
            self.sets(&name, place);
        }
        self.nested(text.nested, place);
    }

    /// Lists the scripts inside a word, which run in subshells.
    fn nested(&mut self, nested: Vec<Nested>, place: &Place) {
        for Nested { program, piped, depth } in nested {
            let (before, failed) = (self.folders.clone(), self.failed.take());
            let mut inner = place.clone();
            inner.depth = depth;
            if piped {
                inner.stdin = Stdin::Pipe;
            }
            self.program(program, &inner);
            (self.folders, self.failed) = (before, failed);
        }
    }

    /// Lists the commands of a loop, and marks them: its beginning also runs after its end.
    fn repeated(&mut self, list: impl FnOnce(&mut Self)) {
        let start = self.script.commands.len();
        let before = self.folders.clone();
        list(self);
        if self.folders != before {
            self.mark_moved(start, self.script.commands.len());
            self.lost();
        }
    }

    fn mark_moved(&mut self, start: usize, end: usize) {
        self.script.commands.iter_mut().take(end).skip(start).for_each(|command: &mut Command| {
            command.moved = true;
            command.folders.clear();
        });
    }

    /// Records that the next command may run anywhere.
    fn lost(&mut self) {
        self.moves = true;
        self.folders = Folders::anywhere();
        self.failed = None;
    }

    /// Records the effect of a command that changes the folder. After a `cd` to a named folder the folder is known.
    fn moves(&mut self, command: &Command) {
        let [cd, arguments @ ..] = command.words.as_slice() else { return };
        let option = |word: &&Word| matches!(word.text(), Some("-L" | "-P" | "-e" | "-@" | "--"));
        let options = arguments.iter().take_while(option).count();
        let folder = match arguments.get(options..) {
            Some([]) => Some(Word::exact("~")),
            Some([folder]) => Some(folder.clone()),
            _ => None,
        };
        // `cd -` and `cd +1` return to an earlier folder, an empty name changes nothing, and `~x` is a user's home
        // directory.
        let named = |folder: &Word| match folder.text() {
            Some(text) => !text.is_empty() && !text.starts_with(['-', '+']) && !is_somebodys(text),
            None => folder.shapes.is_some() && !folder.known.starts_with(['-', '+', '~']),
        };
        match folder.filter(|folder| cd.known == "cd" && named(folder)) {
            Some(folder) => {
                self.moves = true;
                let before = self.folders.clone();
                self.folders = before.clone().into_folder(&folder);
                self.failed = Some(before);
            }
            None => self.lost(),
        }
    }
}

/// Returns whether a folder is in the home directory of a named user: `~user`, but not `~`.
fn is_somebodys(folder: &str) -> bool {
    folder.strip_prefix('~').is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
}
