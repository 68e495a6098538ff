//! Goes through the grammar's tree and lists the commands.

mod builtin;
mod place;
mod possible;
mod simple;

use std::cell::Cell;

use brush_parser::ParserOptions;
use brush_parser::ast::{
    Command as Node, CompoundCommand, CompoundList, FunctionBody, Pipeline, Program, RedirectList, Word as Leaf,
};

use super::command::{Assignment, Command, Script, Stdin, Unclear, Word};
use super::lexer::{Tokens, tokens};
use super::word::{Nested, Text};
pub(super) use place::Place;

/// A reading on its way.
pub(super) struct Walk<'a> {
    pub(super) script: Script,
    /// Something in it could not be followed, and may hold more commands.
    pub(super) unread: bool,
    /// An earlier command may have changed the folder.
    moved: bool,
    /// Where to; None when that is not known.
    folders: Option<Vec<String>>,
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
            moved: false,
            folders: Some(Vec::new()),
            later: Vec::new(),
            fuel,
        }
    }

    /// Reads a script at its place.
    pub(super) fn read(&mut self, script: &str, place: &Place) {
        match tokens(script, place.depth, place.posix, self.fuel) {
            Ok(tokens) => self.tokens(tokens, place),
            Err(unclear) => self.unread(unclear),
        }
    }

    /// What ran before a `cd` when it was written runs behind it when it is called.
    pub(super) fn finish(mut self) -> Script {
        if self.moved {
            let later = std::mem::take(&mut self.later);
            later.into_iter().for_each(|range| self.mark_moved(range.start, range.end));
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
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                self.pipeline(pipeline, texts, place);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, texts: &mut Texts, place: &Place) {
        for (index, node) in pipeline.seq.iter().enumerate() {
            if index == 0 {
                self.node(node, texts, place);
            } else {
                self.node(node, texts, &place.reading(Stdin::Pipe));
            }
        }
    }

    fn node(&mut self, node: &Node, texts: &mut Texts, place: &Place) {
        match node {
            Node::Simple(simple) => self.simple(simple, texts, place),
            Node::Compound(compound, redirects) => {
                let place = self.redirected(redirects.as_ref(), texts, place);
                self.compound(compound, texts, &place);
            }
            Node::Function(function) => {
                let FunctionBody(body, redirects) = &function.body;
                let start = self.script.commands.len();
                let place = self.redirected(redirects.as_ref(), texts, place);
                self.compound(body, texts, &place);
                self.later.push(start..self.script.commands.len());
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
                let moved = self.moved;
                self.list(&subshell.list, texts, place);
                self.moved = moved;
            }
            CompoundCommand::ForClause(clause) => {
                let start = self.script.commands.len();
                let values = clause.values.as_deref().unwrap_or_default();
                self.loop_variable(&clause.variable_name, values, texts, place);
                self.list(&clause.body.list, texts, place);
                self.repeated(start);
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                let start = self.script.commands.len();
                self.list(&clause.0, texts, place);
                self.list(&clause.1.list, texts, place);
                self.repeated(start);
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition, texts, place);
                self.list(&clause.then, texts, place);
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        self.list(condition, texts, place);
                    }
                    self.list(&other.body, texts, place);
                }
            }
            CompoundCommand::CaseClause(clause) => {
                self.leaf(&clause.value, texts, place);
                for case in &clause.cases {
                    case.patterns.iter().for_each(|pattern| self.leaf(pattern, texts, place));
                    if let Some(list) = &case.cmd {
                        self.list(list, texts, place);
                    }
                }
            }
            CompoundCommand::Coprocess(coprocess) => {
                if let Some(name) = &coprocess.name {
                    let name = taken(name, texts).word;
                    self.sets(&name.known, Word::beginning(""), place);
                }
                self.node(&coprocess.body, texts, &place.reading(Stdin::Pipe));
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
            self.evaluate(text, place);
        }
        if variable.evaluates {
            self.evaluate(variable, place);
        } else {
            self.sets(&variable.word.known, value, place);
        }
    }

    /// A command that sets a variable and does nothing else.
    fn sets(&mut self, name: &str, value: Word, place: &Place) {
        let mut command = place.command(Vec::new(), self.moved);
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
            self.sets(&name, Word::beginning(""), place);
        }
        self.nested(text.nested, place);
    }

    /// The scripts inside a word. They run in a shell of their own.
    fn nested(&mut self, nested: Vec<Nested>, place: &Place) {
        for Nested { tokens, piped, depth } in nested {
            let moved = self.moved;
            let mut inner = place.clone();
            inner.depth = depth;
            if piped {
                inner.stdin = Stdin::Pipe;
            }
            self.tokens(tokens, &inner);
            self.moved = moved;
        }
    }

    /// A loop runs its beginning behind its end.
    fn repeated(&mut self, start: usize) {
        if self.moved {
            self.mark_moved(start, self.script.commands.len());
        }
    }

    fn mark_moved(&mut self, start: usize, end: usize) {
        self.script.commands.iter_mut().take(end).skip(start).for_each(|command: &mut Command| {
            command.moved = true;
            command.folders.clear();
        });
    }

    /// Nobody knows where to.
    fn lost(&mut self) {
        self.moved = true;
        self.folders = None;
    }

    /// A command that changes the folder. After a `cd` to one that is named it is known where.
    fn moves(&mut self, command: &Command) {
        let named = match command.words.as_slice() {
            [cd, folder] if cd.known == "cd" => {
                folder.text().filter(|folder| !folder.is_empty() && !folder.starts_with(['-', '~']))
            }
            _ => None,
        };
        match (named, &mut self.folders) {
            (Some(folder), Some(folders)) => {
                folders.push(folder.to_owned());
                self.moved = true;
            }
            _ => self.lost(),
        }
    }
}

/// The word of a leaf.
fn taken(leaf: &Leaf, texts: &mut Texts) -> Text {
    let number = leaf.loc.as_ref().map_or(usize::MAX, |span| span.start.index / 2);
    texts.get_mut(number).and_then(Option::take).unwrap_or_else(Text::missing)
}
