//! Parses operators, and the number that may precede one.

use super::Lexer;
use crate::shell::command::Unclear;

/// The operators, longest first.
const OPERATORS: [&str; 24] = [
    ";;&", "<<<", "<<-", "&>>", ";;", ";&", "&&", "&>", "||", "|&", "<<", "<&", "<>", ">>", ">&", ">|", ";", "&", "|",
    "<", ">", "(", ")", "\n",
];

/// Returns whether an operator redirects.
pub(in super::super) fn is_redirection(operator: &str) -> bool {
    operator.contains(['<', '>'])
}

impl Lexer<'_> {
    /// Returns whether a byte begins an operator. `<(` and `>(` begin or continue a word instead.
    pub(super) fn is_operator(&self, byte: u8) -> bool {
        match byte {
            b'<' | b'>' => self.byte(1) != Some(b'('),
            _ => b";&|()\n".contains(&byte),
        }
    }

    /// Skips the next operator and returns it.
    pub(super) fn operator(&mut self, first: u8) -> Result<&'static str, Unclear> {
        let mut written = char::from(first).to_string();
        self.pass(1)?;
        // A backslash and a newline may also be inside an operator. These operators are always single characters.
        while !matches!(first, b'(' | b')' | b'\n')
            && let Some(byte) = self.peek()
        {
            written.push(char::from(byte));
            if !OPERATORS.contains(&written.as_str()) {
                written.pop();
                break;
            }
            self.pass(1)?;
        }
        if matches!(written.as_str(), "&>" | "&>>" | "|&" | "<<<" | ";&" | ";;&") {
            self.only_bash()?;
        }
        OPERATORS.into_iter().find(|operator| *operator == written).ok_or(Unclear::Syntax)
    }

    /// Skips digits directly before `<` or `>` and returns their number.
    pub(in super::super) fn descriptor(&mut self) -> Result<Option<u32>, Unclear> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || !matches!(self.byte(digits), Some(b'<' | b'>')) {
            return Ok(None);
        }
        // For bash, `2<(` is a word, and a longer number is not a descriptor.
        let number = rest.get(..digits).filter(|_| digits < 9 && self.byte(digits + 1) != Some(b'('));
        let number = number.and_then(|number| number.parse().ok()).ok_or(Unclear::Syntax)?;
        self.pass(digits)?;
        Ok(Some(number))
    }
}
