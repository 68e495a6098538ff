//! Splits a script into the tokens of bash.
//!
//! The grammar is brush-parser's; the tokens are ours, because a word must end where bash ends it, or what it hides would not
//! be seen. Its own tokenizer differs from bash in, for example, `( (a) )`, `\$'..'`, and comments inside `$( )`.
//!
//! A word is read at once ([`word`](super::word)), with the scripts inside its substitutions. To the grammar it is only a `w`, and
//! the number of its token is its place in the source; so the grammar cannot mistake a quoted `if`, and needs no look into
//! words. What the grammar does not need is not shown to it: `time`, the inside of `(( ))` and `[[ ]]`.
//!
//! Where bash's own rules are intricate (a single quote in `"${x:-'}"`, a heredoc that ends at a parenthesis), and where zsh
//! would read something else (parentheses right behind a word), reading stops with an [`Unclear`]: no rule allows it.

mod heredoc;
mod operator;
mod reserved;

use std::cell::Cell;
use std::sync::Arc;

use brush_parser::{SourcePosition, SourceSpan, Token};

use super::command::Unclear;
use super::word::{Mode, Text};
use heredoc::Heredoc;
use reserved::Expect;

/// A script as tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// For the grammar.
    pub(super) tokens: Vec<Token>,
    /// The words, by the number of their token.
    pub(super) texts: Vec<Option<Text>>,
}

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
    blocks: usize,
    in_parentheses: bool,
    /// A `((` was read that is no arithmetic. bash reads it a second time then, and loses the bodies of heredocs.
    pub(super) twice: bool,
    /// A heredoc in `$( )` ended: nothing but its end may follow.
    ends: bool,
    expect: Expect,
    /// The word of a redirection comes next.
    target: Option<Target>,
    open: Vec<Open>,
    heredocs: Vec<Heredoc>,
    out: Tokens,
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

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Parenthesis,
    Case,
}

/// What the word after a redirection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    File,
    Delimiter { tabs: bool },
}

/// How deep anything may be nested. No script that a person could judge comes near; every level takes stack.
pub(super) const MAX_DEPTH: usize = 40;

