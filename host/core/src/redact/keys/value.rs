//! Finds the end of a value, and decides by its name and its position whether it is a secret.

use super::{Given, is_blank, last_boundary};
use crate::redact::names::{Name, Words, words};
use crate::redact::values::{is_call, is_made, is_of_sentence, is_path, is_plain, is_reference, without_punctuation};
use crate::redact::{Secret, run};

static SCHEMES: Words = words!(
    "bearer basic digest token bot apikey negotiate ntlm hoba mutual dpop gnap hawk vapid splunk \
    sharedkey sharedkeylite sso-key key"
);

/// Schemes whose secret contains spaces.
static LONG_SCHEMES: Words = words!("digest hawk hoba mutual vapid aws4-hmac-sha256 oauth signature");

/// The delimiter that ends a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The quote, with as many backslashes before it as the opening one has.
    Quote(char, usize),
    Line,
    Assigned,
    Said,
}

impl Stop {
    fn is(self, character: char, backslashes: usize) -> bool {
        match self {
            Self::Quote(quote, escapes) => {
                let closes = backslashes >= escapes && (backslashes - escapes).is_multiple_of(2 * (escapes + 1));
                matches!(character, '\n' | '\r') || (character == quote && closes)
            }
            Self::Line => matches!(character, '\n' | '\r'),
            Self::Assigned => character == '&' || Self::Said.is(character, 0),
            Self::Said => character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '<' | '>'),
        }
    }
}

/// The text before a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The quote, with this number of backslashes before it: the quotation contains the value as well.
    Quote(char, usize),
    /// The name is at the start of a line.
    Line,
    /// The name follows `;`, as in `Server=db;Password=X`.
    List,
    Else,
}

pub(super) struct Values<'a> {
    text: &'a str,
    /// The last end that was found for each delimiter, and where its search started: values that begin in between have
    /// the same end, so that names within values (`token=token=token=...`) do not make the search slow.
    ends: Vec<(Stop, Secret)>,
}

impl<'a> Values<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, ends: Vec::new() }
    }
}

