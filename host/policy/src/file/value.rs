//! Parses the values of keys, and reports what a key takes if its value is of another type.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::fault::{Fault, Takes};
use super::notes::Notes;

pub(super) type Item<'t> = Spanned<DeValue<'t>>;

/// The entries of a list, or a single value.
pub(super) struct Entries<'v, T> {
    /// The readable entries, with their offsets.
    pub(super) read: Vec<(&'v Item<'v>, T)>,
    /// Whether some entries are unreadable.
    pub(super) incomplete: bool,
}

impl Notes<'_> {
    /// Parses a text that is not empty.
    pub(super) fn text<'v>(&mut self, key: &str, value: &'v Item<'v>) -> Option<&'v str> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        self.some(text, key, value, Takes::Text)
    }

    /// Parses a text, or a list of texts.
    pub(super) fn texts<'v>(&mut self, key: &str, value: &'v Item<'v>) -> Entries<'v, &'v str> {
        self.entries(key, value, Takes::Texts, |value| value.as_str().filter(|text| !text.trim().is_empty()))
    }

    pub(super) fn flag(&mut self, key: &str, value: &Item<'_>) -> Option<bool> {
        self.some(value.get_ref().as_bool(), key, value, Takes::Flag)
    }

    /// Parses one entry, or a list of at least one. `takes` describes what `read` accepts.
    pub(super) fn entries<'v, T>(
        &mut self,
        key: &str,
        value: &'v Item<'v>,
        takes: Takes,
        read: impl Fn(&'v DeValue<'v>) -> Option<T>,
    ) -> Entries<'v, T> {
        let mut entries = Entries { read: Vec::new(), incomplete: false };
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        if items.is_empty() {
            self.add(value.span().start, Fault::NoEntry(key.to_owned(), takes));
            entries.incomplete = true;
        }
        for item in items {
            match read(item.get_ref()) {
                Some(entry) => entries.read.push((item, entry)),
                None => {
                    self.add(item.span().start, Fault::Value(key.to_owned(), takes));
                    entries.incomplete = true;
                }
            }
        }
        entries
    }

    /// Adds the problem of a value of the wrong type.
    pub(super) fn some<T>(&mut self, read: Option<T>, key: &str, value: &Item<'_>, takes: Takes) -> Option<T> {
        if read.is_none() {
            self.add(value.span().start, Fault::Value(key.to_owned(), takes));
        }
        read
    }
}

/// Parses a whole number.
pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    value.as_integer().and_then(|number: &DeInteger<'_>| i64::from_str_radix(number.as_str(), number.radix()).ok())
}

/// Converts a table to JSON. Dates become texts. `None` if a number has no JSON form.
pub(super) fn object(table: &DeTable<'_>) -> Option<Map<String, Value>> {
    table.iter().map(|(key, value)| Some((key.get_ref().to_string(), json(value.get_ref())?))).collect()
}

fn json(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(_) => Value::Number(integer(value)?.into()),
        DeValue::Float(number) => Value::Number(Number::from_f64(number.as_str().parse().ok()?)?),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect::<Option<_>>()?),
        DeValue::Table(table) => Value::Object(object(table)?),
    })
}
