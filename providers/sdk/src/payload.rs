//! What a button carries through the messenger, so that a press can be attributed to its card.

use std::fmt;

use crate::{Chosen, MessageRef, User};

/// The payload of a button, `tag:choice` or `tag:choice:asks` as text.
///
/// A messenger returns it with a press. Other programs have buttons in the same chat, so what comes back is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload<'a> {
    /// The tag of the card: 1 to 22 ASCII letters and digits.
    pub tag: &'a str,
    /// The id of the choice: 1 to 16 ASCII lower-case letters, digits and hyphens.
    pub choice: &'a str,
    /// The longest text that the choice asks for, in the messenger's units, if a press opens a form.
    pub asks: Option<u32>,
}

impl<'a> Payload<'a> {
    /// Parses a payload; `None` if it is not one. `longest` is the longest text that a form of the messenger takes; with 0, a
    /// payload that asks for a text is none.
    pub fn parse(text: &'a str, longest: u32) -> Option<Self> {
        let mut parts = text.split(':');
        let (tag, choice, asks) = (parts.next()?, parts.next()?, parts.next());
        let is_tag = (1..=22).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let in_choice = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_choice = (1..=16).contains(&choice.len()) && choice.bytes().all(in_choice);
        let asks = match asks {
            Some(units) => Some(units.parse().ok().filter(|units| (1..=longest).contains(units))?),
            None => None,
        };
        (is_tag && is_choice && parts.next().is_none()).then_some(Self { tag, choice, asks })
    }

    /// Returns a press of the button, which is not acknowledged and brings no words.
    pub fn press(&self, message: MessageRef, user: User) -> Chosen {
        Chosen { tag: Some(self.tag.to_owned()), ..Chosen::new(message, self.choice, user) }
    }
}

impl fmt::Display for Payload<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.tag, self.choice)?;
        self.asks.map_or(Ok(()), |units| write!(formatter, ":{units}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_parsed_as_it_was_written() {
        for (text, asks) in [("Tag1:always-local", None), ("t:tell:300", Some(300)), ("t:o1:4000", Some(4000))] {
            let payload = Payload::parse(text, 4000).unwrap();
            assert_eq!((payload.to_string().as_str(), payload.asks), (text, asks));
        }
    }

    #[test]
    fn a_payload_of_another_program_is_none() {
        let long = format!("{}:deny", "t".repeat(23));
        for text in [
            "", "deny", ":deny", "t:", "t:De", "t:a_b", "t-1:deny", "t:deny:", "t:deny:0", "t:deny:x", "t:deny:4001",
            "t:deny:1:2", &long,
        ] {
            assert_eq!(Payload::parse(text, 4000), None, "{text}");
        }
        assert_eq!(Payload::parse("t:tell:1", 0), None, "without forms no button asks for a text");
    }
}
