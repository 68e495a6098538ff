use super::event::{command_event, press_event, submit_event};
use crate::discord::gateway::Event;
use crate::discord::json;
use crate::discord::model::{Attachment, MessageRef, User};
use crate::discord::world::World;
use crate::discord::world::interactions::{Interaction, Record};
use serde_json::Value;
use tokio::time::Instant;

/// The reason why a press or a submission is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PressError {
    /// The message does not exist, was deleted, or is not visible to this person.
    #[error("there is no such message")]
    NoMessage,
    /// The message has no such button.
    #[error("the message has no button {0:?}, but {1:?}")]
    NoButton(String, Vec<String>),
    /// The button is disabled.
    #[error("the button {0:?} is disabled")]
    Disabled(String),
    /// No modal is open for this interaction.
    #[error("no modal is open")]
    NoModal,
    /// The modal has no such field.
    #[error("the modal has no field {0:?}")]
    NoField(String),
    /// The text is too short or too long for its field.
    #[error("{0:?} takes {1} to {2} characters")]
    Length(String, usize, usize),
}

/// Presses a button that a message shows now or, on an old screen, showed before. Returns the interaction's id.
pub(super) fn press(
    world: &mut World,
    at: MessageRef,
    button: &str,
    user: &User,
    is_old: bool,
) -> Result<u64, PressError> {
    world.meet(user);
    let theirs = world.interactions.whispers.iter().find(|(_, message)| MessageRef::from(message) == at);
    let theirs = theirs.and_then(|(interaction, _)| world.interactions.records.get(interaction));
    if theirs.is_some_and(|record| record.seen.user.id != user.id) {
        return Err(PressError::NoMessage);
    }
    let message = world.any_message(at).filter(|message| is_old || !message.deleted).ok_or(PressError::NoMessage)?;
    let earlier = message.revisions.iter().rev().skip(1).filter(|_| is_old);
    let found = find(&message.now().components, button);
    let (custom_id, component) = earlier
        .fold(found, |found, revision| found.or_else(|error| find(&revision.components, button).map_err(|_| error)))?;
    let what = format!("the press of {button:?}");
    let id = begin(world, at, user, custom_id, Vec::new(), what);
    let event = press_event(world, id, component);
    tell(world, id, event);
    Ok(id)
}

/// Sends a press of a button that does not exist. Returns the interaction's id.
pub(super) fn forge(world: &mut World, at: MessageRef, custom_id: &str, user: &User) -> u64 {
    world.meet(user);
    let id = begin(world, at, user, custom_id.to_owned(), Vec::new(), "a forged press".to_owned());
    let event = press_event(world, id, 0);
    world.dispatch(&Event::interaction(event));
    id
}

/// Uses a command that is registered where the channel is. Returns the interaction's id.
pub(crate) fn use_command(
    world: &mut World,
    channel: u64,
    user: &User,
    name: &str,
    typed: &str,
    file: Option<Attachment>,
) -> Option<u64> {
    world.meet(user);
    let guild = world.channels.get(&channel)?.guild().unwrap_or(0);
    let command = world.commands.get(&guild)?.iter().find(|command| command["name"] == name)?.clone();
    let nowhere = MessageRef { channel, id: 0 };
    let id = begin(world, nowhere, user, name.to_owned(), Vec::new(), format!("the command /{name}"));
    let shown = file.as_ref().map(|file| json::attachment(&world.base_url, channel, file));
    world.uploads.extend(file);
    let event = command_event(world, id, &command, typed, shown.as_ref());
    tell(world, id, event);
    Some(id)
}

/// Submits the modal that a press opened. Returns the id of the new interaction.
pub(super) fn submit(world: &mut World, opened_by: u64, texts: &[(&str, &str)]) -> Result<u64, PressError> {
    let record = world.interactions.records.get(&opened_by).ok_or(PressError::NoModal)?;
    let modal = record.seen.modal().ok_or(PressError::NoModal)?.clone();
    let unknown = texts.iter().find(|(name, _)| !modal.fields.iter().any(|field| field.is_called(name)));
    if let Some((name, _)) = unknown {
        return Err(PressError::NoField((*name).to_owned()));
    }
    let mut fields = Vec::new();
    for field in &modal.fields {
        let text = texts.iter().find(|(name, _)| field.is_called(name)).map_or(field.value.as_str(), |(_, text)| text);
        let least = if field.required { field.min.max(1) } else { field.min };
        let length = text.chars().count();
        if length > field.max || length < least && (field.required || length > 0) {
            return Err(PressError::Length(field.label.clone(), least, field.max));
        }
        fields.push((field.custom_id.clone(), text.to_owned()));
    }
    let (at, user) = (record.seen.message, record.seen.user.clone());
    let what = format!("the modal {:?}", modal.title);
    let id = begin(world, at, &user, modal.custom_id.clone(), fields, what);
    let event = submit_event(world, id, &modal);
    tell(world, id, event);
    Ok(id)
}

fn begin(
    world: &mut World,
    message: MessageRef,
    user: &User,
    custom_id: String,
    fields: Vec<(String, String)>,
    what: String,
) -> u64 {
    let id = world.ids.next();
    let seen = Interaction {
        id,
        user: user.clone(),
        channel: message.channel,
        message,
        custom_id,
        fields,
        response: None,
        after: None,
        failed: false,
        whispers: Vec::new(),
        messages: Vec::new(),
    };
    let token = format!("aW50ZXJhY3Rpb246{id:x}{}", "0123456789abcdef".repeat(8));
    let record = Record { seen, token, at: Instant::now(), what, original: None, pending: None };
    world.interactions.records.insert(id, record);
    id
}

/// Sends an interaction to the sessions. Without any session it fails at once.
fn tell(world: &mut World, id: u64, event: Value) {
    if world.dispatch(&Event::interaction(event)) {
        world.interactions.open.insert(id);
    } else if let Some(record) = world.interactions.records.get_mut(&id) {
        record.seen.failed = true;
    }
}

/// Finds a button by its custom id or, if there is none, by its label. Returns its custom id and its number.
fn find(rows: &[Value], button: &str) -> Result<(String, u64), PressError> {
    let cells: Vec<&Value> = rows.iter().filter_map(|row| row.get("components")?.as_array()).flatten().collect();
    let text = |cell: &Value, field: &str| cell.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let by = |field: &str| cells.iter().find(|cell| text(cell, field) == button && cell.get("custom_id").is_some());
    let cell = by("custom_id").or_else(|| by("label")).ok_or_else(|| {
        PressError::NoButton(button.to_owned(), cells.iter().map(|cell| text(cell, "label")).collect())
    })?;
    match cell.get("disabled").and_then(Value::as_bool) {
        Some(true) => Err(PressError::Disabled(button.to_owned())),
        _ => Ok((text(cell, "custom_id"), cell.get("id").and_then(Value::as_u64).unwrap_or(0))),
    }
}
