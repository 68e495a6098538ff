//! Checks combinations of Git's options and operands.

use super::super::{Effect, Escape, Found};
use super::transport;
use crate::shell::Word;

/// With one of these options, the operands of `git branch` and `git tag` are patterns. Without them, they are names to
/// create.
const LISTING: [&str; 11] = [
    "--list", "-l", "--contains", "--no-contains", "--with", "--without", "--merged", "--no-merged", "--points-at",
    "--show-current", "-n",
];

/// With one of these options, `git config` only reads. They count before the first operand, which ends Git's options.
const READING: [&str; 8] =
    ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list", "-l"];

/// Checks `git log --format=%G?` and `git for-each-ref --sort=signature`, which run GnuPG.
pub(in crate::programs) fn formats(found: &Found<'_>) -> Option<Escape> {
    found.known.iter().find_map(|known| {
        if !matches!(known.name.as_str(), "--format" | "--pretty" | "--sort") {
            return None;
        }
        let attached = found.words.get(known.at).is_some_and(|word| word.known.contains('='));
        let value = known.value.as_ref().filter(|_| known.at + usize::from(!attached) >= found.named)?;
        if !value.exact {
            return Some(Escape::unknown());
        }
        signature(&value.known).then(|| Escape::new(&known.name, Effect::Runs))
    })
}

/// Returns whether a format shows the signer of an object.
fn signature(format: &str) -> bool {
    let placeholders = format.split('%').skip(1).map(|rest| rest.trim_start_matches(['+', '-', ' ']));
    format.contains("signature") || placeholders.into_iter().any(|rest| rest.starts_with('G'))
}

/// Checks `git branch NAME` and `git tag NAME`: a name is created, unless the rule names the action on it (`git branch
/// -d`).
pub(in crate::programs) fn lists(found: &Found<'_>) -> Option<Escape> {
    let lists = found.known.iter().any(|known| LISTING.contains(&known.name.as_str()));
    let acts = found.known.iter().any(|known| known.at < found.named && known.mark.is_some());
    found.operand(Effect::Changes, |_| !lists && !acts).or_else(|| formats(found))
}

/// Checks `git config NAME VALUE`: an alias or a pager is a program. A word after a name is a value, not an option.
pub(in crate::programs) fn config(found: &Found<'_>) -> Option<Escape> {
    let at = *found.operands.first()?;
    let first = found.words.get(at)?;
    let reads = |name: &str| READING.contains(&name);
    let changes = match first.known.as_str() {
        "get" | "list" => false,
        "set" | "unset" | "edit" | "rename-section" | "remove-section" => true,
        _ => found.words.len() > at + 1 && !found.known.iter().any(|known| known.at <= at && reads(&known.name)),
    };
    let unnamed = found.words.len() > found.named;
    (changes && unnamed).then(|| Escape::new(&first.known, Effect::Changes))
}

/// Checks `git push REPOSITORY +REFERENCE`, which overwrites, and `git push REPOSITORY :REFERENCE`, which deletes.
pub(in crate::programs) fn push(found: &Found<'_>) -> Option<Escape> {
    let refspec = |word: &Word| match word.known.chars().next() {
        Some('+') => Some(Escape::new(&word.known, Effect::Changes)),
        Some(':') => Some(Escape::new(&word.known, Effect::Deletes)),
        None if !word.exact => Some(Escape::unknown()),
        _ => None,
    };
    found.operands().find_map(refspec).or_else(|| transport(found))
}

/// Checks the options of `git clone` in `gh repo clone REPOSITORY -- OPTIONS`.
pub(in crate::programs) fn flags(found: &Found<'_>) -> Option<Escape> {
    let from = found.words.iter().position(|word| word.text() == Some("--"))? + 1;
    let clone = ["git", "clone"].into_iter().map(Word::exact);
    let words: Vec<Word> = clone.chain(found.words.iter().skip(from).cloned()).collect();
    super::super::find(&words, 2 + found.named.saturating_sub(from), found.minds)
}
