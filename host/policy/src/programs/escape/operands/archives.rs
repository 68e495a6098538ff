//! Checks archivers whose mode is a word without a dash.

use super::super::super::kinds::TAR_WRITES;
use super::super::{Effect, Escape, Found, find, goes_nowhere};
use super::at_file;
use crate::shell::Word;

/// Checks `tar -cf ARCHIVE`, `tar cf ARCHIVE` and `tar xIf CMD ARCHIVE`.
pub(in super::super::super) fn tar(found: &Found<'_>) -> Option<Escape> {
    // If the first word has no dash, its letters are options, and their values follow in order.
    if found.operands.first() == Some(&1) && found.named == 1 {
        let letters = found.words.get(1)?.text()?;
        let mut words = found.words.get(..1).unwrap_or_default().to_vec();
        let mut rest = found.words.iter().skip(2);
        for letter in letters.chars() {
            words.push(Word::exact(format!("-{letter}")));
            if "bCFfgHIKLNTVX".contains(letter) {
                words.extend(rest.next().cloned());
            }
        }
        words.extend(rest.cloned());
        return find(&words, 1, found.minds);
    }
    let given = |names: &[&str]| found.known.iter().find(|known| names.contains(&known.name.as_str()));
    let unnamed = |names: &[&str]| given(names).filter(|known| known.at >= found.named);
    let writes = given(&TAR_WRITES).is_some();
    let archive = unnamed(&["-f", "--file"])?;
    if archive.value.as_ref().is_some_and(|file| file.known.contains(':')) {
        // `HOST:FILE` is reached with `ssh`.
        return Some(Escape::new(&archive.name, Effect::Runs));
    }
    (writes && !goes_nowhere(archive.value.as_ref())).then(|| Escape::new(&archive.name, Effect::Writes))
}

/// Checks `ar rcs ARCHIVE FILE`: the letters of the first word are options, and `@FILE` contains more of them.
pub(in super::super::super) fn ar(found: &Found<'_>) -> Option<Escape> {
    let known = |letters: &str| {
        letters.trim_start_matches('-').chars().all(|letter| "dmpqrstxabcDfilNoOPsSTuUvV".contains(letter))
    };
    match found.nth(0).filter(|word| !word.text().is_some_and(known)) {
        Some(letters) => Some(Escape::new(&letters.known, Effect::Unlisted)),
        None => at_file(found),
    }
}
