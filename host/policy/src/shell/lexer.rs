//! Reads the characters of a script: blanks, comments, operators, keywords and heredocs. Words are read in
//! [`word`](super::word); which of them may come next is known to the [`parser`](super::parser).
//!
//! A word must end where bash ends it, or what it hides would not be seen. Where bash's own rules are intricate (a single quote
//! in `"${x:-'}"`, a heredoc that ends at a parenthesis), and where zsh would read something else (parentheses right behind a
//! word), reading stops with an [`Unclear`]: no rule allows it.

mod heredoc;
mod operator;

use std::cell::Cell;

use super::command::Unclear;
use super::word::Mode;
use heredoc::Heredoc;
pub(super) use operator::is_redirection;

/// Reads one script, from where it begins to its end or to the parenthesis that closes it.
pub(super) struct Lexer<'a> {
    pub(super) script: &'a str,
    /// The next byte.
    pub(super) at: usize,
    /// How deep this script is nested in others, and its blocks in each other.
    pub(super) depth: usize,
    /// Which shells may read it.
    pub(super) dialect: Dialect,
    /// How many more bytes may be looked at: a limit for what has to be read twice.
    pub(super) fuel: &'a Cell<usize>,
    /// A parenthesis closes it.
    pub(super) in_parentheses: bool,
    /// A `((` was read that is no arithmetic. bash reads it a second time then, and loses the bodies of heredocs.
    pub(super) twice: bool,
    /// It only looks for the end of what cannot be read.
    pub(super) skims: bool,
    /// A heredoc in `$( )` ended: nothing but its end may follow.
    ends: bool,
    /// The operator that was passed and not yet taken.
    ahead: Option<&'static str>,
    /// Those whose bodies begin with the next line.
    heredocs: Vec<Heredoc>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// The end of the script.
    End,
    /// An operator; a newline is one.
    Operator(&'static str),
    /// A word, a keyword, or the number before a redirection.
    Word,
}

/// Which shells may read a script. Where they would read something else than bash, reading stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// bash, and no other.
    Bash,
    /// bash or zsh.
    Zsh,
    /// Any shell, such as dash.
    Posix,
}

impl Dialect {
    /// Whether zsh may read it.
    pub(super) fn is_zsh(self) -> bool {
        self != Self::Bash
    }
}

/// How deep anything may be nested. No script that a person could judge comes near; every level takes stack.
const MAX_DEPTH: usize = 40;

const KEYWORDS: [&str; 22] = [
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

    /// Reads the script that begins here, up to the parenthesis that closes it.
    pub(super) fn inside(&self) -> Result<Self, Unclear> {
        let inner = Lexer::new(self.script, self.depth, self.dialect, self.fuel);
        let mut inner = Lexer { at: self.at, in_parentheses: true, twice: self.twice, skims: self.skims, ..inner };
        inner.deeper()?;
        Ok(inner)
    }

    /// The next byte. A backslash before a newline is nothing at all, wherever it is not quoted.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let next = self.byte(0)?;
            if next != b'\\' || self.byte(1) != Some(b'\n') {
                return Some(next);
            }
            self.at += 2;
        }
    }

    /// The byte so many bytes on, as it is written.
    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.script.as_bytes().get(self.at + ahead).copied()
    }

    /// Goes past bytes.
    pub(super) fn pass(&mut self, bytes: usize) -> Result<(), Unclear> {
        self.at += bytes;
        let left = self.fuel.get().checked_sub(bytes).ok_or(Unclear::TooDeep)?;
        self.fuel.set(left);
        Ok(())
    }

    /// Goes past the next byte when it is this one.
    pub(super) fn take(&mut self, byte: u8) -> Result<bool, Unclear> {
        let is = self.peek() == Some(byte);
        if is {
            self.pass(1)?;
        }
        Ok(is)
    }

    /// Goes past blanks.
    pub(super) fn blanks(&mut self) -> Result<(), Unclear> {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pass(1)?;
        }
        Ok(())
    }

    /// Goes on where bash and others read the same: in dash `[[ a && b ]]` runs `b`.
    pub(super) fn only_bash(&self) -> Result<(), Unclear> {
        if self.dialect == Dialect::Posix { Err(Unclear::Syntax) } else { Ok(()) }
    }

    /// One level deeper.
    pub(super) fn deeper(&mut self) -> Result<(), Unclear> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unclear::TooDeep) } else { Ok(()) }
    }

    /// What comes next, behind blanks and comments.
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

    /// Goes past an operator when it comes next.
    pub(super) fn accept(&mut self, operator: &str) -> Result<bool, Unclear> {
        let is = matches!(self.token()?, Token::Operator(next) if next == operator);
        if is {
            self.ahead = None;
        }
        Ok(is)
    }

    /// Goes past newlines, and the bodies of the heredocs behind them. Whether there were any.
    pub(super) fn newlines(&mut self) -> Result<bool, Unclear> {
        let mut any = false;
        while self.accept("\n")? {
            any = true;
            // bash 5.2 writes such a script down and reads it again, and behind a heredoc it forgets `;`: `x; y` becomes `x y`.
            self.ends |= self.in_parentheses && !self.heredocs.is_empty();
            self.bodies()?;
        }
        Ok(any)
    }

    /// The keyword that comes next, if the parser has a use for one here. It is not quoted.
    pub(super) fn keyword(&mut self) -> Result<Option<&'static str>, Unclear> {
        Ok(self.keyword_ahead()?.map(|(keyword, _)| keyword))
    }

    /// Goes past a keyword when it comes next.
    pub(super) fn accept_keyword(&mut self, keyword: &str) -> Result<bool, Unclear> {
        let ahead = self.keyword_ahead()?.filter(|(next, _)| *next == keyword);
        if let Some((_, end)) = ahead {
            self.pass(end - self.at)?;
        }
        Ok(ahead.is_some())
    }

    /// The keyword that comes next, and where it ends.
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

    /// Goes to the parenthesis that closes a script which cannot be read, and returns where it ends.
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
                        // A pattern of a `case` ends.
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

    fn comment(&mut self) -> Result<(), Unclear> {
        while self.byte(0).is_some_and(|byte| byte != b'\n') {
            self.pass(1)?;
        }
        Ok(())
    }
}
