//! Masks secrets in the texts of people and agents, before they are stored, logged or printed.
//!
//! A command, a file or a sentence can contain a password or a token. The following is masked, and everything else
//! stays unchanged. In doubt text is masked: a masked word is a nuisance, a logged secret is a leak.
//!
//! | what | example | rule |
//! |---|---|---|
//! | value of a secret name | `api_key=x`, `"secret":"x"`, `비밀번호: x`, `Authorization: Bearer x` | `keys.rs`, `names.rs` |
//! | value named in a sentence | `password is hunter2`, `토큰은 abc123` | `keys.rs`, only with letters and digits |
//! | argument of a known program | `curl -u a:x`, `mysql -px`, `htpasswd -b f a x`, `echo x \| docker login --password-stdin` | `command.rs`, `programs.rs` |
//! | value of an option of any program | `--db-password x`, `-Password x`, `["--token", "x"]` | `command.rs`, `names.rs` |
//! | value apart from its name | `{"name":"DB_PASSWORD","value":"x"}`, `<password>x</password>`, `token: \|` | `pairs.rs` |
//! | value that a format has there | `.netrc`, `.pgpass`, `IDENTIFIED BY 'x'`, `a:x@tcp(host)/db` | `formats.rs` |
//! | token of a known shape | `ghp_...`, `hvs....`, `AKIA...`, JWT, bot tokens, hashes of passwords, private keys | `shapes.rs` |
//! | secret part of a URL | `https://user:x@host`, `?access_token=x`, webhook addresses | `shapes.rs`, `keys.rs` |
//! | long hex | 32 or more digits, letters among them | `noise.rs` |
//! | long base64 or base36 | 40 or more characters that change their class as often as random ones do | `noise.rs` |
//!
//! These are searched for in the text and, up to four levels deep, in the quotations in it, with their escapes
//! decoded: JSON can contain a command that contains a quotation (`layers.rs`). Masked JSON is still JSON.
//!
//! These stay readable: sentences, paths, addresses, UUIDs, versions, identifiers in any case; short hex; and hex of
//! 40 digits or a digest if the word before it calls it a commit, a revision or a checksum (see `noise.rs`), unless a
//! secret key precedes it. So do values that are not secrets: `$TOKEN`, `${TOKEN}`, `<token>`, `null`, words that
//! continue a sentence, files (`--password-file x`), and values entirely in Hangul, Han or Kana.
//!
//! A mask keeps the first four characters of a secret of twelve or more, and none of a shorter one. Masking a masked
//! text changes nothing. All rules inspect a character a bounded number of times.

mod bytes;
mod command;
mod formats;
mod keys;
mod layers;
mod names;
mod noise;
mod pairs;
mod programs;
mod shapes;
mod table;
mod values;
mod words;

use std::fmt;
use std::ops::Range;

use serde_json::{Map, Value};

/// A text without secrets. Only [`mask`] makes one, so that a function that takes it cannot receive the raw text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Masked(String);

