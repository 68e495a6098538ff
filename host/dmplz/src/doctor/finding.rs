//! The result of one check.

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use serde::Serialize;

use crate::terminal::say;
use crate::wording;

/// What a check found, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The finding's stable name, for programs.
    pub(crate) about: &'static str,
    pub(crate) level: Level,
    pub(crate) what: String,
    /// `None` if there is nothing to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<String>,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    Good,
    /// It works, but could work better.
    Doubtful,
    /// It has to be fixed.
    Bad,
}

impl Finding {
    pub(crate) fn good(about: &'static str, what: impl AsRef<str>) -> Self {
        Self { about, level: Level::Good, what: visible_line(what.as_ref()), fix: None }
    }

    pub(crate) fn doubtful(about: &'static str, what: impl AsRef<str>, fix: impl Into<String>) -> Self {
        Self { about, level: Level::Doubtful, what: visible_line(what.as_ref()), fix: Some(fix.into()) }
    }

    pub(crate) fn bad(about: &'static str, what: impl AsRef<str>, fix: impl Into<String>) -> Self {
        Self { about, level: Level::Bad, what: visible_line(what.as_ref()), fix: Some(fix.into()) }
    }
}

/// A text in the reader's language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Say {
    pub(crate) lang: Lang,
}

impl Say {
    pub(crate) fn of(self, ko: &'static str, en: &'static str) -> &'static str {
        say(self.lang, ko, en)
    }

    /// Returns what is wrong.
    pub(crate) fn error(self, error: &anyhow::Error) -> String {
        wording::words(error, self.lang).0
    }

    pub(crate) fn good(self, about: &'static str, ko: &'static str, en: &'static str) -> Finding {
        Finding::good(about, self.of(ko, en))
    }
}
