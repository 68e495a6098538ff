//! Escapes in JSON that stand for half a surrogate pair.
//!
//! A string of JavaScript is a sequence of UTF-16 units. One that was cut in the middle of a character ends in half of
//! it, and `JSON.stringify` writes that half as an escape, such as `\ud83d`. It stands for no character, so `serde_json`
//! refuses the whole text.

/// The length of an escape: `\uXXXX`.
const ESCAPE: usize = 6;

/// Returns the JSON with `\ufffd` in place of each half of a surrogate pair; `None` if there is none.
pub(super) fn replaced(json: &[u8]) -> Option<Vec<u8>> {
    let (mut written, mut rest) = (Vec::with_capacity(json.len()), json);
    let mut is_changed = false;
    while let Some(first) = rest.first() {
        let length = match (unit(rest), rest.get(ESCAPE..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                is_changed = true;
                written.extend_from_slice(b"\\ufffd");
                rest = rest.get(ESCAPE..).unwrap_or_default();
                continue;
            }
            // A backslash may be escaped itself.
            _ if *first == b'\\' => 2,
            _ => 1,
        };
        let (taken, left) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        written.extend_from_slice(taken);
        rest = left;
    }
    is_changed.then_some(written)
}

/// Returns the UTF-16 unit of the escape at the beginning.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::char::DecodeUtf16Error;

    use super::*;

    #[test]
    fn only_a_half_without_the_other_is_replaced() {
        let of = |json: &str| replaced(json.as_bytes()).map(|json| String::from_utf8(json).unwrap());
        for whole in [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""\uac00""#, r#""\u12""#, "\"\\", ""] {
            assert_eq!(of(whole), None, "{whole}");
        }
        for (half, expected) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00 x""#, r#""\ufffd x""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\\ud83d\n""#, r#""\\\ufffd\n""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
        ] {
            assert_eq!(of(half).as_deref(), Some(expected), "{half}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_javascript_writes_can_be_read(units: Vec<u16>) {
            // `JSON.stringify` writes a half as an escape, and everything else as it is.
            let escaped = |unit: Result<char, _>| match unit {
                Ok(char) => serde_json::to_string(&char).unwrap(),
                Err(half) => format!("\"\\u{:04x}\"", DecodeUtf16Error::unpaired_surrogate(&half)),
            };
            let text: String = char::decode_utf16(units).map(|unit| escaped(unit).trim_matches('"').to_owned()).collect();
            let json = format!("\"{text}\"");
            let read = replaced(json.as_bytes()).unwrap_or_else(|| json.into_bytes());
            proptest::prop_assert!(serde_json::from_slice::<String>(&read).is_ok());
        }
    }
}
