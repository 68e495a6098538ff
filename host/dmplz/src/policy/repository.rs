//! Searches the git repository of a folder, as git would find it, for settings that name programs.
//!
//! Git takes the nearest folder upwards that contains a `.git`, or that itself has the layout of a repository. Nobody
//! works in one of the latter kind, and an agent can create one without asking: it is never plain.

use std::fs;
use std::path::{Path, PathBuf};

use dmplz_policy::Repository;
use dmplz_policy::programs::repository::{hooks_path, program_in};

use crate::plain_file;

/// The maximum size of a file of settings, in bytes. Git's own have a few hundred.
const MAX_CONFIG: u64 = 1 << 20;

/// The maximum number of folders of submodules that are searched.
const MAX_MODULES: usize = 500;

/// The hook that reading commands run when they update the index.
const HOOK: &str = "post-index-change";

/// Returns the state of the repository of a folder.
pub(crate) fn repository(folder: &Path) -> Repository {
    for folder in folder.ancestors() {
        let git = folder.join(".git");
        let found = match fs::metadata(&git) {
            Ok(data) if data.is_dir() => git.join("HEAD").exists().then_some(git),
            Ok(_) => match linked(&git) {
                Some(linked) => Some(folder.join(linked)),
                None => return starts(&git),
            },
            Err(_) => None,
        };
        if let Some(git) = found {
            return looked_at(folder, &git);
        }
        if ["HEAD", "objects", "refs"].iter().all(|name| folder.join(name).exists()) {
            return starts(folder);
        }
    }
    Repository::Plain
}

/// Returns the folder that the file `.git` of a worktree or submodule names.
fn linked(file: &Path) -> Option<PathBuf> {
    Some(PathBuf::from(read(file)?.trim_end_matches('\n').strip_prefix("gitdir:")?.trim()))
}

fn looked_at(folder: &Path, git: &Path) -> Repository {
    // A worktree uses the settings and hooks of its main repository.
    let commondir = git.join("commondir");
    let common = match read(&commondir) {
        Some(common) => git.join(common.trim_end_matches('\n')),
        None if commondir.exists() => return starts(&commondir),
        None => git.to_owned(),
    };
    for config in [common.join("config"), git.join("config.worktree")] {
        if !config.exists() {
            continue;
        }
        let Some(text) = read(&config) else { return starts(&config) };
        if let Some(setting) = program_in(&text) {
            return Repository::Starts(setting);
        }
        let hooks = hooks_path(&text).map_or_else(|| common.join("hooks"), |path| folder.join(path));
        if hooks.join(HOOK).exists() {
            return starts(&hooks.join(HOOK));
        }
    }
    modules(&common.join("modules"))
}

/// Checks submodules, which the same commands read.
fn modules(folder: &Path) -> Repository {
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        seen += 1;
        if seen > MAX_MODULES {
            return starts(&folder);
        }
        let config = folder.join("config");
        if config.exists() {
            let Some(text) = read(&config) else { return starts(&config) };
            // Every submodule has a setting for the place of its files.
            let program = program_in(&text).filter(|setting| setting != "core.worktree");
            if let Some(setting) = program {
                return Repository::Starts(setting);
            }
            folders.push(folder.join("modules"));
            continue;
        }
        folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    Repository::Plain
}

fn starts(path: &Path) -> Repository {
    Repository::Starts(path.display().to_string())
}

fn read(path: &Path) -> Option<String> {
    String::from_utf8(plain_file::read(path, MAX_CONFIG).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a repository with these files, and returns the finding for a folder of it.
    fn found(files: &[(&str, &str)], folder: &str) -> Option<String> {
        let temp = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = temp.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let folder = temp.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        match repository(&folder) {
            Repository::Plain => None,
            Repository::Starts(what) => Some(what.replace(temp.path().to_str().unwrap(), "")),
        }
    }

    #[test]
    fn the_repository_that_git_would_use_is_looked_at() {
        const PLAIN: &str = "[core]\n\tbare = false\n";
        const PROGRAM: &str = "[core]\n\tfsmonitor = ./x\n";
        let git = [(".git/HEAD", ""), (".git/config", PLAIN)];
        let with = |more: &[(&'static str, &'static str)]| [&git[..], more].concat();
        for (files, folder, expected) in [
            (vec![], "", None),
            (with(&[]), "", None),
            (with(&[]), "a/b", None),
            (vec![(".git/HEAD", ""), (".git/config", PROGRAM)], "a", Some("core.fsmonitor")),
            (with(&[("a/HEAD", ""), ("a/objects/x", ""), ("a/refs/x", ""), ("a/config", PROGRAM)]), "a", Some("/a")),
            (with(&[("a/.git/HEAD", ""), ("a/.git/config", PROGRAM)]), "a", Some("core.fsmonitor")),
            (with(&[("a/.git/HEAD", ""), ("a/.git/config", PROGRAM)]), "", None),
            (
                with(&[
                    ("w/.git", "gitdir: ../.git/worktrees/w\n"),
                    (".git/worktrees/w/HEAD", ""),
                    (".git/worktrees/w/commondir", "../..\n"),
                ]),
                "w",
                None,
            ),
            (with(&[("w/.git", "gitdir: ../o\n"), ("o/HEAD", ""), ("o/config", PROGRAM)]), "w", Some("core.fsmonitor")),
            (with(&[("w/.git", "nonsense")]), "w", Some("/w/.git")),
            (with(&[(".git/config.worktree", PROGRAM)]), "", Some("core.fsmonitor")),
            (with(&[(".git/hooks/post-index-change", "")]), "", Some("/.git/hooks/post-index-change")),
            (with(&[(".git/hooks/pre-commit", "")]), "", None),
            (with(&[(".git/modules/a/HEAD", ""), (".git/modules/a/config", PROGRAM)]), "", Some("core.fsmonitor")),
            (
                with(&[(".git/modules/x/y/HEAD", ""), (".git/modules/x/y/config", "[core]\nworktree = ../../a\n")]),
                "",
                None,
            ),
        ] {
            assert_eq!(found(&files, folder).as_deref(), expected, "{files:?} {folder}");
        }
    }

    #[test]
    fn hooks_are_where_the_settings_say() {
        let files =
            [(".git/HEAD", ""), (".git/config", "[core]\nhooksPath = .husky/_"), (".husky/_/post-index-change", "")];
        assert_eq!(found(&files, "").as_deref(), Some("/.husky/_/post-index-change"));
        assert_eq!(found(&files[..2], ""), None);
    }

    #[test]
    fn settings_that_never_end_or_never_come_are_not_plain() {
        for name in [".git", ".git/config", ".git/commondir"] {
            let temp = tempfile::tempdir().unwrap();
            let path = temp.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if name != ".git" {
                fs::write(temp.path().join(".git/HEAD"), "").unwrap();
            }
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            assert!(matches!(repository(temp.path()), Repository::Starts(_)), "{name}");
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            assert!(matches!(repository(temp.path()), Repository::Starts(_)), "{name}");
        }
    }
}
