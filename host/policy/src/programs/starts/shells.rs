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
use super::super::options::Known;
use super::read::Read;
use super::{Inner, Unwrapped};
use crate::shell::{Stdin, Unclear, Word};

/// The options that all shells accept; `^` is the mark of `-c`, `|` that of `-s`, and `;` that of an option with which some
/// shell reads a script otherwise: with `-k` every `NAME=value` is a variable, and with zsh's `-T` a variable is a folder.
pub(in super::super) const OPTIONS: &str = "+a;bc^defghik;lmnpqrs|tuvw;xy;z;A;BCD;EF;G;H;I;J;K;L;M;N;O:/o:/P;Q;R;S;T;U;V;W;X;Y;Z; rcfile:; init-file:; norc noprofile posix \
    login verbose restricted debugger debug dump-strings dump-po-strings emulate:; noediting protected wordexp help. version.";

/// The settings of `-o` and `-O` with which a script means the same. With others it may not: `dotglob`, `keyword`.
const USUAL: [&str; 16] = [
    "errexit", "errtrace", "extglob", "failglob", "functrace", "globstar", "inherit_errexit", "monitor", "noclobber",
    "noexec", "nounset", "nullglob", "pipefail", "posix", "verbose", "xtrace",
];

/// Returns whether a word is the name of such a setting.
pub(crate) fn is_usual(setting: &Word) -> bool {
    setting.text().is_some_and(|name| USUAL.contains(&name))
}

/// Returns the script that a shell runs.
pub(in super::super) fn shell(read: &Read<'_>) -> Option<Unwrapped> {
    let is_setting = |known: &&Known| matches!(known.name.as_str(), "-o" | "-O");
    let settings = || read.marked.iter().filter(is_setting);
    let is_attached = |known: &&Known| read.command.words.get(known.at + 1) != known.value.as_ref();
    // To bash these are more options, `-oc pipefail SCRIPT`, and to zsh the name of the setting.
    if let Some(known) = settings().find(is_attached) {
        let scripts = read.after(known.at + 1).iter().cloned().map(Inner::Script).collect();
        return Some(read.starts_unclear(scripts, Some(Unclear::Options)));
    }
    let mut unwrapped = started(read)?;
    let is_script = unwrapped.inner.iter().any(|inner| matches!(inner, Inner::Script(_)));
    if is_script && settings().filter_map(|known| known.value.as_ref()).any(|setting| !is_usual(setting)) {
        unwrapped.is_transparent = false;
        unwrapped.unclear = unwrapped.unclear.or(Some(Unclear::Options));
    }
    Some(unwrapped)
}

/// Returns the script, whatever the settings are.
fn started(read: &Read<'_>) -> Option<Unwrapped> {
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
