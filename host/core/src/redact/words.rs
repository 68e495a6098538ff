//! A reader of words that takes any text: of a shell, of a list of arguments, of a sentence.
//!
//! It differs from a shell where a text that is none would mislead it: quotes close on their line or are no quotes, an
//! apostrophe within a word is none (`don't`), and brackets and backticks end a command. It looks at a character a bounded
//! number of times.

use std::ops::Range;

use super::{Secret, run};

/// A word without its quotes, and where each of its bytes stands in the text.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub(super) text: String,
    spans: Vec<(usize, usize)>,
    /// Whether the word belongs right after the one before it, so that it can be the value of an option.
    pub(super) follows: bool,
    /// Whether it is the first argument of a call.
    pub(super) called: bool,
    /// Whether it is the first one of a list in brackets.
    pub(super) listed: bool,
}

impl Word {
    fn push(&mut self, character: char, span: Range<usize>) {
        self.text.push(character);
        self.spans.extend(std::iter::repeat_n((span.start, span.end), character.len_utf8()));
    }

    /// Adds the part of the word from there as a secret: one for each quotation, so that the quotes stay as they are.
    pub(super) fn mask(&self, part: Range<usize>, secrets: &mut Vec<Secret>) {
        let mut whole: Option<Secret> = None;
        for &(start, end) in self.spans.get(part).unwrap_or_default() {
            match &mut whole {
                Some(whole) if start <= whole.end => whole.end = end,
                _ => secrets.extend(whole.replace(start..end)),
            }
        }
        secrets.extend(whole);
    }

    /// Makes the word of a word within `outer` one of the text that `outer` stands in.
    pub(super) fn within(&mut self, outer: &Self) {
        for (start, end) in &mut self.spans {
            *start = outer.spans.get(*start).map_or(usize::MAX, |(start, _)| *start);
            *end = outer.spans.get(end.saturating_sub(1)).map_or(0, |(_, end)| *end);
        }
    }

    /// The length from there up to the next quote.
    pub(super) fn first_piece(&self, start: usize) -> usize {
        let spans = self.spans.get(start..).unwrap_or_default();
        1 + spans.windows(2).take_while(|two| matches!(two, [(_, end), (start, _)] if start <= end)).count()
    }

    /// Whether the word begins with a quotation.
    pub(super) fn begins_quoted(&self, text: &str) -> bool {
        let before = self.spans.first().and_then(|(start, _)| text.as_bytes().get(start.checked_sub(1)?));
        before.is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }

    /// Whether the word ends with a quotation.
    pub(super) fn is_quoted(&self, text: &str) -> bool {
        let after = self.spans.last().and_then(|(_, end)| text.as_bytes().get(*end));
        after.is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }
}

#[derive(Debug)]
pub(super) enum Token {
    Word(Word),
    /// `|`
    Pipe,
    /// The end of a command.
    Break,
    /// `<` or `>`: a file comes.
    Redirect,
    /// `<<<`: the input comes.
    Here,
    /// The lines of a here document.
    Lines(Secret),
}

/// The words and operators of a text, as a shell has them.
pub(super) fn shell(text: &str) -> Vec<Token> {
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
    tokens: Vec<Token>,
    word: Option<Word>,
    quotes: Quotes,
    /// The mark of the here document that begins on the next line.
    here: Option<&'a str>,
}

