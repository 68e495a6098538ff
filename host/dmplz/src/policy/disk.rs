//! Gives the policy access to this machine's disk and to the environment of the agent's shell, as far as rules need them.

use dmplz_policy::Call;

use super::below::{entries_once, holds_rules, links_once};
use super::real_path;
use super::repository::repository;
use crate::environment::environment;

/// Judges a call with the current state of the disk, and the environment that the agent gives this process and its shell.
pub(crate) fn with_disk<T>(call: Call<'_>, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    let cd_path = environment("CDPATH");
    judge(&Call {
        real_path: &real_path::each_once(),
        entries_in: &entries_once(),
        holds_rules: &holds_rules,
        links_below: &links_once(),
        repository: &repository,
        cd_path: cd_path.as_deref(),
        ..call
    })
}
