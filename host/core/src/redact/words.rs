//! Splits any text into words: of a shell, of a list of arguments, or of a sentence.
//!
//! It differs from a shell for texts that are not commands: a quote without a closing one on its line is literal, an
//! apostrophe within a word is literal (`don't`), and brackets and backticks end a command. It inspects a character a
//! bounded number of times.

mod literals;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use self::literals::{Quotes, items, literal, literals, quotations};
use super::bytes::memchr;
use super::{Secret, run};

/// A word without its quotes, and the position of each of its bytes in the text. A word without quotations and escapes
/// is borrowed from the text.
#[derive(Debug, Default)]
pub(super) struct Word<'a> {
    pub(super) text: Cow<'a, str>,
    first: Option<Piece>,
    more: Vec<Piece>,
    /// Whether the word directly follows the one before it, so that it can be the value of an option.
    pub(super) follows: bool,
    /// Whether it is the first argument of a call.
    pub(super) called: bool,
    /// Whether it is the first item of a list in brackets.
    pub(super) listed: bool,
}

/// A part of a word, up to the next piece: literal text, or one character that an escape represents.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The index in the word at which it begins.
    at: usize,
    /// The index in the text at which it begins.
    start: usize,
    end: usize,
    escaped: bool,
}

impl<'a> Word<'a> {
    /// Adds a literal part of the text.
    fn push_part(&mut self, text: &'a str, part: Range<usize>) {
        let Some(added) = text.get(part.clone()).filter(|added| !added.is_empty()) else { return };
        let (at, whole) = (self.text.len(), self.first.map(|first| first.start..part.end));
        let continued =
            self.more.last_mut().or(self.first.as_mut()).filter(|last| !last.escaped && last.end == part.start);
        let continues = continued.map(|last| last.end = part.end).is_some();
        if !continues {
            self.push_piece(Piece { at, start: part.start, end: part.end, escaped: false });
        }
        match &mut self.text {
            borrowed @ Cow::Borrowed("") => *borrowed = Cow::Borrowed(added),
            Cow::Borrowed(borrowed) if continues => {
                *borrowed = whole.and_then(|whole| text.get(whole)).unwrap_or_default()
            }
            copied => copied.to_mut().push_str(added),
        }
    }

    /// Adds a character that an escape represents.
    fn push_escape(&mut self, character: char, escape: Range<usize>) {
        self.push_piece(Piece { at: self.text.len(), start: escape.start, end: escape.end, escaped: true });
        self.text.to_mut().push(character);
    }

    fn push_piece(&mut self, piece: Piece) {
        if self.first.is_none() {
            self.first = Some(piece);
        } else {
            self.more.push(piece);
        }
    }

    /// Returns the positions of a part of the word in the text: one range for each piece.
    fn spans(&self, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        // The first piece that ends after the start of the part.
        let skipped = self.more.partition_point(|piece| piece.at <= part.start);
        let first = skipped.checked_sub(1).and_then(|at| self.more.get(at)).or(self.first.as_ref());
        let rest = self.more.get(skipped..).unwrap_or_default();
        let pieces = first.into_iter().chain(rest).take_while(move |piece| piece.at < part.end);
        pieces.map(move |piece| {
            if piece.escaped {
                return piece.start..piece.end;
            }
            let start = piece.start + part.start.saturating_sub(piece.at);
            start..piece.end.min(piece.start + (part.end - piece.at))
        })
    }

    /// Adds a part of the word as a secret: one for each quotation, so that the quotes stay unchanged.
    pub(super) fn mask(&self, part: Range<usize>, secrets: &mut Vec<Secret>) {
        if part.is_empty() || part.end > self.text.len() {
            return;
        }
        let mut whole: Option<Secret> = None;
        for span in self.spans(part) {
            match &mut whole {
                Some(whole) if span.start <= whole.end => whole.end = span.end,
                _ => secrets.extend(whole.replace(span)),
            }
        }
        secrets.extend(whole);
    }

    /// Returns the length from an index to the next quote.
    pub(super) fn first_piece(&self, start: usize) -> usize {
        if start >= self.text.len() {
            return 1;
        }
        let mut end = None;
        for piece in self.first.iter().chain(&self.more) {
            if piece.at > start && end.is_some_and(|end| piece.start > end) {
                return piece.at - start;
            }
            end = Some(piece.end);
        }
        self.text.len() - start
    }

    /// Returns whether the word begins with a quotation.
    pub(super) fn begins_quoted(&self, text: &str) -> bool {
        let before = self.first.and_then(|first| text.as_bytes().get(first.start.checked_sub(1)?));
        before.is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }

    /// Returns whether the word ends with a quotation.
    pub(super) fn is_quoted(&self, text: &str) -> bool {
        let after = self.more.last().or(self.first.as_ref()).and_then(|last| text.as_bytes().get(last.end));
        after.is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }
}

#[derive(Debug)]
pub(super) enum Token<'a> {
    Word(Word<'a>),
    /// The `|` between two commands.
    Pipe,
    /// The end of a command.
    Break,
    /// `<` or `>`: the name of a file follows.
    Redirect,
    /// `<<<`: the input follows.
    Here,
    /// The lines of a here document.
    Lines(Secret),
}