impl<'a> Lexer<'a> {
    /// Reads on from there, and says where to go on.
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
                        self.push('\'', at..next)
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
            // A prompt, or a quotation in a mail.
            '>' if self.word.is_none() && matches!(self.tokens.last(), None | Some(Token::Break)) => {}
            '<' | '>' => {
                // The digit of `2>` is no word.
                if self.word.as_ref().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit())) {
                    self.word = None;
                }
                self.end(Token::Redirect);
                return Some(run(self.text, next, |byte| matches!(byte, b'>' | b'&' | b'|')));
            }
            '“' | '”' | '‘' | '’' | '「' | '」' => self.end_word(),
            space if space.is_whitespace() => self.end_word(),
            character => self.push(character, at..next),
        }
        Some(next)
    }

    fn push(&mut self, character: char, span: Range<usize>) {
        self.word.get_or_insert_default().push(character, span);
    }

    /// What comes after a backslash, which may be the end of a line.
    fn escaped(&mut self, at: usize, next: usize) -> usize {
        let line = run(self.text, next, |byte| byte == b'\r');
        if self.text.as_bytes().get(line) == Some(&b'\n') {
            return line + 1;
        }
        match self.text.get(next..).and_then(|rest| rest.chars().next()) {
            Some(character) => {
                let end = next + character.len_utf8();
                self.push(character, at..end);
                end
            }
            None => next,
        }
    }

    fn quoted(&mut self, inside: Range<usize>, escapes: bool) {
        let mut at = inside.start;
        while let Some(character) = self.text.get(at..inside.end).and_then(|rest| rest.chars().next()) {
            let end = at + character.len_utf8();
            let after = self.text.as_bytes().get(end).copied().filter(|_| escapes && character == '\\');
            match after {
                Some(after @ (b'"' | b'\\' | b'$' | b'`')) if end < inside.end => {
                    self.push(char::from(after), at..end + 1);
                    at = end + 1;
                }
                _ => {
                    self.push(character, at..end);
                    at = end;
                }
            }
        }
    }

    fn end_word(&mut self) {
        let word = self.word.take();
        self.tokens.extend(word.map(|word| Token::Word(Word { follows: true, ..word })));
    }

    fn end(&mut self, token: Token) {
        self.end_word();
        self.tokens.push(token);
    }

    /// Reads the mark after `<<`.
    fn here_mark(&mut self, at: usize) -> usize {
        self.end_word();
        let start = run(self.text, at, |byte| matches!(byte, b'-' | b' ' | b'\'' | b'"'));
        let end = run(self.text, start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.here = self.text.get(start..end).filter(|mark| !mark.is_empty());
        run(self.text, end, |byte| matches!(byte, b'\'' | b'"'))
    }

    /// The lines of a here document belong to the command before. They are read as commands after that.
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

/// The string literals of a text as words: `["curl", "-u", "a:b"]`, `run('mysql', '-pX')`. A brace, a semicolon and an empty
/// line end a command.
pub(super) fn literals(text: &str) -> Vec<Token> {
    let (mut tokens, mut quotes, mut at, mut last) = (Vec::new(), Quotes::default(), 0, None);
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = at + character.len_utf8();
        let close = matches!(character, '"' | '\'').then(|| quotes.close(text, at)).flatten();
        if let Some(close) = close {
            let between = last.and_then(|last| text.get(last..at)).unwrap_or_default();
            let follows = between.contains(',') && between.trim_matches([' ', '\t', '\n', '\r']) == ",";
            let listed = text.get(..at).is_some_and(|before| before.ends_with('['));
            let called = listed || text.get(..at).is_some_and(|before| before.ends_with('('));
            tokens.push(Token::Word(Word { follows, called, listed, ..literal(text, next..close, character == '"') }));
            last = Some(close + 1);
            at = close + 1;
            continue;
        }
        if matches!(character, '{' | '}' | ';') || text.get(at..).is_some_and(|rest| rest.starts_with("\n\n")) {
            tokens.push(Token::Break);
            last = None;
        }
        at = next;
    }
    tokens.push(Token::Break);
    tokens
}

