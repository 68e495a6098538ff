//! Checks the predicates of `find`, and the options of `fd`.

use super::super::super::mark;
use super::super::super::options::{Item, Reader};
use super::super::super::starts::find as starts;
use super::super::{Effect, Escape, Found, goes_nowhere};

/// The predicates of `find` that delete, write, or read the folders to start in. Those that run a command are wrappers.
const PREDICATES: [(&str, Effect); 6] = [
    ("-delete", Effect::Deletes),
    ("-fprint", Effect::Writes),
    ("-fprint0", Effect::Writes),
    ("-fprintf", Effect::Writes),
    ("-fls", Effect::Writes),
    ("-files0-from", Effect::Reads),
];

/// The predicates and options of `find` without any of these effects: first those without a value, then those with one.
const TESTS: &str = "- H L P E X d s x O0 O1 O2 O3 daystart depth follow warn nowarn mount noleaf xdev ignore_readdir_race \
    noignore_readdir_race empty false true nouser nogroup readable writable executable print print0 printx ls exit prune quit \
    not a and o or acl xattr sparse help -help version -version";
const TESTS_OF_A_VALUE: &str = "f D regextype maxdepth mindepth amin anewer atime cmin cnewer context ctime fstype gid group \
    ilname iname inum iwholename iregex links lname mmin mtime name newer path ipath perm regex wholename size type uid used \
    user xtype samefile printf Bmin Btime Bnewer flags xattrname mnewer since";

/// Checks `find`: its predicates are words of their own at any position, with or without `--` before them.
pub(in super::super::super) fn find(found: &Found<'_>) -> Option<Escape> {
    let listed = |names: &str, word: &str| names.split(' ').any(|name| word.strip_prefix('-') == Some(name));
    let mut takes_value = false;
    let mut command_end = 0;
    for (at, word) in found.words.iter().enumerate().skip(1) {
        let text = word.text().unwrap_or_default();
        let is_value = std::mem::replace(&mut takes_value, false);
        let named = at < found.named;
        if !(is_value && word.one) && found.may_be_option(at) {
            return Some(Escape::unknown());
        }
        // The position of a value or a command is checked as well: other versions may parse it otherwise.
        if let Some((name, effect)) = PREDICATES.iter().find(|(name, _)| *name == text) {
            let nowhere = *effect == Effect::Writes && goes_nowhere(found.words.get(at + 1));
            if !named && !nowhere {
                return Some(Escape::new(*name, *effect));
            }
        } else if is_value || at <= command_end {
        } else if starts::EXEC.contains(&text) {
            command_end = at + starts::end_of(found.words.get(at..).unwrap_or_default());
        } else if listed(TESTS_OF_A_VALUE, text) || (text.starts_with("-newer") && text.len() == "-newerXY".len()) {
            takes_value = true;
        } else if !named && word.known.starts_with('-') && !listed(TESTS, text) {
            return Some(Escape::new(&word.known, Effect::Unlisted));
        }
    }
    None
}

/// Checks `fd`: the words after `--exec` up to `;` are a command.
pub(in super::super::super) fn fd(found: &Found<'_>) -> Option<Escape> {
    let mut reader = Reader::new(starts::FD, found.words, 1);
    while let Some(item) = reader.next() {
        match item {
            Item::Known(known) if known.mark == Some(mark::ENTRY) => {
                let rest = found.words.get(reader.at..).unwrap_or_default();
                reader.at += rest.iter().position(|word| word.text() == Some(";")).unwrap_or(rest.len());
            }
            Item::Known(known) if known.at >= found.named => {
                if let Some(effect) = known.mark.and_then(Effect::of) {
                    return Some(Escape::new(&known.name, effect));
                }
            }
            Item::Unknown(at) if at >= found.named => {
                let word = found.words.get(at).filter(|word| word.exact);
                return Some(word.map_or_else(Escape::unknown, |word| Escape::new(&word.known, Effect::Unlisted)));
            }
            Item::Operand(at) if !reader.ended && found.may_be_option(at) => return Some(Escape::unknown()),
            Item::Known(_) | Item::Operand(_) | Item::Unknown(_) => {}
        }
    }
    None
}
