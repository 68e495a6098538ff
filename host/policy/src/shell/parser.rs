//! Parses the grammar of a script by recursive descent into the tree of [`syntax`](super::syntax).
//!
//! It accepts what bash accepts, and stops where bash would; forms that only zsh has (`{ a }`, `if (a) { b }`) stop
//! it too. It continues after a few constructs that bash rejects and zsh runs, so that a deny sees the commands
//! behind them, and no rule allows the line. [`lexer`] tokenizes the script, and [`word`] parses words and the scripts
//! in their substitutions.

mod compound;
mod lexer;
mod simple;
mod word;

use std::cell::Cell;

use super::command::Unclear;
use super::syntax::{AndOr, Link, List, Node, Pipeline, Program, Text};
pub(crate) use lexer::{Dialect, KEYWORDS};
use lexer::{Lexer, Mode, Token, is_redirection};
pub(crate) use word::{is_digits, is_name};

/// Tokens that close something, where a command could begin.
const CLOSING: [&str; 8] = ["do", "done", "elif", "else", "esac", "fi", "then", "}"];

/// Parses a whole script.
pub(crate) fn parse(script: &str, depth: usize, dialect: Dialect, fuel: &Cell<usize>) -> Program {
    let mut program = Program::default();
    if let Err(unclear) = program.read(Lexer::new(script, depth, dialect, fuel)) {
        program.unclear = Some(unclear);
    }
    program
}

impl Program {
    /// Parses a script to its end, or to the parenthesis that closes it. Returns where it ends.
    fn read(&mut self, lexer: Lexer<'_>) -> Result<usize, Unclear> {
        let mut parser = Parser { lexer, refused: false };
        parser.script(&mut self.list)?;
        self.unclear = parser.refused.then_some(Unclear::Syntax);
        Ok(parser.lexer.at)
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Marks the script as one that bash rejects and zsh may run.
    refused: bool,
}

impl Parser<'_> {
    fn script(&mut self, list: &mut List) -> Result<(), Unclear> {
        self.items(list)?;
        let ended = if self.lexer.in_parentheses { self.lexer.accept(")")? } else { self.lexer.token()? == Token::End };
        if ended && !self.lexer.lacks_body() { Ok(()) } else { Err(Unclear::Syntax) }
    }

    /// Parses commands up to a token that cannot begin one. If one cannot be parsed, the list contains those before
    /// it.
    fn items(&mut self, list: &mut List) -> Result<(), Unclear> {
        self.lexer.newlines()?;
        while self.begins()? {
            let pipelines = self.pipelines()?;
            let background = self.lexer.accept("&")?;
            list.push(AndOr { pipelines, background });
            let separated = background || self.lexer.accept(";")?;
            if !self.lexer.newlines()? && !separated {
                break;
            }
        }
        Ok(())
    }

    /// Parses the commands inside a compound command: at least one.
    fn body(&mut self) -> Result<List, Unclear> {
        let mut list = List::new();
        self.items(&mut list)?;
        if list.is_empty() { Err(Unclear::Syntax) } else { Ok(list) }
    }

    /// Returns whether a command is next, and not the end of a list.
    fn begins(&mut self) -> Result<bool, Unclear> {
        Ok(match self.lexer.token()? {
            Token::End => false,
            Token::Operator(operator) => operator == "(" || is_redirection(operator),
            Token::Word => !self.lexer.keyword()?.is_some_and(|keyword| CLOSING.contains(&keyword)),
        })
    }

