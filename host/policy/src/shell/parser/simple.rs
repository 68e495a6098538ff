//! Parses simple commands, functions and redirections.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::command::{Unclear, Word};
use super::super::syntax::{Node, Redirect, Simple, Text};
use super::Parser;
use super::lexer::{Mode, Token, is_redirection};

/// Builtins whose arguments `NAME=(...)` are arrays.
const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Parser<'_> {
    /// Parses a simple command, or a function that begins with its name.
    pub(super) fn simple(&mut self) -> Result<Node, Unclear> {
        let mut simple = Simple::default();
        loop {
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
            } else if self.lexer.token()? == Token::Word {
                self.argument(&mut simple)?;
            } else {
                break;
            }
            let Simple { assignments, words, redirects } = &mut simple;
            if words.len() == 1 && assignments.is_empty() && redirects.is_empty() && self.lexer.accept("(")? {
                self.expect(")")?;
                return self.function(words.remove(0));
            }
        }
        let any = !simple.words.is_empty() || !simple.assignments.is_empty() || !simple.redirects.is_empty();
        if any { Ok(Node::Simple(simple)) } else { Err(Unclear::Syntax) }
    }

    /// Parses the next word of a command, or an assignment before its name.
    fn argument(&mut self, simple: &mut Simple) -> Result<(), Unclear> {
        let mode = if simple.words.is_empty() { Mode::Assigning } else { Mode::Word };
        let mut text = self.word(mode)?;
        let declares = |name: &Text| name.word.text().is_some_and(|name| DECLARING.contains(&name));
        if self.lexer.byte(0) == Some(b'(')
            && text.word.known.ends_with('=')
            && simple.words.first().is_some_and(declares)
        {
            self.lexer.array(&mut text)?;
        }
        match text.assigns.take() {
            Some(name) => simple.assignments.push((name, text)),
            None => simple.words.push(text),
        }
        Ok(())
    }

    /// Parses `function f`, with or without `( )`.
    pub(super) fn function_keyword(&mut self) -> Result<Node, Unclear> {
        self.lexer.only_bash()?;
        self.expect_keyword("function")?;
        let name = self.word(Mode::Word)?;
        if self.lexer.accept("(")? {
            self.expect(")")?;
        }
        self.function(name)
    }

    /// Parses the body of a function.
    fn function(&mut self, name: Text) -> Result<Node, Unclear> {
        self.lexer.newlines()?;
        let body = self.closed()?.ok_or(Unclear::Syntax)?;
        Ok(Node::Function(name, Box::new(body)))
    }

    /// Parses the redirections behind a compound command.
    pub(super) fn redirects(&mut self) -> Result<Vec<Redirect>, Unclear> {
        let mut redirects = Vec::new();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
        }
        // bash accepts no keyword right behind them: `{ (a) >f }`.
        self.refused |= !redirects.is_empty() && self.lexer.token()? == Token::Word;
        Ok(redirects)
    }

    /// Parses a redirection, if one is next.
    fn redirect(&mut self) -> Result<Option<Redirect>, Unclear> {
        let descriptor = if self.lexer.token()? == Token::Word { self.lexer.descriptor()? } else { None };
        let Token::Operator(operator) = self.lexer.token()? else { return Ok(None) };
        if !is_redirection(operator) {
            return Ok(None);
        }
        self.expect(operator)?;
        Ok(Some(Redirect { descriptor, operator, word: self.target(operator)? }))
    }

    fn target(&mut self, operator: &str) -> Result<Rc<RefCell<Text>>, Unclear> {
        let writes = matches!(operator, ">" | ">>" | "&>" | "&>>" | ">&");
        if writes && self.lexer.dialect.is_zsh() && matches!(self.lexer.peek(), Some(b'!' | b'|')) {
            // `>! file` writes the file in zsh, and a file named `!` in bash.
            return Err(Unclear::Zsh);
        }
        if matches!(operator, ">&" | "<&") {
            self.lexer.blanks()?;
            // A dash right behind these is a word of its own: in `>&-a` the `a` is another one.
            if self.lexer.take(b'-')? {
                return Ok(Rc::new(RefCell::new(Text::of(Word::exact("-")))));
            }
        }
        if self.lexer.token()? != Token::Word {
            return Err(Unclear::Syntax);
        }
        match operator {
            "<<" | "<<-" => self.lexer.heredoc(operator == "<<-"),
            _ => Ok(Rc::new(RefCell::new(self.word(Mode::Word)?))),
        }
    }
}
