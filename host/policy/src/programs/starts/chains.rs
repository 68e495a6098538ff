//! Parses wrappers whose words have a form of their own.
//!
//! | written | started |
//! |---|---|
//! | `coreutils --coreutils-prog=rm x`, `flatpak run --command=sh app x` | the value and every word after it |
//! | `setarch -R rm x`, `setarch x86_64 -R rm x` | `rm x` |
//! | `bwrap --bind / / rm x` | the words after options of one, two or three values |
//! | `capsh --user=x -- -c SCRIPT` | a shell with the words after `--` |
//! | `lxc-x a b -- rm x` | the words after `--`, otherwise each word that may be a command |

use super::super::mark;
use super::super::table;
use super::read::Read;
use super::{Inner, Unwrapped};
use crate::shell::{Stdin, Unclear, Word, name};

/// The maximum number of words of a call that are taken as the beginning of the started command, if the row does not
/// decide it.
const MAX_GUESSES: usize = 6;

/// The options of `bwrap` by how many words they are with their values. Those that begin with `--unshare-` take none.
const BWRAP: [(usize, &str); 4] = [
    (1, "die-with-parent new-session as-pid-1 clearenv disable-userns assert-userns-disabled share-net"),
    (
        2,
        "args argv0 unsetenv lock-file remount-ro exec-label file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd \
         block-fd userns-block-fd info-fd json-status-fd sync-fd cap-add cap-drop uid gid hostname chdir userns userns2 \
         pidns perms size overlay-src tmp-overlay ro-overlay",
    ),
    (
        3,
        "setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd bind-data ro-bind-data file \
         symlink chmod",
    ),
    (4, "overlay"),
];

/// The options of `bwrap` whose values may be more options, or another name for the command.
const BWRAP_UNCLEAR: [&str; 2] = ["--args", "--argv0"];

/// Parses the scripts of options, and the command after them: `perf stat --pre SCRIPT CMD`.
pub(in super::super) fn both(read: &Read<'_>) -> Option<Unwrapped> {
    let scripts = read.scripts();
    let Some(mut unwrapped) = read.words(read.rest) else {
        return (!scripts.is_empty()).then(|| read.starts(scripts));
    };
    unwrapped.inner.extend(scripts);
    Some(unwrapped)
}

/// Parses `perf stat --pre SCRIPT CMD` and `perf stat record CMD`.
pub(in super::super) fn perf(read: &Read<'_>) -> Option<Unwrapped> {
    let first = read.after(read.rest).first()?;
    if matches!(first.text(), Some("record" | "report")) { anywhere_from(read, read.rest + 1) } else { both(read) }
}

/// Parses only the scripts of options: `stap -c SCRIPT`.
pub(in super::super) fn scripts(read: &Read<'_>) -> Option<Unwrapped> {
    let scripts = read.scripts();
    (!scripts.is_empty()).then(|| read.starts(scripts))
}

/// Parses the scripts of options in a language that resembles a shell's: `execlineb -c SCRIPT`.
pub(in super::super) fn foreign_scripts(read: &Read<'_>) -> Option<Unwrapped> {
    Some(read.starts_unclear(scripts(read)?.inner, Some(Unclear::Code)))
}

/// Parses the scripts of options; without one, a shell is started: `newgrp`.
pub(in super::super) fn scripts_or_shell(read: &Read<'_>) -> Option<Unwrapped> {
    scripts(read).or_else(|| Some(read.shell(&[])))
}

/// Parses the scripts of options; without one, the other words are joined to a script, and without any a shell is
/// started: `minikube ssh`.
pub(in super::super) fn login(read: &Read<'_>) -> Option<Unwrapped> {
    scripts(read).or_else(|| read.joined(read.rest)).or_else(|| Some(read.shell(&[])))
}

/// Parses the scripts of options; without one, the words after `--` are joined to a script, and without those a shell
/// is started: `vagrant ssh`.
pub(in super::super) fn scripts_or_dashes(read: &Read<'_>) -> Option<Unwrapped> {
    let joined = || read.joined(dashes(read)?);
    scripts(read).or_else(joined).or_else(|| Some(read.shell(&[])))
}

/// Parses a command that is the value of an option, with every following word as its argument. Without that option
/// nothing is started that a rule has to know.
pub(in super::super) fn entry(read: &Read<'_>) -> Option<Unwrapped> {
    read.has(mark::ENTRY).then(|| read.words(read.rest))?
}

/// Parses `coreutils rm x` and `coreutils --coreutils-prog=rm x`.
pub(in super::super) fn coreutils(read: &Read<'_>) -> Option<Unwrapped> {
    let Some(entry) = read.marked.iter().find(|known| known.mark == Some(mark::ENTRY)) else {
        return read.words(read.rest);
    };
    let program = entry.value.as_ref()?;
    let words: Vec<Word> = std::iter::once(program).chain(read.after(entry.at + 1)).cloned().collect();
    let unclear = (!program.exact).then_some(Unclear::Options);
    Some(read.starts_unclear(vec![read.inner(words)], unclear))
}

