//! Variables whose text a program puts into what it runs: `CI='$(shell CMD)' make test` runs CMD if the makefile uses
//! `$(CI)`, and so does `CI='; CMD'`.
//!
//! Only a plain value is covered by an allow of such a program. The variable may be set by another command of the line
//! (`read CI; make test`), because the environment may contain it already.

use crate::shell::{Command, Word, name, variable};

/// The programs that put the text of a variable into what they run.
const EVALUATING: [&str; 6] = ["make", "gmake", "bmake", "just", "task", "go-task"];

/// The builtins of shells that set the variables that they name to what they read.
const READING: [&str; 5] = ["read", "mapfile", "readarray", "getopts", "vared"];

/// Returns whether a value has no sign that such a program, or the shell that it starts, would evaluate.
pub(super) fn is_plain(value: &Word) -> bool {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:,+@%=".contains(&byte));
    value.text().is_some_and(plain)
}

/// Returns the variable that a line sets to a value that is not plain, and that such a program in it may evaluate.
pub(crate) fn evaluated(commands: &[Command]) -> Option<&str> {
    let is_one =
        |command: &Command, names: &[&str]| command.name().is_some_and(|word| names.contains(&&*name::bare(word)));
    if !commands.iter().any(|command| is_one(command, &EVALUATING)) {
        return None;
    }
    commands.iter().find_map(|command| {
        let set = command.assignments.iter().filter(|set| !is_plain(&set.value)).map(|set| set.name.as_str());
        let named = if is_one(command, &READING) { command.words.as_slice() } else { &[] };
        set.chain(named.iter().map(|word| word.known.as_str())).find(|name| variable::is_safe(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    #[test]
    fn a_variable_that_make_would_evaluate_is_found_wherever_the_line_sets_it() {
        for (line, expected) in [
            ("CI='$(shell x)' make test", Some("CI")),
            ("CI='${shell x}' make test", Some("CI")),
            ("CI='; x' make test", Some("CI")),
            ("CI='`x`' make test", Some("CI")),
            ("CI=$x make test", Some("CI")),
            ("CI='$(shell x)'; make test", Some("CI")),
            ("export LANG='$(shell x)'; make test", Some("LANG")),
            ("env CI='$(shell x)' make test", Some("CI")),
            ("CI='$(shell x)' timeout 5 make test", Some("CI")),
            ("for CI in '$(shell x)'; do make test; done", Some("CI")),
            ("read CI; make test", Some("CI")),
            ("CI='; x' just test", Some("CI")),
            ("CI=1 make test", None),
            ("LANG=en_US.UTF-8 TZ=Europe/Berlin make test", None),
            ("CI=1; make -j4 test", None),
            ("x='$(a)'; make test", None),
            ("CI='$(shell x)' npm test", None),
            ("make test", None),
        ] {
            assert_eq!(evaluated(&commands::read(line).commands), expected, "{line}");
        }
    }
}
