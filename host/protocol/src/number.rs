//! Whole numbers as JSON Schema counts them: `1000.0` is one as well, and some programs write that.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// 2 to the power of 53: every whole number below it is exact in an `f64`.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Deserialises a whole number.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let whole = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..LARGEST_WHOLE).contains(number));
    match whole {
        Some(number) => Ok(number as u64),
        None => u64::deserialize(value).map_err(D::Error::custom),
    }
}

/// Deserialises a whole number that may be null.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        value => self::deserialize(value).map(Some).map_err(D::Error::custom),
    }
}
