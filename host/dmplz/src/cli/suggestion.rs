//! The command that was meant by one that there is not: the most similar one, of all that there are.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// How similar two names must be, from 0 to 1.
const ALIKE: f64 = 0.6;
/// What a command within another counts for.
const WITHIN: f64 = 0.8;

/// Puts the one command that is meant in place of the library's list, which is in no order and knows one level only. `within` is the
/// command at `path` that was typed before it: one of its own comes before any other.
pub(super) fn improve(error: &mut Error, root: &Command, path: &[&str], within: &Command) {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let own = within.get_subcommands().filter(|inner| !path.is_empty() && !inner.is_hide_set());
    let own = best(typed, own.map(|inner| (inner.get_name(), format!("{} {}", path.join(" "), inner.get_name()), 1.0)));
    match own.or_else(|| meant(typed, root)) {
        Some(meant) => error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant])),
        None => error.remove(ContextKind::SuggestedSubcommand),
    };
}

fn meant(typed: &str, root: &Command) -> Option<String> {
    let mut names = Vec::new();
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        names.push((command.get_name(), command.get_name().to_owned(), 1.0));
        for inner in command.get_subcommands() {
            names.push((inner.get_name(), format!("{} {}", command.get_name(), inner.get_name()), WITHIN));
        }
    }
    best(typed, names)
}

/// Returns the path of the most similar name, if it is similar enough. The last of each is what its similarity counts for.
fn best<'c>(typed: &str, names: impl IntoIterator<Item = (&'c str, String, f64)>) -> Option<String> {
    let typed = typed.to_lowercase();
    let alike = names.into_iter().map(|(name, path, counts)| {
        // A beginning, such as `log` for `logs`, counts for more than its length says.
        let begins = if name.starts_with(&typed) && typed.len() > 2 { 0.3 } else { 0.0 };
        ((strsim::normalized_damerau_levenshtein(&typed, name) + begins) * counts, path)
    });
    let best = alike.fold(None, |best: Option<(f64, String)>, one| match best {
        Some(best) if best.0 >= one.0 => Some(best),
        _ => Some(one),
    });
    best.filter(|(alike, _)| *alike >= ALIKE).map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn a_typo_is_answered_with_the_command_that_is_meant() {
        let root = super::super::Cli::command();
        for (typed, command) in [
            ("setpu", Some("setup")),
            ("docter", Some("doctor")),
            ("stauts", Some("status")),
            ("confg", Some("config")),
            ("log", Some("logs")),
            ("aprovals", Some("approvals")),
            ("Status", Some("status")),
            ("watch", Some("approvals watch")),
            ("approve", Some("approvals approve")),
            ("lint", Some("policy lint")),
            ("revoke", Some("grants revoke")),
            ("frobnicate", None),
        ] {
            assert_eq!(meant(typed, &root).as_deref(), command, "{typed}");
        }
    }

    #[test]
    fn within_a_command_one_of_its_own_is_meant() {
        let root = super::super::Cli::command();
        for (path, typed, command) in [
            ("hooks", "lis", Some("hooks list")),
            ("notify", "lst", Some("notify list")),
            ("service", "stat", Some("service status")),
            ("provider", "ad", Some("provider add")),
            ("approvals", "revoke", Some("grants revoke")),
            ("policy", "frobnicate", None),
        ] {
            let mut error = root.clone().try_get_matches_from(["dmplz", path, typed]).unwrap_err();
            improve(&mut error, &root, &[path], root.find_subcommand(path).unwrap());
            let told = error.render().to_string();
            match command {
                Some(command) => assert!(told.contains(&format!("exists: '{command}'")), "{told}"),
                None => assert!(!told.contains("exists"), "{told}"),
            }
        }
    }
}
