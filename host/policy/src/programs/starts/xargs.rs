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
        read.has(mark::PLACEHOLDER).then(|| read.value(mark::PLACEHOLDER).map_or(Some("{}"), |word| word.text()));
    for inner in &mut unwrapped.inner {
        let Inner::Command(command) = inner else { continue };
        match placeholder {
            Some(Some(placeholder)) => command.words.iter_mut().for_each(|word| replace(word, placeholder, "")),
            // Any text may be the placeholder.
            Some(None) => command.words.iter_mut().for_each(|word| *word = Word::beginning("")),
            None => command.words.push(Word::beginning("")),
        }
    }
    Some(unwrapped)
}

/// Truncates a word at a placeholder, whose value certainly begins with `begins`. A word that is not known may contain the
/// placeholder: `{,x}{}`, or `*` where a file is named `{}`.
pub(super) fn replace(word: &mut Word, placeholder: &str, begins: &str) {
    if placeholder.is_empty() {
        return;
    }
    let Some((before, behind)) = word.known.split_once(placeholder) else {
        let is_clear =
            |part: &Part| matches!(part, Part::Text(text) if !text.contains(|sign| placeholder.contains(sign)));
        if let Some(shapes) = word.shapes.as_ref().filter(|shapes| !shapes.iter().flatten().all(is_clear)) {
            word.shapes = Some(shapes.iter().cloned().chain([vec![Part::Any]]).collect());
        }
        return;
    };
    let known = format!("{before}{begins}");
    // The paths that `find` finds are below the folder in which it starts, or are that.
    let below = if behind.is_empty() { format!("{known}/") } else { known.clone() };
    let is_below = word.exact && !behind.contains(placeholder) && !behind.contains("..");
    let shapes = (!begins.is_empty()).then(|| {
        let found = vec![Part::Text(below), Part::Folders];
        let more = match is_below {
            true => [found.as_slice(), &[Part::Text(behind.to_owned())]].concat(),
            false => vec![Part::Any],
        };
        [found, more].into()
    });
    *word = Word { shapes, ..Word::beginning(known) };
}
