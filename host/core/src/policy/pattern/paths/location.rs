//! Where a path is, by its text alone.

use std::path::Path;

use super::Anchors;

/// Where a path may be, as absolute paths without `.`, `..` and a `/` at the end. More than one where readers of paths differ:
/// some tools take `~/x` for the home directory, others for a folder named `~`. None when that depends on an unknown folder.
pub(super) fn locations(path: &str, at: &Anchors<'_>, cwd: Option<&Path>) -> Option<Vec<String>> {
    let here = match path.strip_prefix('/') {
        Some(_) => tidy("", path),
        None => tidy(text(cwd)?, path),
    };
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(vec![here, tidy(text(at.home)?, rest)]),
        _ => Some(vec![here]),
    }
}

/// Joins two paths without `.`, `..`, `//`: `/a/b`; the root is the empty text. `..` stops at the root.
pub(super) fn tidy(base: &str, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in base.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.iter().flat_map(|name| ["/", name]).collect()
}

/// An absolute folder as text.
pub(super) fn text(folder: Option<&Path>) -> Option<&str> {
    folder.filter(|folder| folder.is_absolute())?.to_str()
}
