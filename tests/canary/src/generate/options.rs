//! Options that a program's own help names, in spellings that the program accepts.

use std::collections::BTreeMap;

use super::Generator;

/// An option: its name with dashes, and whether the help shows a value.
type Spec = (String, bool);

/// The options of every command whose help was read.
#[derive(Debug, Default)]
pub(super) struct Options {
    known: BTreeMap<String, Vec<Spec>>,
}

impl Options {
    /// Finds the options in a help text.
    pub(super) fn learn(&mut self, command: &str, help: &str) {
        let known = self.known.entry(command.to_owned()).or_default();
        for word in help.split([' ', ',', '\n', '\t', '|', '(', ')', '\'', '"', '`']) {
            let word = word.trim_start_matches('[').trim_end_matches([']', '.', ':', ';']);
            let long = word.strip_prefix("--").unwrap_or_default();
            let name = |text: &str| text.split(['=', '[', '<', ']']).next().unwrap_or_default().to_owned();
            let spec = if long.starts_with(|char: char| char.is_ascii_lowercase()) {
                // `--[no-]x` is recorded as `--x`: the negated form is one of the spellings that are tried.
                (format!("--{}", name(long)), long.contains(['=', '<']))
            } else if let Some(rest) = long.strip_prefix("[no-]") {
                (format!("--{}", name(rest)), rest.contains(['=', '<']))
            } else {
                let mut letters = word.strip_prefix('-').unwrap_or_default().chars();
                match letters.next() {
                    Some(letter) if letter.is_ascii_alphanumeric() => (format!("-{letter}"), letters.next().is_some()),
                    _ => continue,
                }
            };
            if spec.0.len() < 30 && spec.0.is_ascii() && !known.contains(&spec) {
                known.push(spec);
            }
        }
        known.sort();
    }
}

impl Generator {
    /// Returns a random option of a command. `None` if none is known.
    pub(super) fn option(&mut self, command: &str) -> Option<String> {
        let known = self.options.known.get(command)?.clone();
        let (name, takes) = self.one_of(&known)?.clone();
        let sort = ["any", "cmd", "n", "word", "dir", "protected", "pat", "ref"];
        let sort = *self.one_of(&sort)?;
        let value = self.word(sort).unwrap_or_default();
        let Some(long) = name.strip_prefix("--") else {
            return Some(match self.below(6) {
                0 => format!("{name}{value}"),
                1 => format!("{name} {value}"),
                2 => {
                    let (other, _) = self.one_of(&known)?.clone();
                    format!("{name}{}", other.trim_start_matches('-').get(..1).unwrap_or_default())
                }
                _ => name,
            });
        };
        let cut = 1 + self.below(long.len());
        let short = long.get(..cut.min(long.len())).unwrap_or(long);
        Some(match self.below(10) {
            0 => format!("--{short}"),
            1 => format!("--{short}={value}"),
            2 => format!("--no-{long}"),
            3 => format!("--no-{short}"),
            4 => format!("--{long}=false"),
            5 => format!("-{long}"),
            6 | 7 if takes => format!("--{long}={value}"),
            8 if takes => format!("--{long} {value}"),
            _ => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_a_help_text() {
        let mut options = Options::default();
        options.learn("x", "  -o, --output=FILE  write\n  --[no-]color  [--verbose] -z\n a-b --- -");
        let found: Vec<_> = options.known["x"].iter().map(|(name, takes)| format!("{name} {takes}")).collect();
        assert_eq!(found, ["--color false", "--output true", "--verbose false", "-o false", "-z false"]);
    }
}
