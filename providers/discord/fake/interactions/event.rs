//! `INTERACTION_CREATE`:
//! <https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object>.

use crate::discord::fields::{id as text, set};
use crate::discord::json;
use crate::discord::modal::Modal;
use crate::discord::model::Permissions;
use crate::discord::world::{ChannelKind, World};
use serde_json::{Value, json};

/// The maximum size in bytes of a file in a response.
const ATTACHMENT: u64 = 10 << 20;
const STRING: u64 = 3;
const ATTACHMENT_OPTION: u64 = 11;
const APPLICATION_COMMAND: u64 = 2;
const MESSAGE_COMPONENT: u64 = 3;
const MODAL_SUBMIT: u64 = 5;

/// Returns the event of a press.
pub(super) fn press_event(world: &World, id: u64, component: u64) -> Value {
    let custom_id = world.interactions.records.get(&id).map(|record| record.seen.custom_id.clone());
    let data = json!({"id": component, "custom_id": custom_id, "component_type": 2});
    event(world, id, MESSAGE_COMPONENT, data)
}

/// Returns the event of a command.
pub(super) fn command_event(world: &World, id: u64, command: &Value, typed: &str, file: Option<&Value>) -> Value {
    let known = command["options"].as_array().cloned().unwrap_or_default();
    let option = |kind: u64, value: &Value| {
        let known = known.iter().find(|option| option["type"] == kind)?;
        Some(json!({"name": known["name"], "type": kind, "value": value}))
    };
    let text = (!typed.is_empty()).then(|| option(STRING, &json!(typed))).flatten();
    let upload = file.and_then(|file| option(ATTACHMENT_OPTION, &file["id"]));
    let options: Vec<Value> = text.into_iter().chain(upload).collect();
    let mut data = json!({"id": command["id"], "name": command["name"], "type": 1, "options": options});
    let attachments = file.and_then(|file| Some(json!({ "attachments": { file["id"].as_str()?: file } })));
    set(&mut data, "resolved", attachments);
    event(world, id, APPLICATION_COMMAND, data)
}

/// Returns the event of a submitted modal.
pub(super) fn submit_event(world: &World, id: u64, modal: &Modal) -> Value {
    let typed = world.interactions.records.get(&id).map(|record| record.seen.fields.clone()).unwrap_or_default();
    let rows = modal.fields.iter().zip(typed).enumerate().map(|(index, (field, (custom_id, value)))| {
        let input = json!({"type": 4, "id": 2 * index + 2, "custom_id": custom_id, "value": value});
        match field.in_label {
            true => json!({"type": 18, "id": 2 * index + 1, "component": input}),
            false => json!({"type": 1, "id": 2 * index + 1, "components": [input]}),
        }
    });
    let data = json!({"custom_id": modal.custom_id, "components": rows.collect::<Vec<_>>()});
    event(world, id, MODAL_SUBMIT, data)
}

fn event(world: &World, id: u64, kind: u64, data: Value) -> Value {
    let Some(record) = world.interactions.records.get(&id) else { return Value::Null };
    let seen = &record.seen;
    let channel = world.channels.get(&seen.channel);
    let permissions = channel.map_or(Permissions::NONE, super::super::world::Channel::permissions);
    let mut event = json!({
        "id": text(id),
        "application_id": text(world.bot.id),
        "type": kind,
        "token": record.token,
        "version": 1,
        "data": data,
        "channel_id": text(seen.channel),
        "locale": "ko",
        "app_permissions": permissions.0.to_string(),
        "entitlements": [],
        "attachment_size_limit": ATTACHMENT,
    });
    if let Some(channel) = channel {
        let mut channel = json::channel(world, channel);
        channel.as_object_mut().map(|fields| fields.remove("permission_overwrites"));
        set(&mut channel, "permissions", Some(Permissions::USUAL.0.to_string()));
        set(&mut event, "channel", Some(channel));
    }
    if let Some(message) = world.any_message(seen.message) {
        set(&mut event, "message", Some(json::message(world, message)));
    }
    match channel.map(|channel| &channel.kind) {
        Some(ChannelKind::Text { guild, .. } | ChannelKind::Thread { guild, .. }) => {
            let mut member = json::member(&seen.user, &[]);
            set(&mut member, "permissions", Some(Permissions::USUAL.0.to_string()));
            set(&mut event, "member", Some(member));
            set(&mut event, "guild_id", Some(text(*guild)));
            set(&mut event, "guild", Some(json!({"id": text(*guild), "locale": "en-US", "features": []})));
            set(&mut event, "guild_locale", Some("en-US"));
            set(&mut event, "context", Some(0));
            set(&mut event, "authorizing_integration_owners", Some(json!({"0": text(*guild)})));
        }
        _ => {
            set(&mut event, "user", Some(json::user(&seen.user)));
            set(&mut event, "context", Some(1));
            set(&mut event, "authorizing_integration_owners", Some(json!({"0": "0"})));
        }
    }
    event
}
