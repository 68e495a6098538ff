//! Finds the setting that a mistyped name probably means.

use super::list::{named, specs};
use super::spec::Spec;

/// How similar two names must be, from 0 to 1, for one to be suggested for the other: `telegram_token` for
/// `telegram_bot_token`.
const ALIKE: f64 = 0.78;

/// Returns the setting that an unknown key probably means: the variable's own name, or the setting with the most
/// similar name. `theirs` are the settings of installed providers.
pub(super) fn closest(name: &str, theirs: &[Spec]) -> Option<String> {
    let key = |name: &str| name.trim_start_matches("DMPLZ_").to_lowercase();
    let own = name.strip_prefix("DMPLZ_").filter(|own| named(own).is_some());
    own.or(nearest(name, theirs)).map(key)
}

/// Returns the setting with the most similar name. `theirs` are the settings of installed providers.
pub(super) fn nearest(name: &str, theirs: &[Spec]) -> Option<&'static str> {
    let alike = |spec: &Spec| (strsim::normalized_damerau_levenshtein(name, spec.name), spec.name);
    let near = specs().iter().chain(theirs).map(alike).max_by(|(one, _), (other, _)| one.total_cmp(other));
    near.filter(|(alike, _)| *alike >= ALIKE).map(|(_, name)| name)
}
