//! Programs whose command comes after one certain word, whatever stands before that.

use super::Unwrapped;
use super::read::Read;
use crate::shell::Unclear;

/// `nix develop -c CMD`, `nix run x -- ARGUMENTS`
pub(in super::super) fn nix(read: &Read<'_>) -> Option<Unwrapped> {
    read.words(after(read, &["-c", "--command"])?)
}

/// `jobs -x CMD`
pub(in super::super) fn jobs(read: &Read<'_>) -> Option<Unwrapped> {
    read.words(after(read, &["-x"])?)
}

/// `gdb --args CMD`, `lldb -- CMD`; without one, what `gdb` reads from its input are commands.
pub(in super::super) fn debugger(read: &Read<'_>) -> Option<Unwrapped> {
    match after(read, &["--args", "-args", "--"]) {
        Some(from) => read.words(from),
        None => super::inputs::commands(read),
    }
}

/// `xterm -e CMD`
pub(in super::super) fn terminal(read: &Read<'_>) -> Option<Unwrapped> {
    match after(read, &["-e", "-x", "--command", "--execute", "--"]) {
        Some(from) => read.either(from),
        None => Some(read.shell(&[])),
    }
}

/// `cmd /c CMD`, `powershell -Command CMD`, in whose languages a command looks much the same.
pub(in super::super) fn windows(read: &Read<'_>) -> Option<Unwrapped> {
    let flags = ["/c", "/k", "/r", "-c", "-command", "-commandwithargs"];
    match after(read, &flags) {
        Some(from) => Some(read.starts_unclear(read.joined(from)?.inner, Some(Unclear::Code))),
        None => super::inputs::code(read),
    }
}

/// The word behind the first of some words.
fn after(read: &Read<'_>, flags: &[&str]) -> Option<usize> {
    let is_flag = |word: &str| flags.contains(&word.to_ascii_lowercase().as_str());
    let at = read.command.words.iter().skip(1).position(|word| word.text().is_some_and(is_flag))?;
    Some(at + 2)
}
