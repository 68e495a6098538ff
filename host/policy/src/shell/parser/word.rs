//! Parses a word: removes quotes and escapes, and records which parts are known only at run time.
//!
//! | written | result |
//! |---|---|
//! | `'a'` `"a"` `\a` `$'\x61'` | `a` |
//! | `$x` `${x}` `$(a)` `` `a` `` `$((1))` `<(a)` | unknown from there on; the scripts inside are kept |
//! | `*` `?` `[a]` `{a,b}` `{1..3}` | unknown from there on |
//! | `~/a` | as it is written |
//! | `=a` | unknown: zsh replaces it by the path of `a` |
//!
//! What an expansion outside quotes yields is split into words, and so is `"$@"`: [`Part::Unquoted`](crate::shell::Part).
//!
//! In the value of an assignment, globs and braces are literal.

mod ansi;
mod build;
mod dollar;
mod parameter;
mod special;

use super::lexer::{Lexer, Mode};
use crate::shell::command::Unclear;
use crate::shell::syntax::{Nested, Program, Text};

/// Returns whether a text can be the name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Returns whether a text consists of digits.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Lexer<'_> {
    /// Parses the word that begins here.
    pub(super) fn word(&mut self, mode: Mode) -> Result<Text, Unclear> {
        if mode == Mode::Assigning
            && let Some((name, partial, hazard)) = self.assigned()?
        {
            let mut text = self.word(Mode::Value)?;
            text.hazard |= hazard;
            text.partial = partial;
            text.altered = true;
            text.assigns = Some(name);
            if self.byte(0) == Some(b'(') && text.word.known.is_empty() && text.word.exact {
                self.array(&mut text)?;
            }
            return Ok(text);
        }
        let mut text = Text { whole: mode == Mode::Value, ..Text::default() };
        let ends = |byte: Option<u8>| byte.is_none_or(|byte| b" \t\n;&|()<>=".contains(&byte));
        if mode != Mode::Value && self.peek() == Some(b'=') && !ends(self.byte(1)) {
            // `=a` is a path in zsh; `=` and `==` are not.
            text.unknown();
        }
        if self.dialect.is_zsh() && self.peek() == Some(b'~') && self.byte(1) == Some(b'[') {
            // A function of zsh can define such a folder.
            return Err(Unclear::Zsh);
        }
        while self.part(&mut text, mode)? {}
        text.finish();
        Ok(text)
    }

    /// Parses the next part of a word. Returns false at its end.
    fn part(&mut self, text: &mut Text, mode: Mode) -> Result<bool, Unclear> {
        let Some(next) = self.peek() else { return Ok(false) };
        match next {
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' => return Ok(false),
            b'<' | b'>' => {
                if self.byte(1) != Some(b'(') {
                    return Ok(false);
                }
                self.only_bash()?;
                self.pass(2)?;
                text.process |= !text.altered && text.word.known.is_empty();
                text.unknown();
                self.nest(text, next == b'>')?;
            }
            b'\'' => self.single(text)?,
            b'"' => self.double(text)?,
            b'\\' => self.escape(text)?,
            b'$' => self.dollar(text, false)?,
            b'`' => self.backquoted(text, false, false)?,
            b'*' | b'?' | b'[' | b']' | b'{' | b'}' if mode != Mode::Value => {
                self.pass(1)?;
                text.special(next);
            }
            _ => self.ordinary(text)?,
        }
        Ok(true)
    }

    /// Parses characters without a special meaning.
    fn ordinary(&mut self, text: &mut Text) -> Result<(), Unclear> {
        // The first character is literal here, even if it is special elsewhere.
        let run = self.run(|byte| b" \t\n;&|()<>'\"\\$`*?[]{}".contains(&byte));
        if text.brace.is_some() && run.contains([',', '.']) {
            text.brace_parts = true;
        }
        text.bare(run);
        self.pass(run.len())
    }

    fn single(&mut self, text: &mut Text) -> Result<(), Unclear> {
        self.pass(1)?;
        text.altered = true;
        let (inside, _) = self.rest().split_once('\'').ok_or(Unclear::Syntax)?;
        text.known(inside);
        self.pass(inside.len() + 1)
    }

    /// Parses `" "`, whose opening quote is next.
    fn double(&mut self, text: &mut Text) -> Result<(), Unclear> {
        self.pass(1)?;
        self.deeper()?;
        text.altered = true;
        while !self.take(b'"')? {
            self.expanding(text, b"$`\"\\")?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Parses the body of a heredoc.
    pub(super) fn heredoc_text(&mut self) -> Result<Text, Unclear> {
        let mut text = Text { altered: true, ..Text::default() };
        while self.peek().is_some() {
            self.expanding(&mut text, b"$`\\")?;
        }
        Ok(text)
    }

    /// Parses a part of quoted text, in which only expansions and these escapes are special.
    fn expanding(&mut self, text: &mut Text, escapes: &[u8]) -> Result<(), Unclear> {
        match self.peek().ok_or(Unclear::Syntax)? {
            b'$' => self.dollar(text, true),
            b'`' => self.backquoted(text, true, escapes.contains(&b'"')),
            b'\\' => {
                self.pass(1)?;
                if self.byte(0).is_some_and(|byte| escapes.contains(&byte)) {
                    self.character(text)
                } else {
                    text.known("\\");
                    Ok(())
                }
            }
            _ => {
                let run = self.run(|byte| b"$`\\\"".contains(&byte));
                text.known(run);
                self.pass(run.len())
            }
        }
    }

    /// Parses a backslash and the character that it quotes.
    fn escape(&mut self, text: &mut Text) -> Result<(), Unclear> {
        self.pass(1)?;
        text.altered = true;
        self.character(text)
    }

    /// Parses one literal character.
    fn character(&mut self, text: &mut Text) -> Result<(), Unclear> {
        let character = self.rest().chars().next().ok_or(Unclear::Syntax)?;
        text.known(character.encode_utf8(&mut [0; 4]));
        self.pass(character.len_utf8())
    }

    /// Parses `NAME=`, `NAME+=` or `NAME[0]=`, if it is next. Returns the name, whether the rest of the variable's value
    /// stays, and whether the index may run something.
    fn assigned(&mut self) -> Result<Option<(String, bool, bool)>, Unclear> {
        let before = self.at;
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()) {
            name.push(char::from(byte));
            self.at += 1;
        }
        if is_name(&name) {
            let indexed = self.peek() == Some(b'[');
            let hazard = indexed && !self.index()?;
            let appends = self.peek() == Some(b'+');
            if appends {
                self.at += 1;
            }
            if self.peek() == Some(b'=') {
                if appends || indexed {
                    self.only_bash()?;
                }
                self.pass(1)?;
                return Ok(Some((name, appends || indexed, hazard)));
            }
        }
        self.at = before;
        Ok(None)
    }

    /// Skips an index in `[ ]`. Returns whether it consists of digits.
    fn index(&mut self) -> Result<bool, Unclear> {
        let rest = self.script.get(self.at + 1..).unwrap_or_default();
        let length = rest.bytes().position(|byte| byte == b']').unwrap_or(rest.len());
        let inside = rest.get(..length).unwrap_or_default();
        // bash reads to the closing bracket, over blanks and quotes.
        if inside.contains(|c: char| !c.is_ascii_alphanumeric() && !"_-+*/@.,:%^=!~?".contains(c)) {
            return Err(Unclear::Expansion);
        }
        self.at += length + 2;
        Ok(!inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Parses `( )` after `NAME=`: the words of an array.
    pub(super) fn array(&mut self, text: &mut Text) -> Result<(), Unclear> {
        self.only_bash()?;
        self.pass(1)?;
        self.deeper()?;
        text.unknown();
        loop {
            match self.peek().ok_or(Unclear::Syntax)? {
                b' ' | b'\t' | b'\n' => self.pass(1)?,
                b')' => break self.pass(1)?,
                b'#' => self.comment()?,
                b'[' => {
                    text.hazard |= !self.index()?;
                    if !matches!(self.byte(0), Some(b'=' | b'+')) {
                        return Err(Unclear::Syntax);
                    }
                }
                b'&' | b';' | b'|' | b'(' => return Err(Unclear::Syntax),
                b'<' | b'>' if self.byte(1) != Some(b'(') => return Err(Unclear::Syntax),
                _ => {
                    let element = self.word(Mode::Word)?;
                    text.absorb(element);
                }
            }
        }
        self.depth -= 1;
        // Text directly after it belongs to the same word.
        let ends = matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')'));
        if ends { Ok(()) } else { Err(Unclear::Syntax) }
    }

    /// Parses a script that a parenthesis closes; the opening one was read.
    fn nest(&mut self, text: &mut Text, piped: bool) -> Result<(), Unclear> {
        let inner = self.inside()?;
        let depth = inner.depth;
        let mut program = Program::default();
        let read = if self.skims { Err(Unclear::Syntax) } else { program.read(inner) };
        self.at = match read {
            Ok(end) => end,
            // zsh runs some scripts that bash rejects, so the text around it counts.
            Err(unclear) => {
                program.unclear = Some(unclear);
                self.inside()?.skim().map_err(|_| unclear)?
            }
        };
        text.nested.push(Nested { program, piped, depth });
        Ok(())
    }
}
