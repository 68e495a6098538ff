//! Finds allows of commands that can do more than their name says ([`power`]): an allow of one is an allow of whatever
//! its arguments name.

use super::{Finding, Warn};
use crate::programs::{self, Power, power};
use crate::rules::rule::{Arguments, Rule};
use crate::{Decision, Match, commands};

/// The commands of several words that an expression is also tested with.
const SEVERAL: &[&str] = &["docker run", "docker exec", "npm exec", "uv run", "go run", "kubectl exec", "poetry run"];

/// The commands that an expression is tested with; a prefix is looked up instead.
const USUAL: &[&str] = &[
    "awk", "bash", "curl", "docker", "node", "npx", "perl", "python", "python3", "ruby", "sh", "ssh", "sudo", "wget",
    "xargs", "zsh",
];

/// Checks which commands an allow by prefix or expression lets run.
pub(super) fn look(rule: &Rule, warn: &mut Warn<'_>) {
    if rule.decision != Decision::Allow {
        return;
    }
    match &rule.when.arguments {
        Arguments::Prefixes(prefixes) => {
            for words in prefixes {
                if let Some(power) = open_power(words) {
                    warn(Finding::Runner(words.join(" "), power));
                }
            }
        }
        Arguments::Command(pattern) if pattern.may_start("") != Match::Yes => {
            // Whether the expression matches with any arguments.
            let open = |name: &&&str| pattern.may_start(&format!("{name} ")) == Match::Yes;
            if let Some(name) = USUAL.iter().chain(SEVERAL).find(open) {
                warn(Finding::Runner((*name).to_owned(), power(name).unwrap_or(Power::StartsOthers)));
            }
        }
        _ => {}
    }
}

/// Returns the power of a prefix's command, unless the rest of the prefix restricts it.
fn open_power(words: &[String]) -> Option<Power> {
    let (first, rest) = words.split_first().filter(|_| !only_tells(words))?;
    let options = |rest: &[String]| rest.iter().all(|word| word.starts_with('-'));
    let several = programs::starter(words).is_some_and(|count| options(words.get(count..).unwrap_or_default()));
    match power(first) {
        _ if several => Some(Power::StartsOthers),
        // Deleting is the purpose of these commands, so an allow of them is intended.
        None | Some(Power::Destroys) => None,
        Some(power) => (options(rest) && !(power == Power::StartsOthers && is_transparent(first))).then_some(power),
    }
}

/// Returns whether an allow of a wrapper has no effect, because the command that it starts is judged.
fn is_transparent(name: &str) -> bool {
    let transparent =
        |line: String| commands::read(&line).commands.first().is_some_and(|command| command.is_transparent);
    transparent(format!("{name} x")) || transparent(format!("{name} 1 x"))
}

/// Returns whether the words are only `--version` or `--help`, which run nothing.
fn only_tells(words: &[String]) -> bool {
    let node = words.first().is_some_and(|word| word == "node");
    words.iter().any(|word| matches!(word.as_str(), "--version" | "--help" | "-V") || (node && word == "-v"))
}
