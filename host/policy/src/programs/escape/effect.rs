//! What a rule does not name: the option, and the effect that it has.

use std::fmt;

/// An option with which a command does something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escape {
    /// The option as people write it: `--pre`, `-delete`. Empty if it may be any option.
    pub option: String,
    /// The effect that the rule does not name.
    pub effect: Effect,
}

/// The effect of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It runs another program.
    Runs,
    /// It runs code that is not parsed.
    Code,
    /// It writes a file.
    Writes,
    /// The call deletes something.
    Deletes,
    /// It changes the system.
    Changes,
    /// It reads settings or commands from elsewhere, which may have any of these effects.
    Reads,
    /// The word is unknown, and may be any such option.
    Unknown,
    /// The row of the program does not list it.
    Unlisted,
}

impl Effect {
    /// Returns the effect that a mark of the table stands for.
    pub(super) fn of(mark: char) -> Option<Self> {
        Some(match mark {
            '!' | '$' | '+' => Self::Runs,
            '&' => Self::Code,
            '>' => Self::Writes,
            '~' => Self::Deletes,
            '#' => Self::Changes,
            '*' | ';' | '@' | '=' => Self::Reads,
            _ => return None,
        })
    }
}

impl Escape {
    pub(super) fn new(option: impl Into<String>, effect: Effect) -> Self {
        Self { option: option.into(), effect }
    }

    /// Returns an escape for code that is only known when it runs.
    pub(super) fn unknown_code() -> Self {
        Self { option: String::new(), effect: Effect::Code }
    }

    pub(super) fn unknown() -> Self {
        Self { option: String::new(), effect: Effect::Unknown }
    }
}

impl fmt::Display for Escape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = match self.effect {
            Effect::Runs => "runs another program",
            Effect::Code if self.option.is_empty() => {
                return formatter.write_str("its code is only known when it runs");
            }
            Effect::Code => "runs code that is not read",
            Effect::Writes => "writes a file",
            Effect::Deletes => "deletes",
            Effect::Changes => "changes the system",
            Effect::Reads => "reads settings or commands from elsewhere",
            Effect::Unlisted => "is not known to be harmless",
            Effect::Unknown => {
                return formatter.write_str("a word that is not known may be an option that does something else");
            }
        };
        write!(formatter, "`{}` {does}", self.option)
    }
}
