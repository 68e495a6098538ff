//! Computes where a path is, by its text alone.

use std::path::Path;

/// Returns the absolute paths that a path may mean, with `..` not resolved. There are several if tools differ: some
/// read `~/x` as the home directory and others as a folder named `~`, and some trim blanks at the ends. `None` if they
/// depend on an unknown folder, such as the home of another user (`~you/x`).
pub(crate) fn places(path: &str, home: Option<&Path>, cwd: Option<&Path>) -> Option<Vec<String>> {
    let mut places = Vec::new();
    for path in [path, path.trim()] {
        let from = |base: Option<&Path>, path: &str| Some(format!("{}/{path}", text(base)?));
        if path.starts_with('/') {
            places.push(path.to_owned());
        } else {
            places.push(from(cwd, path)?);
        }
        if let Some(rest) = path.strip_prefix('~') {
            let own = rest.is_empty() || rest.starts_with('/');
            places.push(own.then(|| from(home, rest))??);
        }
    }
    places.dedup();
    Some(places)
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

/// Returns an absolute folder as text.
pub(super) fn text(folder: Option<&Path>) -> Option<&str> {
    folder.filter(|folder| folder.is_absolute())?.to_str()
}
