//! Parses shells.
//!
//! | written | started |
//! |---|---|
//! | `sh -c SCRIPT ...`, `bash -lc SCRIPT`, `bash -o pipefail -c SCRIPT` | the script |
//! | `sh <<EOF`, `sh -s <<EOF`, `sh /dev/stdin <<< ...` | the text |
//! | `curl ... \| sh`, `sh < file`, `sh` | a script that is known only at run time |
//! | `sh <(curl ...)`, `sh $file` | the same |
//! | `sh script.sh` | nothing, but a rule that stops `script.sh` stops it |

use super::super::mark;
use super::read::Read;
use super::{Inner, Unwrapped};
use crate::shell::{Stdin, Unclear};

/// The options that all shells accept; `^` is the mark of `-c`, `|` that of `-s`.
pub(in super::super) const OPTIONS: &str = "+abc^defghiklmnpqrs|tuvwxyzABCDEFGHIJKLMNO:o:PQRSTUVWXYZ rcfile:; init-file:; norc noprofile posix \
    login verbose restricted debugger debug dump-strings dump-po-strings emulate: noediting protected wordexp help. version.";

/// Returns the script that a shell runs.
pub(in super::super) fn shell(read: &Read<'_>) -> Option<Unwrapped> {
    let dash = matches!(read.after(read.rest), [dash, _, ..] if dash.text() == Some("-"));
    let at = read.rest + usize::from(dash);
    let operand = read.after(at).first();
    match operand {
        _ if read.has(mark::FIRST) => operand.map(|script| read.starts(vec![Inner::Script(script.clone())])),
        Some(file) if !read.has(mark::INPUT) && !file.exact => {
            Some(read.starts_unclear(Vec::new(), Some(Unclear::Script)))
        }
        Some(file) if !read.has(mark::INPUT) && !is_input(&file.known) => match read.doubtful {
            true => Some(read.starts(vec![Inner::Script(file.clone())])),
            false => read.file(at),
        },
        _ => Some(input(read)),
    }
}

/// Returns the script that a shell reads from its standard input.
pub(super) fn input(read: &Read<'_>) -> Unwrapped {
    match &read.command.stdin {
        Stdin::Text(text) => read.starts(vec![Inner::Script(text.clone())]),
        Stdin::Inherited | Stdin::Pipe | Stdin::File => read.starts_unclear(Vec::new(), Some(Unclear::Script)),
    }
}

/// Returns whether a file is an open descriptor of the command.
pub(in super::super) fn is_input(file: &str) -> bool {
    file == "-" || ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].iter().any(|input| file.starts_with(input))
}
