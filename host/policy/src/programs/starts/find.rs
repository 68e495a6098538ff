//! Parses `find -exec` and `fd --exec`, which start a command for each file that they find.

use super::super::mark;
use super::super::options::{Grammar, Item, Known, Reader};
use super::Unwrapped;
use super::read::Read;
use super::xargs::replace;
use crate::shell::{Part, Word};

/// The predicates of `find` that start a command.
pub(in super::super) const EXEC: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

/// The placeholders that `fd` replaces by the path or a part of it.
const FD_PLACEHOLDERS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];

/// The options of `fd`, which have to be known to find the words after `--exec`.
pub(in super::super) const FD: Grammar = Grammar(
    "HIuisgaLpFlqd:t:e:S:o:E:c:j:x:+X:+01hV exec:+ exec-batch:+ max-depth: min-depth: exact-depth: type: extension: size: owner: \
     exclude: color: threads: and: batch-size: ignore-file:< changed-within: changed-before: change-newer-than: \
     change-older-than: changed-after: newer: older: max-results: base-directory:@ path-separator: search-path: format: \
     strip-cwd-prefix? hyperlink? gen-completions? hidden no-ignore no-ignore-vcs no-ignore-parent no-require-git unrestricted \
     case-sensitive ignore-case ignore-contain: glob regex fixed-strings absolute-path list-details follow full-path print0 \
     prune quiet show-errors one-file-system mount help version",
);

/// Returns the commands that `find` starts.
pub(in super::super) fn find(read: &Read<'_>) -> Option<Unwrapped> {
    let mut words = read.after(1);
    // Files found behind links may be anywhere.
    let follows = words.iter().any(|word| matches!(word.known.as_str(), "-L" | "-H" | "-follow"));
    let start = if follows { "" } else { start_of(words) };
    let mut inner = Vec::new();
    while let Some(at) = words.iter().position(|word| EXEC.contains(&word.known.as_str())) {
        let in_folder = words.get(at).is_some_and(|word| word.known.ends_with("dir"));
        let rest = words.get(at + 1..).unwrap_or_default();
        let end = end_of(rest);
        let mut command = rest.get(..end).unwrap_or_default().to_vec();
        let are_files = !in_folder && !follows && finds_only_files(words.get(..at).unwrap_or_default());
        for word in &mut command {
            let is_whole = word.text() == Some("{}");
            replace(word, "{}", if in_folder { "" } else { start });
            if is_whole && are_files {
                word.shapes = word.shapes.take().map(|shapes| shapes.iter().map(|shape| of_files(shape)).collect());
            }
        }
        if !command.is_empty() {
            let mut started = read.inner(command);
            if in_folder {
                started.move_away();
            }
            inner.push(started);
        }
        words = rest.get(end..).unwrap_or_default();
    }
    (!inner.is_empty()).then(|| read.starts(inner))
}

/// Returns the commands that `fd` starts.
pub(in super::super) fn fd(read: &Read<'_>) -> Option<Unwrapped> {
    let mut reader = Reader::new(FD, &read.command.words, 1);
    let mut inner = Vec::new();
    while let Some(item) = reader.next() {
        let Item::Known(Known { mark: Some(mark::ENTRY), value: Some(first), .. }) = item else { continue };
        let rest = read.after(reader.at);
        let end = rest.iter().position(|word| word.text() == Some(";")).unwrap_or(rest.len());
        let mut command: Vec<Word> = std::iter::once(&first).chain(rest.iter().take(end)).cloned().collect();
        let is_placed = command.iter().any(|word| FD_PLACEHOLDERS.iter().any(|sign| word.known.contains(sign)));
        for placeholder in FD_PLACEHOLDERS {
            command.iter_mut().for_each(|word| replace(word, placeholder, ""));
        }
        if !is_placed {
            command.push(Word::beginning(""));
        }
        inner.push(read.inner(command));
        reader.at += end;
    }
    (!inner.is_empty()).then(|| read.starts(inner))
}

/// Returns the index at which a command of `find` ends: at `;`, or at `+` after `{}`.
pub(in super::super) fn end_of(words: &[Word]) -> usize {
    let is = |word: Option<&Word>, text: &str| word.is_some_and(|word| word.text() == Some(text));
    let ends =
        |at: usize| is(words.get(at), ";") || (is(words.get(at), "+") && is(words.get(at.wrapping_sub(1)), "{}"));
    (0..words.len()).find(|at| ends(*at)).unwrap_or(words.len())
}

/// Returns whether `find` finds only files that are no links by these words: `-type f`, outside of brackets and not as
/// an alternative.
fn finds_only_files(words: &[Word]) -> bool {
    let Some(texts) = words.iter().map(Word::text).collect::<Option<Vec<&str>>>() else { return false };
    let mut depth = 0_usize;
    let (mut only_files, mut before) = (false, ["", ""]);
    for text in texts {
        match text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "-o" | "-or" | "," if depth == 0 => return false,
            "f" if depth == 0 => only_files |= before[1] == "-type" && !matches!(before[0], "!" | "-not"),
            _ => {}
        }
        before = [before[1], text];
    }
    only_files
}

/// Returns a shape of which everything that is found is a file.
fn of_files(shape: &[Part]) -> Vec<Part> {
    let of_file = |part: &Part| if *part == Part::Folders { Part::Files } else { part.clone() };
    shape.iter().map(of_file).collect()
}

/// Returns the prefix of every path that `find` finds, if it starts in one folder.
fn start_of(words: &[Word]) -> &str {
    let is_folder = |word: &&Word| !word.known.starts_with(['-', '(', '!']);
    let folders: Vec<&Word> = words.iter().take_while(is_folder).collect();
    match folders.as_slice() {
        [] => ".",
        [folder] if folder.exact => &folder.known,
        _ => "",
    }
}
