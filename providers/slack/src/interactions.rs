//! Handles buttons and modals (<https://docs.slack.dev/interactivity/handling-user-interaction>), whose envelopes were
//! acknowledged.
//!
//! | payload | what is done | event for the host |
//! |---|---|---|
//! | `block_actions` | nothing: the card changes later | a press |
//! | `block_actions` of a button that asks for a text | a modal is opened | none yet; a press without text if no modal could be opened, so that the press is not lost |
//! | `view_submission` | nothing: the acknowledgement closes it | a press with the text |
//! | anything else, also of another program's button | nothing | none |

use dmplz_provider_sdk::prelude::*;

use crate::limits::{FIELD_UNITS, MODAL_TITLE, PLACEHOLDER, TRIGGER};
use crate::{api, chat};

/// The id of the modal, and of its only block and input.
const WORDS: &str = "dmplz-words";

/// Returns what people did by an interaction.
pub(crate) fn take(api: Api<'_>, watching: &[Watch], payload: &Value) -> Vec<Event> {
    let presses = match payload.text("type") {
        Some("block_actions") => pressed(api, watching, payload),
        Some("view_submission") => submitted(payload).into_iter().collect(),
        _ => Vec::new(),
    };
    if presses.is_empty() {
        api.log(Level::Debug, "an interaction came that answers no card, or opened a form");
    }
    presses.into_iter().map(Event::Chosen).collect()
}

fn pressed(api: Api<'_>, watching: &[Watch], payload: &Value) -> Vec<Chosen> {
    let container = payload.inner("container");
    let place = container.text("channel_id").zip(container.text("message_ts"));
    let message = place.and_then(|(chat, ts)| chat::reference(chat, ts));
    let (Some(message), Some(user)) = (message, chat::user(payload.inner("user"))) else { return Vec::new() };
    let press = |action: &Value| {
        let answer = action.text("value").and_then(|value| Payload::parse(value, FIELD_UNITS))?;
        if let Some(units) = answer.asks {
            let field = watching.field(&message, answer.choice);
            let label = action.inner("text").text("text").unwrap_or(answer.choice);
            let view = modal(&message, &answer, units, field, label);
            let body = json!({ "trigger_id": payload.text("trigger_id").unwrap_or_default(), "view": view });
            match api::send(api, api::request(api, "views.open", &body).timeout(TRIGGER)) {
                Ok(_) => return None,
                Err(refusal) => api.warn("no form could be opened", &refusal.error),
            }
        }
        let token = action.text("action_ts").unwrap_or_default().to_owned();
        Some(Chosen { token, ..answer.press(message.clone(), user.clone()) })
    };
    payload.items("actions").iter().filter_map(press).collect()
}

/// Returns the modal that a button opens (<https://docs.slack.dev/reference/views/modal-views>). Of a card that is not
/// watched the field is not known here, and the button's own label stands for its words.
fn modal(message: &MessageRef, answer: &Payload<'_>, units: u32, field: Option<&TextField>, label: &str) -> Value {
    let words = |said: Option<&str>, most| {
        let said = said.filter(|said| !said.trim().is_empty()).unwrap_or(label);
        json!({ "type": "plain_text", "text": split_at_units(said, most).0, "emoji": false })
    };
    let mut input = json!({ "type": "plain_text_input", "action_id": WORDS, "multiline": true, "max_length": units });
    if let Some(field) = field.filter(|field| !field.placeholder.trim().is_empty()) {
        set(&mut input, "placeholder", words(Some(&field.placeholder), PLACEHOLDER));
    }
    json!({
        "type": "modal",
        "callback_id": WORDS,
        "private_metadata": format!("{} {} {}", message.chat, message.id, Payload { asks: None, ..*answer }),
        "title": words(field.map(|field| field.title.as_str()), MODAL_TITLE),
        "submit": { "type": "plain_text", "text": "OK" },
        "blocks": [{
            "type": "input",
            "block_id": WORDS,
            "label": words(field.map(|field| field.label.as_str()), PLACEHOLDER),
            "element": input,
        }],
    })
}

fn submitted(payload: &Value) -> Option<Chosen> {
    let view = Some(payload.inner("view")).filter(|view| view.text("callback_id") == Some(WORDS))?;
    let mut about = view.text("private_metadata")?.split(' ');
    let message = chat::reference(about.next()?, about.next()?)?;
    let answer = about.next().and_then(|value| Payload::parse(value, FIELD_UNITS))?;
    let text = view.pointer("/state/values/dmplz-words/dmplz-words")?.text("value").unwrap_or_default();
    let token = view.text("id").unwrap_or_default().to_owned();
    let press = answer.press(message, chat::user(payload.inner("user"))?);
    Some(Chosen { token, text: Some(text.to_owned()), ..press })
}
