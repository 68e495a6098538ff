//! Tokenizes a script: blanks, comments, operators, keywords and heredocs. [`word`](super::word) parses words, and the
//! [`parser`](super) knows which tokens may follow.
//!
//! A word must end where bash ends it, or commands in it would be missed. Where bash's rules are intricate (a single
//! quote in `"${x:-'}"`, a heredoc that ends at a parenthesis), and where zsh would parse something else (parentheses
//! right behind a word), parsing stops with an [`Unclear`], and no rule allows the line.

mod heredoc;
mod mode;
mod operator;

use std::cell::Cell;

use crate::shell::command::Unclear;
use heredoc::Heredoc;
pub(super) use mode::Mode;
pub(super) use operator::is_redirection;

/// Parses one script, from its beginning to its end or to the parenthesis that closes it.
pub(super) struct Lexer<'a> {
    pub(super) script: &'a str,
    /// The position of the next byte.
    pub(super) at: usize,
    /// The nesting depth of this script and of its blocks.
    pub(super) depth: usize,
    /// The shells that may run it.
    pub(super) dialect: Dialect,
    /// The number of bytes that may still be read: a limit for text that is read twice.
    pub(super) fuel: &'a Cell<usize>,
    /// Whether a parenthesis closes it.
    pub(super) in_parentheses: bool,
    /// Whether a `((` turned out not to be arithmetic. bash then reads it a second time, and loses the bodies of
    /// heredocs.
    pub(super) twice: bool,
    /// Whether it only searches for the end of a script that cannot be parsed.
    pub(super) skims: bool,
    /// Whether a heredoc in `$( )` ended: only the end of the script may follow.
    ends: bool,
    /// The operator that was read and not yet used.
    ahead: Option<&'static str>,
    /// The heredocs whose bodies begin on the next line.
    heredocs: Vec<Heredoc>,
}

/// The next token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// The end of the script.
    End,
    /// An operator, or a newline.
    Operator(&'static str),
    /// A word, a keyword, or the number before a redirection.
    Word,
}

/// The shells that may run a script. Where they would parse it differently from bash, parsing stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Only bash.
    Bash,
    /// bash or zsh.
    Zsh,
    /// Any shell, such as dash.
    Posix,
}

impl Dialect {
    /// Returns whether zsh may run it.
    pub(crate) fn is_zsh(self) -> bool {
        self != Self::Bash
    }
}

/// The deepest nesting. No script that a person could judge comes near it, and every level takes stack.
const MAX_DEPTH: usize = 40;

/// The keywords of bash.
pub(crate) const KEYWORDS: [&str; 22] = [
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
];

/// Keywords that no command follows.
const BEFORE_WORDS: [&str; 6] = ["[[", "case", "for", "function", "in", "select"];

impl<'a> Lexer<'a> {
    pub(super) fn new(script: &'a str, depth: usize, dialect: Dialect, fuel: &'a Cell<usize>) -> Self {
        Self {
            script,
            at: 0,
            depth,
            dialect,
            fuel,
            in_parentheses: false,
            twice: false,
            skims: false,
            ends: false,
            ahead: None,
            heredocs: Vec::new(),
        }
    }

    /// Parses the script that begins here, up to the parenthesis that closes it.
    pub(super) fn inside(&self) -> Result<Self, Unclear> {
        let inner = Lexer::new(self.script, self.depth, self.dialect, self.fuel);
        let mut inner = Lexer { at: self.at, in_parentheses: true, twice: self.twice, skims: self.skims, ..inner };
        inner.deeper()?;
        Ok(inner)
    }

