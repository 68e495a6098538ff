//! Where a path leads: rules about files look at the name that was given and at the file that it means.

use std::path::{Path, PathBuf};

/// As many links as Linux follows (`man 7 path_resolution`).
const MAX_LINKS: u32 = 40;

/// Where a path leads when symbolic links are followed, also those to what does not exist yet. None when it leads nowhere
/// else.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    resolve(path, MAX_LINKS).filter(|real| real != path)
}

fn resolve(path: &Path, links: u32) -> Option<PathBuf> {
    for ancestor in path.ancestors() {
        let rest = path.strip_prefix(ancestor).ok()?;
        let below = |folder: PathBuf| if rest.as_os_str().is_empty() { folder } else { folder.join(rest) };
        if let Ok(real) = ancestor.canonicalize() {
            return Some(below(real));
        }
        if let Ok(target) = ancestor.read_link() {
            return resolve(&below(ancestor.parent()?.join(target)), links.checked_sub(1)?);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_even_to_what_does_not_exist() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("folder")).unwrap();
        symlink(root.join("real/new"), root.join("dangling")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        for (path, leads) in [
            ("real/file", None),
            ("real", None),
            ("folder", Some("real")),
            ("folder/not/there", Some("real/not/there")),
            ("dangling", Some("real/new")),
            ("loop", None),
            ("real/../folder/x", Some("real/x")),
        ] {
            assert_eq!(real_path(&root.join(path)), leads.map(|leads| root.join(leads)), "{path}");
        }
    }
}
