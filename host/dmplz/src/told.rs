//! Errors that this program words itself, in both languages.

use std::fmt;
use std::path::Path;

use dmplz_core::request::Trouble;
use dmplz_core::text::{Lang, fill};

/// A text in both languages. It displays the English one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    ko: String,
    en: String,
}

/// What could not be done, in both languages, and the cause if there is one. Both texts tell the same.
#[derive(Debug, thiserror::Error)]
#[error("{phrase}")]
pub(crate) struct Told {
    phrase: Phrase,
    #[source]
    cause: Option<anyhow::Error>,
}

/// Says what an error, or a missing value, kept from being done. Each `{}` of both texts stands for a value, in order.
pub(crate) trait Tell<T>: Sized {
    fn told(self, ko: &str, en: &str, values: &[&str]) -> anyhow::Result<T>;

    /// Says that a file or folder cannot be found.
    fn not_found(self, path: &Path) -> anyhow::Result<T> {
        self.told("찾을 수 없습니다: {}", "{} cannot be found", &[&path.display().to_string()])
    }

    /// Says that a file cannot be read.
    fn not_read(self, path: &Path) -> anyhow::Result<T> {
        self.told("읽을 수 없습니다: {}", "{} cannot be read", &[&path.display().to_string()])
    }

    /// Says that a file cannot be removed.
    fn not_removed(self, path: &Path) -> anyhow::Result<T> {
        self.told("지울 수 없습니다: {}", "{} cannot be removed", &[&path.display().to_string()])
    }

    /// Says that a file cannot be written.
    fn not_written(self, path: &Path) -> anyhow::Result<T> {
        self.told("쓸 수 없습니다: {}", "{} cannot be written", &[&path.display().to_string()])
    }
}

impl Phrase {
    /// Fills the `{}` of both texts, in order.
    pub(crate) fn fill(ko: &str, en: &str, values: &[&str]) -> Self {
        Self { ko: fill(ko, values), en: fill(en, values) }
    }

    /// Creates a text that is the same in both languages, such as what somebody else said.
    pub(crate) fn same(text: &str) -> Self {
        Self { ko: text.to_owned(), en: text.to_owned() }
    }

    /// Returns the text in a language.
    pub(crate) fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ko => &self.ko,
            Lang::En => &self.en,
        }
    }
}

impl From<[&str; 2]> for Phrase {
    fn from([ko, en]: [&str; 2]) -> Self {
        Self { ko: ko.to_owned(), en: en.to_owned() }
    }
}

impl From<[String; 2]> for Phrase {
    fn from([ko, en]: [String; 2]) -> Self {
        Self { ko, en }
    }
}

impl From<Phrase> for Trouble {
    fn from(Phrase { ko, en }: Phrase) -> Self {
        Self::Worded { en, ko }
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.en)
    }
}

impl Told {
    /// Creates an error without a cause.
    pub(crate) fn new(ko: &str, en: &str, values: &[&str]) -> Self {
        Self { phrase: Phrase::fill(ko, en, values), cause: None }
    }

    /// Creates it as the result of what could not be done.
    pub(crate) fn err<T>(ko: &str, en: &str, values: &[&str]) -> anyhow::Result<T> {
        Err(Self::new(ko, en, values).into())
    }

    /// Returns the text in a language, without the cause.
    pub(crate) fn of(&self, lang: Lang) -> &str {
        self.phrase.of(lang)
    }
}

impl From<Phrase> for Told {
    fn from(phrase: Phrase) -> Self {
        Self { phrase, cause: None }
    }
}

impl<T, E: Into<anyhow::Error>> Tell<T> for Result<T, E> {
    fn told(self, ko: &str, en: &str, values: &[&str]) -> anyhow::Result<T> {
        self.map_err(|cause| Told { phrase: Phrase::fill(ko, en, values), cause: Some(cause.into()) }.into())
    }
}

impl<T> Tell<T> for Option<T> {
    fn told(self, ko: &str, en: &str, values: &[&str]) -> anyhow::Result<T> {
        self.ok_or_else(|| Told::new(ko, en, values).into())
    }
}