/// Parses `setarch [ARCH] [OPTIONS] CMD`; the architecture may be omitted if an option comes first.
pub(in super::super) fn setarch(read: &Read<'_>) -> Option<Unwrapped> {
    let first = read.command.words.get(1)?;
    if first.known.starts_with('-') {
        return super::start(read.command, table::find("linux32")?, 1);
    }
    read.words_or_shell(read.rest)
}

/// Parses `runcon CONTEXT CMD`; with an option for a part of the context, `runcon -t TYPE CMD`.
pub(in super::super) fn context(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has(mark::SYSTEM) {
        return read.words(read.rest);
    }
    let mut unwrapped = read.words(read.rest + 1)?;
    // If the context is not certain, the command may begin with it.
    if read.after(read.rest).first().is_some_and(|word| !word.exact) {
        unwrapped.inner.extend(read.words(read.rest)?.inner);
        unwrapped.unclear = Some(Unclear::Options);
    }
    Some(unwrapped)
}

/// Parses `envdir FOLDER CMD`: the variables of the command are read from files.
pub(in super::super) fn unread(read: &Read<'_>) -> Option<Unwrapped> {
    Some(read.starts_unclear(read.words(read.rest)?.inner, Some(Unclear::Options)))
}

/// Parses `argv0 CMD NAME ARGUMENTS`: CMD runs under another name, which may change what it does.
pub(in super::super) fn renamed(read: &Read<'_>) -> Option<Unwrapped> {
    let (program, named) = read.after(read.rest).split_first()?;
    let mut words = vec![program.clone()];
    words.extend(named.iter().skip(1).cloned());
    let inner = vec![read.inner(words), read.inner(named.to_vec())];
    Some(read.starts_unclear(inner, Some(Unclear::Options)))
}

/// Parses `bwrap --bind FROM TO --unshare-net CMD`.
pub(in super::super) fn bwrap(read: &Read<'_>) -> Option<Unwrapped> {
    let words = &read.command.words;
    let is_listed =
        |options: &str, option: &str| options.split(' ').any(|known| option.strip_prefix("--") == Some(known));
    let (mut at, mut clear) = (1, true);
    while let Some(word) = words.get(at).filter(|word| word.known.starts_with('-')) {
        let Some(option) = word.text() else {
            return anywhere_from(read, at);
        };
        clear &= !BWRAP_UNCLEAR.contains(&option);
        at += match option {
            "--" => break,
            "--help" | "--version" => return None,
            _ if option.starts_with("--unshare-") => 1,
            _ => match BWRAP.iter().find(|(_, options)| is_listed(options, option)) {
                Some((count, _)) => *count,
                None => return anywhere_from(read, at),
            },
        };
    }
    at += usize::from(words.get(at).is_some_and(|word| word.text() == Some("--")));
    let first = words.get(at)?;
    clear &= first.exact && words.iter().take(at).all(|word| word.one);
    Some(read.starts_unclear(vec![read.inner(read.after(at).to_vec())], (!clear).then_some(Unclear::Options)))
}

/// Parses `capsh --user=x -- -c SCRIPT`.
pub(in super::super) fn capsh(read: &Read<'_>) -> Option<Unwrapped> {
    let dashes = dashes(read)?;
    let mut unwrapped = read.shell(read.after(dashes));
    let other_shell = |word: &Word| !word.exact || word.known.starts_with("--shell");
    if read.command.words.iter().take(dashes).any(other_shell) {
        unwrapped.unclear = Some(Unclear::Options);
    }
    Some(unwrapped)
}

/// Parses `distrobox enter BOX -- CMD` and `distrobox enter BOX -e CMD`; without a command, a shell is started.
pub(in super::super) fn distrobox(read: &Read<'_>) -> Option<Unwrapped> {
    let is_end = |word: &Word| matches!(word.text(), Some("--" | "-e" | "--exec"));
    match read.command.words.iter().position(is_end) {
        Some(at) => read.words(at + 1),
        None => Some(read.shell(&[])),
    }
}

/// Parses `snap run --shell APP ARGUMENTS`, a shell with arguments. Without `--shell` the program of the package runs.
pub(in super::super) fn snap(read: &Read<'_>) -> Option<Unwrapped> {
    read.has(mark::FIRST).then(|| read.shell(read.after(read.rest)))
}

/// Parses `watchman -- trigger FOLDER NAME PATTERN -- CMD`.
pub(in super::super) fn last_dashes(read: &Read<'_>) -> Option<Unwrapped> {
    let at = read.command.words.iter().rposition(|word| word.text() == Some("--"))?;
    read.words(at + 1)
}

/// Parses a subcommand that starts something; without one, the words are the command: `rr record CMD`, `rr CMD`.
pub(in super::super) fn sub_or_words(read: &Read<'_>) -> Option<Unwrapped> {
    super::subcommand(read).or_else(|| read.words(read.rest))
}

