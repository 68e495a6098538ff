//! Parses compound commands.

use super::super::command::Unclear;
use super::super::syntax::{Compound, List, Loop, Text};
use super::Parser;
use super::lexer::{Mode, Token};
use super::word::is_name;

impl Parser<'_> {
    /// Parses a compound command, if one is next: its first keyword or parenthesis, and then the rest.
    pub(super) fn compound(&mut self) -> Result<Option<Compound>, Unclear> {
        let is_subshell = self.lexer.accept("(")?;
        let keyword = if is_subshell { None } else { self.lexer.keyword()? };
        let read: fn(&mut Self) -> Result<Compound, Unclear> = match keyword {
            None if is_subshell => Self::subshell,
            Some("{") => Self::group,
            Some("if") => Self::conditions,
            Some("while" | "until") => Self::repetition,
            Some("for") => Self::iteration,
            Some("select") => Self::choice,
            Some("case") => Self::selection,
            _ => return Ok(None),
        };
        self.lexer.deeper()?;
        if let Some(keyword) = keyword {
            self.expect_keyword(keyword)?;
        }
        let compound = read(self)?;
        self.lexer.depth -= 1;
        Ok(Some(compound))
    }

    fn subshell(&mut self) -> Result<Compound, Unclear> {
        let list = self.body()?;
        self.expect(")")?;
        Ok(Compound::Subshell(list))
    }

    fn group(&mut self) -> Result<Compound, Unclear> {
        let list = self.body()?;
        self.expect_keyword("}")?;
        Ok(Compound::Group(list))
    }

    fn conditions(&mut self) -> Result<Compound, Unclear> {
        let mut branches = Vec::new();
        loop {
            let condition = self.body()?;
            self.expect_keyword("then")?;
            branches.push((condition, self.body()?));
            if !self.lexer.accept_keyword("elif")? {
                break;
            }
        }
        let otherwise = if self.lexer.accept_keyword("else")? { Some(self.body()?) } else { None };
        self.expect_keyword("fi")?;
        Ok(Compound::If(branches, otherwise))
    }

    fn repetition(&mut self) -> Result<Compound, Unclear> {
        let condition = self.body()?;
        Ok(Compound::While(condition, self.done()?))
    }

    /// Parses `do` to `done`.
    fn done(&mut self) -> Result<List, Unclear> {
        self.expect_keyword("do")?;
        let list = self.body()?;
        self.expect_keyword("done")?;
        Ok(list)
    }

    fn iteration(&mut self) -> Result<Compound, Unclear> {
        let over = if self.lexer.accept("(")? { self.arithmetic()? } else { self.values()? };
        Ok(Compound::For(over, self.done()?))
    }

    fn choice(&mut self) -> Result<Compound, Unclear> {
        self.lexer.only_bash()?;
        Ok(Compound::For(self.values()?, self.done()?))
    }

    /// Skips the inside of `for (( ))`, up to its `do`.
    fn arithmetic(&mut self) -> Result<Loop, Unclear> {
        self.lexer.only_bash()?;
        if self.lexer.byte(0) != Some(b'(') {
            return Err(Unclear::Syntax);
        }
        self.lexer.pass(1)?;
        let text = self.lexer.arithmetic_text()?.ok_or(Unclear::Syntax)?;
        self.separator()?;
        Ok(Loop::Arithmetic(Box::new(text)))
    }

    /// Parses the variable of a loop and its words, up to its `do`.
    fn values(&mut self) -> Result<Loop, Unclear> {
        let name = self.word(Mode::Word)?;
        if name.altered || !is_name(&name.word.known) {
            return Err(Unclear::Syntax);
        }
        let separated = self.lexer.newlines()?;
        let mut words = Vec::new();
        if self.lexer.accept_keyword("in")? {
            while self.lexer.token()? == Token::Word {
                words.push(self.word(Mode::Word)?);
            }
            if !self.separator()? {
                return Err(Unclear::Syntax);
            }
        } else if !separated {
            self.separator()?;
        }
        Ok(Loop::Words(name.word.known, words))
    }

    /// Skips `;` or a newline. Returns whether there was one.
    fn separator(&mut self) -> Result<bool, Unclear> {
        let semicolon = self.lexer.accept(";")?;
        Ok(self.lexer.newlines()? || semicolon)
    }

    fn selection(&mut self) -> Result<Compound, Unclear> {
        let value = self.word(Mode::Word)?;
        self.lexer.newlines()?;
        self.expect_keyword("in")?;
        self.lexer.newlines()?;
        let mut items = Vec::new();
        while !self.lexer.accept_keyword("esac")? {
            let patterns = self.patterns()?;
            let mut list = List::new();
            self.items(&mut list)?;
            items.push((patterns, list));
            if self.lexer.accept(";;")? || self.lexer.accept(";&")? || self.lexer.accept(";;&")? {
                self.lexer.newlines()?;
            } else if self.lexer.keyword()? != Some("esac") {
                return Err(Unclear::Syntax);
            }
        }
        Ok(Compound::Case(Box::new(value), items))
    }

    fn patterns(&mut self) -> Result<Vec<Text>, Unclear> {
        self.lexer.accept("(")?;
        let mut patterns = Vec::new();
        loop {
            if self.lexer.keyword()? == Some("esac") {
                return Err(Unclear::Syntax);
            }
            patterns.push(self.word(Mode::Word)?);
            if self.lexer.accept(")")? {
                return Ok(patterns);
            }
            self.expect("|")?;
        }
    }
}
