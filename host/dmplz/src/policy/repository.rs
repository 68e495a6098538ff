//! Searches the git repository of a folder, as git would find it, for settings that name programs.
//!
//! Git goes up from the real path of the folder, and takes the first repository:
//!
//! | in a folder there is | |
//! |---|---|
//! | a `.git`, or the folder that a file `.git` names, which certainly is a repository | its settings and hooks are checked |
//! | no `.git`, or one without `HEAD` | git searches further up |
//! | any other `.git` | never plain: git may take it, or search further up |
//! | the layout of a repository itself | never plain: nobody works there, and an agent can create it without asking |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dmplz_policy::Repository;
use dmplz_policy::programs::repository::{hooks_path, program_in, program_in_submodule};
use dmplz_state::read_plain;

use super::real_path::real_path;

/// The maximum size of a file of settings, in bytes. Git's own have a few hundred.
const MAX_CONFIG: u64 = 1 << 20;

/// The maximum number of folders of submodules that are searched.
const MAX_MODULES: usize = 500;

/// The hook that reading commands run when they update the index.
const HOOK: &str = "post-index-change";

/// Returns the state of the repository of a folder.
pub(crate) fn repository(folder: &Path) -> Repository {
    // Git does not see the links that a `cd` followed.
    let real = real_path(folder);
    let mut folders = real.as_deref().unwrap_or(folder).ancestors();
    folders.find_map(found_in).unwrap_or(Repository::Plain)
}

/// Returns the state of the repository in a folder. `None` if there certainly is none, so that git searches further up.
fn found_in(folder: &Path) -> Option<Repository> {
    let git = folder.join(".git");
    let git = match fs::metadata(&git) {
        Ok(data) if data.is_dir() => is_there(&git.join("HEAD")).then_some(git),
        Err(error) if is_absent(&error) => None,
        _ => match linked(&git) {
            Some(linked) => Some(linked),
            None => return Some(starts(&git)),
        },
    };
    if let Some(git) = git {
        return Some(looked_at(folder, &git));
    }
    let has = |name: &str| is_there(&folder.join(name));
    (has("HEAD") && (has("objects") || has("commondir"))).then(|| starts(folder))
}

/// Returns the folder that the file `.git` of a worktree or submodule names.
fn linked(file: &Path) -> Option<PathBuf> {
    let text = read(file)?;
    Some(file.parent()?.join(written(text.strip_prefix("gitdir: ")?)?))
}

/// Returns the path in a text. Git strips the line ends behind it, and nothing else.
fn written(text: &str) -> Option<&str> {
    let path = text.trim_end_matches(['\n', '\r']);
    // To git a path ends at a zero byte.
    (!path.is_empty() && !path.contains('\0')).then_some(path)
}

fn looked_at(folder: &Path, git: &Path) -> Repository {
    let Some(common) = common(git).filter(|common| is_repository(git, common)) else { return starts(git) };
    let mut modules = vec![git.join("modules")];
    modules.extend((common != git).then(|| common.join("modules")));
    match by_settings(git, &common, Some(folder)) {
        Repository::Starts(what) => Repository::Starts(what),
        plain => program_of_modules(modules).map_or(plain, Repository::Starts),
    }
}

/// Returns the folder of the settings and hooks, which a worktree shares with its main repository. `None` if it cannot
/// be read.
fn common(git: &Path) -> Option<PathBuf> {
    let file = git.join("commondir");
    if !is_there(&file) {
        return Some(git.to_owned());
    }
    Some(git.join(written(&read(&file)?)?))
}

/// Returns whether git certainly takes a folder for a repository.
fn is_repository(git: &Path, common: &Path) -> bool {
    // Git has to be permitted to enter these folders, which the dot tells.
    let enters = |name: &str| fs::metadata(common.join(name).join(".")).is_ok_and(|data| data.is_dir());
    is_head(&git.join("HEAD")) && enters("objects") && enters("refs")
}

