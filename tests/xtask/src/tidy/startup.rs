//! Checks that `host/dmplz/startup.ld`, by which the linker puts what a hook runs into one place, is still of this code.
//!
//! A name in it that no code has does nothing, and the code that has taken its place lies elsewhere: when much was moved or renamed, a
//! hook starts a tenth slower, and nothing else shows it. So the paths in the names, such as `dmplz_core::card::Card`, are looked up in
//! the sources. Code that is new, methods, and other people's crates are not looked at.

use std::fmt;
use std::path::Path;

use anyhow::Context;

use super::crates::Crate;
use crate::Finding;

/// The list, which `cargo xtask startup-order` writes.
const LIST: &str = "host/dmplz/startup.ld";
/// How many names of our crates in a hundred may be of code that is gone.
const MOST: usize = 3;
/// The module that a macro makes of the contract: its content is in no source.
const GENERATED: &str = "bindings";

/// How much of the list is of code that is gone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Startup {
    /// The number of names of code in our crates.
    pub names: usize,
    /// The number of those whose code is gone.
    pub gone: usize,
    /// One of those: the line of the list, and the path.
    example: Option<(usize, String)>,
}

impl Startup {
    /// Reads the list of the repository at `root`; without one, there are no names.
    pub(super) fn read(root: &Path, crates: &[Crate<'_>]) -> anyhow::Result<Self> {
        let list = root.join(LIST);
        let is_there = list.is_file();
        let list = if is_there {
            std::fs::read_to_string(&list).with_context(|| format!("read {LIST}"))?
        } else {
            String::new()
        };
        Ok(Self::of(&list, crates))
    }

    fn of(list: &str, crates: &[Crate<'_>]) -> Self {
        let mut found = Self::default();
        for (at, line) in list.lines().enumerate() {
            let own: Vec<_> = paths(line).filter(|path| crates.iter().any(|it| is_of(it, path))).collect();
            let mut gone = own.iter().filter(|path| !is_there(crates, path));
            found.names += usize::from(!own.is_empty());
            if let Some(path) = gone.next() {
                found.gone += 1;
                found.example.get_or_insert_with(|| (at + 1, path.join("::")));
            }
        }
        found
    }

    /// Returns whether too much is gone.
    pub(super) fn check(&self) -> Option<Finding> {
        let (line, path) = self.example.as_ref().filter(|_| self.gone * 100 > self.names * MOST)?;
        let what = format!("{self}, such as {path}, so a hook starts slower; trace it anew: cargo xtask startup-order");
        Some(Finding::new(Path::new(LIST), Some(*line), what))
    }
}

impl fmt::Display for Startup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, gone, .. } = self;
        write!(f, "{gone} of {names} names of what a hook runs are of code that is gone (at most {MOST} %)")
    }
}

/// Returns whether a path is of this crate: `dmplz` and `dmplz_core` are in `host/dmplz` and `host/core`.
fn is_of(it: &Crate<'_>, path: &[&str]) -> bool {
    let folder = it.folder.strip_prefix("host").ok().and_then(Path::to_str);
    let name = path.first().and_then(|name| if *name == "dmplz" { Some(*name) } else { name.strip_prefix("dmplz_") });
    folder.zip(name).is_some_and(|(folder, name)| folder.replace('-', "_") == name)
}

fn is_there(crates: &[Crate<'_>], path: &[&str]) -> bool {
    let names = path.get(1..).unwrap_or_default();
    let names = names.split(|name| *name == GENERATED).next().unwrap_or_default();
    crates.iter().any(|it| is_of(it, path) && it.tree.has(names))
}

/// Returns the paths in a line of the list, each from the name of its crate on: `Cs*_1a1b` is `a::b`.
fn paths(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let names = |rest| std::iter::successors(identifier(rest), |(_, rest)| identifier(rest)).map(|(name, _)| name);
    line.split("Cs*_").skip(1).map(move |rest| names(rest).collect())
}

/// Returns the identifier that a part of a mangled name begins with, and the part behind it: its length, `_` if it begins with a digit
/// or `_`, and itself. A number between `s` and `_` may stand before.
fn identifier(name: &str) -> Option<(&str, &str)> {
    let name = match name.strip_prefix('s').and_then(|rest| rest.split_once('_')) {
        Some((number, rest)) if number.bytes().all(|it| it.is_ascii_alphanumeric()) => rest,
        _ => name,
    };
    let text = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let length: usize = name.get(..name.len() - text.len())?.parse().ok()?;
    let (name, rest) = text.strip_prefix('_').unwrap_or(text).split_at_checked(length)?;
    // Closures and `const _` have no name.
    (!name.trim_matches('_').is_empty()).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::super::crates;
    use super::super::files::TextFile;
    use super::*;

    fn of(list: &str) -> Startup {
        let file = |(path, text): (&str, &str)| TextFile { path: path.into(), text: text.to_owned() };
        let files = [
            ("host/core/src/lib.rs", "mod card;\nmod bindings;"),
            ("host/core/src/card.rs", "pub struct Card;"),
            ("host/core/src/bindings.rs", ""),
        ];
        let files = files.map(file);
        Startup::of(list, &crates::read(&files))
    }

    #[test]
    fn the_paths_in_a_mangled_name_are_read() {
        let read = |line| paths(line).map(|path| path.join("::")).collect::<Vec<_>>();
        assert_eq!(read("*(.text._RNvMNtCs*_12dmplz_policy5judgeNtB2_6Policy7rule_on)"), ["dmplz_policy::judge"]);
        assert_eq!(
            read("_RINvNtCs*_4core3ptr13drop_in_placeNtNtCs*_10dmplz_core4card4CardECs*_5dmplz)"),
            ["core::ptr::drop_in_place", "dmplz_core::card::Card", "dmplz"]
        );
        assert_eq!(read("_RNCNvNtCs*_5dmplz4hooks_3run0B5_"), ["dmplz::hook::run"]);
        assert_eq!(read("_RNvXNvNtCs*_11dmplz_state8accounts1__NtB5_10AccountKey"), ["dmplz_state::accounts"]);
        assert!(read("*(.text.main)").is_empty());
    }

    #[test]
    fn names_of_code_that_is_gone_are_counted() {
        let there = "*(.text._RNtNtCs*_10dmplz_core4card4Card)\n*(.text._RNtNtNtCs*_10dmplz_core8bindings4http5Error)\n*(.text._RNtCs*_4core3fmt)\n";
        assert_eq!(of(there), Startup { names: 2, gone: 0, example: None });
        let gone = of(&format!(
            "{there}*(.text._RNtNtCs*_10dmplz_core4card4Part)\n*(.text._RNtNtCs*_10dmplz_core4line4Line)\n"
        ));
        assert_eq!(gone, Startup { names: 4, gone: 2, example: Some((4, "dmplz_core::card::Part".to_owned())) });
    }

    #[test]
    fn a_list_of_which_much_is_gone_is_found() {
        let of = |gone| Startup { names: 1_000, gone, example: Some((7, "dmplz::hook".to_owned())) };
        assert_eq!(of(30).check(), None);
        assert_eq!(
            of(31).check().unwrap().to_string(),
            "host/dmplz/startup.ld:7: 31 of 1000 names of what a hook runs are of code that is gone (at most 3 %), such as dmplz::hook, so a \
             hook starts slower; trace it anew: cargo xtask startup-order"
        );
    }
}
