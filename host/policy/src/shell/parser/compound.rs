//! Parses compound commands.

use super::super::command::Unclear;
use super::super::lexer::Token;
use super::super::syntax::{Compound, List, Loop};
use super::super::word::{Mode, Text, is_name};
use super::Parser;

impl Parser<'_> {
    /// Parses a compound command, if one is next.
    pub(super) fn compound(&mut self) -> Result<Option<Compound>, Unclear> {
        if self.lexer.accept("(")? {
            return self.block(Self::subshell);
        }
        match self.lexer.keyword()? {
            Some("{") => self.block(Self::group),
            Some("if") => self.block(Self::conditions),
            Some("while" | "until") => self.block(Self::repetition),
            Some("for" | "select") => self.block(Self::iteration),
            Some("case") => self.block(Self::selection),
            _ => Ok(None),
        }
    }

    /// Parses something that is one level deeper, and whose keyword is next.
    fn block(&mut self, read: fn(&mut Self) -> Result<Compound, Unclear>) -> Result<Option<Compound>, Unclear> {
        self.lexer.deeper()?;
        let compound = read(self)?;
        self.lexer.depth -= 1;
        Ok(Some(compound))
    }

    /// Parses a subshell whose parenthesis was read.
    fn subshell(&mut self) -> Result<Compound, Unclear> {
        let list = self.body()?;
        self.expect(")")?;
        Ok(Compound::Subshell(list))
    }

    fn group(&mut self) -> Result<Compound, Unclear> {
        self.expect_keyword("{")?;
        let list = self.body()?;
        self.expect_keyword("}")?;
        Ok(Compound::Group(list))
    }

    fn conditions(&mut self) -> Result<Compound, Unclear> {
        self.expect_keyword("if")?;
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
        if !self.lexer.accept_keyword("while")? {
            self.expect_keyword("until")?;
        }
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
        let selects = self.lexer.accept_keyword("select")?;
        if selects {
            self.lexer.only_bash()?;
        } else {
            self.expect_keyword("for")?;
        }
        let over = if !selects && self.lexer.accept("(")? { self.arithmetic()? } else { self.values()? };
        Ok(Compound::For(over, self.done()?))
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
        self.expect_keyword("case")?;
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
