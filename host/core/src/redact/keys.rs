//! Values that their name calls secret.
//!
//! ```text
//! pair     = name [quote] spaces ("=" | ":" | "==" | ":=" | "=>" | ": " type " =") spaces [scheme] value
//! sentence = name (" is " | "는 " | "은 " | "이 " | "가 ") made
//! bearer   = "Bearer " made
//! default  = "${" name (":-" | ":=") value "}"
//! scheme   = "Bearer " | "Basic " | ...
//! value    = quoted text | text without spaces, up to "&", or ";" or "," and another name
//!          | the rest of the line, where the name begins it and no word of a sentence follows
//! made     = a value of six or more characters with a letter and a digit
//! ```
//!
//! Which names are secret: `names.rs`.

mod value;

use self::value::Values;
use super::names::{Name, Words, ending_at, of, words};
use super::{Secret, run};

/// Names in the query of an address that say nothing elsewhere.
static QUERY: Words = words!("key code sid session ticket assertion st state_token hmac hash sign s");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// The value stands behind `=`.
    Assigned,
    /// The value stands behind `:`.
    Said,
    /// After a word or a flag.
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
            // `Token::new` gives nothing.
            ':' if text.get(..at).is_some_and(|before| before.ends_with(':')) => continue,
            ':' if text.get(at + 1..).is_some_and(|after| after.starts_with(':')) => continue,
            ':' | '：' => (Given::Said, Some(at)),
            ' ' => (Given::Told, told(text, at)),
            _ => continue,
        };
        let Some(end) = name_end else { continue };
        let value = at + separator.len_utf8();
        let found = if let Some(name) = ending_at(text, end) {
            values.value(end, value, name, given)
        } else if given == Given::Assigned
            && let Some(name) = typed(text, end)
        {
            values.value(end, value, name, given)
        } else if given == Given::Assigned && is_query(text, end) {
            values.value(end, value, Name::Made, given)
        } else {
            None
        };
        let Some(found) = found else { continue };
        // A value ends where the quotation ends that its name is in.
        while quotations.next_if(|quotation| quotation.end <= at).is_some() {}
        // In a text that was cut, `":"` looks like a quotation, and its name is not in it.
        let holds_name = |quotation: &&&Secret| {
            quotation.start <= at && run(text, quotation.start, |byte| is_blank(byte) || byte == b'\\') < at
        };
        let inside = quotations.peek().filter(holds_name).map_or(text.len(), |quotation| quotation.end);
        let secret = found.start..found.end.min(inside);
        secrets.extend(Some(secret).filter(|secret| secret.start < secret.end));
    }
}

/// Where the name ends when the words before this space can announce a value.
fn told(text: &str, space: usize) -> Option<usize> {
    let before = text.get(..space)?;
    // The last bytes of what is looked for below.
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

/// Where the last `length` bytes of a text begin, or a little later.
fn last_boundary(text: &str, length: usize) -> usize {
    let start = text.len().saturating_sub(length);
    (start..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The secret of a header, `Name: value`, if its name says that it has one.
pub(super) fn header(text: &str) -> Option<Secret> {
    let colon = text.find([':', ';', '='])?;
    let name = of(text.get(..colon)?)?;
    let start = run(text, colon + 1, is_blank);
    let value = text.get(start..)?;
    let scheme = value.split_once(' ').map_or(0, |(scheme, _)| scheme.len() + 1);
    let start = start + if name == Name::Line || name == Name::Perhaps { 0 } else { scheme };
    (start < text.len()).then_some(start..text.len())
}

/// What the name says in `name: type =`.
fn typed(text: &str, end: usize) -> Option<Name> {
    let start = last_boundary(text.get(..end)?, 40);
    let (before, kind) = text.get(start..end)?.rsplit_once(':')?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || " &'<>?|_.[]".contains(c);
    let plain = kind.starts_with([' ', '&']) && !kind.trim().is_empty() && kind.trim_end().split(' ').count() <= 3;
    (plain && kind.chars().all(is_type) && !before.ends_with(':')).then(|| ending_at(text, start + before.len()))?
}

/// Whether the name that ends there is a parameter of an address that may hold a secret.
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
