//! Reads untrusted JSON one field at a time. A field that is absent or of another type is `None`, and unknown fields
//! are ignored, because messengers add some every month. Derived deserialization would make a component half as large
//! again.

use serde_json::Value;

use crate::Error;

/// Access to the fields of a JSON object.
pub trait Fields {
    /// Returns a string field.
    fn text(&self, key: &str) -> Option<&str>;

    /// Returns an integer field, exact to 64 bits.
    fn int(&self, key: &str) -> Option<i64>;

    /// Returns an integer field that is not negative, such as a size or a time.
    fn count(&self, key: &str) -> Option<u64>;

    /// Returns a boolean field; `false` if it is absent.
    fn flag(&self, key: &str) -> bool;

    /// Returns the elements of an array field; none if it is absent.
    fn items(&self, key: &str) -> &[Value];

    /// Returns the fields of an object field, by their keys; none if it is absent.
    fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Value)>;

    /// Returns a field of any type, in which to look further; null if it is absent.
    fn inner(&self, key: &str) -> &Value;

    /// Returns a string field that the API's documentation promises.
    ///
    /// # Errors
    /// Returns the error of [`incomplete`], such as of "a file without id", if it is absent.
    fn need(&self, key: &str, what: &str) -> Result<&str, Error> {
        self.text(key).ok_or_else(|| incomplete(what))
    }
}

/// Returns the error for a reply that lacks what the API's documentation promises, such as "a file without id".
pub fn incomplete(what: &str) -> Error {
    Error::unavailable(format!("a reply that makes no sense: {what}"))
}

impl Fields for Value {
    fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    fn int(&self, key: &str) -> Option<i64> {
        self.get(key)?.as_i64()
    }

    fn count(&self, key: &str) -> Option<u64> {
        u64::try_from(self.int(key)?).ok()
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    fn items(&self, key: &str) -> &[Value] {
        self.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Value)> {
        let entries = self.get(key).and_then(Value::as_object);
        entries.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }

    fn inner(&self, key: &str) -> &Value {
        self.get(key).unwrap_or(&Value::Null)
    }
}

/// Sets a field of an object. Does nothing to any other value.
pub fn set(object: &mut Value, key: &str, value: impl Into<Value>) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value.into());
    }
}

/// Returns an object with the fields of another one added.
#[must_use]
pub fn with(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_of_another_type_is_no_field() {
        let object = json!({"s": "x", "n": 9_007_199_254_740_993_i64, "f": 1.5, "t": true, "a": [1]});
        assert_eq!((object.text("s"), object.text("n"), object.text("none")), (Some("x"), None, None));
        assert_eq!((object.int("n"), object.int("f"), object.int("s")), (Some(9_007_199_254_740_993), None, None));
        assert_eq!((object.flag("t"), object.flag("s"), object.flag("none")), (true, false, false));
        assert_eq!((object.items("a").len(), object.items("s").len()), (1, 0));
        assert_eq!((object.count("n"), json!({"n": -1}).count("n")), (Some(9_007_199_254_740_993), None));
        assert_eq!(json!("no object").text("s"), None);
        assert_eq!(json!({"in": {"s": "x"}}).inner("in").inner("none").text("s"), None);
        assert_eq!(json!({"in": {"s": 1}}).entries("in").collect::<Vec<_>>(), [("s", &json!(1))]);
        assert_eq!(object.entries("a").count(), 0);
        assert_eq!(with(json!({"a": 1}), json!({"b": 2})), json!({"a": 1, "b": 2}));
        assert!(object.need("s", "x").is_ok() && object.need("n", "a file without id").is_err());
    }
}
