//! Where a path leads: rules about files look at the name that was given and at the file that it means.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows (`man 7 path_resolution`).
const MAX_LINKS: u32 = 40;

/// Where an absolute path leads when symbolic links are followed, also those to what does not exist yet. `..` after
/// something that does not exist leads back, as it does for a program that tidies a path before it opens it. None when it
/// leads nowhere else, or in circles.
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
            // An absolute target begins anew when it is pushed; a relative one goes on from the link's folder.
            real.pop();
            ahead.push(parts.as_path().to_owned());
            ahead.push(target);
            break;
        }
    }
    (real != path).then_some(real)
}

/// As [`real_path`], following each path once: rules about files ask for the same few again and again.
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
