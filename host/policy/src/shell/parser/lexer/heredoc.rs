//! Heredocs.
//!
//! The body begins after the next newline. It is expanded like text in `" "`, unless its delimiter is quoted.

use std::cell::RefCell;
use std::rc::Rc;

use super::Lexer;
use crate::shell::command::{Unclear, Word};
use crate::shell::syntax::Text;

/// A heredoc whose body begins on the next line.
#[derive(Debug)]
pub(super) struct Heredoc {
    delimiter: String,
    quoted: bool,
    tabs: bool,
    /// The place in which its body is stored.
    body: Rc<RefCell<Text>>,
}

impl<'a> Lexer<'a> {
    /// Parses the delimiter. Only the usual forms are accepted: `EOF`, `'EOF'`, `"EOF"`, `\EOF`.
    pub(in super::super) fn heredoc(&mut self, tabs: bool) -> Result<Rc<RefCell<Text>>, Unclear> {
        if self.twice {
            return Err(Unclear::Syntax);
        }
        let quote = self.peek().filter(|byte| matches!(byte, b'\'' | b'"' | b'\\'));
        if quote.is_some() {
            self.pass(1)?;
        }
        let rest = self.rest();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:!@%+,=".contains(byte);
        let length = rest.bytes().take_while(|byte| is_plain(byte)).count();
        let delimiter = rest.get(..length).unwrap_or_default().to_owned();
        self.pass(length)?;
        let closed = match quote {
            Some(quote @ (b'\'' | b'"')) => self.take(quote)?,
            _ => true,
        };
        let ends =
            matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'));
        if delimiter.is_empty() || !closed || !ends {
            return Err(Unclear::Syntax);
        }
        let body = Rc::new(RefCell::new(Text::of(Word::beginning(""))));
        self.heredocs.push(Heredoc { delimiter, quoted: quote.is_some(), tabs, body: Rc::clone(&body) });
        Ok(body)
    }

    /// Returns whether a body is still missing.
    pub(in super::super) fn lacks_body(&self) -> bool {
        !self.heredocs.is_empty()
    }

    /// Reads the bodies behind a newline.
    pub(super) fn bodies(&mut self) -> Result<(), Unclear> {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let body = self.body(&heredoc)?;
            let text = if heredoc.quoted {
                Text::of(Word::exact(body))
            } else {
                let mut inner = Lexer::new(&body, self.depth, self.dialect, self.fuel);
                inner.deeper()?;
                // bash parses the scripts in it when it runs it, so an error in them stops nothing behind it.
                inner.heredoc_text().unwrap_or_else(Text::unread)
            };
            heredoc.body.replace(text);
        }
        Ok(())
    }

    fn body(&mut self, heredoc: &Heredoc) -> Result<String, Unclear> {
        let mut body = String::new();
        loop {
            if self.at >= self.script.len() {
                // bash accepts a missing delimiter; a person who forgot it meant something else.
                return Err(Unclear::Syntax);
            }
            let line = self.line(heredoc)?;
            if line == heredoc.delimiter {
                return Ok(body);
            }
            // In `$( )` bash sometimes ends a heredoc at a delimiter with more text behind it.
            if self.in_parentheses && line.starts_with(&heredoc.delimiter) {
                return Err(Unclear::Syntax);
            }
            body.push_str(&line);
            body.push('\n');
        }
    }

    /// Returns a line, joined with the next one if it ends with an unescaped backslash.
    fn line(&mut self, heredoc: &Heredoc) -> Result<String, Unclear> {
        let mut line = self.written_line(heredoc.tabs)?.to_owned();
        while !heredoc.quoted && line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
            if self.at >= self.script.len() {
                return Err(Unclear::Syntax);
            }
            line.pop();
            line.push_str(self.written_line(false)?);
        }
        Ok(line)
    }

    fn written_line(&mut self, tabs: bool) -> Result<&'a str, Unclear> {
        let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
        self.pass(line.len())?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Ok(if tabs { line.trim_start_matches('\t') } else { line })
    }
}
