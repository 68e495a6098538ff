//! Finds the ends of quotations, and their contents if a text is a program, JSON or YAML.

use std::ops::Range;

use super::{Token, Word, run};
use crate::redact::bytes::{memchr, memchr2, memchr3};

/// Returns the string literals of a text as words: `["curl", "-u", "a:b"]`, `run('mysql', '-pX')`. A brace, a semicolon
/// and an empty line end a command.
pub(in crate::redact) fn literals(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut quotes, mut at, mut last) = (Vec::new(), Quotes::default(), 0, None);
    loop {
        at = run(text, at, |byte| !matches!(byte, b'"' | b'\'' | b'{' | b'}' | b';' | b'\n'));
        let Some(&byte) = text.as_bytes().get(at) else { break };
        let close = matches!(byte, b'"' | b'\'').then(|| quotes.close(text, at)).flatten();
        if let Some(close) = close {
            let between = last.and_then(|last| text.get(last..at)).unwrap_or_default();
            let follows = between.contains(',') && between.trim_matches([' ', '\t', '\n', '\r']) == ",";
            let listed = text.get(..at).is_some_and(|before| before.ends_with('['));
            let called = listed || text.get(..at).is_some_and(|before| before.ends_with('('));
            tokens.push(Token::Word(Word { follows, called, listed, ..literal(text, at + 1..close, byte == b'"') }));
            last = Some(close + 1);
            at = close + 1;
            continue;
        }
        let ends = match byte {
            b'{' | b'}' | b';' => true,
            b'\n' => text.as_bytes().get(at + 1) == Some(&b'\n'),
            _ => false,
        };
        if ends {
            tokens.push(Token::Break);
            last = None;
        }
        at += 1;
    }
    tokens.push(Token::Break);
    tokens
}

/// Returns the items of YAML lists as words: each `- item` on its line, and the `command: x` before them.
pub(in crate::redact) fn items(text: &str) -> Vec<Token<'_>> {
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

/// Returns a string literal without its escapes.
pub(in crate::redact) fn literal(text: &str, inside: Range<usize>, escapes: bool) -> Word<'_> {
    let mut word = Word::default();
    let bytes = text.as_bytes().get(..inside.end).unwrap_or_default();
    let (mut done, mut at) = (inside.start, inside.start);
    while let Some(escape) = bytes.get(at..).filter(|_| escapes).and_then(|rest| memchr(b'\\', rest)) {
        let escape = at + escape;
        at = escape + 1;
        if let Some((character, length)) = text.get(escape..inside.end).and_then(unescaped) {
            word.push_part(text, done..escape);
            word.push_escape(character, escape..escape + length);
            (done, at) = (escape + length, escape + length);
        }
    }
    word.push_part(text, done..inside.end);
    word
}

/// Returns the character that the escape at the start of a text represents, and the length of the escape in bytes.
fn unescaped(escape: &str) -> Option<(char, usize)> {
    let character = match escape.as_bytes().get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' | b'f' => ' ',
        mark @ (b'"' | b'\\' | b'/' | b'\'' | b'$' | b'`') => char::from(*mark),
        b'u' => {
            let code = u32::from_str_radix(escape.get(2..6)?, 16).ok()?;
            return Some((char::from_u32(code).unwrap_or('\u{fffd}'), 6));
        }
        _ => return None,
    };
    Some((character, 2))
}

/// Returns the insides of the quotations of a text.
pub(in crate::redact) fn quotations(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut quotes, mut at) = (Vec::new(), Quotes::default(), 0);
    while let Some(mark) = text.as_bytes().get(at..).and_then(|rest| memchr3(b'"', b'\'', b'\\', rest)) {
        at += mark;
        let is_escape = text.as_bytes().get(at) == Some(&b'\\');
        let close = if is_escape { None } else { quotes.close(text, at) };
        found.extend(close.map(|close| at + 1..close));
        at = close.unwrap_or(if is_escape { at + 1 } else { at }) + 1;
    }
    found
}

/// Finds the ends of quotations.
#[derive(Debug, Default)]
pub(in crate::redact) struct Quotes {
    /// For each kind of quote, the index up to which none closes a quotation, so that no line is searched twice.
    open: [usize; 2],
}

impl Quotes {
    /// Returns the index at which the quotation that starts at `at` is closed on its line, if it is one.
    pub(in crate::redact) fn close(&mut self, text: &str, at: usize) -> Option<usize> {
        let quote = *text.as_bytes().get(at)?;
        let open = self.open.get_mut(usize::from(quote == b'"'))?;
        if at < *open || (quote == b'\'' && is_apostrophe(text, at)) {
            return None;
        }
        let mut end = at + 1;
        loop {
            let rest = text.as_bytes().get(end..).unwrap_or_default();
            let mark = if quote == b'"' { memchr3(quote, b'\n', b'\\', rest) } else { memchr2(quote, b'\n', rest) };
            end += mark.unwrap_or(rest.len());
            match text.as_bytes().get(end) {
                Some(b'\\') => end += 2,
                Some(byte) if *byte == quote => return Some(end),
                _ => {
                    *open = end;
                    return None;
                }
            }
        }
    }
}

/// Returns whether the quote is an apostrophe, as in `don't`.
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
