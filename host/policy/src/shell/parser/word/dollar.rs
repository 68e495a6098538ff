//! Parses expansions that begin with `$`, and backquotes.

use super::super::lexer::{Dialect, Lexer};
use super::super::parse;
use crate::shell::command::Unclear;
use crate::shell::shape::Yield;
use crate::shell::syntax::{Nested, Text};

impl Lexer<'_> {
    /// Parses an expansion, whose `$` is next.
    pub(super) fn dollar(&mut self, text: &mut Text, quoted: bool) -> Result<(), Unclear> {
        self.pass(1)?;
        if self.dialect.is_zsh() && matches!(self.peek(), Some(b'~' | b'=' | b'^' | b'+')) {
            // `$~x` is a glob, whose qualifiers run commands; `$=x` is split, and `$^x` is repeated for each value.
            return Err(Unclear::Zsh);
        }
        match self.peek() {
            Some(b'(') => self.parentheses(text, quoted),
            Some(b'{') => self.parameter(text, quoted),
            Some(b'[') => self.old_arithmetic(text, quoted),
            Some(b'\'' | b'"') if !quoted && self.dialect == Dialect::Posix => Err(Unclear::Syntax),
            Some(b'\'') if !quoted => self.ansi(text),
            // Its translation depends on the locale.
            Some(b'"') if !quoted => self.double(text),
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                let name = self.variable()?;
                self.expanded(text, &name, quoted);
                self.suffix(text, false)
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                self.pass(1)?;
                self.expanded(text, char::from(byte).encode_utf8(&mut [0; 4]), quoted);
                self.suffix(text, byte.is_ascii_digit() || byte == b'#')
            }
            _ => {
                text.altered = true;
                text.known("$");
                Ok(())
            }
        }
    }

    /// Checks for text that zsh takes as a part of an expansion without braces: an index, which may run something, a
    /// modifier, or a longer name.
    fn suffix(&mut self, text: &mut Text, grows: bool) -> Result<(), Unclear> {
        if !self.dialect.is_zsh() {
            return Ok(());
        }
        match self.peek() {
            Some(b'[') => Err(Unclear::Zsh),
            Some(byte) if grows && (byte == b'_' || byte.is_ascii_alphanumeric()) => Err(Unclear::Zsh),
            Some(b':') if self.byte(1).is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'&') => {
                text.shapeless = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Records the value of a parameter.
    pub(super) fn expanded(&mut self, text: &mut Text, name: &str, quoted: bool) {
        if name == "IFS" && !quoted {
            text.yields(Yield::Text, false);
            text.splits = true;
            text.add(" ");
        } else {
            text.variable(name, quoted);
        }
        text.risky |= !matches!(name, "#" | "?" | "$" | "!");
        text.spreads |= !quoted || name == "@";
        text.unknown.1 += usize::from(quoted);
    }

    /// Parses the name of a variable.
    pub(super) fn variable(&mut self) -> Result<String, Unclear> {
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()) {
            name.push(char::from(byte));
            self.pass(1)?;
        }
        Ok(name)
    }

    /// Parses `$( )` or `$(( ))`. It is arithmetic if it ends with `))`, whatever is inside.
    fn parentheses(&mut self, text: &mut Text, quoted: bool) -> Result<(), Unclear> {
        self.pass(1)?;
        let before = self.at;
        if self.take(b'(')? {
            let mut arithmetic = Text::default();
            if self.arithmetic(&mut arithmetic)? {
                text.yields(Yield::Number, quoted);
                text.unknown.1 += usize::from(quoted);
                let (hazard, risky) = (arithmetic.hazard, text.risky);
                text.absorb(arithmetic);
                // Its value is a number.
                text.hazard |= hazard;
                text.risky = risky;
                return Ok(());
            }
            self.at = before;
            self.twice = true;
        }
        text.yields(Yield::Text, quoted);
        text.risky = true;
        text.spreads |= !quoted;
        text.unknown.1 += usize::from(quoted);
        self.nest(text, false)?;
        text.printed(quoted);
        Ok(())
    }

    /// Parses `` ` ` ``. The script is the text inside without the backslashes before `` ` ``, `\` and `$`.
    pub(super) fn backquoted(&mut self, text: &mut Text, quoted: bool, in_double: bool) -> Result<(), Unclear> {
        self.pass(1)?;
        text.yields(Yield::Text, quoted);
        text.risky = true;
        text.spreads |= !quoted;
        text.unknown.1 += usize::from(quoted);
        let mut script = String::new();
        loop {
            let mut characters = self.rest().chars();
            let mut next = characters.next().ok_or(Unclear::Syntax)?;
            if next == '`' {
                self.pass(1)?;
                break;
            }
            if next == '\\' {
                match characters.next() {
                    Some(quoted @ ('`' | '\\' | '$')) => {
                        self.pass(1)?;
                        next = quoted;
                    }
                    // bash removes these before it parses the quotes inside.
                    Some('\n') => return Err(Unclear::Syntax),
                    Some('"') if in_double => {
                        self.pass(1)?;
                        next = '"';
                    }
                    _ => {}
                }
            }
            script.push(next);
            self.pass(next.len_utf8())?;
        }
        self.deeper()?;
        let program = parse(&script, self.depth, self.dialect, self.fuel);
        text.nested.push(Nested { program, piped: false, depth: self.depth });
        text.printed(quoted);
        self.depth -= 1;
        Ok(())
    }
}
