//! Goes through the grammar's tree and lists the commands.

mod builtin;
mod folders;
mod place;
mod possible;
mod simple;

use std::cell::Cell;

use brush_parser::ParserOptions;
use brush_parser::ast::{
    Command as Node, CompoundCommand, CompoundList, CompoundListItem, FunctionBody, Pipeline, PipelineOperator,
    Program, RedirectList, SeparatorOperator, Word as Leaf,
};

use super::command::{Assignment, Command, Script, Stdin, Unclear, Word};
use super::lexer::{Tokens, tokens};
use super::values::Values;
use super::word::{Nested, Text};
use folders::Folders;
pub(super) use place::Place;

/// A reading on its way.
pub(super) struct Walk<'a> {
    pub(super) script: Script,
    /// Something in it could not be followed, and may hold more commands.
    pub(super) unread: bool,
    /// Where the next command may run.
    folders: Folders,
    /// Where it may run when the command before it failed, if that is somewhere else.
    failed: Option<Folders>,
    /// Whether any command changes the folder.
    moves: bool,
    /// What the variables of the script may be.
    values: Values,
    /// Commands that run again later: those of functions.
    later: Vec<std::ops::Range<usize>>,
    fuel: &'a Cell<usize>,
}

/// The words of the script that is walked, by the number of their token. Each is taken once.
type Texts = [Option<Text>];

impl<'a> Walk<'a> {
    pub(super) fn new(fuel: &'a Cell<usize>) -> Self {
        Self {
            script: Script::default(),
            unread: false,
            folders: Folders::start(),
            failed: None,
            moves: false,
            values: Values::default(),
            later: Vec::new(),
            fuel,
        }
    }

    /// Reads a script at its place.
    pub(super) fn read(&mut self, script: &str, place: &Place) {
        match tokens(script, place.depth, place.dialect, self.fuel) {
            Ok(tokens) => self.tokens(tokens, place),
            Err(unclear) => self.unread(unclear),
        }
    }

    /// What ran before a `cd` when it was written runs behind it when it is called.
    pub(super) fn finish(mut self) -> Script {
        if self.moves {
            let later = std::mem::take(&mut self.later);
            later.into_iter().for_each(|range| self.mark_moved(range.start, range.end));
        }
        let values = self.values;
        for command in &mut self.script.commands {
            let folders = command.folders.iter_mut().flatten();
            let assigned = command.assignments.iter_mut().map(|set| &mut set.value);
            let redirected = command.redirects.iter_mut().map(|redirect| &mut redirect.target);
            command
                .words
                .iter_mut()
                .chain(assigned)
                .chain(redirected)
                .chain(folders)
                .for_each(|word| values.fill(word));
        }
        self.script
    }

    fn tokens(&mut self, tokens: Tokens, place: &Place) {
        let Tokens { tokens, mut texts } = tokens;
        match brush_parser::parse_tokens(&tokens, &ParserOptions::default()) {
            Ok(Program { complete_commands }) => {
                complete_commands.iter().for_each(|list| self.list(list, &mut texts, place));
            }
            Err(_) => self.unread(Unclear::Syntax),
        }
    }

    /// A script that cannot be followed.
    pub(super) fn unread(&mut self, unclear: Unclear) {
        self.unread = true;
        self.unclear(unclear);
    }

    fn unclear(&mut self, unclear: Unclear) {
        self.script.unclear.get_or_insert(unclear);
    }

    fn list(&mut self, list: &CompoundList, texts: &mut Texts, place: &Place) {
        for CompoundListItem(and_or, separator) in &list.0 {
            let before = self.folders.clone();
            let mut failed = None;
            for (operator, pipeline) in and_or {
                let succeeded = self.folders.clone();
                if operator == PipelineOperator::Or {
                    self.folders = failed.take().unwrap_or_else(|| succeeded.clone());
                }
                self.pipeline(pipeline, texts, place);
                let fails = self.failed.take().unwrap_or_else(|| self.folders.clone());
                match operator {
                    PipelineOperator::And => {
                        failed = Some(failed.map_or(fails.clone(), |failed: Folders| failed.or(&fails)))
                    }
                    PipelineOperator::Or => {
                        self.folders = self.folders.clone().or(&succeeded);
                        failed = Some(fails);
                    }
                }
            }
            if let Some(failed) = failed {
                self.folders = self.folders.clone().or(&failed);
            }
            // Another shell runs what is sent to the background.
            if matches!(separator, SeparatorOperator::Async) {
                self.folders = before;
            }
        }
        self.failed = None;
    }

