//! Operators, and the number that may be before one.

use super::super::command::Unclear;
use super::Lexer;

/// The longest first.
const OPERATORS: [&str; 24] = [
    ";;&", "<<<", "<<-", "&>>", ";;", ";&", "&&", "&>", "||", "|&", "<<", "<&", "<>", ">>", ">&", ">|", ";", "&", "|",
    "<", ">", "(", ")", "\n",
];

/// Whether it redirects.
pub(in super::super) fn is_redirection(operator: &str) -> bool {
    operator.contains(['<', '>'])
}

impl Lexer<'_> {
    /// `<(` and `>(` begin a word or go on with it.
    pub(super) fn is_operator(&self, byte: u8) -> bool {
        match byte {
            b'<' | b'>' => self.byte(1) != Some(b'('),
            _ => b";&|()\n".contains(&byte),
        }
    }

    /// Goes past the operator that comes next.
    pub(super) fn operator(&mut self, first: u8) -> Result<&'static str, Unclear> {
        let mut written = char::from(first).to_string();
        self.pass(1)?;
        // A backslash and a newline may be in the middle of an operator, too. Nothing goes on with these.
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

    /// Digits right before `<` or `>`, and goes past them.
    pub(in super::super) fn descriptor(&mut self) -> Result<Option<u32>, Unclear> {
        let rest = self.script.get(self.at..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || !matches!(self.byte(digits), Some(b'<' | b'>')) {
            return Ok(None);
        }
        // `2<(` is a word to bash, and a longer number none.
        let number = rest.get(..digits).filter(|_| digits < 9 && self.byte(digits + 1) != Some(b'('));
        let number = number.and_then(|number| number.parse().ok()).ok_or(Unclear::Syntax)?;
        self.pass(digits)?;
        Ok(Some(number))
    }
}
