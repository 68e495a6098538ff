//! Finds what a call does besides the one thing that the rule names: another target, package or address.
//!
//! A rule for `make` means every target of the makefile; one for `make test` means that target, and `make test deploy` is
//! more than it says. The same holds for what a package manager installs and for the addresses that a program reaches.

use super::super::{Effect, Escape, Found};
use crate::shell::Word;

/// The options of `pip install` that name what is installed.
const REQUIREMENTS: [&str; 7] = ["-r", "--requirement", "-c", "--constraint", "-e", "--editable", "--group"];

/// The subcommands of package managers whose operands are packages.
const PACKAGES: [&str; 10] =
    ["add", "install", "i", "inject", "reinstall", "remove", "require", "uninstall", "update", "upgrade"];

/// Checks `mvn test deploy` and `cargo install A B`.
pub(in crate::programs) fn operands(found: &Found<'_>) -> Option<Escape> {
    beyond(found, |_, _| true)
}

/// Checks `make test deploy`. A variable is no target.
pub(super) fn targets(found: &Found<'_>) -> Option<Escape> {
    beyond(found, |_, word| !word.known.contains('='))
}

/// Checks `task test deploy`. The words after `--` are arguments of the task.
pub(super) fn targets_before_dashes(found: &Found<'_>) -> Option<Escape> {
    let dashes = found.words.iter().position(|word| word.text() == Some("--")).unwrap_or(found.words.len());
    beyond(found, |at, word| at < dashes && !word.known.contains('='))
}

/// Checks `turbo run test deploy`, in which `run` is no task.
pub(in crate::programs) fn tasks(found: &Found<'_>) -> Option<Escape> {
    beyond(found, |_, word| word.known != "run")
}

/// Checks `nx run-many -t test deploy`. What follows the target of `nx test` is a project.
pub(in crate::programs) fn projects(found: &Found<'_>) -> Option<Escape> {
    let first = *found.operands.first()?;
    let several = matches!(found.words.get(first)?.text(), Some("run-many" | "affected"));
    several.then(|| beyond(found, |at, _| at != first))?
}

/// Checks `brew install A B` for package managers whose subcommands have no rows.
pub(in crate::programs) fn packages(found: &Found<'_>) -> Option<Escape> {
    let first = *found.operands.first()?;
    let takes_packages = found.words.get(first)?.text().is_some_and(|sub| PACKAGES.contains(&sub));
    takes_packages.then(|| beyond(found, |at, _| at != first))?
}

/// Checks `pip install -r FILE PACKAGE` and `pip install PACKAGE -r FILE`.
pub(in crate::programs) fn requirements(found: &Found<'_>) -> Option<Escape> {
    let options = found.known.iter().filter(|known| REQUIREMENTS.contains(&known.name.as_str()));
    let mut all: Vec<usize> = options.map(|known| known.at).chain(found.operands.iter().copied()).collect();
    all.sort_unstable();
    other(found, &all)
}

/// Checks `npm view git+ssh://HOST/REPOSITORY`, for which npm starts the git that the settings of the folder name.
pub(in crate::programs) fn registry(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Runs, |word| !is_of_registry(word))
}

/// Returns whether a package certainly comes from the registry: `lodash@4`, `@types/node`.
fn is_of_registry(package: &Word) -> bool {
    let scoped = package.known.strip_prefix('@').and_then(|name| name.split_once('/'));
    let name = scoped.map_or(package.known.as_str(), |(_, name)| name);
    package.exact && !name.contains(['/', ':'])
}

/// Checks `wget URL URL` and `http GET URL NAME=VALUE`. The method of a request is no address.
pub(in crate::programs) fn addresses(found: &Found<'_>) -> Option<Escape> {
    let is_method = |word: &Word| word.exact && word.known.bytes().all(|byte| byte.is_ascii_uppercase());
    beyond(found, |_, word| !is_method(word))
}

/// Returns the first operand that counts and that the rule does not name, if the rule names another one that counts.
fn beyond(found: &Found<'_>, counts: impl Fn(usize, &Word) -> bool) -> Option<Escape> {
    let counted =
        found.operands.iter().copied().filter(|at| found.words.get(*at).is_some_and(|word| counts(*at, word)));
    other(found, &counted.collect::<Vec<_>>())
}

/// Returns the first of these words that the rule does not name, if it names another one. The words are in order.
fn other(found: &Found<'_>, all: &[usize]) -> Option<Escape> {
    let names_one = all.first().is_some_and(|at| *at < found.named);
    let at = *all.iter().find(|at| names_one && **at >= found.named)?;
    Some(Escape::new(&found.words.get(at)?.known, Effect::Unlisted))
}
