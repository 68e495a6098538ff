//! The variables of the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;

/// Looks up an environment variable. It is a function, so that tests can use their own environment.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the process's whole environment, as far as it is UTF-8, for a process that gets the same.
#[allow(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub(crate) fn variables() -> BTreeMap<String, String> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    std::env::vars_os().filter_map(text).collect()
}

/// Returns a variable of the process's environment. One that is not UTF-8 counts as not set, but for ours: a setting that
/// somebody made is an error ([`is_not_utf8`]) rather than passed over.
#[allow(clippy::disallowed_methods, reason = "the one place where settings are taken from the environment")]
pub(crate) fn environment(name: &str) -> Option<String> {
    match std::env::var_os(name)?.into_string() {
        Ok(value) => Some(value),
        Err(value) => name.starts_with("DMPLZ_").then(|| value.to_string_lossy().into_owned()),
    }
}

/// Returns whether a value of [`environment`] was not UTF-8, so that it is not what somebody wrote.
pub(crate) fn is_not_utf8(value: &str) -> bool {
    value.contains(char::REPLACEMENT_CHARACTER)
}

/// Formats a path for people, or a place in a file (`file:line`): with `~` for the home directory, and with hidden
/// characters made visible.
pub(crate) fn from_home(path: &str) -> String {
    let home = environment("HOME").filter(|home| home.len() > 1);
    let below = home.and_then(|home| Some(format!("~/{}", path.strip_prefix(&home)?.strip_prefix('/')?)));
    visible_line(below.as_deref().unwrap_or(path))
}

/// Returns the language if `DMPLZ_LANG` is not set: that of the first locale variable with a value, in POSIX's order,
/// or Korean.
pub(crate) fn locale(environment: Environment<'_>) -> Lang {
    let set = |name: &&str| environment(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
    locale.and_then(|locale| Lang::of_locale(&locale)).unwrap_or_default()
}
