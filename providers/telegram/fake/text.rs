//! Cleans texts and their entities, as `fix_formatted_text` of TDLib does.

use super::model::Entity;
use super::params::Params;
use super::parse::parse;
use super::refusal::Refusal;
use serde_json::Value;

/// The maximum size of a text in bytes, before it is cleaned.
const TEXT_BYTES: usize = 1 << 15;
/// The maximum number of entities in a text. Telegram ignores further ones.
const ENTITIES: usize = 100;

/// A text after cleaning, with entities that fit it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    pub(crate) entities: Vec<Entity>,
}

/// Parses the parameters `text_param`, `parse_mode` and `entities_param`, and cleans the text. `limit` is its maximum
/// length in UTF-16 units, after cleaning.
pub(crate) fn formatted(
    params: &Params,
    text_param: &str,
    entities_param: &str,
    limit: usize,
    too_long: &str,
) -> Result<Formatted, Refusal> {
    let text = params.text(text_param);
    if text.len() > TEXT_BYTES {
        return Err(Refusal::bad_request("text is too long"));
    }
    let mode = params.text("parse_mode");
    let (text, given) = match mode.as_str() {
        "" | "none" => (text, entities(params.json(entities_param))?),
        mode => {
            let parsed = parse(mode, &text).map_err(Refusal::bad_request)?;
            (parsed.text, parsed.entities)
        }
    };
    let fixed = clean(&text, given).map_err(Refusal::bad_request)?;
    match fixed.text.encode_utf16().count() > limit {
        true => Err(Refusal::bad_request(too_long)),
        false => Ok(fixed),
    }
}

fn entities(given: Option<Value>) -> Result<Vec<Entity>, Refusal> {
    let Some(Value::Array(given)) = given else {
        return Ok(Vec::new());
    };
    let cannot = |why: String| Refusal::bad_request(format!("can't parse MessageEntity: {why}"));
    let mut entities = Vec::new();
    for entity in given {
        let Value::Object(mut more) = entity else {
            return Err(cannot("expected an Object".to_owned()));
        };
        let mut number = |field: &str| match more.remove(field) {
            None => Err(cannot(format!("Can't find field \"{field}\""))),
            Some(value) => match value.as_i64() {
                None => Err(cannot(format!("Field \"{field}\" must be of type Number"))),
                Some(number) => {
                    Ok(usize::try_from(number).ok().filter(|number| *number <= 1_000_000).ok_or_else(|| {
                        Refusal::bad_request(format!("receive an entity with incorrect {field} {number}"))
                    })?)
                }
            },
        };
        let (offset, length) = (number("offset")?, number("length")?);
        let Some(kind) = more.remove("type").and_then(|kind| kind.as_str().map(str::to_owned)) else {
            return Err(cannot("Can't find field \"type\"".to_owned()));
        };
        if length > 0 {
            entities.push(Entity { kind, offset, length, more });
        }
    }
    entities.sort_by_key(|entity| (entity.offset, std::cmp::Reverse(entity.length)));
    entities.truncate(ENTITIES);
    Ok(entities)
}

/// Cleans a text: control characters become spaces, direction marks are removed, both ends are trimmed, and entities
/// are moved accordingly. The error is Telegram's description.
pub(crate) fn clean(text: &str, mut entities: Vec<Entity>) -> Result<Formatted, String> {
    let mut cleaned: Vec<char> = Vec::new();
    // For each UTF-16 unit of the input and for its end, the UTF-16 offset in the output; `None` inside a character.
    let mut moved: Vec<Option<usize>> = Vec::new();
    let mut units = 0;
    for character in text.chars() {
        moved.push(Some(units));
        moved.extend(std::iter::repeat_n(None, character.len_utf16() - 1));
        match character {
            '\r' | '\u{2028}'..='\u{202e}' | '\u{333}' | '\u{33f}' | '\u{30a}' => continue,
            '\n' => cleaned.push('\n'),
            control if control < ' ' => cleaned.push(' '),
            other => cleaned.push(other),
        }
        units += character.len_utf16();
    }
    moved.push(Some(units));
    for entity in &mut entities {
        let (start, end) = (entity.offset, entity.offset + entity.length);
        let begin = match moved.get(start) {
            Some(Some(begin)) => *begin,
            Some(None) => return Err(format!("entity begins in a middle of a UTF-16 symbol at byte offset {start}")),
            None => return Err(format!("entity begins after the end of the text at UTF-16 offset {start}")),
        };
        let stop = match moved.get(end) {
            Some(Some(stop)) => *stop,
            Some(None) => {
                return Err(format!(
                    "entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol at byte offset {end}"
                ));
            }
            None => {
                return Err(format!(
                    "entity beginning at UTF-16 offset {start} ends after the end of the text at UTF-16 offset {end}"
                ));
            }
        };
        (entity.offset, entity.length) = (begin, stop - begin);
    }
    trim(cleaned.into_iter().collect(), entities)
}

fn trim(text: String, mut entities: Vec<Entity>) -> Result<Formatted, String> {
    let kept = text.trim_end();
    let end = kept.encode_utf16().count();
    for entity in &mut entities {
        entity.length = entity.length.min(end.saturating_sub(entity.offset));
    }
    entities.retain(|entity| entity.length > 0);
    let first = entities.first().map_or(usize::MAX, |entity| entity.offset);
    let lead = kept.chars().take(first).take_while(|character| matches!(character, ' ' | '\n')).count();
    for entity in &mut entities {
        entity.offset -= lead;
    }
    match kept.get(lead..) {
        None | Some("") => Err("text must be non-empty".to_owned()),
        Some(text) => Ok(Formatted { text: text.to_owned(), entities }),
    }
}
