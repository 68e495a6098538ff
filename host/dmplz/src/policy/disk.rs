//! What a rule may ask about this machine's disk, lent to the policy with a call.

use std::path::{Path, PathBuf};

use dmplz_policy::Call;

use super::below::{holds_rules, links_in};
use super::real_path;
use super::repository::repository;

/// This machine's disk, as one judgement sees it.
pub(crate) struct Disk {
    real_path: Box<dyn Fn(&Path) -> Option<PathBuf>>,
}

impl Disk {
    /// The disk as it is now. Each path is followed once, so one of these is for one call.
    pub(crate) fn now() -> Self {
        Self { real_path: Box::new(real_path::each_once()) }
    }

    /// The call, with the answers of this disk.
    pub(crate) fn lend<'a>(&'a self, call: Call<'a>) -> Call<'a> {
        Call {
            real_path: &self.real_path,
            links_in: &links_in,
            holds_rules: &holds_rules,
            repository: &repository,
            ..call
        }
    }
}