/// Returns the words and operators of a text, as a shell splits it.
pub(super) fn shell(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, tokens: Vec::new(), word: None, quotes: Quotes::default(), here: None };
    let mut at = 0;
    while let Some(next) = lexer.step(at) {
        at = next;
    }
    lexer.end(Token::Break);
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    word: Option<Word<'a>>,
    quotes: Quotes,
    /// The delimiter of the here document that begins on the next line.
    here: Option<&'a str>,
}

impl<'a> Lexer<'a> {
    /// Parses the text at an index, and returns the index at which to continue.
    fn step(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let character = rest.chars().next()?;
        let next = at + character.len_utf8();
        match character {
            '\n' => {
                self.end(Token::Break);
                return Some(self.here_lines(next));
            }
            '\\' => return Some(self.escaped(at, next)),
            '"' | '\'' => {
                let Some(close) = self.quotes.close(self.text, at) else {
                    let in_word = character == '\'' && self.word.is_some() && is_letter(self.text, next);
                    if in_word {
                        self.push(at..next)
                    } else {
                        self.end_word()
                    }
                    return Some(next);
                };
                self.word.get_or_insert_default();
                self.quoted(next..close, character == '"');
                return Some(close + 1);
            }
            '|' if rest.starts_with("||") => self.end(Token::Break),
            '|' => self.end(Token::Pipe),
            ';' | '&' | '(' | ')' | '`' => self.end(Token::Break),
            '#' if self.word.is_none() => self.end(Token::Break),
            '<' if rest.starts_with("<<<") => {
                self.end(Token::Here);
                return Some(at + 3);
            }
            '<' if rest.starts_with("<<") => return Some(self.here_mark(at + 2)),
            // This is a prompt, or a quotation in a mail.
            '>' if self.word.is_none() && matches!(self.tokens.last(), None | Some(Token::Break)) => {}
            '<' | '>' => {
                // The digit of `2>` is not a word.
                if self.word.as_ref().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit())) {
                    self.word = None;
                }
                self.end(Token::Redirect);
                return Some(run(self.text, next, |byte| matches!(byte, b'>' | b'&' | b'|')));
            }
            '“' | '”' | '‘' | '’' | '「' | '」' => self.end_word(),
            space if space.is_whitespace() => self.end_word(),
            _ => {
                let end = run(self.text, next, is_of_word);
                self.push(at..end);
                return Some(end);
            }
        }
        Some(next)
    }

    fn push(&mut self, part: Range<usize>) {
        self.word.get_or_insert_default().push_part(self.text, part);
    }

    /// Parses the text after a backslash, which may be a line end.
    fn escaped(&mut self, at: usize, next: usize) -> usize {
        let line = run(self.text, next, |byte| byte == b'\r');
        if self.text.as_bytes().get(line) == Some(&b'\n') {
            return line + 1;
        }
        match self.text.get(next..).and_then(|rest| rest.chars().next()) {
            Some(character) => {
                let end = next + character.len_utf8();
                self.word.get_or_insert_default().push_escape(character, at..end);
                end
            }
            None => next,
        }
    }

    fn quoted(&mut self, inside: Range<usize>, escapes: bool) {
        let word = self.word.get_or_insert_default();
        let bytes = self.text.as_bytes().get(..inside.end).unwrap_or_default();
        let (mut done, mut at) = (inside.start, inside.start);
        while let Some(escape) = bytes.get(at..).filter(|_| escapes).and_then(|rest| memchr(b'\\', rest)) {
            let escape = at + escape;
            at = escape + 1;
            if let Some(after @ (b'"' | b'\\' | b'$' | b'`')) = bytes.get(escape + 1) {
                word.push_part(self.text, done..escape);
                word.push_escape(char::from(*after), escape..escape + 2);
                (done, at) = (escape + 2, escape + 2);
            }
        }
        word.push_part(self.text, done..inside.end);
    }

    fn end_word(&mut self) {
        let word = self.word.take();
        self.tokens.extend(word.map(|word| Token::Word(Word { follows: true, ..word })));
    }

    fn end(&mut self, token: Token<'a>) {
        self.end_word();
        self.tokens.push(token);
    }

    /// Parses the delimiter after `<<`.
    fn here_mark(&mut self, at: usize) -> usize {
        self.end_word();
        let start = run(self.text, at, |byte| matches!(byte, b'-' | b' ' | b'\'' | b'"'));
        let end = run(self.text, start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.here = self.text.get(start..end).filter(|mark| !mark.is_empty());
        run(self.text, end, |byte| matches!(byte, b'\'' | b'"'))
    }

    /// Adds the lines of a here document to the command before it. They are parsed as commands after that.
    fn here_lines(&mut self, start: usize) -> usize {
        let Some(mark) = self.here.take() else { return start };
        let mut end = start;
        for line in self.text.get(start..).unwrap_or_default().split_inclusive('\n') {
            if line.trim() == mark || end - start > 1024 {
                break;
            }
            end += line.len();
        }
        self.tokens.push(Token::Lines(start..end));
        start
    }
}

fn is_letter(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic)
}

/// Returns whether this byte always continues a word of a shell. Other bytes may be the first one of a character that
/// ends it.
fn is_of_word(byte: u8) -> bool {
    !matches!(
        byte,
        b'\t'..=b'\r' | b' ' | b'"' | b'\'' | b'\\' | b'|' | b';' | b'&' | b'(' | b')' | b'`' | b'<' | b'>'
            | 0xC2 | 0xE1..=0xE3
    )
}