impl Masked {
    /// Returns the masked text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Masks everything that looks like a secret. The result is at most four times as long.
pub fn mask(text: &str) -> Masked {
    Masked(masked(text, DEPTH).unwrap_or_else(|| text.to_owned()))
}

/// The number of levels of quotations that are searched.
const DEPTH: usize = 4;

/// Returns the text with secrets masked, if any are found.
fn masked(text: &str, depth: usize) -> Option<String> {
    // A mask can remove the word that kept a later value readable, so the text is searched again.
    const PASSES: usize = 8;
    let mut masked = once(text, depth)?;
    for _ in 1..PASSES {
        match once(&masked, depth) {
            Some(again) if again != masked => masked = again,
            _ => break,
        }
    }
    Some(masked)
}

/// Masks everything that looks like a secret in a JSON value: in each string, and where a name, a program or an
/// option marks a string beside it as secret.
pub fn mask_json(value: &Value) -> Value {
    // A string in JSON is a text within the text, which needs one more level.
    match masked(&value.to_string(), DEPTH + 1) {
        Some(masked) => strings(&serde_json::from_str(&masked).unwrap_or_else(|_| value.clone()), &|_| false),
        None => strings(value, &is_layer),
    }
}

/// Returns whether searching the whole JSON covered the string: not all escapes of JSON are decoded there.
fn is_layer(string: &str) -> bool {
    string.len() > 3 && string.contains(' ') && !string.contains(['\u{8}', '\u{c}'])
}

fn strings(value: &Value, is_done: &impl Fn(&str) -> bool) -> Value {
    let text = |text: &str| if is_done(text) { text.to_owned() } else { mask(text).0 };
    match value {
        Value::String(string) => text(string).into(),
        Value::Array(values) => values.iter().map(|value| strings(value, is_done)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (text(key), strings(value, is_done))).collect::<Map<_, _>>().into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns the text with its secrets masked, if it has any.
fn once(text: &str, depth: usize) -> Option<String> {
    let secrets = layers::find(text, depth);
    if secrets.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for secret in with_whole_escapes(text, joined(secrets)) {
        if secret.start < done {
            continue;
        }
        masked.push_str(text.get(done..secret.start).unwrap_or_default());
        let hidden = text.get(secret.clone()).unwrap_or_default();
        match json_quote(text, &secret) {
            Some(quote) => masked.extend([quote, "****", quote]),
            None => push_mask(hidden, &mut masked),
        }
        done = secret.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    Some(masked)
}

/// Searches a text whose quotations are known.
fn found(text: &str, quotations: &[Secret], secrets: &mut Vec<Secret>) {
    keys::find(text, quotations, secrets);
    shapes::find(text, secrets);
    noise::find(text, secrets);
    command::find(text, secrets);
    pairs::find(text, secrets);
    formats::find(text, secrets);
}

/// Adjusts the secrets so that none begins or ends within an escape such as `
/// `.
fn with_whole_escapes(text: &str, mut secrets: Vec<Secret>) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for secret in &mut secrets {
        for is_end in [false, true] {
            let edge = if is_end { &mut secret.end } else { &mut secret.start };
            while at < *edge {
                // Only a backslash begins an escape.
                let before = bytes.get(at..*edge).unwrap_or_default();
                let Some(escape) = bytes::memchr(b'\\', before) else {
                    at = *edge;
                    break;
                };
                at += escape;
                let length = match bytes.get(at + 1) {
                    Some(b'u') if is_hex(bytes, at + 2) => 6,
                    Some(b'\\' | b'"' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    _ => 1,
                };
                // An escape in which the secret begins stays; one in which it ends is masked.
                if at + length > *edge && text.is_char_boundary(at + length) {
                    *edge = at + length;
                }
                at += length;
            }
        }
    }
    secrets.retain(|secret| secret.start < secret.end);
    secrets
}

fn is_hex(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..at + 4).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Returns the quote that a number in JSON needs when it becomes a mask: that of its key. In a JSON string, JSON has
/// a backslash before each quote, at the next level three, and a key that ends in a backslash has more.
fn json_quote<'a>(text: &'a str, secret: &Secret) -> Option<&'a str> {
    const QUOTES: [&str; 3] = ["\"", "\\\"", "\\\\\\\""];
    let number = text.get(secret.clone())?.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let start = text.ceil_char_boundary(secret.start.saturating_sub(16));
    let key = text.get(start..secret.start)?.trim_end().strip_suffix(':')?.trim_end();
    let before = key.strip_suffix('"').filter(|_| number)?;
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    QUOTES.get(usize::try_from(backslashes.trailing_ones()).ok()?).copied()
}

/// The position of a secret, in bytes.
type Secret = Range<usize>;

/// Returns the secrets in order, with overlapping ones merged.
fn joined(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.retain(|secret| !secret.is_empty());
    secrets.sort_unstable_by_key(|secret| (secret.start, secret.end));
    let mut joined: Vec<Secret> = Vec::new();
    for secret in secrets {
        match joined.last_mut() {
            Some(last) if secret.start < last.end => last.end = last.end.max(secret.end),
            _ => joined.push(secret),
        }
    }
    joined
}

/// Returns the mask of a secret. A long mask keeps four characters and a short one none when it is masked again, so
/// masking twice changes nothing. Nothing is kept of a secret that begins with an escape, which would be split.
fn push_mask(secret: &str, masked: &mut String) {
    const KEPT: usize = 4;
    const LONG: usize = 12;
    if secret.chars().nth(LONG - 1).is_some() && !secret.chars().take(KEPT).any(|kept| kept == '\\') {
        masked.extend(secret.chars().take(KEPT));
        masked.push_str("********");
    } else {
        masked.push_str("****");
    }
}

/// Returns the end of the run of bytes that starts at a position.
fn run(text: &str, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
}

/// Returns whether a name or number begins at a position, and does not continue there.
fn begins_word(text: &str, at: usize) -> bool {
    let Some(before) = text.get(..at) else { return false };
    // A line end may be written as `\
    // `.
    let escape = ["\\n", "\\t", "\\r"].iter().any(|escape| before.ends_with(escape));
    escape || !before.ends_with(|before: char| before.is_ascii_alphanumeric() || before == '_')
}

#[cfg(test)]
mod tests;
