//! Parses `xargs`, whose command gets arguments that are known only at run time.
//!
//! They follow the words of the command; with `-I {}`, `-i` or `-J %` they replace the placeholder.

use super::super::mark;
use super::read::Read;
use super::{Inner, Unwrapped};
use crate::shell::{Part, Word};

/// Returns the command that `xargs` starts. Without a command it runs `echo`, and starts nothing that a rule has to
/// know.
pub(in super::super) fn xargs(read: &Read<'_>) -> Option<Unwrapped> {
    let mut unwrapped = read.words(read.rest)?;
    let placeholder =
        read.has(mark::PLACEHOLDER).then(|| read.value(mark::PLACEHOLDER).map_or("{}", |word| &word.known));
    for inner in &mut unwrapped.inner {
        let Inner::Command(command) = inner else { continue };
        match placeholder {
            Some(placeholder) => command.words.iter_mut().for_each(|word| replace(word, placeholder, "")),
            None => command.words.push(Word::beginning("")),
        }
    }
    Some(unwrapped)
}

/// Truncates a word at a placeholder, whose value certainly begins with `begins`.
pub(super) fn replace(word: &mut Word, placeholder: &str, begins: &str) {
    if let Some((before, behind)) = word.known.split_once(placeholder).filter(|_| !placeholder.is_empty()) {
        let known = format!("{before}{begins}");
        // The paths that `find` finds are below the folder in which it starts.
        let below = if behind.is_empty() { format!("{known}/") } else { known.clone() };
        let shapes = (!begins.is_empty()).then(|| [vec![Part::Text(below), Part::Folders]].into());
        *word = Word { shapes, ..Word::beginning(known) };
    }
}
