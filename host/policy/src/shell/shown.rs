//! Formats a command for people.

use std::fmt;

use super::command::{Command, Word};

/// Formats the words as they would be written for a shell; `…` for the parts that are known only at run time.
impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = self.assignments.iter().map(|set| format!("{}={}", set.name, set.value));
        let words = self.words.iter().map(ToString::to_string);
        formatter.write_str(&set.chain(words).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exact, self.known.as_str()) {
            (true, known) => formatter.write_str(&quote(known)),
            (false, "") => formatter.write_str("…"),
            (false, known) => write!(formatter, "{}…", quote(known)),
        }
    }
}

/// Returns words as they would be written for a shell.
pub(crate) fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word so that a shell reads it back unchanged.
pub(crate) fn quote(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
