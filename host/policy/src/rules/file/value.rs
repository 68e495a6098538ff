//! Reads the values of keys, and says what a key takes when it has another one.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::notes::Notes;

pub(super) type Item<'t> = Spanned<DeValue<'t>>;

/// The entries of a list, or one that stands alone.
pub(super) struct Entries<'v, T> {
    /// Those that can be read, with their offsets.
    pub(super) read: Vec<(&'v Item<'v>, T)>,
    /// Whether some cannot.
    pub(super) incomplete: bool,
}

impl Notes<'_> {
    /// A text that is not empty.
    pub(super) fn text<'v>(&mut self, key: &str, value: &'v Item<'v>) -> Option<&'v str> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        self.some(text, key, value, "a text that is not empty")
    }

    /// A text, or a list of some.
    pub(super) fn texts<'v>(&mut self, key: &str, value: &'v Item<'v>) -> Entries<'v, &'v str> {
        self.entries(key, value, "a text that is not empty, or a list of such", |value| {
            value.as_str().filter(|text| !text.trim().is_empty())
        })
    }

    pub(super) fn flag(&mut self, key: &str, value: &Item<'_>) -> Option<bool> {
        self.some(value.get_ref().as_bool(), key, value, "true or false")
    }

    /// One entry, or a list of at least one. `takes` says in words what `read` accepts.
    pub(super) fn entries<'v, T>(
        &mut self,
        key: &str,
        value: &'v Item<'v>,
        takes: &str,
        read: impl Fn(&'v DeValue<'v>) -> Option<T>,
    ) -> Entries<'v, T> {
        let mut entries = Entries { read: Vec::new(), incomplete: false };
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        if items.is_empty() {
            self.add(value.span().start, format!("`{key}` has no entry; it takes {takes}"));
            entries.incomplete = true;
        }
        for item in items {
            match read(item.get_ref()) {
                Some(entry) => entries.read.push((item, entry)),
                None => {
                    self.add(item.span().start, format!("`{key}` takes {takes}"));
                    entries.incomplete = true;
                }
            }
        }
        entries
    }

    /// Notes what a key takes when it has something else.
    pub(super) fn some<T>(&mut self, read: Option<T>, key: &str, value: &Item<'_>, takes: &str) -> Option<T> {
        if read.is_none() {
            self.add(value.span().start, format!("`{key}` takes {takes}"));
        }
        read
    }
}

/// A whole number.
pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    value.as_integer().and_then(|number: &DeInteger<'_>| i64::from_str_radix(number.as_str(), number.radix()).ok())
}

/// A table as JSON. Dates become texts. None when a number has no JSON.
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
