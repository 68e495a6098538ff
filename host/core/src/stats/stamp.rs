//! Serializes moments as the logs do: ISO 8601 in UTC with milliseconds, `2026-11-22T01:32:07.120Z`. For
//! `serde(with)`.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serializer};

/// Serializes a moment, truncated to milliseconds.
pub fn serialize<S: Serializer>(moment: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{moment:.3}"))
}

/// Parses a moment in any form of RFC 3339.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}
