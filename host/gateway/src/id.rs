//! Ids as programs write them: whole, and in one spelling.
//!
//! | text | is |
//! |---|---|
//! | a UUID as this program writes it: 36 characters, lower case, with hyphens | that id |
//! | a part of one, another spelling (upper case, no hyphens, braces, `urn:uuid:`), anything else | no id |
//!
//! **Invariant:** nothing here completes an id. An unset variable in somebody's script is an empty text, every id begins with
//! it, and what is answered to the only open request may be an allow. Only a person may shorten an id, to one of those that
//! are on the screen: `dmplz approvals` completes it before it sends anything.

use serde::{Deserialize, Deserializer};
use uuid::Uuid;

/// The text is no whole id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is given whole, as the gateway writes it: 36 characters, in lower case, with hyphens")]
pub struct NotAnId;

/// Reads an id.
pub(crate) fn parse(text: &str) -> Result<Uuid, NotAnId> {
    let id = Uuid::try_parse(text).map_err(|_| NotAnId)?;
    let written = id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text;
    if written { Ok(id) } else { Err(NotAnId) }
}

/// Reads an id of a message; the error does not repeat what stood there.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Uuid, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::request::RequestId;

    /// What names no request, whichever are open. `whole` is the id of an open one.
    pub(crate) fn no_ids(whole: &str) -> Vec<String> {
        let part = |count: usize| whole.chars().take(count).collect::<String>();
        let mut texts: Vec<String> = [0, 1, 4, 8, 9, 18, 35].into_iter().map(part).collect();
        texts.extend(
            [" ", "\t", "\n", "\0", "*", "%", ".", "..", "../..", "null", "undefined", "한글", "🔐"].map(str::to_owned),
        );
        texts.extend([
            whole.to_uppercase(),
            whole.replace('-', ""),
            format!("{{{whole}}}"),
            format!("urn:uuid:{whole}"),
            format!(" {whole}"),
            format!("{whole}\n"),
            format!("{whole}\0"),
            format!("{whole}/answer"),
            format!("../{whole}"),
            format!("{}٠", part(35)),
            whole.replacen('-', "\u{2010}", 1),
            whole.repeat(2),
            "3".repeat(1 << 16),
        ]);
        texts
    }

    #[test]
    fn only_a_whole_id_in_its_one_spelling_is_one() {
        let whole = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
        assert_eq!(parse(whole).unwrap().to_string(), whole);
        assert_eq!(serde_json::from_value::<RequestId>(whole.into()).unwrap(), whole.parse().unwrap());
        for text in no_ids(whole) {
            assert_eq!(parse(&text), Err(NotAnId), "{text:?}");
            assert!(text.parse::<RequestId>().is_err(), "{text:?}");
            let refused = serde_json::from_value::<RequestId>(text.into()).unwrap_err();
            assert_eq!(refused.to_string(), NotAnId.to_string());
        }
        for value in [serde_json::json!(null), serde_json::json!(3), serde_json::json!([whole])] {
            assert!(serde_json::from_value::<RequestId>(value).is_err());
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_read_is_written_the_same_again(text in "[0-9a-fA-F{}-]{0,40}") {
            if let Ok(id) = parse(&text) {
                proptest::prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
