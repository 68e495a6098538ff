//! The list of commands: as people read it in a chat, and as messengers register it.

use super::Verb;
use crate::messenger::{Command, Words};
use crate::text::{Lang, LeadWords};

/// Returns the list of commands for people, a line each.
pub fn help(words: &LeadWords) -> String {
    let line = |((_, name), (arguments, does)): ((Verb, &str), &(&str, &str))| {
        let blank = if arguments.is_empty() { "" } else { " " };
        format!("/{name}{blank}{arguments}: {does}")
    };
    Verb::ALL.into_iter().zip(explained(words)).map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the commands as messengers register them.
pub fn commands() -> Vec<Command> {
    let words = |ko: &str, en: &str| Words { ko: ko.to_owned(), en: en.to_owned() };
    let [ko, en] = [Lang::Ko, Lang::En].map(|lang| explained(&lang.words().lead));
    let mut commands = Vec::new();
    for (((verb, name), ko), en) in Verb::ALL.into_iter().zip(ko).zip(en) {
        let takes = (!en.0.is_empty()).then(|| words(ko.0, en.0));
        commands.push(Command { name: name.to_owned(), help: words(ko.1, en.1), takes, file: verb.takes_file() });
    }
    commands
}

/// Returns what follows each command, and what it does. A command without these words does not compile.
fn explained(words: &LeadWords) -> &'static [(&'static str, &'static str); Verb::ALL.len()] {
    words.help
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::units;

    #[test]
    fn both_languages_explain_every_command() {
        for lang in [Lang::En, Lang::Ko] {
            let help = help(&lang.words().lead);
            assert_eq!(help.lines().count(), Verb::ALL.len());
            assert!(help.lines().all(|line| line.contains(": ") && line.starts_with('/')), "{help}");
        }
    }

    #[test]
    fn commands_are_registered_in_both_languages_within_the_limits_of_the_contract() {
        let commands = commands();
        assert_eq!(commands.len(), Verb::ALL.len());
        for command in commands {
            assert!(command.name.chars().all(|c| c.is_ascii_lowercase()) && command.name.len() <= 32, "{command:?}");
            for words in [Some(&command.help), command.takes.as_ref()].into_iter().flatten() {
                assert!([&words.en, &words.ko].iter().all(|text| (1..=100).contains(&units(text))), "{command:?}");
            }
        }
    }
}
