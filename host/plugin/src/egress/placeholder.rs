//! Parses `{secret:NAME}` in a text.

use crate::egress::Refusal;

const OPENING: &str = "{secret:";

/// Returns the name, if the text is exactly one placeholder.
pub(crate) fn whole(text: &str) -> Option<&str> {
    let name = text.strip_prefix(OPENING)?.strip_suffix('}')?;
    let named = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (!name.is_empty() && name.bytes().all(named)).then_some(name)
}

/// A text split at its placeholders.
pub(crate) struct Template<'a>(Vec<Piece<'a>>);

enum Piece<'a> {
    Text(&'a str),
    Secret(&'a str),
}

impl<'a> Template<'a> {
    /// Splits a text. Other braces are ordinary text.
    pub(crate) fn parse(mut rest: &'a str) -> Result<Self, Refusal> {
        let mut pieces = Vec::new();
        while let Some((before, after)) = rest.split_once(OPENING) {
            let Some((name, behind)) = after.split_once('}') else {
                return Err(Refusal::Malformed("a placeholder has no end"));
            };
            pieces.extend([Piece::Text(before), Piece::Secret(name)]);
            rest = behind;
        }
        pieces.push(Piece::Text(rest));
        Ok(Self(pieces))
    }

    /// Returns the names in its placeholders.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Secret(name) => Some(*name),
            Piece::Text(_) => None,
        })
    }

    /// Returns whether it has exactly one placeholder, of that name.
    pub(crate) fn holds_once(&self, name: &str) -> bool {
        self.secrets().eq([name])
    }

    /// Returns the text with each placeholder replaced by the result of `value`.
    pub(crate) fn fill(&self, value: impl Fn(&str) -> Result<String, Refusal>) -> Result<String, Refusal> {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Ok((*text).to_owned()),
                Piece::Secret(name) => value(name),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Template, whole};
    use crate::egress::Refusal;

    #[test]
    fn placeholders_are_replaced_and_other_braces_are_not() {
        let fill = |text| {
            Template::parse(text)?.fill(|name| match name {
                "a" => Ok("{secret:b}".to_owned()),
                name => Err(Refusal::UnknownSecret(name.to_owned())),
            })
        };
        assert_eq!(fill("x{secret:a}y{z}").as_deref(), Ok("x{secret:b}y{z}"));
        assert_eq!(fill("{{secret:a}}").as_deref(), Ok("{{secret:b}}"));
        assert_eq!(fill("{SECRET:a}").as_deref(), Ok("{SECRET:a}"));
        assert_eq!(fill("{secret:c}"), Err(Refusal::UnknownSecret("c".to_owned())));
        assert_eq!(fill("{secret:a"), Err(Refusal::Malformed("a placeholder has no end")));
    }

    #[test]
    fn a_text_is_a_placeholder_when_it_is_nothing_else() {
        let table = [
            ("{secret:bot-token}", Some("bot-token")),
            ("{secret:a2}", Some("a2")),
            ("{secret:}", None),
            ("{secret:A}", None),
            ("{secret:a}}", None),
            ("{secret:{secret:a}", None),
            (" {secret:a}", None),
            ("x {secret:a}", None),
            ("{secret:a", None),
            ("", None),
        ];
        for (text, name) in table {
            assert_eq!(whole(text), name, "{text}");
        }
    }
}
