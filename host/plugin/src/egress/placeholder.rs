//! `{secret:NAME}` in a text.

use crate::egress::Refusal;

const OPENING: &str = "{secret:";

/// A text with the placeholders found in it.
pub(crate) struct Template<'a>(Vec<Piece<'a>>);

enum Piece<'a> {
    Text(&'a str),
    Secret(&'a str),
}

impl<'a> Template<'a> {
    /// Takes a text apart. Other braces are text.
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

    /// How many placeholders it has.
    pub(crate) fn secrets(&self) -> usize {
        self.0.iter().filter(|piece| matches!(piece, Piece::Secret(_))).count()
    }

    /// The text with each placeholder replaced by what `value` says.
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
    use super::Template;
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
}
