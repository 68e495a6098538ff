//! Finds commands that follow one certain word, at any position.

use super::Unwrapped;
use super::read::Read;
use crate::shell::Unclear;

/// Parses `nix develop -c CMD` and `nix run x -- ARGUMENTS`.
pub(in super::super) fn nix(read: &Read<'_>) -> Option<Unwrapped> {
    read.words(after(read, &["-c", "--command"])?)
}

/// Parses `jobs -x CMD`.
pub(in super::super) fn jobs(read: &Read<'_>) -> Option<Unwrapped> {
    read.words(after(read, &["-x"])?)
}

/// Parses `gdb --args CMD` and `lldb -- CMD`. Without a command, `gdb` reads commands from its input.
pub(in super::super) fn debugger(read: &Read<'_>) -> Option<Unwrapped> {
    match after(read, &["--args", "-args", "--"]) {
        Some(from) => read.words(from),
        None => super::inputs::commands(read),
    }
}

/// Parses `xterm -e CMD`.
pub(in super::super) fn terminal(read: &Read<'_>) -> Option<Unwrapped> {
    match after(read, &["-e", "-x", "--command", "--execute", "--"]) {
        Some(from) => read.either(from),
        None => Some(read.shell(&[])),
    }
}

/// Parses `cmd /c CMD` and `powershell -Command CMD`. In both languages a command looks similar to one of a POSIX
/// shell.
pub(in super::super) fn windows(read: &Read<'_>) -> Option<Unwrapped> {
    let flags = ["/c", "/k", "/r", "-c", "-command", "-commandwithargs"];
    match after(read, &flags) {
        Some(from) => Some(read.starts_unclear(read.joined(from)?.inner, Some(Unclear::Code))),
        None => super::inputs::code(read),
    }
}

/// Returns the index of the word after the first of these flags.
fn after(read: &Read<'_>, flags: &[&str]) -> Option<usize> {
    let is_flag = |word: &str| flags.contains(&word.to_ascii_lowercase().as_str());
    let at = read.command.words.iter().skip(1).position(|word| word.text().is_some_and(is_flag))?;
    Some(at + 2)
}
