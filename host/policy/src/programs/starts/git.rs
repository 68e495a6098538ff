//! Parses Git, some of whose settings are commands: `git -c core.pager=CMD log`, `git -c alias.x='!CMD' x`.

use super::super::mark;
use super::read::Read;
use super::{Inner, Unwrapped, subcommand};
use crate::shell::Word;

/// The last components of the names of settings that are commands.
const COMMANDS: [&str; 24] = [
    "pager", "editor", "sshcommand", "fsmonitor", "askpass", "gitproxy", "alternaterefscommand", "external", "command",
    "cmd", "textconv", "driver", "clean", "smudge", "process", "helper", "program", "difffilter", "packobjectshook",
    "uploadpack", "receivepack", "sendmailcmd", "update", "defaultkeycommand",
];

/// The settings that `git lfs install` writes, in this and earlier versions.
const LFS: [(&str, &[&str]); 3] = [
    ("filter.lfs.clean", &["git-lfs clean -- %f", "git-lfs clean %f"]),
    (
        "filter.lfs.smudge",
        &["git-lfs smudge -- %f", "git-lfs smudge %f", "git-lfs smudge --skip -- %f", "git-lfs smudge --skip %f"],
    ),
    ("filter.lfs.process", &["git-lfs filter-process", "git-lfs filter-process --skip"]),
];

/// Parses a subcommand that starts something, and the settings before it.
pub(in super::super) fn git(read: &Read<'_>) -> Option<Unwrapped> {
    let settings = set(read);
    match subcommand(read) {
        None if settings.is_empty() => None,
        None => Some(read.starts(settings)),
        Some(mut unwrapped) => {
            unwrapped.inner.extend(settings);
            Some(unwrapped)
        }
    }
}

/// Parses only the settings.
pub(in super::super) fn settings(read: &Read<'_>) -> Option<Unwrapped> {
    let mut inner = read.scripts();
    inner.extend(set(read));
    (!inner.is_empty()).then(|| read.starts(inner))
}

/// Parses `git config [set] NAME VALUE`, whose value may run later.
pub(in super::super) fn config(read: &Read<'_>) -> Option<Unwrapped> {
    let words = read.operands.iter().filter_map(|at| read.command.words.get(*at));
    let words: Vec<&Word> = words.skip_while(|word| word.known == "set").collect();
    let [name, value, ..] = words.as_slice() else { return None };
    let setting = (if name.exact { *value } else { *name }).with(format!("{}={}", name.known, value.known));
    Some(read.starts(vec![command_of(&setting)?]))
}

fn set(read: &Read<'_>) -> Vec<Inner> {
    let values = read.marked.iter().filter(|known| known.mark == Some(mark::SETTING));
    values.filter_map(|known| command_of(known.value.as_ref()?)).collect()
}

/// Returns whether a setting of a repository is a program that git starts. The settings that `git lfs install` writes
/// do not count.
pub(crate) fn names_program(name: &str, value: &str) -> bool {
    let lfs = LFS.iter().any(|(known, values)| *known == name && values.contains(&value));
    let alias = name.starts_with("alias.") && !value.starts_with('!');
    !lfs && !alias && command_of(&Word::exact(format!("{name}={value}"))).is_some()
}

/// Returns the command in a setting.
fn command_of(setting: &Word) -> Option<Inner> {
    let (name, value) = setting.known.split_once('=')?;
    let name = name.to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let known = match value.strip_prefix('!') {
        Some(command) => command.to_owned(),
        None if name.starts_with("alias.") => format!("git {value}"),
        None if matches!(value, "" | "true" | "false") => return None,
        None if COMMANDS.contains(&last) || name.starts_with("pager.") => value.to_owned(),
        None => return None,
    };
    Some(Inner::Script(setting.with(known)))
}
