//! The rules for a WebSocket frame that a provider sends.
//!
//! | frame | result |
//! |---|---|
//! | larger than 64 KiB, before or after filling in | too large |
//! | JSON in which an object has a duplicate key | refused: servers differ in which of the two counts |
//! | JSON with one string that is exactly a placeholder, at a place of the manifest (`place`) | filled in, and serialized again from the parsed value, so that the server reads the same value |
//! | JSON with a placeholder anywhere else, also as a key, or with two | refused |
//! | bare text that is exactly a placeholder | filled in if the manifest says so of the whole frame, else refused |
//! | any other | sent as it is |
//!
//! A string is compared after JSON's escapes are decoded: `"\u007bsecret:NAME}"` is a placeholder. A longer string
//! that contains a placeholder is not one: such strings hold untrusted text, which neither receives a secret nor
//! makes the frame invalid.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::placeholder::whole;
use super::{Egress, Origin, Refusal, shortened};

/// The largest frame that may be sent, in bytes.
const FRAME: usize = 64 << 10;

impl Egress {
    /// Fills in a frame for an origin; `None` if it is too large.
    pub(crate) fn frame(&self, frame: String, origin: &Origin) -> Result<Option<String>, Refusal> {
        if frame.len() > FRAME {
            return Ok(None);
        }
        let filled = match Reading::of(&frame) {
            Some(reading) => {
                let Some((pointer, name)) = reading.placeholder()? else { return Ok(Some(frame)) };
                self.json(&frame, pointer, name, origin)?
            }
            None => {
                let Some(name) = whole(frame.trim()) else { return Ok(Some(frame)) };
                self.secret(name, origin, |place, _| place.is_frame("", &Value::Null))?.expose().to_owned()
            }
        };
        Ok((filled.len() <= FRAME).then_some(filled))
    }

    fn json(&self, frame: &str, pointer: &str, name: &str, origin: &Origin) -> Result<String, Refusal> {
        let unread = Refusal::Malformed("a frame with a secret cannot be read");
        let Ok(mut json) = serde_json::from_str::<Value>(frame) else { return Err(unread) };
        let secret = self.secret(name, origin, |place, _| place.is_frame(pointer, &json))?;
        *json.pointer_mut(pointer).ok_or(unread)? = Value::from(secret.expose());
        Ok(json.to_string())
    }
}

/// The facts about a JSON frame that the rules need.
#[derive(Debug, Default, PartialEq)]
struct Reading {
    /// The first string that is a placeholder: its pointer and name.
    string: Option<(String, String)>,
    /// Whether there is a second placeholder.
    more: bool,
    /// The name in a key that is a placeholder.
    key: Option<String>,
    /// Whether an object has a duplicate key.
    key_twice: bool,
}

impl Reading {
    /// Parses a frame; `None` if it is not JSON.
    fn of(frame: &str) -> Option<Self> {
        let (mut reading, mut path) = (Self::default(), Vec::new());
        let mut json = serde_json::Deserializer::from_str(frame);
        Walk { reading: &mut reading, path: &mut path }.deserialize(&mut json).ok()?;
        json.end().ok()?;
        Some(reading)
    }

    /// Returns the pointer and name of its only placeholder, if it has any.
    fn placeholder(&self) -> Result<Option<(&str, &str)>, Refusal> {
        match (&self.string, &self.key) {
            _ if self.key_twice => Err(Refusal::KeyTwice),
            (_, Some(name)) => Err(Refusal::SecretMisplaced(shortened(name))),
            _ if self.more => Err(Refusal::SecretTwice),
            (string, None) => Ok(string.as_ref().map(|(pointer, name)| (pointer.as_str(), name.as_str()))),
        }
    }
}

/// Visits one value of the frame.
struct Walk<'r> {
    reading: &'r mut Reading,
    /// The keys and indices that lead to the value.
    path: &'r mut Vec<String>,
}

impl Walk<'_> {
    fn again(&mut self) -> Walk<'_> {
        Walk { reading: self.reading, path: self.path }
    }

    fn pointer(&self) -> String {
        self.path.iter().map(|token| format!("/{}", token.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        match (whole(text), &self.reading.string) {
            (Some(name), None) => self.reading.string = Some((self.pointer(), name.to_owned())),
            (Some(_), Some(_)) => self.reading.more = true,
            (None, _) => {}
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        for index in 0_usize.. {
            self.path.push(index.to_string());
            if items.next_element_seed(self.again())?.is_none() {
                break;
            }
            self.path.pop();
        }
        self.path.pop();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            if let Some(name) = whole(&key) {
                self.reading.key = Some(name.to_owned());
            }
            self.reading.key_twice |= !keys.insert(key.clone());
            self.path.push(key);
            fields.next_value_seed(self.again())?;
            self.path.pop();
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn a_placeholder_is_found_wherever_and_however_it_is_written() {
        let table = [
            (r#"{"d":{"token":"{secret:a}"}}"#, "/d/token"),
            (r#"{"d":{"token":"\u007bsecret:a}"}}"#, "/d/token"),
            (r#"{"d":{"to\u006ben":"{secret\u003aa\u007D"}}"#, "/d/token"),
            (r#"[1,[null,"{secret:a}"],2.5]"#, "/1/1"),
            (r#"{"a/b":{"~":"{secret:a}"}}"#, "/a~1b/~0"),
            (r#" "{secret:a}" "#, ""),
        ];
        for (frame, pointer) in table {
            let reading = Reading::of(frame).unwrap();
            assert_eq!(reading.placeholder(), Ok(Some((pointer, "a"))), "{frame}");
        }
    }

    #[test]
    fn a_longer_text_is_no_placeholder_and_what_is_not_json_has_none() {
        for frame in [r#"{"a":"x {secret:a}","{secret:a} x":"\"{secret:a}\""}"#, "{}", "1", "true", "null", "-1", "1.5"]
        {
            assert_eq!(Reading::of(frame), Some(Reading::default()), "{frame}");
        }
        let deep = "[".repeat(1_000) + &"]".repeat(1_000);
        for frame in ["{secret:a}", "", "{\"a\":\"{secret:a}\"", "{} \"{secret:a}\"", "\"\\ud800\"", &deep] {
            assert_eq!(Reading::of(frame), None, "{frame}");
        }
    }
}