/// Common names of a project's scripts that are commands as well.
const SCRIPTS: [&str; 8] = ["test", "format", "install", "watch", "start", "build", "service", "time"];

/// Parses `pnpm tsc` and `pnpm git push`: a word that is not a subcommand may be a command.
pub(in super::super) fn sub_or_exec(read: &Read<'_>) -> Option<Unwrapped> {
    let first = read.after(read.rest).first()?;
    let is_sub = first.text().is_none_or(|sub| table::find(&format!("{} {sub}", read.row.name())).is_some());
    if is_sub { super::subcommand(read) } else { project_or_exec(read) }
}

/// Parses `bun run rm x`: a word that is not a script of the project may be a command. A word of [`SCRIPTS`] is taken
/// as a script.
pub(in super::super) fn project_or_exec(read: &Read<'_>) -> Option<Unwrapped> {
    let words = read.after(read.rest);
    let name = words.first()?.text()?;
    let is_command = table::find(&name::bare(name)).is_some() && (words.len() > 1 || !SCRIPTS.contains(&name));
    is_command.then(|| read.words(read.rest))?
}

/// Parses `deno task --eval SCRIPT`.
pub(in super::super) fn scripts_in_first(read: &Read<'_>) -> Option<Unwrapped> {
    read.has(mark::FIRST).then(|| read.first())?
}

/// Parses `yarn workspace NAME exec CMD` and `yarn workspaces foreach exec CMD`.
pub(in super::super) fn yarn_workspace(read: &Read<'_>) -> Option<Unwrapped> {
    let is_exec = |word: &Word| matches!(word.text(), Some("exec" | "dlx"));
    let at = read.command.words.iter().position(is_exec)?;
    read.either(at + 1)
}

/// Parses `lerna exec -- CMD` and `nx exec -- CMD`, which give the joined words to a shell in the folder of each package.
pub(in super::super) fn in_packages(read: &Read<'_>) -> Option<Unwrapped> {
    let behind = dashes(read).filter(|_| read.doubtful);
    let mut unwrapped = read.joined(behind.unwrap_or(read.rest))?;
    unwrapped.move_away();
    Some(unwrapped)
}

/// Parses `cargo watch -x 'test -q' -s SCRIPT`, and `cargo watch -- CMD`.
pub(in super::super) fn cargo_watch(read: &Read<'_>) -> Option<Unwrapped> {
    let of_cargo = read.marked.iter().filter(|known| known.mark == Some(mark::PARSED));
    let of_cargo = of_cargo.filter_map(|known| known.value.as_ref());
    let mut inner: Vec<Inner> =
        of_cargo.map(|words| Inner::Script(words.with(format!("cargo {}", words.known)))).collect();
    inner.extend(read.scripts());
    match read.words(read.rest) {
        Some(mut unwrapped) => {
            unwrapped.inner.extend(inner);
            Some(unwrapped)
        }
        None => (!inner.is_empty()).then(|| read.starts(inner)),
    }
}

/// Parses `tox exec -e ENVIRONMENT -- CMD`. Without `exec`, the words after `--` are arguments for the project's commands.
pub(in super::super) fn tox(read: &Read<'_>) -> Option<Unwrapped> {
    let dashes = dashes(read)?;
    let is_exec = |word: &Word| matches!(word.text(), Some("exec" | "e"));
    read.command.words.iter().take(dashes).any(is_exec).then(|| read.words(dashes))?
}

/// Returns the words after `--`, and those after every other word, because the `--` may belong to the started command.
/// No rule allows the call, but a deny of a command in it matches.
pub(in super::super) fn guess(read: &Read<'_>) -> Option<Unwrapped> {
    let behind = dashes(read).and_then(|at| read.words(at));
    let mut any = anywhere_from(read, read.rest)?;
    any.inner.splice(0..0, behind.into_iter().flat_map(|unwrapped| unwrapped.inner));
    Some(any)
}

/// Returns the command that begins at any of the words: `foreground { CMD } CMD`.
pub(in super::super) fn anywhere(read: &Read<'_>) -> Option<Unwrapped> {
    anywhere_from(read, 1)
}

fn anywhere_from(read: &Read<'_>, from: usize) -> Option<Unwrapped> {
    let words = &read.command.words;
    let may_be = |at: &usize| {
        words.get(*at).is_some_and(|word| !word.known.starts_with(['-', '{', '}']) && !word.known.is_empty())
    };
    let guesses = (from..words.len()).filter(may_be).take(MAX_GUESSES);
    let inner: Vec<Inner> = guesses.map(|at| read.inner(read.after(at).to_vec())).collect();
    let reads = read.command.stdin != Stdin::Inherited;
    (!inner.is_empty() || reads).then(|| read.starts_unclear(inner, Some(Unclear::Options)))
}

/// Returns the index of the word after the first `--`.
fn dashes(read: &Read<'_>) -> Option<usize> {
    Some(read.command.words.iter().position(|word| word.text() == Some("--"))? + 1)
}
