//! Searches folders for links that a glob may match, and for files that decide what an agent is allowed, in a folder
//! that a command would move or delete.
//!
//! A folder that cannot be listed may contain anything, because the command may be able to list it: it may change the permissions
//! before, or run as somebody else.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use dmplz_policy::Entries;
use dmplz_policy::call::Links;
use dmplz_policy::places::decides_in_its_folder;

/// The maximum number of entries that are searched. A larger folder is assumed to contain such a file.
const MAX_ENTRIES: usize = 20_000;

/// The maximum number of entries that are listed for the globs of a call. Only folders to which a glob can lead are
/// listed, so only `**`, and a command for each file that `find` finds, reach it.
const MAX_LISTED: usize = 50_000;

/// Returns the entries of a folder, none of what is missing or no folder, and an error where it cannot be listed.
fn entries_of(folder: &Path) -> impl Iterator<Item = io::Result<DirEntry>> {
    let (entries, error) = match fs::read_dir(folder) {
        Ok(entries) => (Some(entries), None),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => (None, None),
        Err(error) => (None, Some(Err(error))),
    };
    entries.into_iter().flatten().chain(error)
}

/// Returns whether a folder contains such a file, more entries than are searched, or a folder that cannot be listed. Links are not
/// followed, because they are moved as links.
pub(crate) fn holds_rules(folder: &Path) -> bool {
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in entries_of(&folder) {
            seen += 1;
            let Ok((entry, kind)) = entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) else {
                return true;
            };
            if seen > MAX_ENTRIES {
                return true;
            }
            let (path, name, is_folder) = (entry.path(), entry.file_name(), kind.is_dir());
            // The names of all such files begin with a dot or are in a folder whose name does, except for one.
            let may_decide = path.to_string_lossy().contains("/.") || name == "opencode.json";
            if !is_folder && may_decide && decides_in_its_folder(&path) {
                return true;
            }
            if is_folder {
                folders.push(path);
            }
        }
    }
    false
}

/// Returns a function that lists the links and folders in a folder, and lists each folder only once. It returns `None` when
/// there are more entries in all folders together than are searched, or the folder cannot be listed.
pub(crate) fn entries_once() -> impl Fn(&Path) -> Option<Entries> {
    let listed = RefCell::new(BTreeMap::new());
    let left = Cell::new(MAX_LISTED);
    move |folder| {
        listed.borrow_mut().entry(folder.to_owned()).or_insert_with_key(|folder| entries_in(folder, &left)).clone()
    }
}

/// Returns the links and folders in a folder. `None` if there are more entries than are left to list, or it cannot be listed.
fn entries_in(folder: &Path, left: &Cell<usize>) -> Option<Entries> {
    let mut found = Entries::default();
    for entry in entries_of(folder) {
        left.set(left.get().checked_sub(1)?);
        let entry = entry.ok()?;
        match entry.file_type().ok()? {
            kind if kind.is_symlink() => found.links.push(entry.file_name()),
            kind if kind.is_dir() => found.folders.push(entry.file_name()),
            _ => {}
        }
    }
    Some(found)
}

/// Returns a function that searches for the links below a path, and walks through each only once: several words and rules ask for
/// the same one.
pub(crate) fn links_once() -> impl Fn(&Path) -> Option<Links> {
    let found = RefCell::new(BTreeMap::new());
    move |path| found.borrow_mut().entry(path.to_owned()).or_insert_with_key(|path| links_below(path)).clone()
}

