//! Finds the effects of a `sed` program other than editing its input.
//!
//! Only a program that is parsed completely is harmless: addresses, the commands that edit, and the flags of `s` except
//! `e` and `w`. `r` and `R` read a file that is not an operand. Everything else is code.

use std::iter::Peekable;
use std::str::Chars;

use super::Effect;

/// Returns the first command of a program that runs something, writes a file, or cannot be parsed.
pub(super) fn acts(program: &str) -> Option<(String, Effect)> {
    let mut rest = Program { signs: program.chars().peekable() };
    loop {
        rest.skip(|sign| sign.is_whitespace() || matches!(sign, ';' | '}' | '{'));
        rest.signs.peek()?;
        if let Err(found) = rest.command() {
            return Some(found);
        }
    }
}

struct Program<'a> {
    signs: Peekable<Chars<'a>>,
}

type Acts = (String, Effect);

impl Program<'_> {
    fn command(&mut self) -> Result<(), Acts> {
        self.address()?;
        if self.signs.next_if_eq(&',').is_some() {
            self.skip(|sign| sign == ' ');
            self.address()?;
        }
        self.skip(|sign| sign.is_whitespace() || sign == '!');
        match self.signs.next() {
            Some('=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F') => self.end(),
            Some('{' | '}') => Ok(()),
            Some('l' | 'L' | 'q' | 'Q') => {
                self.skip(|sign| sign.is_ascii_digit() || sign == ' ');
                self.end()
            }
            Some('b' | 't' | 'T' | ':') => {
                self.skip(|sign| sign == ' ');
                self.skip(|sign| !sign.is_whitespace() && !matches!(sign, ';' | '}'));
                Ok(())
            }
            Some('a' | 'i' | 'c') => {
                self.text();
                Ok(())
            }
            Some(command @ ('r' | 'R')) => Err((command.to_string(), Effect::Reads)),
            Some('#') => {
                self.skip(|sign| sign != '\n');
                Ok(())
            }
            Some('y') => {
                let delimiter = self.delimiter()?;
                self.until(delimiter)?;
                self.until(delimiter)?;
                self.end()
            }
            Some('s') => self.substitute(),
            Some('e') => Err(("e".into(), Effect::Runs)),
            Some(command @ ('w' | 'W')) => self.writes(command.to_string()),
            Some(other) => Err((other.to_string(), Effect::Code)),
            None => Ok(()),
        }
    }

    fn address(&mut self) -> Result<(), Acts> {
        match self.signs.peek() {
            Some('0'..='9' | '$' | '+' | '~') => {
                self.skip(|sign| sign.is_ascii_digit() || matches!(sign, '$' | '+' | '~'))
            }
            Some('/') => {
                self.signs.next();
                self.until('/')?;
                self.skip(|sign| matches!(sign, 'I' | 'M'));
            }
            Some('\\') => {
                self.signs.next();
                let delimiter = self.delimiter()?;
                self.until(delimiter)?;
                self.skip(|sign| matches!(sign, 'I' | 'M'));
            }
            _ => {}
        }
        self.skip(|sign| sign == ' ');
        Ok(())
    }

    fn substitute(&mut self) -> Result<(), Acts> {
        let delimiter = self.delimiter()?;
        self.until(delimiter)?;
        self.until(delimiter)?;
        loop {
            match self.signs.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => self.signs.next(),
                Some('e') => return Err(("s///e".into(), Effect::Runs)),
                Some('w') => {
                    self.signs.next();
                    return self.writes("s///w".into());
                }
                _ => return self.end(),
            };
        }
    }

    /// Reports a write to the file whose name is the rest of the line.
    fn writes(&mut self, command: String) -> Result<(), Acts> {
        let mut file = String::new();
        while let Some(sign) = self.signs.next_if(|sign| *sign != '\n') {
            file.push(sign);
        }
        let nowhere = matches!(file.trim(), "/dev/stdout" | "/dev/stderr" | "/dev/null");
        if nowhere { Ok(()) } else { Err((command, Effect::Writes)) }
    }

    fn delimiter(&mut self) -> Result<char, Acts> {
        self.signs.next().filter(|sign| !matches!(sign, '\n' | '\\')).ok_or_else(unread)
    }

    /// Skips to a delimiter. Versions differ in whether one inside `[ ]` counts, and in whether a `]` that comes first ends
    /// them, so both are errors.
    fn until(&mut self, delimiter: char) -> Result<(), Acts> {
        let mut bracket = false;
        loop {
            match self.signs.next().ok_or_else(unread)? {
                sign if sign == delimiter && bracket => return Err(unread()),
                sign if sign == delimiter => return Ok(()),
                '\\' => {
                    self.signs.next();
                }
                '[' if bracket => {
                    if let Some(class) = self.signs.next_if(|sign| matches!(sign, ':' | '.' | '=')) {
                        self.class(class)?;
                    }
                }
                '[' => {
                    bracket = true;
                    self.signs.next_if_eq(&'^');
                    if self.signs.peek() == Some(&']') {
                        return Err(unread());
                    }
                }
                ']' => bracket = false,
                _ => {}
            }
        }
    }

    /// Skips to the end of a class inside `[ ]`, such as `:]`.
    fn class(&mut self, kind: char) -> Result<(), Acts> {
        let mut last = ' ';
        loop {
            let sign = self.signs.next().filter(|sign| sign.is_ascii_alphanumeric() || [kind, ']'].contains(sign));
            let sign = sign.ok_or_else(unread)?;
            if sign == ']' {
                return if last == kind { Ok(()) } else { Err(unread()) };
            }
            last = sign;
        }
    }

    /// Skips the text of `a`, `i` and `c`: to the end of the line, and over lines that end with a backslash.
    fn text(&mut self) {
        while let Some(sign) = self.signs.next_if(|sign| *sign != '\n') {
            if sign == '\\' {
                self.signs.next();
            }
        }
    }

    /// Checks that a command ends here.
    fn end(&mut self) -> Result<(), Acts> {
        self.skip(|sign| sign == ' ' || sign == '\t');
        match self.signs.peek() {
            None | Some('\n' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err(unread()),
        }
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        while self.signs.next_if(|sign| skipped(*sign)).is_some() {}
    }
}

fn unread() -> Acts {
    ("sed".into(), Effect::Code)
}
