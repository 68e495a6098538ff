//! Parses `${ }`.
//!
//! An expansion that may itself run something is a hazard: `${x@P}`, `${!x}`, an index or an offset that is not a
//! number.

use super::super::lexer::Lexer;
use crate::shell::command::Unclear;
use crate::shell::shape::{Part, Piece};
use crate::shell::syntax::Text;

impl Lexer<'_> {
    /// Parses `${ }`, whose brace is next.
    pub(super) fn parameter(&mut self, text: &mut Text, quoted: bool) -> Result<(), Unclear> {
        self.pass(1)?;
        self.deeper()?;
        let indirect = self.peek() == Some(b'!') && self.byte(1) != Some(b'}');
        if indirect {
            self.pass(1)?;
        }
        let counts = self.peek() == Some(b'#')
            && !matches!(self.byte(1), Some(b'}' | b':' | b'-' | b'=' | b'?' | b'+' | b'#' | b'%'));
        if counts {
            self.pass(1)?;
        }
        let name = match self.peek().ok_or(Unclear::Syntax)? {
            byte if byte == b'_' || byte.is_ascii_alphanumeric() => self.variable()?,
            byte if b"@*#?-$!".contains(&byte) => {
                self.pass(1)?;
                char::from(byte).to_string()
            }
            _ => return Err(Unclear::Expansion),
        };
        let indexed = self.peek() == Some(b'[');
        let every = self.subscript(text, quoted)?;
        self.expanded(text, if counts { "#" } else { &name }, quoted);
        // `"${a[@]}"` and similar expansions yield any number of words.
        let several = every || indirect || name == "@";
        let one = quoted && (counts || !several);
        if indexed || indirect {
            text.widen(one);
        }
        text.spreads |= several;
        match self.peek().ok_or(Unclear::Syntax)? {
            b'}' => text.hazard |= indirect && !every,
            _ if counts => return Err(Unclear::Syntax),
            operator => {
                // The result of an operator may be several words.
                text.unknown_part();
                let (several, instead) = self.operation(text, &name, operator, quoted)?;
                text.widen(one && !several);
                text.or(instead);
                text.hazard |= indirect && !self.lists_names(operator);
            }
        }
        self.depth -= 1;
        self.pass(1)
    }

    /// Returns whether it is `${!x@}` or `${!x*}`: the end follows the operator.
    fn lists_names(&self, operator: u8) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.script.as_bytes().get(at));
        matches!(operator, b'@' | b'*') && before == Some(&operator)
    }

    /// Parses `[...]` after a name. Returns whether it is `[@]` or `[*]`.
    fn subscript(&mut self, text: &mut Text, quoted: bool) -> Result<bool, Unclear> {
        if !self.take(b'[')? {
            return Ok(false);
        }
        let start = self.at;
        self.until(text, b']', quoted)?;
        let inside = self.script.get(start..self.at).unwrap_or_default();
        self.pass(1)?;
        let every = matches!(inside, "@" | "*");
        text.hazard |= !every && !is_number(inside);
        Ok(every)
    }

    /// Parses the operator and its operand, up to the closing brace. Returns whether the operand may be several words, and the
    /// pieces of one that may stand in for the value.
    fn operation(
        &mut self,
        text: &mut Text,
        name: &str,
        operator: u8,
        quoted: bool,
    ) -> Result<(bool, Vec<Piece>), Unclear> {
        self.pass(1)?;
        let start = self.at;
        let (operator, skipped) = match (operator, self.peek()) {
            (b':', Some(next @ (b'-' | b'=' | b'?' | b'+'))) => (next, 1),
            (operator, _) => (operator, 0),
        };
        let mut pieces = self.until(text, b'}', quoted)?;
        let several = has_several(&pieces);
        let inside = self.script.get(start..self.at).unwrap_or_default();
        match operator {
            b'=' => text.sets.push(name.to_owned()),
            b'-' | b'?' | b'+' | b'#' | b'%' | b'/' | b'^' | b',' => {}
            b'*' => text.hazard |= !inside.is_empty(),
            b':' => {
                text.hazard |= !inside
                    .split(':')
                    .all(|part| is_number(part.trim_start_matches([' ', '(']).trim_end_matches([' ', ')'])))
            }
            b'@' => text.hazard |= !matches!(inside, "" | "U" | "u" | "L" | "Q" | "E" | "A" | "a" | "K" | "k"),
            _ => return Err(Unclear::Expansion),
        }
        if !matches!(operator, b'-' | b'=' | b'+') {
            pieces.clear();
        }
        if let Some(Piece::Part(Part::Text(first))) = pieces.first_mut() {
            *first = first.chars().skip(skipped).collect();
        }
        Ok((several, pieces))
    }

    /// Skips to an unquoted character, which is next then. Of what is skipped, the word keeps only the nested scripts and
    /// hazards. Returns its pieces.
    fn until(&mut self, text: &mut Text, end: u8, quoted: bool) -> Result<Vec<Piece>, Unclear> {
        // The text in here is not a part of the word.
        let mut inside = Text::default();
        loop {
            match self.peek().ok_or(Unclear::Syntax)? {
                byte if byte == end => break,
                b'\'' if quoted => return Err(Unclear::Syntax),
                b'\'' => self.single(&mut inside)?,
                b'"' => self.double(&mut inside)?,
                b'\\' => self.escape(&mut inside)?,
                b'$' => self.dollar(&mut inside, quoted)?,
                b'`' => self.backquoted(&mut inside, quoted, quoted)?,
                b'<' | b'>' if self.byte(1) == Some(b'(') => return Err(Unclear::Syntax),
                // In zsh these may be qualifiers of a glob, which run commands.
                b'(' if self.dialect.is_zsh() && !quoted && end == b'}' => return Err(Unclear::Zsh),
                _ => self.character(&mut inside)?,
            }
        }
        // The text that replaces an unset or set variable may be an option in disguise: `${x---file=y}`.
        let stands_in = inside.word.known.trim_start_matches(':').strip_prefix(['-', '=', '+', '?']);
        text.hazard |= stands_in.is_some_and(|text| text.starts_with('-'));
        let pieces = std::mem::take(&mut inside.pieces);
        text.absorb(inside);
        Ok(pieces)
    }
}

/// Returns whether the shell may split what these pieces yield, although they are in double quotes: `$@` or the like is among
/// them.
fn has_several(pieces: &[Piece]) -> bool {
    let may_be = |piece: &Piece| matches!(piece, Piece::Part(Part::Unquoted(_) | Part::Variable { quoted: false, .. }));
    pieces.iter().any(may_be)
}

/// Returns whether a text consists of digits, perhaps with a sign.
fn is_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit())
}
