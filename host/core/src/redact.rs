//! Masking of secrets in what people write and agents run, before it is stored, logged or printed.
//!
//! A command, a file or a sentence may hold a password or a token. What follows is masked; everything else stays as it was
//! written. Where a rule cannot know, it masks: a masked word is a nuisance, a logged secret is a leak.
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
//! All of that is looked for in the text and, four levels deep, in the quotations in it, without their escapes: JSON holds
//! a command that holds a quotation (`layers.rs`). JSON that is masked is still JSON.
//!
//! Stays readable: sentences, paths, addresses, UUIDs, versions, identifiers in any case; short hex; and hex of 40
//! digits or a digest where the word before says that it is a commit, a revision or a checksum (see `noise.rs`), unless
//! a secret key comes before it. Also values that are no secrets: `$TOKEN`, `${TOKEN}`, `<token>`, `null`, words that
//! a sentence goes on with, files (`--password-file x`), and values written in Hangul, Han or Kana throughout.
//!
//! A mask keeps the first four characters of a secret of twelve or more, and nothing of a shorter one. It is chosen so
//! that masking twice is masking once. All rules look at a character a bounded number of times.

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

/// A text in which secrets are masked. Only [`mask`] makes one, so whatever takes it cannot be given the raw text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Masked(String);

impl Masked {
    /// The text without its secrets.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Masks what looks like a secret. The result is at most four times as long.
pub fn mask(text: &str) -> Masked {
    Masked(masked(text, DEPTH).unwrap_or_else(|| text.to_owned()))
}

/// How deep texts are looked for in texts.
const DEPTH: usize = 4;

/// The text with secrets masked, if any are found.
fn masked(text: &str, depth: usize) -> Option<String> {
    // A mask may take the word away that let something after it stay readable. Then that is masked as well.
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

/// Masks what looks like a secret in a JSON value: in each of its strings, and where a name, a program or an option in it
/// says of a string beside it that it is one.
pub fn mask_json(value: &Value) -> Value {
    // A string in it is a text within the text, so one more is looked into.
    match masked(&value.to_string(), DEPTH + 1) {
        Some(masked) => strings(&serde_json::from_str(&masked).unwrap_or_else(|_| value.clone()), &|_| false),
        None => strings(value, &is_layer),
    }
}

/// Whether the string was looked at with the whole JSON, as it is: not all escapes of JSON become what they stand for there.
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

/// The text with what is found in it masked, if anything is.
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

/// Looks for secrets in a text whose quotations are known.
fn found(text: &str, quotations: &[Secret], secrets: &mut Vec<Secret>) {
    keys::find(text, quotations, secrets);
    shapes::find(text, secrets);
    noise::find(text, secrets);
    command::find(text, secrets);
    pairs::find(text, secrets);
    formats::find(text, secrets);
}

/// The secrets, so that none begins or ends within an escape like `\n`.
fn with_whole_escapes(text: &str, mut secrets: Vec<Secret>) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for secret in &mut secrets {
        for is_end in [false, true] {
            let edge = if is_end { &mut secret.end } else { &mut secret.start };
            while at < *edge {
                // Nothing but a backslash begins an escape.
                let before = bytes.get(at..*edge).unwrap_or_default();
                let Some(escape) = memchr::memchr(b'\\', before) else {
                    at = *edge;
                    break;
                };
                at += escape;
                let length = match bytes.get(at + 1) {
                    Some(b'u') if is_hex(bytes, at + 2) => 6,
                    Some(b'\\' | b'"' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    _ => 1,
                };
                // An escape that the secret begins in stays, one that it ends in goes.
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

/// The quote that a number needs in JSON when it becomes a mask: the one of its key. JSON in a string of JSON has a
/// backslash before each quote, that in a string of it three, and a key that ends in a backslash has more.
fn json_quote<'a>(text: &'a str, secret: &Secret) -> Option<&'a str> {
    const QUOTES: [&str; 3] = ["\"", "\\\"", "\\\\\\\""];
    let number = text.get(secret.clone())?.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let mut start = secret.start.saturating_sub(16);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let key = text.get(start..secret.start)?.trim_end().strip_suffix(':')?.trim_end();
    let before = key.strip_suffix('"').filter(|_| number)?;
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    QUOTES.get(usize::try_from(backslashes.trailing_ones()).ok()?).copied()
}

/// Where a secret is, in bytes.
type Secret = Range<usize>;

/// The secrets in order, with those made one that overlap.
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

/// A long mask is itself long enough to keep four characters, and a short one too short: so masking it changes nothing.
/// Nothing is kept of a secret that begins with an escape, which would be cut.
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

/// The end of the run of bytes that starts there.
fn run(text: &str, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
}

/// Whether a name or a number begins there rather than goes on.
fn begins_word(text: &str, at: usize) -> bool {
    let Some(before) = text.get(..at) else { return false };
    // A line may have been written as `\\n`.
    let escape = ["\\n", "\\t", "\\r"].iter().any(|escape| before.ends_with(escape));
    escape || !before.ends_with(|before: char| before.is_ascii_alphanumeric() || before == '_')
}

#[cfg(test)]
mod tests;
