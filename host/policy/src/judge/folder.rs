//! Programs that do what the files of their folder say.
//!
//! `git status` runs what the repository's settings name (`core.fsmonitor`), `npm test` what `package.json` says. A
//! rule that allows them means those of the workspace. So after a `cd` they are allowed only if every folder on the
//! way is named in the line and is the workspace or below it, with links followed: `cd sub && npm test` is allowed,
//! `cd /tmp/x && git status` and `cd .. && make` are not.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::call::targets;
use crate::programs::{self, Folder};
use crate::shell::{Command, Word, name};

/// Returns whether a command does what the files of its folder say.
pub(super) fn obeys(command: &Command) -> bool {
    folder(command) != Folder::Ignored
}

/// Returns whether a command is git.
pub(super) fn is_git(command: &Command) -> bool {
    command.name().is_some_and(|word| name::bare(word) == "git")
}

/// Returns whether a command may run outside the agent's working directory.
pub(super) fn is_elsewhere(call: &Call<'_>, command: &Command) -> bool {
    let start = targets::command_folder(call);
    if !command.moved && start.is_none() {
        return false;
    }
    let Some(cwd) = call.cwd.filter(|_| folder(command) != Folder::Interpreted) else { return true };
    let steps = command.folders.iter().flatten().filter_map(Word::text);
    // The value of `HOME` is known only when the command runs.
    let from_home = start.into_iter().chain(steps).any(|step| step.starts_with('~'));
    from_home || !paths::passes_only(call, command, |path| is_inside(call, cwd, path))
}

/// Returns the words of a command that does what the files of its folder say, with each absolute path in the workspace
/// written as a relative one: `/work/tests` as `./tests`. They name the same files.
pub(super) fn from_here<'c>(call: &Call<'_>, command: &'c Command) -> Cow<'c, [Word]> {
    let cwd = call.cwd.filter(|_| obeys(command) && stays(call, command));
    let relative = |word: &Word| {
        let (cwd, path) = (cwd?, Path::new(word.text()?));
        let below = path.strip_prefix(cwd).ok().filter(|_| path.is_absolute() && is_inside(call, cwd, path))?;
        Some(Word::exact(format!("./{}", below.to_str()?)))
    };
    let (program, arguments) = command.words.split_at(command.words.len().min(1));
    if !arguments.iter().any(|word| relative(word).is_some()) {
        return Cow::Borrowed(&command.words);
    }
    let arguments = arguments.iter().map(|word| relative(word).unwrap_or_else(|| word.clone()));
    Cow::Owned(program.iter().cloned().chain(arguments).collect())
}

/// Returns the words of a command that does what the files of its folder say, with each relative path that a link leads out of the
/// workspace as where it leads. `None` if there is none behind the words that the rule names.
pub(super) fn behind_links(call: &Call<'_>, command: &Command, named: usize) -> Option<Vec<Word>> {
    let cwd = call.cwd.filter(|_| obeys(command))?;
    let source = Source::of(call, command);
    let leads = |(at, word): (usize, &Word)| {
        let path = word.text().filter(|path| at >= named && !path.starts_with(['-', '/', '~']))?;
        let mut paths = source.paths().map(|folder| folder.join(path)).filter(|path| !is_inside(call, cwd, path));
        let real = paths.find_map(|path| (call.real_path)(&path))?;
        Some(Word::exact(real.to_str()?))
    };
    let leading: Vec<Option<Word>> = command.words.iter().enumerate().map(leads).collect();
    let words = command.words.iter().zip(&leading).map(|(word, leads)| leads.as_ref().unwrap_or(word).clone());
    leading.iter().any(Option::is_some).then(|| words.collect())
}

/// Returns whether a path is the folder in which a command certainly runs.
pub(super) fn is_here(call: &Call<'_>, command: &Command, path: &str) -> bool {
    let is_cwd = |cwd: &Path| path == "." || cwd.is_absolute() && cwd == Path::new(path);
    stays(call, command) && call.cwd.is_some_and(is_cwd)
}

/// Returns whether a path certainly means what is written, so that `git -C` enters it as `cd` would.
pub(super) fn may_enter(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['-', '+', '~'])
}

/// Returns a command as it runs in a folder that is entered step by step from where the command runs.
pub(super) fn entered(command: Command, steps: &[Word]) -> Command {
    if steps.is_empty() {
        return command;
    }
    let folders = match command.moved {
        true => command.folders.iter().map(|before| [before.as_slice(), steps].concat()).collect(),
        false => vec![steps.to_vec()],
    };
    Command { moved: true, folders, ..command }
}

/// Returns whether a command certainly runs in the agent's working directory.
fn stays(call: &Call<'_>, command: &Command) -> bool {
    !command.moved && targets::command_folder(call).is_none()
}

fn is_inside(call: &Call<'_>, cwd: &Path, folder: &Path) -> bool {
    let real = |path: &Path| (call.real_path)(path).unwrap_or_else(|| path.to_owned());
    let plain = !folder.components().any(|part| part == Component::ParentDir);
    let (real_folder, real_cwd): (PathBuf, PathBuf) = (real(folder), real(cwd));
    plain && folder.starts_with(cwd) && real_folder.starts_with(real_cwd)
}

fn folder(command: &Command) -> Folder {
    let row = command.name().and_then(|word| programs::find(&name::bare(word)));
    row.map_or(Folder::Ignored, |row| row.folder)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Map, Value};

    use super::*;
    use crate::commands;

    /// Returns whether the last command of a line may run elsewhere, a reading of it aside. `/work/link` leads out of the
    /// workspace.
    fn elsewhere(line: &str, folder: Option<&str>) -> bool {
        let mut input = Map::new();
        input.extend(folder.map(|folder| ("dir_path".to_owned(), Value::from(folder))));
        let leads = |path: &Path| path.starts_with("/work/link").then(|| PathBuf::from("/elsewhere"));
        let mut call = Call::new("run_shell_command", &input, Timestamp::UNIX_EPOCH);
        call.cwd = Some(Path::new("/work"));
        call.real_path = &leads;
        let script = commands::read(line);
        is_elsewhere(&call, script.commands.iter().rfind(|command| !command.possible).unwrap())
    }

    #[test]
    fn a_program_is_at_home_in_the_workspace_and_below_it() {
        for (line, folder, expected) in [
            ("git log", None, false),
            ("cd sub && git log", None, false),
            ("cd /work/sub && git log", None, false),
            ("cd sub && cd deeper && git log", None, false),
            ("cd /work2 && git log", None, true),
            ("cd sub && cd .. && git log", None, true),
            ("cd link && git log", None, true),
            ("cd link/sub && git log", None, true),
            ("cd $x && git log", None, true),
            ("git log", Some("sub"), false),
            ("git log", Some("/elsewhere"), true),
            ("cd /work && git log", Some("/elsewhere"), true),
            ("python x.py", None, false),
            ("cd sub && python x.py", None, true),
            ("find sub -exec git log \\;", None, false),
            ("find sub -execdir git log \\;", None, true),
            ("cd sub && find . -okdir git log \\;", None, true),
            ("find sub -execdir sh -c 'git log' \\;", None, true),
        ] {
            assert_eq!(elsewhere(line, folder), expected, "{line} {folder:?}");
        }
    }

    #[test]
    fn a_program_is_known_by_any_name() {
        let obeys = |line: &&str| obeys(commands::read(line).commands.first().unwrap());
        assert!(["git log", "/usr/bin/git log", "GIT log", "python3.12 x", "npm test"].iter().all(obeys));
        assert!(!["ls", "cat x", "gitk", "$x"].iter().any(obeys));
    }
}
