//! The text of a project's hooks that a person trusts: the hooks of its settings files, and the files that they are likely to
//! run. Each piece is preceded by a line with its length and SHA-256, so that two different sets of pieces are never the same
//! text.

use std::fmt::Write;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Longer pieces are named with their digest, and not shown, in bytes.
pub const SHOWN: usize = 64 << 10;

/// One file, or the part of it that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its path below the project.
    pub name: String,
    /// Its bytes, or of a settings file the part that matters.
    pub content: Vec<u8>,
}

/// Returns the part of a settings file that decides what runs; `None` if there is none. Claude Code itself writes the rest of
/// the file, so a change of it is no change of the hooks.
pub fn of_settings(settings: &str) -> Option<String> {
    let settings: Map<String, Value> = serde_json::from_str(settings.trim_start_matches('\u{feff}')).ok()?;
    let kept = |(name, _): &(String, Value)| matches!(name.as_str(), "hooks" | "disableAllHooks");
    let part: Map<String, Value> = settings.into_iter().filter(kept).collect();
    (!part.is_empty()).then(|| format!("{:#}\n", Value::Object(part)))
}

/// Returns the text of all pieces, in the order of their names.
pub fn text(pieces: &[Piece]) -> String {
    let mut sorted: Vec<&Piece> = pieces.iter().collect();
    sorted.sort_by(|one, other| one.name.cmp(&other.name));
    let mut text = String::new();
    for piece in sorted {
        let digest = hex::encode(Sha256::digest(&piece.content));
        let _ = writeln!(text, "=== {:?}, {} bytes, sha256 {digest}", piece.name, piece.content.len());
        match std::str::from_utf8(&piece.content) {
            Ok(content) if content.len() <= SHOWN => {
                text.push_str(content);
                if !content.ends_with('\n') {
                    text.push('\n');
                }
            }
            _ => text.push_str("(not shown)\n"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &str, content: &str) -> Piece {
        Piece { name: name.to_owned(), content: content.as_bytes().to_vec() }
    }

    #[test]
    fn only_hooks_of_a_settings_file_count() {
        let settings = r#"{"permissions":{"allow":["Bash(ls)"]},"hooks":{"Stop":[]},"disableAllHooks":false}"#;
        let other = settings.replace("Bash(ls)", "Bash(id)");
        assert_eq!(of_settings(settings), of_settings(&other));
        assert_ne!(of_settings(settings), of_settings(&settings.replace("Stop", "Setup")));
        assert_eq!(of_settings(r#"{"permissions":{}}"#), None);
        assert_eq!(of_settings("no json"), None);
    }

    #[test]
    fn the_text_shows_every_piece_in_order() {
        let pieces = [piece("b.sh", "echo b"), piece("a.sh", "echo a\n")];
        insta::assert_snapshot!(text(&pieces), @r#"
        === "a.sh", 7 bytes, sha256 914cefaded94d45f313fa21b0af05991c33df3566f4ca6814c3652f4b92b7c8c
        echo a
        === "b.sh", 6 bytes, sha256 1860ea0a80f43dde9b4f3894150fd75ecf248d90317d7741831b697b0c70eff4
        echo b
        "#);
    }

    #[test]
    fn a_piece_cannot_pretend_to_be_two() {
        let two = [piece("a", "x\n"), piece("b", "y\n")];
        let whole = text(&two);
        let begin = whole.split_once('\n').unwrap().1;
        assert_ne!(text(&[piece("a", begin)]), whole);
    }
}
