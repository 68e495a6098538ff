//! The branch of a folder, read from git's own file and without running git. The folder is untrusted: only short plain
//! files are read, and a name that git would refuse is none.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use dmplz_core::visible::visible_line;
use rustix::fs::OFlags;

/// The most folders that are looked at, from the session's upwards.
const FOLDERS: usize = 24;
/// The most bytes that are read of a file.
const LONGEST: u64 = 1_024;
/// The longest name, in bytes; git's own limit is that of a file name.
const NAME: usize = 200;
/// The characters of a commit's id that are shown.
const COMMIT: usize = 8;

/// Returns the branch that is checked out, or the beginning of a commit's id. `None` if there is no repository, or its
/// file says neither.
pub(super) fn of(folder: &Path) -> Option<String> {
    if !folder.is_absolute() {
        return None;
    }
    let head =
        folder.ancestors().take(FOLDERS).find_map(|folder| read(&git_folder(&folder.join(".git"))?.join("HEAD")))?;
    match head.trim_end().strip_prefix("ref: refs/heads/") {
        Some(name) => is_name(name).then(|| visible_line(name)),
        None => {
            let is_commit = head.trim_end().len() >= 40 && head.trim_end().bytes().all(|byte| byte.is_ascii_hexdigit());
            is_commit.then(|| head.chars().take(COMMIT).collect())
        }
    }
}

/// Returns the folder of the repository: `.git` itself, or the one that the file `.git` of a worktree names.
fn git_folder(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let text = read(git)?;
    let named = Path::new(text.trim_end().strip_prefix("gitdir: ")?);
    Some(git.parent()?.join(named))
}

/// Reads a short plain file. A pipe or a device is not waited for.
fn read(path: &Path) -> Option<String> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Returns whether git could have such a branch, as far as that protects a reader.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && !"~^:?*[\\".contains(c);
    (1..=NAME).contains(&name.len()) && name.chars().all(is_plain) && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_branch_of_a_folder_is_read_from_the_file_of_git() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("shop/src/deep");
        fs::create_dir_all(&deep).unwrap();
        let git = root.path().join("shop/.git");
        fs::create_dir(&git).unwrap();
        let commit = "0123456789abcdef0123456789abcdef01234567";
        for (head, branch) in [
            ("ref: refs/heads/main\n", Some("main")),
            ("ref: refs/heads/feat/한글\n", Some("feat/한글")),
            (commit, Some("01234567")),
            ("ref: refs/heads/\n", None),
            ("ref: refs/heads/a b\n", None),
            ("ref: refs/heads/a\u{1b}[31m\n", None),
            ("ref: refs/heads/../../x\n", None),
            ("ref: /etc/passwd\n", None),
            ("", None),
        ] {
            fs::write(git.join("HEAD"), head).unwrap();
            assert_eq!(of(&deep).as_deref(), branch, "{head:?}");
        }
        fs::write(git.join("HEAD"), format!("ref: refs/heads/{}", "x".repeat(NAME + 1))).unwrap();
        assert_eq!(of(&deep), None);
        // Not a plain file: nobody waits for its other end.
        fs::remove_file(git.join("HEAD")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, git.join("HEAD"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert_eq!(of(&deep), None);
        assert_eq!(of(Path::new("relative")), None);
    }

    #[test]
    fn the_branch_of_a_worktree_is_its_own() {
        let root = tempfile::tempdir().unwrap();
        let (tree, git) = (root.path().join("tree"), root.path().join("main/.git/worktrees/tree"));
        fs::create_dir_all(&tree).unwrap();
        fs::create_dir_all(&git).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/topic\n").unwrap();
        fs::write(tree.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
        assert_eq!(of(&tree).as_deref(), Some("topic"));
        fs::write(tree.join(".git"), "gitdir: ../main/.git/worktrees/tree\n").unwrap();
        assert_eq!(of(&tree).as_deref(), Some("topic"));
    }
}
