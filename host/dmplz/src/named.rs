//! Finds the request, grant, session or browser that a command is about, by the id that a person wrote.
//!
//! | written | means |
//! |---|---|
//! | the whole id | the one with this id |
//! | at least [`SHORTEST`] characters of its beginning | the only one that `list` shows whose id begins like this |
//! | fewer characters, nothing, blanks, any other character | an error before anything is sent |
//!
//! Ids are completed only here; the gateway accepts whole ids only. So a person can answer only requests that they
//! could see, and an unset variable in a script (`dmplz approvals approve "$id"`) names none.

use std::fmt;
use std::io::IsTerminal;

use dmplz_core::text::{Lang, fill};
use dmplz_protocol::RequestId;

use crate::exit;
use crate::terminal::say;

/// The minimum number of characters that can stand for an id.
const SHORTEST: usize = 4;
/// How many characters of an id people see in lists.
const SHORT: usize = 8;

/// Returns the beginning of an id, as lists show it.
pub(crate) fn short(id: impl fmt::Display) -> String {
    id.to_string().chars().take(SHORT).collect()
}

/// The kind of thing that an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The number of characters of an id; `None` if the client chooses it.
    length: Option<usize>,
    noun: &'static str,
    /// Says in Korean that it cannot be found.
    pub(crate) missing: &'static str,
    /// The command that shows the ids.
    list: &'static str,
}

/// An id, or the beginning of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named<'a> {
    kind: Kind,
    text: &'a str,
}

/// Why an id names nothing.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} cannot be found: {problem}", .kind.noun)]
pub(crate) struct IdError {
    pub(crate) kind: Kind,
    pub(crate) problem: Problem,
}

/// What is wrong with an id.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("its id is empty")]
    Empty,
    #[error("{0} is too short for an id, which takes at least {SHORTEST} characters")]
    Short(String),
    #[error("its id is {0} characters at most, of 0-9, a-f and -")]
    NotAnId(usize),
    #[error("{0} is not a whole id, which programs have to give")]
    NotWhole(String),
    #[error("no id begins with {0}")]
    Unknown(String),
    #[error("{1} ids begin with {0}")]
    Ambiguous(String, usize),
}

impl<'a> Named<'a> {
    /// Reads what was written. Nothing is looked up yet.
    pub(crate) fn read(kind: Kind, text: &'a str) -> Result<Self, IdError> {
        let is_of_id = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-');
        let problem = match kind.length {
            _ if text.trim().is_empty() => Problem::Empty,
            Some(most) if text.len() > most || !text.bytes().all(is_of_id) => Problem::NotAnId(most),
            Some(_) if text.len() < SHORTEST => Problem::Short(text.to_owned()),
            _ => return Ok(Self { kind, text }),
        };
        Err(IdError { kind, problem })
    }

    /// Reads what was written. Only a person at a terminal may shorten an id: without a terminal, or with JSON, the caller is
    /// a program.
    pub(crate) fn read_for(kind: Kind, text: &'a str, json: bool) -> Result<Self, IdError> {
        let named = Self::read(kind, text)?;
        if json || !std::io::stdin().is_terminal() {
            named.whole()?;
        }
        Ok(named)
    }

    /// Parses the whole id of a request, which programs have to write.
    pub(crate) fn whole(self) -> Result<RequestId, IdError> {
        self.text.parse().map_err(|_| self.error(Problem::NotWhole(self.text.to_owned())))
    }

    /// Returns the whole id that was found, if it is what was written. Programs have to write whole ids.
    pub(crate) fn must_be(self, id: &str) -> Result<&str, IdError> {
        if self.text == id { Ok(id) } else { Err(self.error(Problem::NotWhole(self.text.to_owned()))) }
    }

