//! Texts of a session as one short line.

use dmplz_core::visible::visible_line;

/// Returns the beginning of a text on one line: at most `most` characters, and `…` if more follow.
pub(super) fn short(text: &str, most: usize) -> String {
    let line = visible_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
