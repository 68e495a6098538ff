//! Masking of secrets in what people write, before it is logged or printed: seed 0, section 9.2.
//!
//! Words that a person writes in a hurry may hold a password or a token. What follows is masked; everything else stays
//! as it was written. Where a rule cannot know, it masks: a masked word is a nuisance, a logged secret is a leak.
//!
//! | what | example | rule |
//! |---|---|---|
//! | value of a secret key | `api_key=x`, `"secret":"x"`, `비밀번호: x`, `Authorization: Bearer x` | `keys.rs` |
//! | value named in a sentence or a flag | `password is hunter2`, `토큰은 abc123`, `--token abc123` | `keys.rs`, only with letters and digits |
//! | token of a known shape | `ghp_...`, `sk-...`, `AKIA...`, JWT, bot tokens, PEM private keys | `shapes.rs` |
//! | secret part of a URL | `https://user:x@host`, `?access_token=x`, webhook addresses | `shapes.rs`, `keys.rs` |
//! | long hex | 32 or more digits, letters among them | `noise.rs` |
//! | long base64 or base36 | 40 or more characters that change their class as often as random ones do | `noise.rs` |
//!
//! Stays readable: sentences, paths, addresses, UUIDs, versions, identifiers in any case; short hex; and hex of 40
//! digits or a digest where the word before says that it is a commit, a revision or a checksum (see `noise.rs`), unless
//! a secret key comes before it. Also values that are no secrets: `$TOKEN`, `${TOKEN}`, `<token>`, `null`, words that
//! only a sentence has after a colon, and values written in Hangul, Han or Kana throughout.
//!
//! A mask keeps the first four characters of a secret of twelve or more, and nothing of a shorter one. It is chosen so
//! that masking twice is masking once. All rules look at a character a bounded number of times.

mod keys;
mod noise;
mod shapes;

use std::fmt;
use std::ops::Range;

/// A text in which secrets are masked. Only [`mask`] makes one, so whatever takes it cannot be given the raw text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Masked(String);

impl Masked {
    /// The masked text.
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
    // A mask may take the word away that let something after it stay readable. Then that is masked as well.
    const PASSES: usize = 8;
    let mut masked = once(text);
    for _ in 1..PASSES {
        let again = once(&masked);
        if again == masked {
            break;
        }
        masked = again;
    }
    Masked(masked)
}

fn once(text: &str) -> String {
    let mut secrets = Vec::new();
    keys::find(text, &mut secrets);
    shapes::find(text, &mut secrets);
    noise::find(text, &mut secrets);
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for secret in joined(secrets) {
        masked.push_str(text.get(done..secret.start).unwrap_or_default());
        push_mask(text.get(secret.clone()).unwrap_or_default(), &mut masked);
        done = secret.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    masked
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
fn push_mask(secret: &str, masked: &mut String) {
    const KEPT: usize = 4;
    const LONG: usize = 12;
    if secret.chars().count() >= LONG {
        masked.extend(secret.chars().take(KEPT));
        masked.push_str("********");
    } else {
        masked.push_str("****");
    }
}

/// The end of the run of bytes that starts there.
fn run(text: &str, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| belongs(**byte)).count()
}

/// Whether a name or a number begins there rather than goes on.
fn begins_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    !before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_')
}

#[cfg(test)]
mod tests;
