//! Parses `$'...'`.

use super::super::lexer::Lexer;
use crate::shell::command::Unclear;
use crate::shell::syntax::Text;

impl Lexer<'_> {
    /// Parses `$' '`, whose opening quote is next. A character that is not ASCII, or ends the word (`\0`), depends on
    /// the shell and its locale.
    pub(super) fn ansi(&mut self, text: &mut Text) -> Result<(), Unclear> {
        self.pass(1)?;
        text.altered = true;
        loop {
            match self.byte(0).ok_or(Unclear::Syntax)? {
                b'\'' => return self.pass(1),
                b'\\' => {
                    self.pass(1)?;
                    self.ansi_escape(text)?;
                }
                _ => {
                    let run = self.run(|byte| matches!(byte, b'\'' | b'\\'));
                    text.known(run);
                    self.pass(run.len())?;
                }
            }
        }
    }

    fn ansi_escape(&mut self, text: &mut Text) -> Result<(), Unclear> {
        let byte = self.byte(0).ok_or(Unclear::Syntax)?;
        let code = match byte {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => u32::from(byte),
            b'0'..=b'7' => return self.number(text, 0, 3, 8),
            b'x' => return self.number(text, 1, 2, 16),
            b'u' => return self.number(text, 1, 4, 16),
            b'U' => return self.number(text, 1, 8, 16),
            b'c' => {
                text.unknown();
                self.pass(1)?;
                return if self.byte(0) == Some(b'\\') { self.pass(1) } else { Ok(()) };
            }
            _ => {
                text.known("\\");
                return self.character(text);
            }
        };
        self.pass(1)?;
        self.code(text, code);
        Ok(())
    }

    fn number(&mut self, text: &mut Text, skip: usize, most: usize, radix: u32) -> Result<(), Unclear> {
        self.pass(skip)?;
        let rest = self.rest();
        let digits = rest.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
        let number = rest.get(..digits).unwrap_or_default();
        match u32::from_str_radix(number, radix) {
            Ok(code) => self.code(text, code),
            Err(_) => text.unknown(),
        }
        self.pass(digits)
    }

    fn code(&mut self, text: &mut Text, code: u32) {
        match char::from_u32(code).filter(|character| character.is_ascii() && *character != '\0') {
            Some(character) => text.known(character.encode_utf8(&mut [0; 4])),
            None => text.unknown(),
        }
    }
}
