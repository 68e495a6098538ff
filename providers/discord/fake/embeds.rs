//! <https://docs.discord.com/developers/resources/message#embed-object-embed-limits>

use super::components::{at_most, fits, required};
use super::fields::{set, without_nulls};
use super::refusal::Refusal;
use serde_json::Value;

const EMBEDS: usize = 10;
const FIELDS: usize = 25;
/// The maximum number of characters in all embeds of a message.
const TOTAL: usize = 6000;

pub(crate) fn check(embeds: &[Value]) -> Result<(), Refusal> {
    fits(embeds.len(), EMBEDS, "embeds")?;
    for (index, embed) in embeds.iter().enumerate() {
        check_one(embed).map_err(|refusal| refusal.below(&["embeds", &index.to_string()]))?;
    }
    match embeds.iter().map(length).sum::<usize>() > TOTAL {
        true => {
            let message = format!("Embed size exceeds maximum size of {TOTAL}");
            Err(Refusal::field(&["embeds"], "MAX_EMBED_SIZE_EXCEEDED", message))
        }
        false => Ok(()),
    }
}

/// Returns an embed as Discord sends it back.
pub(crate) fn written(embed: &Value) -> Value {
    let mut embed = without_nulls(embed);
    set(&mut embed, "type", Some("rich"));
    let fields = embed.get_mut("fields").and_then(Value::as_array_mut).into_iter().flatten();
    for field in fields.filter(|field| field.get("inline").is_none()) {
        set(field, "inline", Some(false));
    }
    embed
}

fn check_one(embed: &Value) -> Result<(), Refusal> {
    at_most(embed.get("title"), 256, "title")?;
    at_most(embed.get("description"), 4096, "description")?;
    let inside = |part: &str, field: &str, most| {
        at_most(embed.get(part).and_then(|part| part.get(field)), most, field).map_err(|it| it.below(&[part]))
    };
    inside("footer", "text", 2048)?;
    inside("author", "name", 256)?;
    let fields: &[Value] = embed.get("fields").and_then(Value::as_array).map_or(&[], Vec::as_slice);
    fits(fields.len(), FIELDS, "fields")?;
    for (index, field) in fields.iter().enumerate() {
        for (name, most) in [("name", 256), ("value", 1024)] {
            let wrong = match field.get(name).and_then(Value::as_str).unwrap_or_default().trim() {
                "" => Err(required(name)),
                _ => at_most(field.get(name), most, name),
            };
            wrong.map_err(|refusal| refusal.below(&["fields", &index.to_string()]))?;
        }
    }
    let shown = ["title", "description", "fields", "image", "thumbnail", "author", "footer"];
    match shown.iter().any(|part| embed.get(part).is_some_and(|part| !part.is_null() && part != "")) {
        true => Ok(()),
        false => Err(required("description")),
    }
}

fn length(embed: &Value) -> usize {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map_or(0, |text| text.chars().count());
    let inside = |part: &str, field: &str| text(embed.get(part).and_then(|part| part.get(field)));
    let fields = embed.get("fields").and_then(Value::as_array).into_iter().flatten();
    let fields: usize = fields.map(|field| text(field.get("name")) + text(field.get("value"))).sum();
    text(embed.get("title"))
        + text(embed.get("description"))
        + inside("footer", "text")
        + inside("author", "name")
        + fields
}
