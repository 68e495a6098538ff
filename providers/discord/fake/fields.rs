//! The fields of the objects of Discord's API.

use serde_json::{Map, Value};

/// Returns an id as a string, because JavaScript's numbers cannot represent all ids.
pub(crate) fn id(id: u64) -> String {
    id.to_string()
}

/// Adds a field, if it has a value.
pub(crate) fn set(object: &mut Value, field: &str, value: Option<impl Into<Value>>) {
    if let (Value::Object(fields), Some(value)) = (object, value) {
        fields.insert(field.to_owned(), value.into());
    }
}

/// Returns the value without the fields that are null.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let there = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(there.map(|(name, value)| (name.clone(), without_nulls(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}
