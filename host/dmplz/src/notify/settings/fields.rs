//! Reads the fields of `[notify]`, and says which of them are wrong.

use std::path::Path;

use toml::{Table, Value};

use crate::settings::SettingsError;

/// An error, and its place.
#[derive(Debug)]
pub(super) struct Wrong {
    place: String,
    /// The key whose value is wrong, where it is about one.
    pub(super) key: Option<&'static str>,
    wrong: String,
}

impl Wrong {
    /// Returns the error of the settings file.
    pub(super) fn of(&self, file: &Path) -> SettingsError {
        SettingsError::Notify { file: file.to_owned(), place: self.place.clone(), wrong: self.wrong.clone() }
    }

    /// What is at this place, in words that go on after it.
    pub(super) fn at(place: &str, wrong: &str) -> Self {
        Self { place: place.to_owned(), key: None, wrong: wrong.to_owned() }
    }

    /// Names the key whose value is wrong.
    pub(super) fn about(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }
}

/// Rejects other keys than these.
pub(super) fn only(table: &Table, place: &str, keys: &[&str]) -> Result<(), Wrong> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(Wrong::at(place, &format!("has the key {key:?}, and takes only: {}", keys.join(", ")))),
        None => Ok(()),
    }
}

/// Returns the table under a key, if there is one.
pub(super) fn table<'t>(table: &'t Table, key: &str) -> Result<Option<&'t Table>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::Table(found)) => Ok(Some(found)),
        Some(_) => Err(Wrong::at(&format!("{key:?}"), "must be a table")),
    }
}

/// Returns the text under a key, if there is one.
pub(super) fn text(table: &Table, key: &str, place: &str) -> Result<Option<String>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Wrong::at(place, &format!("has the key {key:?}, which takes a text in quotes"))),
    }
}

/// Returns the texts of the list under a key; none if there is no list.
pub(super) fn texts(table: &Table, key: &str, place: &str) -> Result<Vec<String>, Wrong> {
    let wrong = || Wrong::at(place, &format!("has the key {key:?}, which takes a list of texts"));
    match table.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

/// Returns the value that a name of these means. `key` is the key that holds the name.
pub(super) fn one_of<T: Copy>(
    all: &[T],
    name_of: fn(T) -> &'static str,
    name: &str,
    key: &'static str,
    place: &str,
) -> Result<T, Wrong> {
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|one| name_of(*one)).collect();
        Wrong::at(place, &format!("has a {key:?} that is none of: {}", known.join(", "))).about(key)
    })
}
