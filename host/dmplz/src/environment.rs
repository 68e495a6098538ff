//! The variables of the environment.

/// Looks up an environment variable; a function so that tests bring their own.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The process's environment. A variable that is not UTF-8 counts as not set.
#[allow(clippy::disallowed_methods, reason = "the one place where settings are taken from the environment")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
