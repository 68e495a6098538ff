//! Edits a JSON text in place: everything that is not dmplz's stays unchanged, byte for byte.
//!
//! A new member is added behind the last one, in the same format: on a line of its own with the same indentation, or
//! on the same line. Removing a member restores the text from before it was added.

use std::ops::Range;

use dmplz_core::text::{Lang, fill};
use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::ser::PrettyFormatter;

use crate::told::{Phrase, Told};

/// Why a text cannot be edited. As an error it is a [`Told`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    NotJson(String),
    Shape { place: Phrase, wants: Phrase },
    Twice(String),
}

impl Unfit {
    /// Says that something is no object.
    pub(super) fn no_object(place: Phrase) -> Self {
        Self::Shape { place, wants: ["객체", "an object"].into() }
    }
}

impl From<Unfit> for Told {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::NotJson(why) => Self::new(
                "올바른 JSON이 아닙니다(Claude Code도 이 파일을 읽지 못합니다): {}",
                "it is not plain JSON (Claude Code loads nothing from it either): {}",
                &[&why],
            ),
            Unfit::Shape { place, wants } => Phrase::from([
                fill("{}: {} 형식이어야 합니다", &[place.of(Lang::Ko), wants.of(Lang::Ko)]),
                fill("{} is not {}", &[place.of(Lang::En), wants.of(Lang::En)]),
            ])
            .into(),
            Unfit::Twice(key) => {
                Self::new("같은 키가 두 번 있습니다: {}", "the key {} is there twice", &[&format!("{key:?}")])
            }
        }
    }
}

impl From<Unfit> for anyhow::Error {
    fn from(unfit: Unfit) -> Self {
        Told::from(unfit).into()
    }
}

/// A parsed text whose outermost value is an object.
pub(super) struct Document<'t> {
    text: &'t str,
    pub(super) root: Object<'t>,
}

/// A replacement of some bytes.
pub(super) struct Edit {
    at: Range<usize>,
    with: String,
}

/// The inside of an object or an array, and its members.
pub(super) struct Block {
    inside: Range<usize>,
    members: Vec<Range<usize>>,
}

impl Edit {
    /// Returns the position at which the text begins.
    pub(super) fn position(&self) -> usize {
        self.at.start
    }

    pub(super) fn apply(self, text: &mut String) {
        text.replace_range(self.at, &self.with);
    }
}

