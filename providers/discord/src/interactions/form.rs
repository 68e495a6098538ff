//! A form with one field (docs/components/reference#label, #text-input).

use dmplz_provider_sdk::prelude::*;

use crate::components::label_of;
use crate::limits::{FORM_TITLE, PLACEHOLDER};

/// Kinds of components, and a field of several lines.
const TEXT_INPUT: u32 = 4;
const LABEL: u32 = 18;
const PARAGRAPH: u32 = 2;

const FIELD: &str = "text";

/// Returns the form of a button. If the card was posted after this call began, its field is unknown here, and the
/// button's own label, which arrived with the press, is used.
pub(super) fn form(button: &Payload<'_>, units: u32, field: Option<&TextField>, card: &Value) -> Value {
    let shown = label_of(card, button).unwrap_or(button.choice);
    let words = |said: Option<&str>| said.filter(|said| !said.trim().is_empty()).unwrap_or(shown).to_owned();
    let title = words(field.map(|field| field.title.as_str()));
    let label = words(field.map(|field| field.label.as_str()));
    let mut input =
        json!({ "type": TEXT_INPUT, "custom_id": FIELD, "style": PARAGRAPH, "required": true, "max_length": units });
    if let Some(field) = field.filter(|field| !field.placeholder.is_empty()) {
        set(&mut input, "placeholder", first(&field.placeholder, PLACEHOLDER));
    }
    json!({
        "custom_id": Payload { asks: None, ..*button }.to_string(),
        "title": first(&title, FORM_TITLE),
        "components": [{ "type": LABEL, "label": first(&label, FORM_TITLE), "component": input }],
    })
}

/// Returns the text in the field of a submitted form.
pub(super) fn text(data: &Value) -> Option<String> {
    let rows = data.items("components").iter();
    let mut fields = rows.flat_map(|row| row.get("component").into_iter().chain(row.items("components")));
    fields.find(|field| field.text("custom_id") == Some(FIELD))?.text("value").map(str::to_owned)
}

fn first(text: &str, units: usize) -> &str {
    split_at_units(text, units).0
}
