//! Hex digits of others, which count in one spelling.

/// Reads lower-case digits; none where they are anything else.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    hex::decode(text).ok().filter(|bytes| hex::encode(bytes) == text)
}
