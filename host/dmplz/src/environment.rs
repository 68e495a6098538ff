//! The variables of the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Looks up an environment variable. It is a function, so that tests can use their own environment.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the process's whole environment, as far as it is UTF-8, for a process that gets the same.
#[allow(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub(crate) fn variables() -> BTreeMap<String, String> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    std::env::vars_os().filter_map(text).collect()
}

/// Returns a variable of the process's environment. One that is not UTF-8 counts as not set.
#[allow(clippy::disallowed_methods, reason = "the one place where settings are taken from the environment")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
