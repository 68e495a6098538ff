//! <https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal>

use super::components::{at_most, kind, required};
use super::refusal::Refusal;
use serde_json::Value;
use std::collections::BTreeSet;

const ACTION_ROW: u64 = 1;
const TEXT_INPUT: u64 = 4;
const LABEL: u64 = 18;
/// The maximum number of rows in a modal.
const ROWS: usize = 5;
/// The maximum length in characters of a text that a person enters.
const TEXT: usize = 4000;

/// A form that is shown to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modal {
    /// The id that the bot receives when it is submitted.
    pub custom_id: String,
    /// The title above the form.
    pub title: String,
    /// The fields from top to bottom.
    pub fields: Vec<TextInput>,
}

/// A text field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextInput {
    /// The id that the bot receives with its text.
    pub custom_id: String,
    /// The text above the field.
    pub label: String,
    /// The text that is shown while the field is empty.
    pub placeholder: String,
    /// The initial value of the field.
    pub value: String,
    /// Whether it has several lines.
    pub paragraph: bool,
    /// Whether a text is required.
    pub required: bool,
    /// The minimum number of characters.
    pub min: usize,
    /// The maximum number of characters.
    pub max: usize,
    /// Whether it is in a label component, not in an action row.
    pub(crate) in_label: bool,
}

impl TextInput {
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.custom_id == name || self.label == name
    }
}

/// Parses the data of a modal response. The paths of errors are relative to `data`.
pub(crate) fn read(data: &Value) -> Result<Modal, Refusal> {
    let (custom_id, title) = (text(data, "custom_id", 100)?, text(data, "title", 45)?);
    let rows = data.get("components").and_then(Value::as_array).ok_or_else(|| required("components"))?;
    if !(1..=ROWS).contains(&rows.len()) {
        return Err(Refusal::field(&["components"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."));
    }
    let mut known = BTreeSet::new();
    let fields = rows.iter().enumerate().map(|(index, row)| {
        let field = self::row(row).and_then(|field| match known.insert(field.custom_id.clone()) {
            true => Ok(field),
            false => {
                let message = "Component custom id cannot be duplicated";
                Err(Refusal::field(&["custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", message))
            }
        });
        field.map_err(|refusal| refusal.below(&["components", &index.to_string()]))
    });
    Ok(Modal { custom_id, title, fields: fields.collect::<Result<_, _>>()? })
}

fn row(row: &Value) -> Result<TextInput, Refusal> {
    match kind(row) {
        ACTION_ROW => {
            let cells = row.get("components").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            match cells {
                [input] => {
                    let label = text(input, "label", 45);
                    let field = label.and_then(|label| self::input(input, label, false));
                    field.map_err(|refusal| refusal.below(&["components", "0"]))
                }
                _ => Err(Refusal::field(&["components"], "BASE_TYPE_BAD_LENGTH", "Must be 1 in length.")),
            }
        }
        LABEL => {
            let label = text(row, "label", 45)?;
            at_most(row.get("description"), 100, "description")?;
            let component = row.get("component").ok_or_else(|| required("component"))?;
            input(component, label, true).map_err(|refusal| refusal.below(&["component"]))
        }
        _ => {
            Err(Refusal::field(&["type"], "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1, 10, 18)."))
        }
    }
}

fn input(input: &Value, label: String, in_label: bool) -> Result<TextInput, Refusal> {
    if kind(input) != TEXT_INPUT {
        return Err(Refusal::field(&["type"], "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (4,)."));
    }
    let custom_id = text(input, "custom_id", 100)?;
    let style = input.get("style").and_then(Value::as_u64).ok_or_else(|| required("style"))?;
    if !(1..=2).contains(&style) {
        return Err(Refusal::field(&["style"], "BASE_TYPE_CHOICES", "Value must be one of (1, 2)."));
    }
    at_most(input.get("placeholder"), 100, "placeholder")?;
    let (min, max) = (length(input, "min_length", 0, 0)?, length(input, "max_length", 1, TEXT)?);
    if min > max {
        let message = "The minimum length must be less than or equal to the maximum length.";
        return Err(Refusal::field(&["min_length"], "BASE_TYPE_BAD_LENGTH", message));
    }
    at_most(input.get("value"), max, "value")?;
    let optional = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(TextInput {
        custom_id,
        label,
        placeholder: optional("placeholder"),
        value: optional("value"),
        paragraph: style == 2,
        required: input.get("required").and_then(Value::as_bool).unwrap_or(true),
        min,
        max,
        in_label,
    })
}

fn text(of: &Value, field: &str, most: usize) -> Result<String, Refusal> {
    let text = of.get(field).and_then(Value::as_str).filter(|text| !text.is_empty()).ok_or_else(|| required(field))?;
    at_most(of.get(field), most, field)?;
    Ok(text.to_owned())
}

fn length(input: &Value, field: &str, least: usize, default: usize) -> Result<usize, Refusal> {
    let Some(length) = input.get(field).filter(|length| !length.is_null()) else { return Ok(default) };
    let length = length.as_u64().and_then(|length| usize::try_from(length).ok());
    length.filter(|length| (least..=TEXT).contains(length)).ok_or_else(|| {
        Refusal::field(&[field], "NUMBER_TYPE_MAX", format!("int value should be between {least} and {TEXT}."))
    })
}
