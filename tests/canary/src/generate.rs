//! Generates lines: a command that a rule file allows, as people write it, and then changed.
//!
//! | step | effect | where |
//! |---|---|---|
//! | a command | a prefix of the rule file and a form of `data/programs.txt` | `commands` |
//! | words | the form's places are filled from `data/words.txt`; paths are spelled in many ways | `words`, `spell` |
//! | options | those that the program's own help names, negated, abbreviated, joined | `options` |
//! | the line | more commands, loops, quotes, variables, redirections, forms of zsh | `bend` |

mod bend;
mod commands;
mod options;
mod spell;
mod words;

use crate::attacks;
use crate::rules::RuleFile;

/// Generates command lines from a seed.
#[derive(Debug)]
pub struct Generator {
    random: fastrand::Rng,
    commands: commands::Commands,
    words: words::Words,
    options: options::Options,
}

impl Generator {
    /// Creates a generator. The same seed generates the same lines if the same tools are installed.
    pub fn new(seed: u64) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            commands: commands::Commands::read(),
            words: words::Words::read(),
            options: options::Options::default(),
        }
    }

    /// Adds the options of a command from its own help.
    pub fn learn(&mut self, command: &str, help: &str) {
        self.options.learn(command, help);
    }

    /// Returns a random number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.random.usize(..limit.max(1))
    }

    /// Generates a line for a rule file.
    pub fn line(&mut self, file: &RuleFile) -> String {
        let mut line = match self.below(12) {
            // Known attacks are changed as well.
            0 => self.attack(file).unwrap_or_else(|| self.command(file)),
            _ => self.command(file),
        };
        // About half of the lines stay unchanged, because such lines are allowed more often.
        while self.below(5) < 2 {
            line = self.bend(line, file);
        }
        line
    }

    fn attack(&mut self, file: &RuleFile) -> Option<String> {
        let known: Vec<_> = attacks::all().into_iter().filter(|attack| attack.rules == file.name).collect();
        self.one_of(&known).map(|attack| attack.line.to_owned())
    }

    /// Generates one command for a rule file.
    fn command(&mut self, file: &RuleFile) -> String {
        let Some(prefix) = self.one_of(&file.prefixes()).cloned() else { return String::new() };
        let form = self.one_of(&self.commands.forms(&prefix).to_vec()).cloned().unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for word in form.split(' ').filter(|word| !word.is_empty()) {
            words.push(self.fill(word));
        }
        if self.below(4) == 0
            && let Some(option) = self.option(&prefix)
        {
            let at = self.below(words.len() + 1);
            words.insert(at.min(words.len()), option);
        }
        let mut line = prefix;
        for word in words {
            line.push(' ');
            line.push_str(&word);
        }
        line
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.random.usize(..all.len().max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_lines_again() {
        let draw = |seed| {
            let mut generator = Generator::new(seed);
            let file = RuleFile::named("starter").unwrap();
            (0..200).map(|_| generator.line(file)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn every_rule_file_has_commands_and_no_place_stays_empty() {
        let mut generator = Generator::new(1);
        for file in crate::rules::RULE_FILES {
            assert!(!file.prefixes().is_empty(), "{}", file.name);
            for _ in 0..500 {
                let line = generator.command(file);
                for sort in words::SORTS {
                    assert!(!line.contains(&format!("{{{sort}}}")), "{line}");
                }
            }
        }
    }
}
