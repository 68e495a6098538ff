//! Finds long strings that are not words.
//!
//! **Hex**: 32 or more digits with a letter among them. It stays if the word before announces it: 40 digits after a
//! word of git (`commit`, `at`, `revert`, `커밋`, `/commit/`, ...), after `@` or `..`, or before `..`; any length after
//! the name of a digest (`sha256:`, `checksum`, ...).
//!
//! **Base64**: 40 or more characters, possibly with `+ / _ -` among them and `=` after them, with upper case, lower
//! case and digits. Random ones change from one of the three to another at 64 of 100 steps, and 15 of 100 characters
//! are in three or more lower-case letters in a row; in identifiers and paths that consist of words, 60 and more are.
//! So at least 40 changes of 100 are required, and fewer than 45 characters in a row (60 in upper case, which an
//! acronym has). `+ / _ -` are not counted. UUIDs stay.
//!
//! **Base36**: 40 or more letters of one case and digits without separators. Random ones change at 30 to 40 of 100
//! steps; 22 are enough.

use super::{Secret, run};

const HEX: usize = 32;
const BASE64: usize = 40;
const GIT: usize = 40;

/// Words that may precede the hash of a commit.
const GIT_WORDS: &str = "commit commits sha rev revision hash at merge revert reverts pick checkout rebase reset \
    hard show parent head tree blob base tag 커밋 리비전 해시 コミット";

/// The names of digests, as suffixes of the word before one.
const DIGESTS: &str = "sha1 sha256 sha384 sha512 md5 digest checksum integrity 체크섬";

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    let (bytes, mut start) = (text.as_bytes(), 0);
    // A shorter run is searched only for its last byte that does not belong to it.
    while let Some(shortest) = bytes.get(start..start + HEX) {
        if let Some(other) = shortest.iter().rposition(|byte| !is_base64(*byte)) {
            start += other + 1;
            continue;
        }
        let end = run(text, start + HEX, is_base64);
        in_run(text, start..end, secrets);
        start = end + 1;
    }
}

fn in_run(text: &str, whole: Secret, secrets: &mut Vec<Secret>) {
    // A word or a path without a digit is none of the three, at any length.
    if whole.len() < HEX || !text.as_bytes().get(whole.clone()).is_some_and(|run| run.iter().any(u8::is_ascii_digit)) {
        return;
    }
    if is_digest(text, &whole) {
        return;
    }
    let padded = whole.start..run(text, whole.end, |byte| byte == b'=');
    if is_random(text.get(whole.clone()).unwrap_or_default()) {
        secrets.push(padded);
        return;
    }
    let mut start = whole.start;
    while start < whole.end {
        let end = run(text, start, |byte| is_base64(byte) && byte != b'/').min(whole.end);
        if is_random(text.get(start..end).unwrap_or_default()) {
            secrets.push(start..end);
        }
        start = end + 1;
    }
    let mut start = whole.start;
    while start < whole.end {
        let end = run(text, start, |byte| byte.is_ascii_alphanumeric()).min(whole.end);
        if is_hex(text.get(start..end).unwrap_or_default())
            && !is_git(text, start..end)
            && !is_digest(text, &(start..end))
        {
            secrets.push(start..end);
        }
        start = end + 1;
    }
}

fn is_base64(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'/' | b'_' | b'-')
}

fn is_hex(run: &str) -> bool {
    run.len() >= HEX
        && run.bytes().all(|byte| byte.is_ascii_hexdigit())
        && run.bytes().any(|byte| byte.is_ascii_alphabetic())
        && run.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns whether letters and digits alternate as in a random string.
fn is_random(run: &str) -> bool {
    if run.len() < BASE64 {
        return false;
    }
    let (mut characters, mut changes) = (0, 0);
    // The number of characters of each class, and the number of those in words.
    let (mut all, mut in_words) = ([0; 3], [0; 3]);
    let (mut last, mut in_row) = (usize::MAX, 0);
    for byte in run.bytes().filter(u8::is_ascii_alphanumeric) {
        let class = class(byte);
        characters += 1;
        if class == last {
            in_row += 1;
        } else {
            changes += usize::from(characters > 1);
            (last, in_row) = (class, 1);
        }
        all.get_mut(class).into_iter().for_each(|all| *all += 1);
        let counted = [0, 0, 0, 3].get(in_row).copied().unwrap_or(1);
        in_words.get_mut(class).into_iter().for_each(|words| *words += counted);
    }
    let of_hundred = |count: usize| count * 100 / characters.max(1);
    let [upper, lower, _] = in_words;
    let random = match all.map(|count| count > 0) {
        [true, true, true] => of_hundred(changes) >= 40 && of_hundred(lower) < 45 && of_hundred(upper) < 60,
        [true, false, true] | [false, true, true] => {
            let separated = characters < run.len();
            of_hundred(changes) >= 22 && !separated && !run.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        _ => false,
    };
    random && !has_uuid(run)
}

/// Returns the class of a byte: 0 for upper case, 1 for lower case, 2 for digits.
fn class(byte: u8) -> usize {
    match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        _ => 2,
    }
}

/// Returns whether the run contains hex in groups of 8, 4, 4, 4 and 12 digits.
fn has_uuid(run: &str) -> bool {
    let groups: Vec<&str> = run.split(|c: char| !c.is_ascii_hexdigit()).collect();
    groups.windows(5).any(|five| five.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]))
}

/// Returns whether the text around a run of 40 digits says that it is the hash of a commit.
fn is_git(text: &str, hash: Secret) -> bool {
    if hash.len() != GIT {
        return false;
    }
    let before = text.get(..hash.start).unwrap_or_default();
    let after = text.get(hash.end..).unwrap_or_default();
    let word = last_word(before.strip_suffix('/').unwrap_or(before)).to_lowercase();
    before.ends_with('@')
        || before.ends_with("..")
        || after.starts_with("..")
        || GIT_WORDS.split(' ').any(|known| known == word)
}

/// Returns whether the name of a digest precedes the run, or begins it as in `sha512-...`.
fn is_digest(text: &str, run: &Secret) -> bool {
    let before = last_word(text.get(..run.start).unwrap_or_default()).to_lowercase();
    // A dash further on does not end the name of a digest.
    let start = text.as_bytes().get(run.clone()).and_then(|run| run.get(..16)).unwrap_or_default();
    let dash = start.iter().position(|byte| *byte == b'-').unwrap_or(0);
    let inside = text.get(run.start..run.start + dash).unwrap_or_default().to_lowercase();
    DIGESTS.split(' ').any(|digest| before.ends_with(digest) || inside == digest)
}

/// Returns the word before, at most 64 bytes of it, without the characters that may separate it from a hash.
fn last_word(before: &str) -> &str {
    let between = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | '[' | '`' | '"' | '\'' | '#' | '-');
    let start = before.ceil_char_boundary(before.len().saturating_sub(64));
    let before = before.get(start..).unwrap_or_default().trim_end_matches(between);
    let ends_word = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | '"' | '/' | '-');
    before.rsplit(ends_word).next().unwrap_or_default()
}
