//! Where a path is, by its text alone.

use std::path::Path;

/// Where a path may be: absolute, `..` not taken out. More than one where tools differ: some take `~/x` for the home
/// directory and others for a folder named `~`, some take blanks at the ends away. None when that depends on a folder that
/// is not known, the home of another user (`~you/x`) among them.
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

/// An absolute folder as text.
pub(super) fn text(folder: Option<&Path>) -> Option<&str> {
    folder.filter(|folder| folder.is_absolute())?.to_str()
}
