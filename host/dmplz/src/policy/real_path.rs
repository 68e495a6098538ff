//! Resolves paths: rules about files check the given name and the file that it refers to.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links, which is that of Linux (`man 7 path_resolution`).
const MAX_LINKS: u32 = 40;

/// Resolves the symbolic links of an absolute path, including those to files that do not exist yet. `..` after a
/// component that does not exist removes it, as for a program that normalises a path before opening it. `None` if the
/// result is the same path, or the links form a circle.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    let mut links = 0;
    let mut ahead = vec![path.to_owned()];
    while let Some(path) = ahead.pop() {
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            match part {
                Component::ParentDir => {
                    real.pop();
                    continue;
                }
                Component::CurDir => continue,
                part => real.push(part),
            }
            let Ok(target) = real.read_link() else { continue };
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            // An absolute target replaces the path when it is pushed; a relative one continues from the link's folder.
            real.pop();
            ahead.push(parts.as_path().to_owned());
            ahead.push(target);
            break;
        }
    }
    (real != path).then_some(real)
}

/// Returns a [`real_path`] that resolves each path only once: rules about files ask for the same few paths repeatedly.
pub(crate) fn each_once() -> impl Fn(&Path) -> Option<PathBuf> {
    let followed = RefCell::new(BTreeMap::new());
    move |path| followed.borrow_mut().entry(path.to_owned()).or_insert_with_key(|path| real_path(path)).clone()
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
        symlink("/etc", root.join("outside")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        for (path, leads) in [
            ("real/file", None),
            ("real", None),
            ("folder", Some("real")),
            ("folder/not/there", Some("real/not/there")),
            ("dangling", Some("real/new")),
            ("loop", None),
            ("real/../folder/x", Some("real/x")),
            ("folder/../real/x", Some("real/x")),
            ("not/there/../../folder/x", Some("real/x")),
            ("real/./file", None),
            ("dangling/../x", Some("real/x")),
            ("outside/passwd", Some("/etc/passwd")),
        ] {
            assert_eq!(real_path(&root.join(path)), leads.map(|leads| root.join(leads)), "{path}");
        }
    }
}
