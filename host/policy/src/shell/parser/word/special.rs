//! Parses arithmetic and `[[ ]]`.
//!
//! In arithmetic bash evaluates the value of a variable as arithmetic again, and an index in it runs commands: with
//! `x='a[$(id)]'`, `$((x))` runs `id`. So everything except numbers is a hazard.

use super::super::lexer::{Lexer, Mode};
use crate::shell::command::Unclear;
use crate::shell::shape::Yield;
use crate::shell::syntax::Text;

/// The operators of `[[ ]]` that evaluate both sides.
const COMPARISONS: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Lexer<'_> {
    /// Parses the inside of `(( ))` as a command, and its end. `None` if it does not end with `))`.
    pub(in super::super) fn arithmetic_text(&mut self) -> Result<Option<Text>, Unclear> {
        let mut text = Text { altered: true, ..Text::default() };
        Ok(self.arithmetic(&mut text)?.then_some(text))
    }

    /// Parses `$[ ]`, whose bracket is next.
    pub(super) fn old_arithmetic(&mut self, text: &mut Text, quoted: bool) -> Result<(), Unclear> {
        self.pass(1)?;
        text.yields(Yield::Number, quoted);
        let mut inside = Text::default();
        self.evaluated(&mut inside, b']')?;
        self.pass(1)?;
        text.absorb(inside);
        Ok(())
    }

    /// Skips to `))` and over it. Returns false if something else comes first.
    pub(super) fn arithmetic(&mut self, text: &mut Text) -> Result<bool, Unclear> {
        self.evaluated(text, b')')?;
        self.pass(1)?;
        self.take(b')')
    }

    /// Skips to the closing parenthesis or bracket, which is next then.
    fn evaluated(&mut self, text: &mut Text, end: u8) -> Result<(), Unclear> {
        self.deeper()?;
        let mut open = 0_usize;
        loop {
            match self.peek().ok_or(Unclear::Syntax)? {
                byte if byte == end && open == 0 => break,
                b'$' => {
                    let risky = std::mem::take(&mut text.risky);
                    self.dollar(text, true)?;
                    text.hazard |= text.risky;
                    text.risky |= risky;
                }
                quote @ (b'`' | b'\'' | b'"' | b'\\') => {
                    text.hazard = true;
                    match quote {
                        b'`' => self.backquoted(text, true, true)?,
                        b'\'' => self.single(&mut Text::default())?,
                        b'"' => self.double(text)?,
                        _ => self.escape(&mut Text::default())?,
                    }
                }
                byte if byte.is_ascii_digit() => {
                    // Numbers such as `0x1f` and `16#ff` count as well.
                    while self
                        .peek()
                        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'@' | b'_'))
                    {
                        self.pass(1)?;
                    }
                }
                byte => {
                    match byte {
                        b'(' => open += 1,
                        b')' if end == b')' => open -= 1,
                        _ => text.hazard |= matches!(byte, b'_' | b'[' | 0x80..) || byte.is_ascii_alphabetic(),
                    }
                    self.character(&mut Text::default())?;
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Returns whether `[[` is next.
    pub(in super::super) fn is_test(&self) -> bool {
        self.byte(0) == Some(b'[') && self.byte(1) == Some(b'[') && matches!(self.byte(2), Some(b' ' | b'\t' | b'\n'))
    }

    /// Parses the inside of `[[ ]]`, and its end.
    pub(in super::super) fn test(&mut self) -> Result<Text, Unclear> {
        let mut text = Text { altered: true, ..Text::default() };
        let mut before: Option<Text> = None;
        let mut compared = false;
        loop {
            match self.peek().ok_or(Unclear::Syntax)? {
                b'<' | b'>' if self.byte(1) == Some(b'(') => {}
                b'<' if self.byte(1) == Some(b'<') => return Err(Unclear::Syntax),
                b' ' | b'\t' | b'\n' | b'(' | b')' | b'|' | b'&' | b'<' | b'>' => {
                    self.pass(1)?;
                    continue;
                }
                b';' | b'#' => return Err(Unclear::Syntax),
                _ => {}
            }
            let word = self.word(Mode::Value)?;
            if !word.altered && word.word.known == "]]" {
                break;
            }
            // These are both sides of a comparison, the name after `-v`, and in zsh the descriptor after `-t`.
            let operator = before.as_ref().map_or("", |before| before.word.known.as_str());
            let evaluates = word.word.text().is_some_and(|operator| COMPARISONS.contains(&operator));
            text.hazard |= evaluates && before.as_ref().is_none_or(is_evaluated);
            text.hazard |= compared && is_evaluated(&word);
            text.hazard |= matches!(operator, "-v" | "-R") && !word.word.text().is_some_and(super::is_name);
            text.hazard |= operator == "-t" && !word.word.text().is_some_and(super::is_digits);
            compared = evaluates;
            if let Some(before) = before.replace(word) {
                text.absorb(before);
            }
        }
        if let Some(before) = before {
            text.absorb(before);
        }
        text.unknown();
        Ok(text)
    }
}

/// Returns whether a comparison would evaluate anything other than a number.
fn is_evaluated(text: &Text) -> bool {
    match text.word.text() {
        Some(number) => number.is_empty() || !number.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()),
        None => text.risky || !text.word.known.is_empty(),
    }
}
