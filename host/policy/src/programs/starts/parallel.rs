//! Parses GNU parallel: it runs a script for each argument, which replaces `{}` or is appended.
//!
//! | written | started |
//! |---|---|
//! | `parallel rm ::: a b`, `ls \| parallel rm` | `rm "$@"` |
//! | `parallel 'gzip {} > {.}.gz' ::: a` | `gzip "$1" > "$1".gz` |
//! | `parallel ::: 'rm a' 'rm b'` | `rm a`, `rm b` |
//! | `ls \| parallel`, `parallel :::: file` | scripts that are known only at run time |

use super::read::{Read, join};
use super::{Inner, Unwrapped};
use crate::shell::{Unclear, Word};

/// Returns the commands that `parallel` starts.
pub(in super::super) fn parallel(read: &Read<'_>) -> Option<Unwrapped> {
    let rest = read.after(read.rest);
    let is_source = |word: &Word| word.known.starts_with(":::");
    let end = rest.iter().position(is_source).unwrap_or(rest.len());
    let (command, sources) = rest.split_at_checked(end)?;
    let mut inner = read.scripts();
    // The `parallel` of moreutils runs each word after `--` if there is no command before it.
    let is_dashes = |word: &Word| word.text() == Some("--");
    if read.command.words.get(read.rest.wrapping_sub(1)).is_some_and(is_dashes) {
        inner.extend(command.iter().cloned().map(Inner::Script));
    }
    if !command.is_empty() {
        inner.push(Inner::Script(template(join(command.iter().cloned()))));
        return Some(read.starts(inner));
    }
    let listed = sources.first().is_some_and(|word| matches!(word.known.as_str(), ":::" | ":::+"));
    inner.extend(sources.iter().filter(|word| !is_source(word)).cloned().map(Inner::Script));
    let known = listed && !sources.iter().any(|word| word.known.starts_with("::::"));
    Some(read.starts_unclear(inner, (!known || read.doubtful).then_some(Unclear::Script)))
}

/// Returns a template with `"$1"` in place of the argument. A template with code of its own (`{= =}`) is known up to
/// that code.
fn template(text: Word) -> Word {
    if !text.exact {
        return text;
    }
    if let Some((before, _)) = text.known.split_once("{=") {
        return Word::beginning(before);
    }
    let mut script = String::new();
    let mut replaced = false;
    let mut rest = text.known.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        script.push_str(before);
        let inside = behind.split_once('}').filter(|(inside, _)| inside.chars().all(is_placeholder));
        match inside {
            Some((_, behind)) => {
                script.push_str("\"$1\"");
                replaced = true;
                rest = behind;
            }
            None => {
                script.push('{');
                rest = behind;
            }
        }
    }
    script.push_str(rest);
    if !replaced {
        script.push_str(" \"$@\"");
    }
    Word::exact(script)
}

/// Returns whether a character may be part of a placeholder: `{}` `{.}` `{/}` `{//}` `{/.}` `{#}` `{%}` `{1}` `{-1.}`
/// `{name}`.
fn is_placeholder(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '.' | '/' | '#' | '%' | '-' | '+' | '_')
}
