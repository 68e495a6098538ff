//! The line by which a unit names its own digest, so that a change by somebody else is seen.

use sha2::{Digest, Sha256};

/// What the line says before the digest.
const WORDS: &str = "dmplz service install wrote this file; sha256 of the rest: ";

/// How a file format writes a comment: before and after its text.
pub(super) type Comment = (&'static str, &'static str);

/// Returns the text with the line of its digest at the end.
pub(super) fn signed(text: &str, (open, close): Comment) -> String {
    format!("{text}{open}{WORDS}{}{close}\n", digest(text))
}

/// Returns whether a text is as an install wrote it.
pub(super) fn is_ours(text: &str) -> bool {
    let Some(at) = text.rfind(WORDS) else { return false };
    let (before, line) = text.split_at(at);
    let body = before.get(..before.rfind('\n').map_or(0, |end| end + 1)).unwrap_or_default();
    let told = line.strip_prefix(WORDS).and_then(|rest| rest.get(..64));
    // Nothing may follow the line.
    told == Some(digest(body).as_str()) && line.lines().count() == 1
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_anywhere_is_seen() {
        for comment in [("# ", ""), ("<!-- ", " -->")] {
            let text = signed("[Unit]\nA=1\n", comment);
            assert!(is_ours(&text), "{text}");
            for changed in [text.replace("A=1", "A=2"), format!("{text}B=1\n"), format!("B=1\n{text}")] {
                assert!(!is_ours(&changed), "{changed}");
            }
        }
        assert!(!is_ours("[Unit]\n"));
        assert!(!is_ours(WORDS));
    }
}
