//! Gives the policy access to this machine's disk, as far as rules need it.

use dmplz_policy::Call;

use super::below::{entries_once, holds_rules, links_once};
use super::real_path;
use super::repository::repository;

/// Judges a call with the current state of the disk.
pub(crate) fn with_disk<T>(call: Call<'_>, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    judge(&Call {
        real_path: &real_path::each_once(),
        entries_in: &entries_once(),
        holds_rules: &holds_rules,
        links_below: &links_once(),
        repository: &repository,
        ..call
    })
}