    fn pipeline(&mut self, pipeline: &Pipeline, texts: &mut Texts, place: &Place) {
        let before = self.folders.clone();
        for (index, node) in pipeline.seq.iter().enumerate() {
            self.folders = before.clone();
            self.failed = None;
            if index == 0 {
                self.node(node, texts, place);
            } else {
                self.node(node, texts, &place.reading(Stdin::Pipe));
            }
        }
        // Each part has a shell of its own, but for the last one in zsh.
        if pipeline.seq.len() > 1 {
            self.folders = before.or(&self.folders);
            self.failed = None;
        }
        if pipeline.bang {
            let succeeded = self.folders.clone();
            self.folders = self.failed.take().unwrap_or_else(|| succeeded.clone());
            self.failed = Some(succeeded);
        }
    }

    fn node(&mut self, node: &Node, texts: &mut Texts, place: &Place) {
        match node {
            Node::Simple(simple) => self.simple(simple, texts, place),
            Node::Compound(compound, redirects) => {
                let place = self.redirected(redirects.as_ref(), texts, place);
                self.compound(compound, texts, &place);
                self.failed = None;
            }
            Node::Function(function) => {
                let FunctionBody(body, redirects) = &function.body;
                let start = self.script.commands.len();
                let before = self.folders.clone();
                let place = self.redirected(redirects.as_ref(), texts, place);
                self.compound(body, texts, &place);
                self.later.push(start..self.script.commands.len());
                self.failed = None;
                // It moves when it is called, as often as it is.
                if self.folders != before {
                    self.lost();
                }
            }
            // The lexer shows neither to the grammar.
            Node::ExtendedTest(..) => self.unclear(Unclear::Syntax),
        }
    }

    /// A place that is redirected.
    fn redirected(&mut self, redirects: Option<&RedirectList>, texts: &mut Texts, place: &Place) -> Place {
        let mut inner = place.clone();
        for redirect in redirects.into_iter().flat_map(|list| &list.0) {
            let mut nested = Vec::new();
            if let Some(unclear) = inner.redirect(redirect, texts, &mut nested) {
                self.unclear(unclear);
            }
            self.nested(nested, place);
        }
        inner
    }

