//! Reads the fields of `[notify]`.

use toml::{Table, Value};

use super::wrong::{self, Wrong};
use crate::told::Phrase;

/// Rejects other keys than these.
pub(super) fn only(table: &Table, place: &Phrase, keys: &[&str]) -> Result<(), Wrong> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(Wrong::at(
            place,
            "없는 키입니다: {}. 쓸 수 있는 것: {}",
            "has the key {}, and takes only: {}",
            &[&format!("{key:?}"), &keys.join(", ")],
        )),
        None => Ok(()),
    }
}

/// Returns the table under a key, if there is one.
pub(super) fn table<'t>(table: &'t Table, key: &str) -> Result<Option<&'t Table>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::Table(found)) => Ok(Some(found)),
        Some(_) => Err(Wrong::no_table(&wrong::key(key))),
    }
}

/// Returns the text under a key, if there is one.
pub(super) fn text(table: &Table, key: &str, place: &Phrase) -> Result<Option<String>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Wrong::at(
            place,
            "{}에는 따옴표로 묶은 글을 적어 주세요",
            "has the key {}, which takes a text in quotes",
            &[&format!("{key:?}")],
        )),
    }
}

/// Returns the texts of the list under a key; none if there is no list.
pub(super) fn texts(table: &Table, key: &str, place: &Phrase) -> Result<Vec<String>, Wrong> {
    let wrong = || {
        let (ko, en) = ("{}에는 글의 목록을 적어 주세요", "has the key {}, which takes a list of texts");
        Wrong::at(place, ko, en, &[&format!("{key:?}")])
    };
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
    place: &Phrase,
) -> Result<T, Wrong> {
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|one| name_of(*one)).collect();
        let (ko, en) = ("{}에 쓸 수 없는 값입니다. 쓸 수 있는 것: {}", "has a {} that is none of: {}");
        Wrong::at(place, ko, en, &[&format!("{key:?}"), &known.join(", ")]).about(key)
    })
}
