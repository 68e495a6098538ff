//! `xargs`: the command gets words that are only known when it runs.
//!
//! They follow its own words; with `-I {}`, `-i` or `-J %` they stand where the placeholder does.

use super::super::mark;
use super::read::Read;
use super::{Inner, Unwrapped};
use crate::shell::{Part, Word};

/// What `xargs` starts. Without a command it is `echo`, and nothing is started that a rule need know.
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

/// Leaves of a word what comes before a placeholder, whose value surely begins with something.
pub(super) fn replace(word: &mut Word, placeholder: &str, begins: &str) {
    if let Some((before, behind)) = word.known.split_once(placeholder).filter(|_| !placeholder.is_empty()) {
        let known = format!("{before}{begins}");
        // What `find` comes upon is below where it starts.
        let below = if behind.is_empty() { format!("{known}/") } else { known.clone() };
        let shapes = (!begins.is_empty()).then(|| [vec![Part::Text(below), Part::Folders]].into());
        *word = Word { shapes, ..Word::beginning(known) };
    }
}