impl<'t> Document<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, Unfit> {
        // The parser accepts more than Claude Code, which rejects a whole file that contains comments.
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| Unfit::NotJson(error.to_string()))?;
        let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
        match parsed.map_err(|error| Unfit::NotJson(error.to_string()))?.value {
            Some(Value::Object(root)) => Ok(Self { text, root }),
            _ => Err(Unfit::no_object(["파일 전체", "the whole of it"].into())),
        }
    }

    /// Returns the text at a range.
    pub(super) fn slice(&self, ranged: &impl Ranged) -> &'t str {
        self.text.get(ranged.start()..ranged.end()).unwrap_or_default()
    }

    /// Returns the edit that adds `value` behind the last member, with its key if the block is an object's.
    pub(super) fn append(&self, block: &Block, key: Option<&str>, value: &impl Serialize) -> Edit {
        let Some(((first, last), between)) = block.members.first().zip(block.members.last()).zip(self.between(block))
        else {
            return self.fill(block, key, value);
        };
        let after_brace = self.text.get(block.inside.start..first.start).unwrap_or_default();
        let member = self.render(key, value, after_brace.rsplit_once('\n').map(|(_, indent)| indent));
        Edit { at: last.end..last.end, with: format!(",{between}{member}") }
    }

    /// Returns the edit that removes a member, with its comma and white space.
    pub(super) fn remove(block: &Block, index: usize) -> Edit {
        let before = index.checked_sub(1).and_then(|before| block.members.get(before));
        let at = match (before, block.members.get(index), block.members.get(index + 1)) {
            (Some(before), Some(member), _) => before.end..member.end,
            (None, Some(member), Some(next)) => member.start..next.start,
            _ => block.inside.clone(),
        };
        Edit { at, with: String::new() }
    }

    /// Returns the edit that replaces the value of a member.
    pub(super) fn replace(&self, old: &impl Ranged, value: &impl Serialize) -> Edit {
        Edit { at: old.start()..old.end(), with: self.render(None, value, None) }
    }

    /// Returns the text between two members, without the comma.
    fn between(&self, block: &Block) -> Option<&'t str> {
        let (first, second) = (block.members.first()?, block.members.get(1));
        match second {
            Some(second) => self.text.get(first.end..second.start)?.split_once(',').map(|(_, after)| after),
            None => self.text.get(block.inside.start..first.start),
        }
    }

    /// As [`Document::append`], for an empty block.
    fn fill(&self, block: &Block, key: Option<&str>, value: &impl Serialize) -> Edit {
        let root = self.slice(&self.root);
        let with = if root.contains('\n') || self.root.properties.is_empty() {
            let line_start = self.text.get(..block.inside.start).unwrap_or_default();
            let line = line_start.rsplit_once('\n').map_or(line_start, |(_, line)| line);
            let outer: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
            let (inner, newline) = (format!("{outer}{}", self.unit()), self.newline());
            format!("{newline}{inner}{}{newline}{outer}", self.render(key, value, Some(&inner)))
        } else {
            self.render(key, value, None)
        };
        Edit { at: block.inside.clone(), with }
    }

    /// Formats a member: on lines of its own below that indentation, or on one line.
    fn render(&self, key: Option<&str>, value: &impl Serialize, indent: Option<&str>) -> String {
        let mut bytes = Vec::new();
        let written = match indent {
            None => value.serialize(&mut serde_json::Serializer::new(&mut bytes)),
            Some(_) => {
                let pretty = PrettyFormatter::with_indent(self.unit().as_bytes());
                value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, pretty))
            }
        };
        debug_assert!(written.is_ok(), "what is written here is plain data");
        let text = String::from_utf8(bytes).unwrap_or_default();
        let text = text.replace('\n', &format!("{}{}", self.newline(), indent.unwrap_or_default()));
        let Some(key) = key else { return text };
        let colon = if indent.is_some() || self.text.contains("\": ") { ": " } else { ":" };
        format!("{}{colon}{text}", serde_json::Value::from(key))
    }

    /// Returns one step of indentation: that of the first member, if it is on a line of its own.
    fn unit(&self) -> &'t str {
        let first = self.root.properties.first();
        let before = first.and_then(|first| self.text.get(self.root.start() + 1..first.start()));
        before.and_then(|space| space.rsplit_once('\n')).map_or("  ", |(_, unit)| unit)
    }

    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

impl Block {
    pub(super) fn object(object: &Object<'_>) -> Self {
        let inside = object.start() + 1..object.end() - 1;
        Self { inside, members: object.properties.iter().map(|property| property.start()..property.end()).collect() }
    }

    pub(super) fn array(array: &Array<'_>) -> Self {
        let inside = array.start() + 1..array.end() - 1;
        Self { inside, members: array.elements.iter().map(|element| element.start()..element.end()).collect() }
    }
}

/// Returns the member of that name. Of two, the client uses the last and people see the first, so such a text is
/// refused.
pub(super) fn member<'o, 't>(object: &'o Object<'t>, name: &str) -> Result<Option<&'o ObjectProp<'t>>, Unfit> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == name);
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(Unfit::Twice(name.to_owned())),
        (found, None) => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_text_cannot_be_edited_is_told_in_both_languages() {
        let told = Told::from(Unfit::no_object(Phrase::same("\"hooks\"")));
        assert_eq!(told.of(Lang::Ko), "\"hooks\": 객체 형식이어야 합니다");
        assert_eq!(told.of(Lang::En), "\"hooks\" is not an object");
    }
}
