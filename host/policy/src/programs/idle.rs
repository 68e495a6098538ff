//! Commands that certainly change nothing but how the line goes on, so that beside other commands they need no rule.
//!
//! | command | does | not, for instance |
//! |---|---|---|
//! | `true`, `false`, `:` | succeeds or fails | `true $(x)`, `true > x`, `./true` |
//! | `wait`, `wait -n`, `wait 123`, `wait %1` | waits for what the line started | `wait $x`, `wait -p x` |
//! | `export NAME=VALUE`, known values of variables that start nothing | the same as `NAME=VALUE` before each later command | `export PATH=x`, `export -n CI`, `export CI=$x` |
//!
//! Which variables start nothing is in [`crate::shell::variable`].

use crate::shell::{Command, Word, variable};

/// Returns whether a command changes nothing, whatever is before and behind it in the line.
pub(crate) fn changes_nothing(command: &Command) -> bool {
    let Some((name, arguments)) = command.words.split_first() else { return false };
    let is_nothing = match name.text() {
        Some("true" | "false" | ":") => arguments.is_empty(),
        Some("wait") => arguments.iter().all(is_job),
        Some("export") => !arguments.is_empty() && arguments.iter().all(is_safe_assignment),
        _ => false,
    };
    is_nothing
        && command.redirects.is_empty()
        && command.assignments.iter().all(|set| variable::is_safely_set(&set.name, &set.value))
}

/// Returns whether a word is the number of a process or job, or the option that waits for any of them.
fn is_job(word: &Word) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.text().is_some_and(|text| text == "-n" || is_number(text.strip_prefix('%').unwrap_or(text)))
}

/// Returns whether a word sets a variable that starts nothing to a known value.
fn is_safe_assignment(word: &Word) -> bool {
    word.text()
        .and_then(|text| text.split_once('='))
        .is_some_and(|(name, value)| variable::is_safely_set(name, &word.with(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    #[test]
    fn a_command_that_changes_nothing_is_known_by_all_its_words() {
        for line in [
            "true", "false", ":", "'true'", "wait", "wait -n", "wait 123 %1", "export CI=1",
            "export NO_COLOR=1 LC_ALL=C", "export TZ='a b'", "CI=1 true",
        ] {
            assert!(changes_nothing(commands::read(line).commands.first().unwrap()), "{line}");
        }
        for line in [
            "true x", "true $x", "true > x", "./true", "/tmp/true", "TRUE", "PATH=x true", ": ${x:=y}", "wait $x",
            "wait -p x", "wait %", "wait -f", "export", "export CI", "export CI=$x", "export CI=$(id)",
            "export PATH=x", "export CI=1 PATH=x", "export -n CI", "export -p", "export CI+=x", "export 'CI[0]=1'",
            "export -- CI=1", "export x=1", "export PORT=3000", "export NODE_ENV=../../x", "TZ=/x true",
            "declare CI=1", "readonly CI=1", "export CI=1 > x", "PATH=x export CI=1", "id", "sleep 1", "$x",
        ] {
            assert!(!changes_nothing(commands::read(line).commands.first().unwrap()), "{line}");
        }
    }
}
