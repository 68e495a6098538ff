//! Names for what `config.toml` has of notices and hooks, by which a change of it is noticed.

use std::hash::{BuildHasher, RandomState};

use toml::Table;

use crate::settings::NOTIFY;

/// The key of the sources of hooks.
pub(super) const HOOKS: &str = "hooks";

/// Names what a file has of notices and hooks. The names of one process say nothing about the secrets that are in it.
#[derive(Default)]
pub(super) struct Versions(RandomState);

impl Versions {
    /// Returns the version of the file's text.
    pub(super) fn of(&self, text: &str) -> String {
        self.of_keys(text, &[NOTIFY, HOOKS])
    }

    /// Returns the version of what a gateway reads when it starts.
    pub(super) fn of_notices(&self, text: &str) -> String {
        self.of_keys(text, &[NOTIFY])
    }

    fn of_keys(&self, text: &str, keys: &[&str]) -> String {
        let values = |table: Table| keys.iter().map(|key| format!("{:?}", table.get(*key))).collect::<String>();
        let held = text.parse::<Table>().map_or_else(|_| text.to_owned(), values);
        format!("{:016x}", self.0.hash_one(held))
    }
}
