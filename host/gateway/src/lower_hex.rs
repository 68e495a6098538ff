//! Hex digits from outside, which count in one spelling only.

/// Decodes lower-case hex digits; `None` if the text is anything else.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    hex::decode(text).ok().filter(|bytes| hex::encode(bytes) == text)
}