/// Returns the symbolic links below a path, or the link that it is: each path from there, and where it leads, as written.
/// `None` if there are more entries than are searched, or a folder cannot be listed.
fn links_below(path: &Path) -> Option<Links> {
    if let Ok(leads) = fs::read_link(path) {
        return Some(vec![(PathBuf::new(), leads)]);
    }
    let mut links = Vec::new();
    let mut folders = vec![PathBuf::new()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in entries_of(&path.join(&folder)) {
            seen += 1;
            if seen > MAX_ENTRIES {
                return None;
            }
            let entry = entry.ok()?;
            let below = folder.join(entry.file_name());
            match entry.file_type().ok()? {
                kind if kind.is_dir() => folders.push(below),
                kind if kind.is_symlink() => links.push((below, fs::read_link(entry.path()).ok()?)),
                _ => {}
            }
        }
    }
    Some(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_links_and_folders_of_a_folder_are_found() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("file"), "x").unwrap();
        std::os::unix::fs::symlink("nowhere", temp.path().join("link")).unwrap();
        fs::create_dir(temp.path().join("folder")).unwrap();
        let entries_in = entries_once();
        let found = entries_in(temp.path()).unwrap();
        assert_eq!((found.links, found.folders), (vec!["link".into()], vec!["folder".into()]));
        assert!(entries_in(Path::new("/missing")).unwrap().links.is_empty());
    }

    #[test]
    fn a_folder_with_more_entries_than_are_left_is_not_listed_in_part() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("a"), "x").unwrap();
        fs::write(temp.path().join("b"), "x").unwrap();
        assert!(entries_in(temp.path(), &Cell::new(1)).is_none());
        assert!(entries_in(temp.path(), &Cell::new(2)).is_some());
    }

    #[test]
    fn the_links_below_a_folder_are_found_with_where_they_lead() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        std::os::unix::fs::symlink("../nowhere", root.join("a/b/link")).unwrap();
        let found = |path: &str| links_below(&root.join(path));
        let link = |path: &str| Some(vec![(PathBuf::from(path), PathBuf::from("../nowhere"))]);
        assert_eq!(found("a"), link("b/link"));
        assert_eq!(found("a/b/link"), link(""));
        assert_eq!(found("missing"), Some(Vec::new()));
    }

    #[test]
    fn a_folder_that_cannot_be_listed_may_contain_anything() {
        let temp = tempfile::tempdir().unwrap();
        // The administrator can list every folder, but not what is behind a link to itself.
        std::os::unix::fs::symlink("loop", temp.path().join("loop")).unwrap();
        let folder = temp.path().join("loop/folder");
        assert!(fs::read_dir(&folder).is_err());
        assert!(entries_once()(&folder).is_none());
        assert_eq!(links_once()(&folder), None);
        assert!(holds_rules(&folder));
    }

    #[test]
    fn a_folder_in_another_that_cannot_be_listed_is_not_left_out() {
        use std::os::unix::fs::PermissionsExt;

        let temp = tempfile::tempdir().unwrap();
        let locked = temp.path().join("a/locked");
        fs::create_dir_all(&locked).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        // The administrator lists it all the same.
        let is_listed = fs::read_dir(&locked).is_ok();
        assert_eq!(links_once()(temp.path()).is_some(), is_listed);
        assert_eq!(holds_rules(temp.path()), !is_listed);
        assert!(entries_once()(temp.path()).is_some());
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    }

    #[test]
    fn the_links_below_a_folder_are_searched_for_once() {
        let temp = tempfile::tempdir().unwrap();
        let link = temp.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let links_below = links_once();
        let first = links_below(temp.path());
        fs::remove_file(&link).unwrap();
        assert_eq!(first.as_ref().map(Vec::len), Some(1));
        assert_eq!(links_below(temp.path()), first);
    }

    #[test]
    fn a_folder_is_looked_through_to_its_depth() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        for (folder, file, holds) in [
            ("plain", "a/b/c.txt", false),
            ("git", ".git/config", false),
            ("claude", "a/b/.claude/settings.json", true),
            ("notes", ".claude/notes.md", false),
            ("server", "x/.mcp.json", true),
            ("ours", ".dmplz/policy.toml", true),
        ] {
            let path = root.join(folder).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x").unwrap();
            assert_eq!(holds_rules(&root.join(folder)), holds, "{folder}");
        }
        assert!(!holds_rules(&root.join("missing")));
        assert!(!holds_rules(&root.join("plain/a/b/c.txt")));
    }
}