impl Values<'_> {
    /// Returns the value that starts here, if it is a secret.
    pub(super) fn value(&mut self, name_end: usize, start: usize, name: Name, given: Given) -> Option<Secret> {
        if let Some(default) = self.default_of(name_end, start) {
            return default;
        }
        let separated = run(self.text, start, |byte| matches!(byte, b'=' | b'>'));
        let mut start = run(self.text, separated, is_blank);
        let mut spaced = start > separated;
        let before = self.before(name_end);
        // In `"password:"` the quote ends the quotation that contains the name.
        let open = self.text.get(..name_end).is_some_and(|name| !name.trim_end().ends_with(['"', '\'', '`']));
        if let Before::Quote(quote, 0) = before
            && open
            && !spaced
            && self.text.get(start..).is_some_and(|rest| rest.starts_with(quote))
        {
            return None;
        }
        if let Some(quoted) = self.quoted(start) {
            let value = self.text.get(quoted.clone())?;
            let secret = match name {
                Name::Digits => is_pin(value),
                _ => !is_plain(value, false),
            };
            return (secret && !is_reference(value)).then_some(quoted);
        }
        // After `"name":` comes JSON, whose numbers and words end with a comma or a bracket.
        let is_json =
            given == Given::Said && self.text.get(..name_end).is_some_and(|name| name.trim_end().ends_with('"'));
        let scheme = run(self.text, start, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let after_scheme = run(self.text, scheme, is_blank);
        if after_scheme > scheme && after_scheme < self.text.len() && given != Given::Told && !is_json {
            let word = self.text.get(start..scheme.min(start + 32)).unwrap_or_default().to_ascii_lowercase();
            let known = |schemes: &Words| schemes.has(&word);
            if name == Name::Authorization && (known(&LONG_SCHEMES) || (!known(&SCHEMES) && before != Before::Else)) {
                let start = if is_made(self.text.get(start..scheme)?) { start } else { after_scheme };
                return Some(start..self.end(line_stop(before), start));
            }
            if known(&SCHEMES) {
                start = after_scheme;
                spaced = false;
            }
        }
        let of_line = !is_json && name == Name::Line && given != Given::Told && (spaced || before != Before::Else);
        let end = match given {
            _ if of_line => {
                let line = start..self.end(line_stop(before), start);
                let value = self.text.get(line.clone())?;
                return (value.len() > 16 || !is_plain(value.trim_end(), false)).then_some(line);
            }
            Given::Assigned => self.end(Stop::Assigned, start),
            Given::Said | Given::Told => self.end(Stop::Said, start),
        };
        let value = self.text.get(start..end)?;
        // This is a driver's `Pwd={X}`, or a call: `String::from("X")`.
        if before == Before::List
            && let Some(length) = value.strip_prefix('{').and_then(|_| self.text.get(start..)).and_then(near_brace)
        {
            return Some(start + 1..start + length);
        }
        if value.ends_with('(') && value.len() > 1 && given == Given::Assigned && !is_reference(value) {
            let quoted = self.quoted(end)?;
            return (!is_plain(self.text.get(quoted.clone())?, false)).then_some(quoted);
        }
        if is_call(value) {
            return None;
        }
        let value = match given {
            Given::Assigned => first_of_list(value),
            _ if is_json => {
                value.get(..value.bytes().take(64).position(|byte| b",}]".contains(&byte)).unwrap_or(value.len()))?
            }
            Given::Said | Given::Told => value,
        };
        let value = without_punctuation(value);
        let secret = match (name, given) {
            (Name::Digits, _) => is_pin(value),
            (Name::Made, _) | (_, Given::Told) | (Name::Perhaps, Given::Said) => is_made(value) && !is_path(value),
            // `PWD=/home/user` is not a password.
            (Name::Perhaps, Given::Assigned) => !value.starts_with(['/', '~']),
            _ => true,
        };
        // `|` begins a block of YAML, and `\ ` is a space in a shell.
        let is_mark = value.bytes().all(|byte| matches!(byte, b'|' | b'>' | b'-' | b'+' | b'\\'));
        if !secret || is_mark || is_reference(value) || is_plain(value, spaced) {
            return None;
        }
        let words =
            (name == Name::Secret && given != Given::Told).then(|| self.words(before, spaced, start, end)).flatten();
        Some(start..words.unwrap_or(start + value.len()))
    }

    /// Returns the end of a value of several words, as in YAML, INI and lists separated by `;`.
    fn words(&mut self, before: Before, spaced: bool, start: usize, end: usize) -> Option<usize> {
        const LONGEST: usize = 128;
        let stop = self.end(line_stop(before), start).min(start + LONGEST);
        let rest = self.text.get(end..stop)?;
        if matches!(before, Before::List | Before::Line)
            && let Some(close) = rest.find([';', '=', '"', '\''])
            && rest.get(close..)?.starts_with(';')
            && close > 0
        {
            return Some(end + close);
        }
        let rest = rest.split(" #").next()?.trim_end();
        let sentence = |word: &str| {
            is_of_sentence(word) || word.ends_with([',', ';', ')', '(']) || word.contains(['=', '"', '\''])
        };
        let words = spaced && before == Before::Line && rest.starts_with(' ') && !rest.split_whitespace().any(sentence);
        (words && rest.is_ascii()).then_some(end + rest.len())
    }

    /// Returns the default in `${NAME:-X}`. The inner `None` means that there is no default, the outer one that there
    /// is no `${`.
    fn default_of(&self, name_end: usize, start: usize) -> Option<Option<Secret>> {
        let before = self.text.get(..name_end)?;
        let before = before.get(last_boundary(before, 64)..)?;
        let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?;
        before.strip_suffix(name)?.strip_suffix("${")?;
        let Some(default) = self.text.get(start..)?.strip_prefix(['-', '=']) else { return Some(None) };
        let length = default.bytes().take(256).take_while(|byte| !matches!(byte, b'}' | b'\n' | b'"')).count();
        let value = default.get(..length)?;
        let secret = !value.is_empty() && !is_reference(value) && !is_plain(value, false);
        Some(secret.then_some(start + 1..start + 1 + length))
    }

    fn before(&self, name_end: usize) -> Before {
        let Some(before) = self.text.get(..name_end) else { return Before::Else };
        let before = before.get(last_boundary(before, 64)..).unwrap_or_default().trim_end_matches([' ', '\t']);
        let outside = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let line = outside.trim_end_matches([' ', '\t', '-', '>', '<', '*', '+']);
        match outside.chars().next_back() {
            Some(quote @ ('"' | '\'' | '`')) => {
                let escapes = outside.bytes().rev().skip(1).take_while(|byte| *byte == b'\\').count();
                Before::Quote(quote, escapes)
            }
            Some(';') => Before::List,
            _ if line.ends_with('\n') || line.is_empty() => Before::Line,
            _ if line.ends_with(';') => Before::List,
            _ => Before::Else,
        }
    }

    /// Returns the inside of a quotation that starts here, up to the end of the line if it is not closed.
    fn quoted(&mut self, start: usize) -> Option<Secret> {
        // Strings of Python, SQL and others may have a prefix: `b"..."`, `N'...'`.
        let letters = run(self.text, start, |byte| b"NnEeBbRrUuFf".contains(&byte));
        let marked = letters - start <= 2 && matches!(self.text.as_bytes().get(letters), Some(b'"' | b'\''));
        let start = if marked { letters } else { start };
        let escapes = start;
        let start = run(self.text, start, |byte| byte == b'\\');
        let quote = self.text.get(start..)?.chars().next()?;
        let close = match quote {
            '"' | '\'' | '`' => quote,
            '“' => '”',
            '‘' => '’',
            '「' => '」',
            _ => return None,
        };
        let mut first = start + quote.len_utf8();
        if self.text.get(first..)?.starts_with(match quote {
            '"' => "\"\"",
            '\'' => "\'\'",
            _ => "\n",
        }) {
            first = run(self.text, first + 2, |byte| matches!(byte, b'\n' | b'\r' | b' '));
        }
        let escapes = start - escapes;
        let end = self.end(Stop::Quote(close, escapes), first);
        // In quoted JSON the closing quote is escaped.
        let inside = self.text.get(first..end)?;
        let closed = self.text.get(end..)?.starts_with(close);
        let escapes = if closed { escapes.min(inside.len() - inside.trim_end_matches('\\').len()) } else { 0 };
        Some(first..end - escapes)
    }

    fn end(&mut self, stop: Stop, start: usize) -> usize {
        let known = self.ends.iter().position(|(known, _)| *known == stop);
        if let Some((_, seen)) = known.and_then(|known| self.ends.get(known))
            && (seen.start..=seen.end).contains(&start)
        {
            return seen.end;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let mut backslashes = 0;
        let ends = |character: char| {
            let ends = stop.is(character, backslashes);
            backslashes = if character == '\\' { backslashes + 1 } else { 0 };
            ends
        };
        let end = start + rest.find(ends).unwrap_or(rest.len());
        known.map(|known| self.ends.swap_remove(known));
        self.ends.push((stop, start..end));
        end
    }
}

fn line_stop(before: Before) -> Stop {
    match before {
        Before::Quote(quote, escapes) => Stop::Quote(quote, escapes),
        Before::Line | Before::List | Before::Else => Stop::Line,
    }
}

/// Returns the index of the brace that closes the one at the start.
fn near_brace(text: &str) -> Option<usize> {
    text.bytes()
        .take(128)
        .position(|byte| matches!(byte, b'}' | b'\n'))
        .filter(|at| text.as_bytes().get(*at) == Some(&b'}'))
}

/// Returns the text before the next name in `a=X;b=Y` and `a=X,b=Y`.
fn first_of_list(value: &str) -> &str {
    const LONGEST: usize = 256;
    let names = |rest: &str| {
        let name = rest.trim_start();
        let end = name
            .bytes()
            .take(32)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
            .count();
        end > 0 && name.as_bytes().get(end) == Some(&b'=') || rest.is_empty()
    };
    let marks = value.bytes().take(LONGEST).enumerate().filter(|(_, byte)| matches!(byte, b';' | b','));
    let end = marks.map(|(at, _)| at).find(|at| value.get(at + 1..).is_some_and(names));
    end.and_then(|end| value.get(..end)).unwrap_or(value)
}

fn is_pin(value: &str) -> bool {
    (4..=8).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}