    fn compound(&mut self, compound: &CompoundCommand, texts: &mut Texts, place: &Place) {
        match compound {
            CompoundCommand::BraceGroup(group) => self.list(&group.list, texts, place),
            CompoundCommand::Subshell(subshell) => {
                let before = self.folders.clone();
                self.list(&subshell.list, texts, place);
                self.folders = before;
            }
            CompoundCommand::ForClause(clause) => {
                let start = self.script.commands.len();
                let before = self.folders.clone();
                let values = clause.values.as_deref().unwrap_or_default();
                self.loop_variable(&clause.variable_name, values, texts, place);
                self.list(&clause.body.list, texts, place);
                self.repeated(start, &before);
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                let start = self.script.commands.len();
                let before = self.folders.clone();
                self.list(&clause.0, texts, place);
                self.list(&clause.1.list, texts, place);
                self.repeated(start, &before);
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition, texts, place);
                let mut tested = self.folders.clone();
                self.list(&clause.then, texts, place);
                let mut after = self.folders.clone();
                for other in clause.elses.iter().flatten() {
                    self.folders = tested.clone();
                    if let Some(condition) = &other.condition {
                        self.list(condition, texts, place);
                        tested = self.folders.clone();
                    }
                    self.list(&other.body, texts, place);
                    after = after.or(&self.folders);
                }
                self.folders = after.or(&tested);
            }
            CompoundCommand::CaseClause(clause) => {
                self.leaf(&clause.value, texts, place);
                let before = self.folders.clone();
                let mut after = before.clone();
                for case in &clause.cases {
                    // One case may run into the next one (`;&`).
                    self.folders = before.clone().or(&after);
                    case.patterns.iter().for_each(|pattern| self.leaf(pattern, texts, place));
                    if let Some(list) = &case.cmd {
                        self.list(list, texts, place);
                    }
                    after = after.or(&self.folders);
                }
                self.folders = after;
            }
            CompoundCommand::Coprocess(coprocess) => {
                if let Some(name) = &coprocess.name {
                    let name = taken(name, texts).word;
                    self.sets(&name.known, place);
                }
                let before = self.folders.clone();
                self.node(&coprocess.body, texts, &place.reading(Stdin::Pipe));
                self.folders = before;
            }
            // The lexer shows neither to the grammar.
            CompoundCommand::Arithmetic(_) | CompoundCommand::ArithmeticForClause(_) => self.unclear(Unclear::Syntax),
        }
    }

    /// `for`: a name and the words that it becomes, or the arithmetic of `for (( ))`.
    fn loop_variable(&mut self, number: &str, values: &[Leaf], texts: &mut Texts, place: &Place) {
        let variable = number.parse().ok().and_then(|number: usize| texts.get_mut(number)).and_then(Option::take);
        let Some(variable) = variable else { return self.unclear(Unclear::Syntax) };
        let mut value = Word::exact("");
        for leaf in values {
            let text = taken(leaf, texts);
            value = if values.len() == 1 { text.word.clone() } else { Word::beginning("") };
            self.values.set(&variable.word.known, &text.word);
            self.evaluate(text, place);
        }
        if variable.evaluates {
            self.evaluate(variable, place);
        } else {
            // Without values it goes through the arguments.
            if values.is_empty() {
                self.values.set(&variable.word.known, &Word::beginning(""));
            }
            self.assigns(&variable.word.known, value, place);
        }
    }

    /// A variable that is set to something that nobody knows.
    fn sets(&mut self, name: &str, place: &Place) {
        self.values.set(name, &Word::beginning(""));
        self.assigns(name, Word::beginning(""), place);
    }

    /// A command that sets a variable and does nothing else.
    fn assigns(&mut self, name: &str, value: Word, place: &Place) {
        let mut command = place.command(Vec::new(), &self.folders);
        command.assignments.push(Assignment { name: name.to_owned(), value });
        self.script.commands.push(command);
    }

    /// A word that is no part of a command.
    fn leaf(&mut self, leaf: &Leaf, texts: &mut Texts, place: &Place) {
        self.evaluate(taken(leaf, texts), place);
    }

    fn evaluate(&mut self, text: Text, place: &Place) {
        if text.hazard {
            self.unclear(Unclear::Expansion);
        }
        for name in text.sets {
            self.sets(&name, place);
        }
        self.nested(text.nested, place);
    }

    /// The scripts inside a word. They run in a shell of their own.
    fn nested(&mut self, nested: Vec<Nested>, place: &Place) {
        for Nested { tokens, piped, depth } in nested {
            let (before, failed) = (self.folders.clone(), self.failed.take());
            let mut inner = place.clone();
            inner.depth = depth;
            if piped {
                inner.stdin = Stdin::Pipe;
            }
            self.tokens(tokens, &inner);
            (self.folders, self.failed) = (before, failed);
        }
    }

    /// A loop runs its beginning behind its end.
    fn repeated(&mut self, start: usize, before: &Folders) {
        if self.folders != *before {
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

    /// From here on a command may run anywhere.
    fn lost(&mut self) {
        self.moves = true;
        self.folders = Folders::anywhere();
        self.failed = None;
    }

    /// A command that changes the folder. After a `cd` to one that is named it is known where.
    fn moves(&mut self, command: &Command) {
        let [cd, arguments @ ..] = command.words.as_slice() else { return };
        let option = |word: &&Word| matches!(word.text(), Some("-L" | "-P" | "-e" | "-@" | "--"));
        let options = arguments.iter().take_while(option).count();
        let folder = match arguments.get(options..) {
            Some([]) => Some(Word::exact("~")),
            Some([folder]) => Some(folder.clone()),
            _ => None,
        };
        // `cd -` and `cd +1` go back, an empty name stays, and a `~x` is somebody's.
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

/// `~user`, but not `~`.
fn is_somebodys(folder: &str) -> bool {
    folder.strip_prefix('~').is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
}

/// The word of a leaf.
fn taken(leaf: &Leaf, texts: &mut Texts) -> Text {
    let number = leaf.loc.as_ref().map_or(usize::MAX, |span| span.start.index / 2);
    texts.get_mut(number).and_then(Option::take).unwrap_or_else(Text::missing)
}