/// Splits a whole script.
pub(super) fn tokens(script: &str, depth: usize, dialect: Dialect, fuel: &Cell<usize>) -> Result<Tokens, Unclear> {
    let mut lexer = Lexer { dialect, ..Lexer::new(script, 0, depth, fuel) };
    lexer.run()?;
    Ok(lexer.out)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(script: &'a str, at: usize, depth: usize, fuel: &'a Cell<usize>) -> Self {
        Self {
            script,
            at,
            depth,
            dialect: Dialect::Bash,
            fuel,
            blocks: 0,
            in_parentheses: false,
            twice: false,
            ends: false,
            expect: Expect::Command { piped: false },
            target: None,
            open: Vec::new(),
            heredocs: Vec::new(),
            out: Tokens::default(),
        }
    }

    /// The script up to the parenthesis that closes it; the opening one was read.
    pub(super) fn substitution(&mut self) -> Result<Tokens, Unclear> {
        let mut inner = Lexer::new(self.script, self.at, self.depth, self.fuel);
        inner.in_parentheses = true;
        inner.dialect = self.dialect;
        inner.twice = self.twice;
        inner.deeper()?;
        inner.run()?;
        self.at = inner.at;
        Ok(inner.out)
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

    /// Goes on where bash and others read the same: in dash `[[ a && b ]]` runs `b`.
    pub(super) fn only_bash(&self) -> Result<(), Unclear> {
        if self.dialect == Dialect::Posix { Err(Unclear::Syntax) } else { Ok(()) }
    }

    /// One level deeper.
    pub(super) fn deeper(&mut self) -> Result<(), Unclear> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unclear::TooDeep) } else { Ok(()) }
    }

    fn open_block(&mut self) -> Result<(), Unclear> {
        self.blocks += 1;
        self.deeper()
    }

    fn close_block(&mut self) -> Result<(), Unclear> {
        self.blocks = self.blocks.checked_sub(1).ok_or(Unclear::Syntax)?;
        self.depth -= 1;
        Ok(())
    }

    fn run(&mut self) -> Result<(), Unclear> {
        loop {
            match self.peek() {
                None => break,
                Some(b' ' | b'\t') => self.pass(1)?,
                Some(b'#') => self.comment()?,
                Some(b'\n') => self.newline()?,
                Some(b')') if self.in_parentheses && self.open.is_empty() => {
                    self.pass(1)?;
                    return self.end();
                }
                Some(byte) if self.ends && byte != b')' => return Err(Unclear::Syntax),
                Some(byte) if self.is_operator(byte) => self.operator(byte)?,
                Some(_) => self.next_word()?,
            }
        }
        if self.in_parentheses { Err(Unclear::Syntax) } else { self.end() }
    }

    fn end(&self) -> Result<(), Unclear> {
        let done = self.target.is_none() && self.heredocs.is_empty() && self.open.is_empty();
        if done { Ok(()) } else { Err(Unclear::Syntax) }
    }

    fn comment(&mut self) -> Result<(), Unclear> {
        while self.byte(0).is_some_and(|byte| byte != b'\n') {
            self.pass(1)?;
        }
        Ok(())
    }

    fn newline(&mut self) -> Result<(), Unclear> {
        if self.target.is_some() {
            return Err(Unclear::Syntax);
        }
        self.pass(1)?;
        self.push_operator("\n");
        self.expect.newline();
        // bash 5.2 writes such a script down and reads it again, and behind a heredoc it forgets `;`: `x; y` becomes `x y`.
        self.ends |= self.in_parentheses && !self.heredocs.is_empty();
        self.bodies()
    }

    /// `<(` and `>(` begin a word or go on with it.
    fn is_operator(&self, byte: u8) -> bool {
        match byte {
            b'<' | b'>' => self.byte(1) != Some(b'('),
            _ => matches!(byte, b';' | b'&' | b'|' | b'(' | b')'),
        }
    }

    fn next_word(&mut self) -> Result<(), Unclear> {
        match self.target.take() {
            Some(Target::File) => {
                let text = self.word(Mode::Word)?;
                self.expect.redirected();
                return self.finish_word(text);
            }
            Some(Target::Delimiter { tabs }) => {
                self.expect.redirected();
                return self.delimiter(tabs);
            }
            None => {}
        }
        if self.is_descriptor() {
            return self.descriptor();
        }
        if self.expect.is_command() && self.is_test() {
            self.only_bash()?;
            self.pass(2)?;
            let text = self.test()?;
            self.expect = Expect::End;
            return self.finish_word(text);
        }
        let mode = if self.expect.assigns() { Mode::Assigning } else { Mode::Word };
        let mut text = self.word(mode)?;
        // `{a}>b` keeps the descriptor in a variable; digits are here when a backslash and a newline are between.
        if text.plain && matches!(self.peek(), Some(b'<' | b'>')) && is_descriptor(&text.word.known) {
            return Err(Unclear::Syntax);
        }
        if self.byte(0) == Some(b'(') && self.expect.declares() && text.word.known.ends_with('=') {
            self.array(&mut text)?;
        }
        if text.plain && self.reserved(&text.word.known)? {
            return Ok(());
        }
        if self.expect == Expect::ForName {
            return self.loop_variable(text);
        }
        self.expect_after(&text)?;
        self.finish_word(text)
    }

    /// A word has to end where something else can begin.
    fn finish_word(&mut self, text: Text) -> Result<(), Unclear> {
        let shown = if text.assigns.is_some() { "a=" } else { "w" };
        self.push(Token::Word(shown.to_owned(), SourceSpan::default()), Some(text), 1);
        Ok(())
    }

    /// Digits right before `<` or `>`.
    fn is_descriptor(&self) -> bool {
        let digits = self.digits();
        digits > 0 && matches!(self.byte(digits), Some(b'<' | b'>'))
    }

    fn digits(&self) -> usize {
        let rest = self.script.as_bytes().get(self.at..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn descriptor(&mut self) -> Result<(), Unclear> {
        let digits = self.digits();
        // The grammar reads it as a number of 32 bits.
        let number = self.script.get(self.at..self.at + digits).filter(|_| digits < 9).ok_or(Unclear::Syntax)?;
        if self.byte(digits + 1) == Some(b'(') {
            return Err(Unclear::Syntax);
        }
        self.push(Token::Word(number.to_owned(), SourceSpan::default()), None, 2);
        self.pass(digits)
    }

    fn push_operator(&mut self, operator: &str) {
        self.push(Token::Operator(operator.to_owned(), SourceSpan::default()), None, 1);
    }

    fn push_reserved(&mut self, word: &str) {
        self.push(Token::Word(word.to_owned(), SourceSpan::default()), None, 1);
    }

    /// The place of a token is twice its number. Its length is 1, or 2 for what belongs to the operator right behind it.
    fn push(&mut self, mut token: Token, text: Option<Text>, length: usize) {
        let start = self.out.tokens.len() * 2;
        let (Token::Operator(_, span) | Token::Word(_, span)) = &mut token;
        let place = |index| Arc::new(SourcePosition { index, line: 0, column: 0 });
        *span = SourceSpan { start: place(start), end: place(start + length) };
        self.out.tokens.push(token);
        self.out.texts.push(text);
    }

    /// The last token that is not a newline.
    fn last(&self) -> Option<&str> {
        self.out.tokens.iter().rev().map(Token::to_str).find(|token| *token != "\n")
    }
}

/// Digits, or a name in braces.
fn is_descriptor(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
        || word.strip_prefix('{').and_then(|word| word.strip_suffix('}')).is_some_and(|name| !name.is_empty())
}
