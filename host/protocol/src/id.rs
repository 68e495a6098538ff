//! Ids as programs write them: complete, and in one spelling.
//!
//! | text | result |
//! |---|---|
//! | a UUID as this program writes it: 36 characters, lower case, with hyphens | that id |
//! | a part of one, another spelling (upper case, no hyphens, braces, `urn:uuid:`), anything else | no id |
//!
//! **Invariant:** nothing here completes an id. An unset variable in a script is an empty text, with which every id
//! begins, and the answer to the only open request may be an allow. Only a person may shorten an id, to one of those on
//! the screen: `dmplz approvals` completes it before it sends anything.

use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;
use uuid::Uuid;

/// An id, which is given whole: a UUID in lower case with hyphens.
// Only the OpenAPI document uses this type: `Uuid` itself would document other spellings as well.
#[derive(ToSchema)]
#[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
pub(crate) struct Id(#[expect(dead_code, reason = "only its schema is used")] String);

/// The text is no complete id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is given whole, as the gateway writes it: 36 characters, in lower case, with hyphens")]
pub struct NotAnId;

/// Parses an id in its only valid spelling.
pub fn parse(text: &str) -> Result<Uuid, NotAnId> {
    let id = Uuid::try_parse(text).map_err(|_| NotAnId)?;
    let written = id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text;
    if written { Ok(id) } else { Err(NotAnId) }
}

/// Deserialises an id. The error does not repeat the text.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Uuid, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// Deserialises an id that may be absent or null.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Uuid>, D::Error> {
    Option::<String>::deserialize(deserializer)?.map(|text| parse(&text).map_err(serde::de::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_read_is_written_the_same_again(text in "[0-9a-fA-F{}-]{0,40}") {
            if let Ok(id) = parse(&text) {
                proptest::prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