    /// Finds the id that is meant among the shown ones.
    pub(crate) fn among<'s>(self, shown: impl IntoIterator<Item = &'s str>) -> Result<&'s str, IdError> {
        let mut found: Vec<&str> = shown.into_iter().filter(|id| id.starts_with(self.text)).collect();
        found.sort_unstable();
        found.dedup();
        let text = || self.text.to_owned();
        match found.as_slice() {
            [first, ..] if *first == self.text => Ok(first),
            _ if self.text.chars().count() < SHORTEST => Err(self.error(Problem::Short(text()))),
            [only] => Ok(only),
            [] => Err(self.error(Problem::Unknown(text()))),
            several => Err(self.error(Problem::Ambiguous(text(), several.len()))),
        }
    }

    fn error(self, problem: Problem) -> IdError {
        IdError { kind: self.kind, problem }
    }
}

impl Kind {
    /// A request of the gateway.
    pub(crate) const REQUEST: Self = Self::new("request", "요청을 찾을 수 없습니다", Some(36), "dmplz approvals list");
    /// What a person allowed for a while.
    pub(crate) const GRANT: Self = Self::new("grant", "허용을 찾을 수 없습니다", Some(32), "dmplz grants list");
    /// A session of the client, which chooses the id. It may be shorter than what else may be shortened.
    pub(crate) const SESSION: Self = Self::new("session", "세션을 찾을 수 없습니다", None, "dmplz grants list");
    /// A session that the gateway runs.
    pub(crate) const RUN: Self = Self::new("session", "세션을 찾을 수 없습니다", Some(36), "dmplz sessions list");
    /// A browser that is paired with the page.
    pub(crate) const BROWSER: Self = Self::new("browser", "브라우저를 찾을 수 없습니다", Some(16), "dmplz pair list");

    const fn new(noun: &'static str, missing: &'static str, length: Option<usize>, list: &'static str) -> Self {
        Self { length, noun, missing, list }
    }
}

impl IdError {
    /// Returns the name of the error's kind, which stays as it is for programs.
    pub(crate) fn kind(&self) -> &'static str {
        match self.problem {
            Problem::Unknown(_) => "unknown",
            Problem::Ambiguous(..) => "ambiguous",
            Problem::Empty | Problem::Short(_) | Problem::NotAnId(_) | Problem::NotWhole(_) => "bad_id",
        }
    }

    /// Returns the exit code: [`exit::USAGE`] if the text could never name anything.
    pub(crate) fn code(&self) -> u8 {
        match self.problem {
            Problem::Unknown(_) | Problem::Ambiguous(..) => exit::FAILED,
            Problem::Empty | Problem::Short(_) | Problem::NotAnId(_) | Problem::NotWhole(_) => exit::USAGE,
        }
    }

    /// Returns what to do about the error.
    pub(crate) fn hint(&self, lang: Lang) -> String {
        let words = match self.problem {
            Problem::Empty => say(
                lang,
                "변수가 비어 있지 않은지 확인해 주세요. id는 `{}`가 보여 줍니다.",
                "a variable may be unset; {} shows the ids",
            ),
            Problem::Short(_) => say(
                lang,
                "`{}`가 보여 주는 id를 4자 이상 적어 주세요.",
                "write at least 4 characters of an id that {} shows",
            ),
            Problem::NotAnId(_) => say(
                lang,
                "`{}`가 보여 주는 대로 적어 주세요. 소문자로만 씁니다.",
                "write it as {} shows it, in lower case",
            ),
            Problem::NotWhole(_) => say(
                lang,
                "id 전체를 적어 주세요. `{} --json`이 보여 줍니다. 터미널에서 --json 없이 쓸 때만 줄여 쓸 수 있습니다.",
                "write all of it, as {} --json shows it; it may be shortened at a terminal only, without --json",
            ),
            Problem::Unknown(_) => say(lang, "`{}`가 id를 보여 줍니다.", "{} shows the ids"),
            Problem::Ambiguous(..) => {
                say(lang, "id를 더 길게 적어 주세요. `{}`가 보여 줍니다.", "write more of the id; {} shows them")
            }
        };
        fill(words, &[self.kind.list])
    }
}

#[cfg(test)]
mod tests;
