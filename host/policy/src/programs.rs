//! What the policy knows about programs: one row a program, in `table`.
//!
//! | question | asked by | answered by |
//! |---|---|---|
//! | what does a command start? | `commands` | `starts` |
//! | does a call do more than the rule that allows it says? | the judge | `escape` |
//! | which files does a call read and write? | the judge | `files` |
//! | does it depend on the files of its folder? | the judge | `folder` |
//! | which variables make a program start something? | the judge | `variable` |
//! | which variables would a program evaluate? | the judge | `evaluated` |
//! | which commands change nothing but how the line goes on? | the judge | `idle` |
//! | which commands read a file from their input as they read an operand? | the judge | `input` |
//! | which options in front of a subcommand does a rule not have to name? | the judge | `front` |
//! | which other words name the same action? | the judge, for rules that deny or ask | `synonyms` |
//! | what does an allow of the bare name permit? | lint, suggest, the card's marks | `power` |
//!
//! A program without a row is assumed to start nothing but itself; an allow of it means the words that it names.

mod escape;
mod evaluated;
mod files;
mod front;
mod given;
mod idle;
mod input;
mod kinds;
mod mark;
mod operands;
mod options;
mod power;
pub mod repository;
mod row;
mod starts;
mod synonyms;
mod table;
mod variable;

pub use escape::{Effect, Escape, escape, unread};
pub(crate) use evaluated::evaluated;
pub(crate) use files::{Touched, touched};
pub(crate) use front::without_front;
pub(crate) use idle::changes_nothing;
pub(crate) use input::with_input_as_operand;
pub(crate) use operands::Operands;
pub use power::Power;
pub(crate) use row::{Folder, Row, Starts};
pub(crate) use starts::git::names_program;
pub(crate) use starts::shells::is_usual;
pub(crate) use starts::{Inner, unwrap};
pub(crate) use synonyms::synonyms;
pub(crate) use table::{find, listed, rows};
pub(crate) use variable::{is_command, is_path_of_tests, may_start};

use crate::shell::name;

/// Words that are followed by the name of an action: `npm run build`.
const RUN: [&str; 12] =
    ["run", "exec", "x", "compose", "-m", "dlx", "script", "task", "remote", "stash", "config", "workspace"];

/// Programs that only test or check the files of a project, so that their name says what is done.
const CHECKS: [&str; 18] = [
    "ava", "eslint", "flake8", "jest", "mocha", "mypy", "phpunit", "py.test", "pylint", "pyright", "pytest", "rspec",
    "shellcheck", "stylelint", "tsc", "vitest", "vue-tsc", "yamllint",
];

/// Programs that start the one that follows, from the packages of a project: `npx eslint`.
const STARTERS: [&str; 3] = ["bunx", "npx", "pnpx"];

/// Returns what a command can do beyond its name, if anything.
pub fn power(command: &str) -> Option<Power> {
    table::find(&name::bare(command))?.gives()
}

/// Returns whether a subcommand starts any given command, or a package that it downloads (`docker run`).
fn starts_any(name: &str) -> bool {
    name.contains(' ') && listed(name).is_some_and(|row| row.gives() == Some(Power::StartsOthers))
}

/// Returns whether a program only shows something, whatever its operands are. Options that do more are checked in
/// each call.
pub(crate) fn only_shows(name: &str) -> bool {
    let shows = |operands| {
        matches!(
            operands,
            Operands::Names
                | Operands::Text
                | Operands::Reads
                | Operands::TextThenReads
                | Operands::TextThenSearches
                | Operands::Nothing
        )
    };
    find(name).is_some_and(|row| row.gives().is_none() && matches!(row.starts, Starts::Nothing) && shows(row.operands))
}

/// Returns whether a subcommand of a program that can start others is known to start none.
pub(crate) fn starts_none(name: &str, sub: &str) -> bool {
    find(&format!("{name} {sub}"))
        .is_some_and(|row| row.gives().is_none() && matches!(row.starts, Starts::Nothing | Starts::Sub))
}

/// Returns how many words at the beginning form a command that starts any other one: `npm exec`, `docker run`.
pub(crate) fn starter(words: &[String]) -> Option<usize> {
    let names = |count: &usize| words.get(..*count).is_some_and(|words| starts_any(&words.join(" ")));
    [3, 2].into_iter().find(names)
}

/// Returns whether the beginning of a command names an action, so that an allow of it is an allow of that action.
pub(crate) fn says_what_is_done(words: &[String]) -> bool {
    let Some(name) = words.first() else { return false };
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    let partly = starts_none(name, second);
    if power(name).is_some() && !partly {
        return false;
    }
    let least = match () {
        () if only_shows(name) => 1,
        () if RUN.contains(&second) => 3,
        () => 2,
    };
    // An option stands in place of the subcommand, so the action comes later.
    words.len() >= least && (least == 1 || words.iter().take(least).all(|word| !word.starts_with('-')))
}

/// Returns whether a command tests or checks the files of a project, whatever its operands are.
pub(crate) fn only_checks(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str);
    let first = words.next().filter(|name| !STARTERS.contains(name)).or_else(|| words.next());
    first.is_some_and(|name| CHECKS.contains(&name))
}

/// Returns the names of all programs that only start another command.
pub(crate) fn transparent() -> impl Iterator<Item = &'static str> {
    rows().filter(|row| row.transparent).flat_map(|row| row.names.split('|'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_by_path_case_and_version() {
        for (command, expected) in [
            ("python3.12", Some(Power::RunsCode)),
            ("/usr/bin/env", Some(Power::StartsOthers)),
            ("CURL.EXE", Some(Power::Fetches)),
            ("rm", Some(Power::Destroys)),
            ("mkfs.ext4", None),
            ("git", None),
            ("npm", None),
            ("rmlint", None),
            ("", None),
        ] {
            assert_eq!(power(command), expected, "{command}");
        }
    }

    #[test]
    fn a_program_that_only_shows_something_is_known() {
        for (name, shows) in [
            ("ls", true),
            ("cat", true),
            ("grep", true),
            ("echo", true),
            ("git config", false),
            ("awk", false),
            ("rm", false),
            ("make", false),
            ("timeout", false),
            ("docker run", false),
            ("nosuchprogram", false),
        ] {
            assert_eq!(only_shows(name), shows, "{name}");
        }
    }

    #[test]
    fn a_subcommand_that_starts_nothing_is_known() {
        for (name, sub, none) in [
            ("docker", "ps", true),
            ("docker", "compose", true),
            ("docker", "run", false),
            ("npm", "exec", false),
            ("docker", "nosuchcommand", false),
            ("deno", "task", false),
        ] {
            assert_eq!(starts_none(name, sub), none, "{name} {sub}");
        }
    }

    #[test]
    fn what_only_starts_another_command_is_transparent() {
        let names: Vec<&str> = transparent().collect();
        assert!(["timeout", "env", "nice", "bash"].iter().all(|name| names.contains(name)));
        assert!(!["sudo", "ssh", "ls", "docker exec"].iter().any(|name| names.contains(name)));
    }
}
