//! Finds values whose name marks them as secret.
//!
//! ```text
//! pair     = name [quote] spaces ("=" | ":" | "==" | ":=" | "=>" | ": " type " =") spaces [scheme] value
//! sentence = name (" is " | "는 " | "은 " | "이 " | "가 ") made
//! bearer   = "Bearer " made
//! default  = "${" name (":-" | ":=") value "}"
//! scheme   = "Bearer " | "Basic " | ...
//! value    = quoted text | text without spaces, up to "&", or ";" or "," and another name
//!          | the rest of the line, if the name begins it and no word of a sentence follows
//! made     = a value of six or more characters with a letter and a digit
//! ```
//!
//! `names.rs` lists the names.

mod value;

use self::value::Values;
use super::names::{Name, Words, ending_at, of, words};
use super::{Secret, run};

/// Names of query parameters that are secret only in a URL.
static QUERY: Words = words!("key code sid session ticket assertion st state_token hmac hash sign s");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// The value follows `=`.
    Assigned,
    /// The value follows `:`.
    Said,
    /// The value follows a word or a flag.
    Told,
}

pub(super) fn find(text: &str, quotations: &[Secret], secrets: &mut Vec<Secret>) {
    let mut values = Values::of(text);
    let mut quotations = quotations.iter().peekable();
    let mut next = 0;
    loop {
        let at = run(text, next, |byte| !matches!(byte, b'=' | b':' | b' ' | 0xEF));
        let Some(separator) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        next = at + separator.len_utf8();
        let (given, name_end) = match separator {
            '=' | '＝' => (Given::Assigned, Some(at)),
            // `Token::new` is a path of Rust, without a value.
            ':' if text.get(..at).is_some_and(|before| before.ends_with(':')) => continue,
            ':' if text.get(at + 1..).is_some_and(|after| after.starts_with(':')) => continue,
            ':' | '：' => (Given::Said, Some(at)),
            ' ' => (Given::Told, told(text, at)),
            _ => continue,
        };
        let Some(end) = name_end else { continue };
        let assigned = || typed(text, end).or_else(|| is_query(text, end).then_some(Name::Made));
        let name = ending_at(text, end).or_else(|| (given == Given::Assigned).then(assigned).flatten());
        let Some(found) = name.and_then(|name| values.value(end, next, name, given)) else { continue };
        // A value ends where the quotation that contains its name ends.
        while quotations.next_if(|quotation| quotation.end <= at).is_some() {}
        // In a truncated text, `":"` looks like a quotation, but the name is not in it.
        let holds_name = |quotation: &&&Secret| {
            quotation.start <= at && run(text, quotation.start, |byte| is_blank(byte) || byte == b'\\') < at
        };
        let inside = quotations.peek().filter(holds_name).map_or(text.len(), |quotation| quotation.end);
        let secret = found.start..found.end.min(inside);
        secrets.extend(Some(secret).filter(|secret| secret.start < secret.end));
    }
}

/// Returns the end of the name if the words before this space can announce a value.
fn told(text: &str, space: usize) -> Option<usize> {
    let before = text.get(..space)?;
    // The last bytes of the words that are searched for below.
    if !matches!(before.as_bytes().last()?, b's' | b'r' | b'R' | 0x80 | 0x94 | 0xB4) {
        return None;
    }
    for particle in [" is", "는", "은", "이", "가"] {
        if let Some(name) = before.strip_suffix(particle) {
            return Some(name.len());
        }
    }
    let word = before.get(last_boundary(before, 16)..)?.rsplit(char::is_whitespace).next()?;
    word.trim_start_matches(['"', '\'']).eq_ignore_ascii_case("bearer").then_some(space)
}

/// Returns the index of the last `length` bytes of a text, moved forward to the boundary of a character.
fn last_boundary(text: &str, length: usize) -> usize {
    text.ceil_char_boundary(text.len().saturating_sub(length))
}

/// Returns the secret of a header, `Name: value`, if its name marks one.
pub(super) fn header(text: &str) -> Option<Secret> {
    let colon = text.find([':', ';', '='])?;
    let name = of(text.get(..colon)?)?;
    let start = run(text, colon + 1, is_blank);
    let value = text.get(start..)?;
    let scheme = value.split_once(' ').map_or(0, |(scheme, _)| scheme.len() + 1);
    let start = start + if name == Name::Line || name == Name::Perhaps { 0 } else { scheme };
    (start < text.len()).then_some(start..text.len())
}

/// Returns the kind of the name in `name: type =`.
fn typed(text: &str, end: usize) -> Option<Name> {
    let start = last_boundary(text.get(..end)?, 40);
    let (before, kind) = text.get(start..end)?.rsplit_once(':')?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || " &'<>?|_.[]".contains(c);
    let plain = kind.starts_with([' ', '&']) && !kind.trim().is_empty() && kind.trim_end().split(' ').count() <= 3;
    (plain && kind.chars().all(is_type) && !before.ends_with(':')).then(|| ending_at(text, start + before.len()))?
}

/// Returns whether the name that ends here is a parameter of a URL that may contain a secret.
fn is_query(text: &str, end: usize) -> bool {
    let before = text.get(..end).unwrap_or_default();
    let before = before.get(last_boundary(before, 32)..).unwrap_or_default();
    let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    let at_start = before.strip_suffix(name).is_some_and(|before| before.ends_with(['?', '&', '#', '-']));
    (at_start && QUERY.has(&name.to_ascii_lowercase())) || name.eq_ignore_ascii_case("signature")
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