    fn pipelines(&mut self) -> Result<Vec<(Link, Pipeline)>, Unclear> {
        let mut pipelines = vec![(Link::And, self.pipeline()?)];
        loop {
            let link = if self.lexer.accept("&&")? {
                Link::And
            } else if self.lexer.accept("||")? {
                Link::Or
            } else {
                return Ok(pipelines);
            };
            self.lexer.newlines()?;
            pipelines.push((link, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, Unclear> {
        let mut pipeline = Pipeline { negated: false, commands: Vec::new() };
        let mut marked = false;
        loop {
            if self.lexer.accept_keyword("!")? {
                pipeline.negated = !pipeline.negated;
            } else if self.lexer.accept_keyword("time")? {
                self.time_options()?;
            } else {
                break;
            }
            marked = true;
        }
        if marked && !self.begins()? {
            self.refused |= !matches!(self.lexer.token()?, Token::End | Token::Operator(";" | "\n"));
            return Ok(pipeline);
        }
        loop {
            pipeline.commands.push(self.command()?);
            if !self.lexer.accept("|")? && !self.lexer.accept("|&")? {
                return Ok(pipeline);
            }
            self.lexer.newlines()?;
        }
    }

    /// Skips `-p` and `--` behind `time`. They do not change what runs, and neither does `time`.
    fn time_options(&mut self) -> Result<(), Unclear> {
        for option in ["-p", "--"] {
            self.lexer.blanks()?;
            let rest = self.lexer.rest();
            if rest.starts_with("-\\") {
                return Err(Unclear::Syntax);
            }
            let behind = rest.strip_prefix(option).map(|rest| rest.bytes().next());
            match behind {
                Some(None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')) => {
                    self.lexer.pass(2)?
                }
                // The word continues, perhaps quoted, which is too unusual to follow.
                Some(Some(b'\\' | b'\'' | b'"' | b'$' | b'`')) => return Err(Unclear::Syntax),
                _ => {}
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Node, Unclear> {
        if let Some(node) = self.closed()? {
            return Ok(node);
        }
        match self.lexer.keyword()? {
            // `time` is not a keyword behind a `|`.
            None | Some("time") => self.simple(),
            Some("in") => {
                self.refused = true;
                self.simple()
            }
            Some("function") => self.function_keyword(),
            Some("coproc") => self.coprocess(),
            Some(_) => Err(Unclear::Syntax),
        }
    }

    /// Parses a command with an end of its own, if one is next: all but simple commands, functions and coprocesses.
    fn closed(&mut self) -> Result<Option<Node>, Unclear> {
        if let Some(expression) = self.expression()? {
            return Ok(Some(Node::Expression(expression, self.redirects()?)));
        }
        let Some(compound) = self.compound()? else { return Ok(None) };
        Ok(Some(Node::Compound(compound, self.redirects()?)))
    }

    /// Parses `(( ))` or `[[ ]]`, if it is next. A `((` that does not end with `))` is two subshells.
    fn expression(&mut self) -> Result<Option<Text>, Unclear> {
        if self.lexer.token()? == Token::Operator("(") && self.lexer.byte(0) == Some(b'(') {
            self.lexer.only_bash()?;
            let before = self.lexer.at;
            self.lexer.pass(1)?;
            let text = self.lexer.arithmetic_text()?;
            if text.is_some() {
                self.expect("(")?;
            } else {
                (self.lexer.at, self.lexer.twice) = (before, true);
            }
            return Ok(text);
        }
        if self.lexer.token()? == Token::Word && self.lexer.is_test() {
            self.lexer.only_bash()?;
            self.lexer.pass(2)?;
            return self.lexer.test().map(Some);
        }
        Ok(None)
    }

    /// Parses `coproc` before a command without a name.
    fn coprocess(&mut self) -> Result<Node, Unclear> {
        self.lexer.only_bash()?;
        self.expect_keyword("coproc")?;
        self.refused |= self.lexer.newlines()?;
        // In `$( )` bash 5.2 runs a program `COPROC` instead.
        if self.lexer.in_parentheses || matches!(self.lexer.keyword()?, Some("coproc" | "time")) {
            return Err(Unclear::Syntax);
        }
        let node = self.command()?;
        self.refused |= matches!(node, Node::Function(..));
        Ok(Node::Coprocess(Box::new(node)))
    }

    /// Parses a word that is a number or variable of a redirection: `{a}>b` stores the descriptor in a variable.
    /// Digits arrive here if a backslash and a newline separate them from the operator.
    fn word(&mut self, mode: Mode) -> Result<Text, Unclear> {
        if self.lexer.token()? != Token::Word {
            return Err(Unclear::Syntax);
        }
        let text = self.lexer.word(mode)?;
        let redirects = !text.altered && matches!(self.lexer.peek(), Some(b'<' | b'>'));
        if redirects && is_descriptor(&text.word.known) { Err(Unclear::Syntax) } else { Ok(text) }
    }

    fn expect(&mut self, operator: &str) -> Result<(), Unclear> {
        if self.lexer.accept(operator)? { Ok(()) } else { Err(Unclear::Syntax) }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Result<(), Unclear> {
        if self.lexer.accept_keyword(keyword)? { Ok(()) } else { Err(Unclear::Syntax) }
    }
}

/// Returns whether it consists of digits, or is a name in braces.
fn is_descriptor(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
        || word.strip_prefix('{').and_then(|word| word.strip_suffix('}')).is_some_and(|name| !name.is_empty())
}