/// Returns whether a `HEAD` certainly is valid: it names a branch or a commit.
fn is_head(head: &Path) -> bool {
    if let Ok(target) = head.read_link() {
        return target.to_str().is_some_and(|target| target.starts_with("refs/"));
    }
    let text = read(head).unwrap_or_default();
    let commit = text.trim_end();
    text.starts_with("ref: refs/")
        || ([40, 64].contains(&commit.len()) && commit.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// Returns the state of a repository by its settings and hooks alone. `worktree` is `None` for a submodule.
fn by_settings(git: &Path, common: &Path, worktree: Option<&Path>) -> Repository {
    let mut set: Vec<PathBuf> = Vec::new();
    for config in [common.join("config"), git.join("config.worktree")] {
        if !is_there(&config) {
            continue;
        }
        let Some(text) = read(&config) else { return starts(&config) };
        let setting = if worktree.is_some() { program_in(&text) } else { program_in_submodule(&text) };
        if let Some(setting) = setting {
            return Repository::Starts(setting);
        }
        set.extend(worktree.zip(hooks_path(&text)).map(|(worktree, path)| worktree.join(path)));
    }
    let own = common.join("hooks");
    let mut hooks = std::iter::once(&own).chain(&set).map(|folder| folder.join(HOOK));
    if let Some(hook) = hooks.find(|hook| is_there(hook)) {
        return starts(&hook);
    }
    let real: Vec<PathBuf> = set.iter().filter_map(|folder| real_path(folder)).collect();
    set.extend(real);
    if set.is_empty() { Repository::Plain } else { Repository::Hooks(set) }
}

/// Checks the submodules below these folders, which the same commands read.
fn program_of_modules(mut folders: Vec<PathBuf>) -> Option<String> {
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        seen += 1;
        if seen > MAX_MODULES {
            return Some(shown(&folder));
        }
        if ["HEAD", "config"].iter().any(|name| is_there(&folder.join(name))) {
            let Some(common) = common(&folder) else { return Some(shown(&folder)) };
            if let Repository::Starts(what) = by_settings(&folder, &common, None) {
                return Some(what);
            }
            folders.push(folder.join("modules"));
            continue;
        }
        folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    None
}

fn starts(path: &Path) -> Repository {
    Repository::Starts(shown(path))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns whether something has this name, also a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).map_or_else(|error| !is_absent(&error), |_| true)
}

/// Returns whether git finds nothing either.
fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

fn read(path: &Path) -> Option<String> {
    let (bytes, _) = read_plain(path, MAX_CONFIG).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const HEAD: &str = "ref: refs/heads/main\n";
    const PLAIN: &str = "[core]\n\tbare = false\n";
    const PROGRAM: &str = "[core]\n\tfsmonitor = ./x\n";

    /// Creates these files, and returns the finding for a folder. A text `-> x` stands for a link to `x`, and an empty
    /// `HEAD` for a valid one with the folders that git needs beside it.
    fn found(files: &[(&str, &str)], folder: &str) -> Option<String> {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = root.join(name);
            let parent = path.parent().unwrap();
            fs::create_dir_all(parent).unwrap();
            match text.strip_prefix("-> ") {
                Some(target) => symlink(target, &path).unwrap(),
                None if text.is_empty() && path.ends_with("HEAD") => {
                    fs::write(&path, HEAD).unwrap();
                    ["objects", "refs"].iter().for_each(|name| fs::create_dir_all(parent.join(name)).unwrap());
                }
                None => fs::write(&path, text).unwrap(),
            }
        }
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        match repository(&folder) {
            Repository::Plain | Repository::Hooks(_) => None,
            Repository::Starts(what) => Some(what.replace(root.to_str().unwrap(), "")),
        }
    }

    #[test]
    fn the_repository_that_git_would_use_is_looked_at() {
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
    fn a_folder_of_hooks_is_told_by_all_its_names() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        ["objects", "refs"].iter().for_each(|name| fs::create_dir_all(root.join(".git").join(name)).unwrap());
        fs::write(root.join(".git/HEAD"), HEAD).unwrap();
        fs::write(root.join(".git/config"), "[core]\nhooksPath = link/hooks\n").unwrap();
        symlink("tools", root.join("link")).unwrap();
        let folders = vec![root.join("link/hooks"), root.join("tools/hooks")];
        assert_eq!(repository(&root), Repository::Hooks(folders));
    }

    #[test]
    fn git_starts_at_the_real_path_of_the_folder() {
        let evil = [("evil/.git/HEAD", ""), ("evil/.git/config", PROGRAM), ("evil/sub/x", ""), ("D", "-> evil/sub")];
        let work = [(".git/HEAD", ""), (".git/config", PLAIN)];
        assert_eq!(found(&[&work[..], &evil].concat(), "D").as_deref(), Some("core.fsmonitor"));
        assert_eq!(found(&[&work[..], &evil].concat(), "D/new").as_deref(), Some("core.fsmonitor"));
        assert_eq!(found(&[&work[..], &[("D", "-> sub"), ("sub/x", "")]].concat(), "D"), None);
    }

    #[test]
    fn a_folder_that_git_may_take_for_a_repository_is_never_plain() {
        for (files, expected) in [
            (&[("x/HEAD", "-> refs/heads/main"), ("x/objects/a", ""), ("x/refs/a", "")][..], "/x"),
            (&[("x/HEAD", HEAD), ("x/commondir", "../y\n"), ("y/config", PROGRAM), ("y/objects/a", "")], "/x"),
            (&[("x/HEAD", "nonsense"), ("x/objects/a", "")], "/x"),
            (&[("x/.git/HEAD", HEAD), ("x/.git/config", PLAIN)], "/x/.git"),
            (&[("x/.git/HEAD", "nonsense"), ("x/.git/objects/a", ""), ("x/.git/refs/a", "")], "/x/.git"),
            (&[("x/.git/HEAD", "-> main"), ("x/.git/objects/a", ""), ("x/.git/refs/a", "")], "/x/.git"),
            (&[("x/.git/HEAD", ""), ("x/.git/commondir", "../../y\0"), ("y/config", PROGRAM)], "/x/.git"),
            (&[("x/.git/HEAD", ""), ("x/.git/commondir", "")], "/x/.git"),
            (&[("x/.git/HEAD", ""), ("x/.git/commondir", "-> nowhere")], "/x/.git"),
            (&[("x/.git", "gitdir:../y"), ("y/HEAD", "")], "/x/.git"),
            (&[("x/.git", "gitdir: \n"), ("y/HEAD", "")], "/x/.git"),
            (&[("x/.git", "gitdir: ../y\0"), ("y/HEAD", "")], "/x/.git"),
            (&[("x/.git", "gitdir: ../y\n"), ("y/x", "")], "/x/../y"),
            (&[("x/.git/HEAD", ""), ("x/.git/config", "-> nowhere")], "/x/.git/config"),
            (&[("x/.git/HEAD", ""), ("x/.git/config/x", "")], "/x/.git/config"),
        ] {
            assert_eq!(found(files, "x").as_deref(), Some(expected), "{files:?}");
        }
    }

    #[test]
    fn git_goes_on_upwards_from_what_certainly_is_no_repository() {
        let work = [(".git/HEAD", ""), (".git/config", PROGRAM)];
        for more in [("x/.git/config", PLAIN), ("x/.git", "-> nowhere"), ("x/HEAD", HEAD), ("x/objects/a", "")] {
            assert_eq!(found(&[&work[..], &[more]].concat(), "x").as_deref(), Some("core.fsmonitor"), "{more:?}");
        }
    }

    #[test]
    fn a_repository_is_known_by_every_head_that_git_writes() {
        let commit = "0123456789abcdef0123456789abcdef01234567\n";
        for head in ["-> refs/heads/main", HEAD, "ref: refs/heads/.invalid\n", commit] {
            let files = [(".git/HEAD", head), (".git/objects/a", ""), (".git/refs/a", "")];
            assert_eq!(found(&files, ""), None, "{head}");
            let with_program = [&files[..], &[(".git/config", PROGRAM)]].concat();
            assert_eq!(found(&with_program, "").as_deref(), Some("core.fsmonitor"), "{head}");
        }
    }

    #[test]
    fn only_line_ends_are_no_part_of_the_path_of_another_folder() {
        let good = [("w/x", ""), ("good/HEAD", ""), ("good/config", PLAIN)];
        let evil = [("good /HEAD", ""), ("good /config", PROGRAM)];
        let with = |more: &[(&'static str, &'static str)]| found(&[&good[..], &evil, more].concat(), "w");
        assert_eq!(with(&[("w/.git", "gitdir: ../good \n")]).as_deref(), Some("core.fsmonitor"));
        assert_eq!(with(&[("w/.git", "gitdir:  ../good\n")]).as_deref(), Some("/w/ ../good"));
        assert_eq!(with(&[("w/.git", "gitdir: ../good\r\n")]), None);
        let shared = |path| [("w/.git/HEAD", HEAD), ("w/.git/commondir", path)];
        assert_eq!(with(&shared("../../good\r\n")), None);
        assert_eq!(with(&shared("../../good \r\n\n")).as_deref(), Some("core.fsmonitor"));
    }

    #[test]
    fn hooks_are_looked_for_without_settings_and_in_submodules() {
        for (files, expected) in [
            (&[(".git/HEAD", ""), (".git/hooks/post-index-change", "")][..], ".git/hooks/post-index-change"),
            (
                &[
                    (".git/HEAD", ""),
                    (".git/modules/a/config", "[core]\n\tworktree = ../../../a\n"),
                    (".git/modules/a/hooks/post-index-change", ""),
                ],
                ".git/modules/a/hooks/post-index-change",
            ),
        ] {
            assert_eq!(found(files, "").as_deref(), Some(&*format!("/{expected}")), "{files:?}");
        }
    }

    #[test]
    fn every_submodule_that_the_same_commands_read_is_looked_at() {
        const IN_A: &str = "[core]\n\tworktree = ../../../a\n";
        let worktree = [("w/.git", "gitdir: ../.git/worktrees/w\n"), (".git/worktrees/w/commondir", "../..\n")];
        for (files, expected) in [
            (&[(".git/modules/a/config", IN_A)][..], None),
            (
                &[(".git/modules/a/config", "[core]\n\tworktree = ../../../a\n\tfsmonitor = x\n")],
                Some("core.fsmonitor"),
            ),
            (
                &[(".git/modules/a/config", "[core]\n\tworktree = ../../../a\n\thooksPath = h\n")],
                Some("core.hookspath"),
            ),
            (&[(".git/modules/a/config", IN_A), (".git/modules/a/config.worktree", PROGRAM)], Some("core.fsmonitor")),
            (
                &[(".git/modules/a/HEAD", HEAD), (".git/modules/a/commondir", "../../../b"), ("b/config", PROGRAM)],
                Some("core.fsmonitor"),
            ),
            (&[(".git/modules/a/config", IN_A), (".git/modules/a/modules/b/config", PROGRAM)], Some("core.fsmonitor")),
            (&[(".git/worktrees/w/modules/a/config", PROGRAM)], Some("core.fsmonitor")),
        ] {
            let heads = [(".git/HEAD", ""), (".git/worktrees/w/HEAD", "")];
            assert_eq!(found(&[&heads[..], &worktree, files].concat(), "w").as_deref(), expected, "{files:?}");
        }
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
