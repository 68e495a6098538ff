//! What a rule may ask about this machine's disk, lent to the policy with a call.

use dmplz_policy::Call;

use super::below::{holds_rules, links_in};
use super::real_path;
use super::repository::repository;

/// Judges a call with the answers of the disk as it is now.
pub(crate) fn with_disk<T>(call: Call<'_>, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    judge(&Call {
        real_path: &real_path::each_once(),
        links_in: &links_in,
        holds_rules: &holds_rules,
        repository: &repository,
        ..call
    })
}