    /// Returns the next byte. An unquoted backslash before a newline is skipped.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let next = self.byte(0)?;
            if next != b'\\' || self.byte(1) != Some(b'\n') {
                return Some(next);
            }
            self.at += 2;
        }
    }

    /// Returns the byte at an offset, as written.
    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.script.as_bytes().get(self.at + ahead).copied()
    }

    /// Returns the script from the next byte on.
    pub(super) fn rest(&self) -> &'a str {
        self.script.get(self.at..).unwrap_or_default()
    }

    /// Returns the text up to the next byte that ends it. The first character belongs to it whatever it is.
    pub(super) fn run(&self, ends: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().skip(1).position(ends).map_or(rest.len(), |more| more + 1);
        rest.get(..length).unwrap_or_default()
    }

    /// Skips bytes.
    pub(super) fn pass(&mut self, bytes: usize) -> Result<(), Unclear> {
        self.at += bytes;
        let left = self.fuel.get().checked_sub(bytes).ok_or(Unclear::TooDeep)?;
        self.fuel.set(left);
        Ok(())
    }

    /// Skips the next byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> Result<bool, Unclear> {
        let is = self.peek() == Some(byte);
        if is {
            self.pass(1)?;
        }
        Ok(is)
    }

    /// Skips blanks.
    pub(super) fn blanks(&mut self) -> Result<(), Unclear> {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pass(1)?;
        }
        Ok(())
    }

    /// Continues if bash and other shells parse the text alike: in dash `[[ a && b ]]` runs `b`.
    pub(super) fn only_bash(&self) -> Result<(), Unclear> {
        if self.dialect == Dialect::Posix { Err(Unclear::Syntax) } else { Ok(()) }
    }

    /// Enters one level of nesting.
    pub(super) fn deeper(&mut self) -> Result<(), Unclear> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unclear::TooDeep) } else { Ok(()) }
    }

    /// Returns the next token behind blanks and comments.
    pub(super) fn token(&mut self) -> Result<Token, Unclear> {
        loop {
            if let Some(operator) = self.ahead {
                return Ok(Token::Operator(operator));
            }
            match self.peek() {
                None => return Ok(Token::End),
                Some(b' ' | b'\t') => self.pass(1)?,
                Some(b'#') => self.comment()?,
                Some(byte) if self.ends && !matches!(byte, b'\n' | b')') => return Err(Unclear::Syntax),
                Some(byte) if self.is_operator(byte) => self.ahead = Some(self.operator(byte)?),
                Some(_) => return Ok(Token::Word),
            }
        }
    }

    /// Skips an operator if it is next.
    pub(super) fn accept(&mut self, operator: &str) -> Result<bool, Unclear> {
        let is = matches!(self.token()?, Token::Operator(next) if next == operator);
        if is {
            self.ahead = None;
        }
        Ok(is)
    }

    /// Skips newlines and the bodies of the heredocs behind them. Returns whether there were any.
    pub(super) fn newlines(&mut self) -> Result<bool, Unclear> {
        let mut any = false;
        while self.accept("\n")? {
            any = true;
            // bash 5.2 stores such a script as text and parses it again, and behind a heredoc it drops `;`: `x; y`
            // becomes `x y`.
            self.ends |= self.in_parentheses && !self.heredocs.is_empty();
            self.bodies()?;
        }
        Ok(any)
    }

    /// Returns the next token if it is an unquoted keyword that the parser accepts here.
    pub(super) fn keyword(&mut self) -> Result<Option<&'static str>, Unclear> {
        Ok(self.keyword_ahead()?.map(|(keyword, _)| keyword))
    }

    /// Skips a keyword if it is next.
    pub(super) fn accept_keyword(&mut self, keyword: &str) -> Result<bool, Unclear> {
        let ahead = self.keyword_ahead()?.filter(|(next, _)| *next == keyword);
        if let Some((_, end)) = ahead {
            self.pass(end - self.at)?;
        }
        Ok(ahead.is_some())
    }

    /// Returns the keyword that is next, and its end.
    fn keyword_ahead(&mut self) -> Result<Option<(&'static str, usize)>, Unclear> {
        if self.token()? != Token::Word {
            return Ok(None);
        }
        let before = self.at;
        let mut word = String::new();
        let may_be = |byte: &u8| byte.is_ascii_lowercase() || b"![]{}".contains(byte);
        while let Some(byte) = self.peek().filter(may_be).filter(|_| word.len() <= "function".len()) {
            word.push(char::from(byte));
            self.at += 1;
        }
        let ends = match self.peek() {
            Some(b'<' | b'>') => self.byte(1) != Some(b'('),
            next => next.is_none_or(|byte| b" \t\n;&|()".contains(&byte)),
        };
        let end = std::mem::replace(&mut self.at, before);
        let keyword = KEYWORDS.into_iter().find(|keyword| ends && *keyword == word);
        Ok(keyword.map(|keyword| (keyword, end)))
    }

    /// Skips to the parenthesis that closes a script that cannot be parsed, and returns its position.
    pub(super) fn skim(mut self) -> Result<usize, Unclear> {
        self.skims = true;
        let (mut open, mut begins) = (Vec::new(), true);
        loop {
            match self.token()? {
                Token::End => return Err(Unclear::Syntax),
                Token::Operator("\n") => begins = self.newlines()?,
                Token::Operator(operator) => {
                    begins = self.accept(operator)? && !is_redirection(operator);
                    match (operator, open.last()) {
                        ("(", _) => open.push("("),
                        (")", None) => return Ok(self.at),
                        (")", Some(&"(")) => drop(open.pop()),
                        ("<<" | "<<-", _) => drop(self.heredoc(operator == "<<-")?),
                        // The parenthesis ends a pattern of a `case`.
                        _ => {}
                    }
                }
                Token::Word => {
                    let keyword = self.keyword()?;
                    match keyword {
                        Some("case") if begins => open.push("case"),
                        Some("esac") if open.last() == Some(&"case") => drop(open.pop()),
                        _ => {}
                    }
                    begins = keyword.is_some_and(|keyword| !BEFORE_WORDS.contains(&keyword));
                    self.word(Mode::Word)?;
                }
            }
        }
    }

    /// Skips a comment.
    pub(super) fn comment(&mut self) -> Result<(), Unclear> {
        while self.byte(0).is_some_and(|byte| byte != b'\n') {
            self.pass(1)?;
        }
        Ok(())
    }
}
