//! What is wrong in `[notify]`, in both languages, and where.

use std::path::Path;

use dmplz_core::text::Lang;

use crate::settings::SettingsError;
use crate::told::Phrase;

/// An error with its place.
#[derive(Debug)]
pub(super) struct Wrong {
    wrong: Phrase,
    /// The key whose value is wrong, where it is about one.
    pub(super) key: Option<&'static str>,
}

impl Wrong {
    /// Creates an error. In English it goes on from its place, in Korean it is a sentence of its own. Each `{}` of both texts
    /// stands for a value, in order.
    pub(super) fn at(place: &Phrase, ko: &str, en: &str, values: &[&str]) -> Self {
        Self::new(place, Phrase::fill(ko, en, values))
    }

    pub(super) fn new(place: &Phrase, wrong: Phrase) -> Self {
        let ko = format!("{}: {}", place.of(Lang::Ko), wrong.of(Lang::Ko));
        Self { wrong: [ko, format!("{place} {wrong}")].into(), key: None }
    }

    /// Says that a channel or template has a name that cannot be used.
    pub(super) fn name(place: &Phrase) -> Self {
        let takes = [
            "쓸 수 없는 이름입니다. a-z, 0-9, -로 1자부터 32자까지 쓸 수 있습니다",
            "has a name that cannot be used: it takes 1 to 32 of a-z, 0-9 and -",
        ];
        Self::new(place, takes.into()).about("name")
    }

    /// Says that something is no table.
    pub(super) fn no_table(place: &Phrase) -> Self {
        Self::at(place, "테이블이어야 합니다", "must be a table", &[])
    }

    /// Names the key whose value is wrong.
    pub(super) fn about(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Returns it as an error of the settings file.
    pub(super) fn of(&self, file: &Path) -> SettingsError {
        SettingsError::Notify { file: file.to_owned(), wrong: self.wrong.clone() }
    }
}

/// Returns the place of a key of the table, or of the table itself.
pub(super) fn key(name: &str) -> Phrase {
    Phrase::same(&format!("{name:?}"))
}

/// Returns `[notify]` itself as a place.
pub(super) fn whole() -> Phrase {
    ["[notify]", "the table"].into()
}
