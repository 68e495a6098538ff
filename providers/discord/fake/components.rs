//! Buttons in rows: <https://docs.discord.com/developers/components/reference>. The codes of errors are not published;
//! these have been observed.

use super::fields::without_nulls;
use super::model::Message;
use super::refusal::Refusal;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const ACTION_ROW: u64 = 1;
const BUTTON: u64 = 2;
const STRING_SELECT: u64 = 3;
/// The maximum number of rows in a message, and of buttons in a row.
const WIDTH: usize = 5;
const LABEL: usize = 80;
const CUSTOM_ID: usize = 100;
const URL: usize = 512;
const LINK: u64 = 5;
const PREMIUM: u64 = 6;

/// A button as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The text on the button.
    pub label: String,
    /// The id that the bot receives when it is pressed; empty for a link.
    pub custom_id: String,
    /// The style: 1 primary, 2 secondary, 3 success, 4 danger, 5 link.
    pub style: u64,
    /// The emoji in front of the label.
    pub emoji: Option<String>,
    /// The target of a link.
    pub url: Option<String>,
    /// Whether it cannot be pressed.
    pub disabled: bool,
}

impl Message {
    /// Returns the buttons that it shows now, row by row.
    pub fn buttons(&self) -> Vec<Vec<Button>> {
        buttons(self.revisions.last().map_or(&[], |revision| &revision.components))
    }
}

/// Parses `components`. The result is checked, has no nulls, and gives each component its number.
pub(crate) fn read(given: &[Value]) -> Result<Vec<Value>, Refusal> {
    if given.len() > WIDTH {
        return Err(Refusal::field(&["components"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."));
    }
    let mut known = BTreeSet::new();
    let mut number = 0;
    let rows = given.iter().enumerate();
    rows.map(|(index, row)| {
        self::row(row, &mut known, &mut number).map_err(|it| it.below(&["components", &index.to_string()]))
    })
    .collect()
}

/// Returns the buttons of a message, row by row.
pub(crate) fn buttons(components: &[Value]) -> Vec<Vec<Button>> {
    let cells = |row: &Value| row.get("components").and_then(Value::as_array).cloned().unwrap_or_default();
    components.iter().map(|row| cells(row).iter().filter(|it| kind(it) == BUTTON).map(button).collect()).collect()
}

/// Checks the length of a text, in characters as Discord counts them.
pub(crate) fn at_most(value: Option<&Value>, most: usize, field: &str) -> Result<(), Refusal> {
    fits(value.and_then(Value::as_str).map_or(0, |text| text.chars().count()), most, field)
}

/// Checks the length of a text or list.
pub(crate) fn fits(length: usize, most: usize, field: &str) -> Result<(), Refusal> {
    match length > most {
        true => Err(Refusal::field(&[field], "BASE_TYPE_MAX_LENGTH", format!("Must be {most} or fewer in length."))),
        false => Ok(()),
    }
}

pub(crate) fn required(field: &str) -> Refusal {
    Refusal::field(&[field], "BASE_TYPE_REQUIRED", "This field is required")
}

pub(crate) fn kind(component: &Value) -> u64 {
    component.get("type").and_then(Value::as_u64).unwrap_or(0)
}

fn row(row: &Value, known: &mut BTreeSet<String>, number: &mut u64) -> Result<Value, Refusal> {
    if kind(row) != ACTION_ROW {
        return Err(Refusal::field(&["type"], "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1,)."));
    }
    let cells = row.get("components").and_then(Value::as_array).ok_or_else(|| required("components"))?;
    if !(1..=WIDTH).contains(&cells.len()) {
        return Err(Refusal::field(&["components"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."));
    }
    let mut kept = numbered(row, number);
    let cells: Result<Vec<Value>, Refusal> = cells
        .iter()
        .enumerate()
        .map(|(index, cell)| {
            self::cell(cell, known, number).map_err(|it| it.below(&["components", &index.to_string()]))
        })
        .collect();
    kept.insert("components".to_owned(), Value::Array(cells?));
    Ok(Value::Object(kept))
}

fn cell(cell: &Value, known: &mut BTreeSet<String>, number: &mut u64) -> Result<Value, Refusal> {
    let id = cell.get("custom_id").and_then(Value::as_str);
    match kind(cell) {
        BUTTON => check_button(cell, id)?,
        STRING_SELECT..=8 if kind(cell) != 4 => {}
        _ => {
            let message = "Value of field \"type\" must be one of (2, 3, 5, 6, 7, 8).";
            return Err(Refusal::field(&["type"], "UNION_TYPE_CHOICES", message));
        }
    }
    at_most(cell.get("custom_id"), CUSTOM_ID, "custom_id")?;
    if let Some(id) = id
        && !known.insert(id.to_owned())
    {
        let message = "Component custom id cannot be duplicated";
        return Err(Refusal::field(&["custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", message));
    }
    Ok(Value::Object(numbered(cell, number)))
}

fn check_button(button: &Value, id: Option<&str>) -> Result<(), Refusal> {
    let style = button.get("style").and_then(Value::as_u64).ok_or_else(|| required("style"))?;
    if !(1..=PREMIUM).contains(&style) {
        let message = "Value must be one of (1, 2, 3, 4, 5, 6).";
        return Err(Refusal::field(&["style"], "BASE_TYPE_CHOICES", message));
    }
    at_most(button.get("label"), LABEL, "label")?;
    at_most(button.get("url"), URL, "url")?;
    if let Some(emoji) = button.get("emoji").filter(|emoji| !emoji.is_null()) {
        let text = |field: &str| emoji.get(field).and_then(Value::as_str).unwrap_or_default();
        let named = !text("name").is_empty() && (!text("name").is_ascii() || !text("id").is_empty());
        if !named {
            return Err(Refusal::field(&["emoji", "name"], "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji"));
        }
    }
    let there = |field: &str| button.get(field).is_some_and(|value| !value.is_null() && value != "");
    match (style, id.is_some_and(|id| !id.is_empty()), there("url")) {
        (_, true, true) => {
            let message = "A custom id and url cannot both be specified";
            Err(Refusal::field(&[], "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message))
        }
        (LINK, _, false) => Err(Refusal::field(&["url"], "BASE_TYPE_REQUIRED", "A url is required")),
        (1..LINK, false, _) => {
            Err(Refusal::field(&["custom_id"], "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required"))
        }
        (PREMIUM, ..) => Ok(()),
        _ if !there("label") && !there("emoji") => Err(required("label")),
        _ => Ok(()),
    }
}

/// Returns the fields of a component that are not null, and its number: the given one, or the next one.
fn numbered(component: &Value, number: &mut u64) -> Map<String, Value> {
    *number += 1;
    let mut fields = without_nulls(component).as_object().cloned().unwrap_or_default();
    if fields.get("id").and_then(Value::as_u64).unwrap_or(0) == 0 {
        fields.insert("id".to_owned(), Value::from(*number));
    }
    fields
}

fn button(button: &Value) -> Button {
    let text = |field: &str| button.get(field).and_then(Value::as_str).map(str::to_owned);
    Button {
        label: text("label").unwrap_or_default(),
        custom_id: text("custom_id").unwrap_or_default(),
        style: button.get("style").and_then(Value::as_u64).unwrap_or(0),
        emoji: button.get("emoji").and_then(|emoji| emoji.get("name")).and_then(Value::as_str).map(str::to_owned),
        url: text("url"),
        disabled: button.get("disabled").and_then(Value::as_bool).unwrap_or(false),
    }
}