/// The items of YAML lists as words: each `- item` on its line, and the `command: x` before them.
pub(super) fn items(text: &str) -> Vec<Token> {
    let (mut tokens, mut start, mut indent) = (Vec::new(), 0, None);
    for line in text.split_inclusive('\n') {
        let at = start + (line.len() - line.trim_start().len());
        let body = line.trim();
        let depth = at - start;
        start += line.len();
        let (value, follows) = match body.strip_prefix("- ") {
            Some(item) => (item.trim_start(), indent.replace(depth) == Some(depth)),
            None => {
                indent = None;
                (body.split_once(": ").map_or("", |(_, value)| value.trim_start()), false)
            }
        };
        if body.is_empty() || body.starts_with("---") {
            tokens.push(Token::Break);
        }
        if value.is_empty() {
            continue;
        }
        let value_at = at + (body.len() - value.len());
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let inside = match quote {
            Some(quote) if value.len() > 1 && value.ends_with(quote) => value_at + 1..value_at + value.len() - 1,
            _ => value_at..value_at + value.len(),
        };
        tokens.push(Token::Word(Word { follows, ..literal(text, inside, quote == Some('"')) }));
    }
    tokens.push(Token::Break);
    tokens
}

/// A string literal without its escapes.
pub(super) fn literal(text: &str, inside: Range<usize>, escapes: bool) -> Word {
    let mut word = Word::default();
    let mut at = inside.start;
    while let Some(rest) = text.get(at..inside.end) {
        let Some(first) = rest.chars().next() else { break };
        let (character, length) = if escapes { unescaped(rest, first) } else { (first, first.len_utf8()) };
        word.push(character, at..at + length);
        at += length;
    }
    word
}

/// The character that a text begins with, and how many bytes stand for it.
fn unescaped(rest: &str, first: char) -> (char, usize) {
    let escape = rest.as_bytes().get(1).copied().filter(|_| first == '\\');
    let character = match escape {
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'b' | b'f') => ' ',
        Some(mark @ (b'"' | b'\\' | b'/' | b'\'' | b'$' | b'`')) => char::from(mark),
        Some(b'u') => {
            let code = rest.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            return code.map_or((first, 1), |code| (char::from_u32(code).unwrap_or('\u{fffd}'), 6));
        }
        _ => return (first, first.len_utf8()),
    };
    (character, 2)
}

/// The insides of the quotations of a text.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut quotes, mut at) = (Vec::new(), Quotes::default(), 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let close = matches!(byte, b'"' | b'\'').then(|| quotes.close(text, at)).flatten();
        found.extend(close.map(|close| at + 1..close));
        at = close.unwrap_or(if *byte == b'\\' { at + 1 } else { at }) + 1;
    }
    found
}

/// Finds where quotations end.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    /// Up to where no quote of each kind closes one, so that no line is searched twice.
    open: [usize; 2],
}

impl Quotes {
    /// Where the quotation that starts at `at` is closed on its line, if it is one.
    pub(super) fn close(&mut self, text: &str, at: usize) -> Option<usize> {
        let quote = *text.as_bytes().get(at)?;
        let open = self.open.get_mut(usize::from(quote == b'"'))?;
        if at < *open || (quote == b'\'' && is_apostrophe(text, at)) {
            return None;
        }
        let mut end = at + 1;
        loop {
            match text.as_bytes().get(end) {
                Some(b'\\') if quote == b'"' => end += 2,
                Some(byte) if *byte == quote => return Some(end),
                None | Some(b'\n') => {
                    *open = end;
                    return None;
                }
                Some(_) => end += 1,
            }
        }
    }
}

/// Whether the quote there is the apostrophe of `don't`.
fn is_apostrophe(text: &str, at: usize) -> bool {
    let after = text.get(at + 1..).unwrap_or_default();
    let ending = ["s", "t", "re", "ve", "ll", "d", "m"].into_iter().find(|ending| after.starts_with(ending));
    let ends = |ending: &str| {
        after.as_bytes().get(ending.len()).is_none_or(|b| b.is_ascii_whitespace() || b".,;!?)".contains(b))
    };
    let before = text.as_bytes().get(at.saturating_sub(16)..at).unwrap_or_default();
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    // The quote in `-p'm, x'` begins the value of an option.
    let of_word =
        before.iter().rev().nth(letters).is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'([".contains(byte));
    letters > 0 && of_word && ending.is_some_and(ends)
}

fn is_letter(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic)
}
