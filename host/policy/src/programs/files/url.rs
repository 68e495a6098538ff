//! The files that URLs name: a local one, and the folder that a clone makes.

use crate::shell::{Part, Shape, Word};

/// Returns the file that a URL means (`file:///x`), or a word that may be any file if the URL is not certainly another
/// one: `file:///%74`, and with curl `{file}:///x`.
pub(super) fn local_file(url: &Word) -> Option<Word> {
    const SCHEME: &str = "file:";
    let anything = || Some(Word::beginning(""));
    let Some(text) = url.text() else {
        let begins = |text: &str| {
            let lower = text.to_ascii_lowercase();
            lower.starts_with(SCHEME) || !lower.is_empty() && SCHEME.starts_with(&lower)
        };
        let shape_begins = |shape: &Shape| matches!(shape.first(), Some(Part::Text(text)) if begins(text));
        let may_be = begins(&url.known) || url.shapes.iter().any(|shapes| shapes.iter().any(shape_begins));
        return if may_be { anything() } else { None };
    };
    let scheme = text.get(..SCHEME.len()).filter(|scheme| scheme.eq_ignore_ascii_case(SCHEME));
    let Some(path) = scheme.and_then(|scheme| text.get(scheme.len()..)) else {
        let (certain, glob) = text.split_at(text.find(['[', '{']).unwrap_or(text.len()));
        let may_be = !glob.is_empty() && SCHEME.starts_with(&certain.to_ascii_lowercase());
        return if may_be { anything() } else { None };
    };
    let path = ["//localhost", "//127.0.0.1", "//"].iter().find_map(|host| path.strip_prefix(*host)).unwrap_or(path);
    let is_plain = path.starts_with('/') && !path.contains(['%', '[', '{', '?', '#', '\\']);
    if is_plain { Some(Word::exact(path)) } else { anything() }
}

/// Returns the last name in a URL, without what git strips from it: blanks, a port, the folder of the repository's files
/// and an ending.
pub(super) fn name_of_clone(url: &str) -> &str {
    let is_blank = |sign: char| sign.is_whitespace() || sign.is_control();
    let is_name = |name: &&str| *name != ".git" && !name.bytes().all(|byte| byte.is_ascii_digit());
    let name = url.rsplit(['/', ':', '@']).map(|name| name.trim_matches(is_blank)).find(is_name).unwrap_or_default();
    name.strip_suffix(".git").or_else(|| name.strip_suffix(".bundle")).unwrap_or(name).trim_matches(is_blank)
}
