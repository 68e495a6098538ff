//! The methods of the Web API that an app of cards needs (<https://docs.slack.dev/reference/methods>).

use super::kit;
use super::model::{Revision, User};
use super::refusal::Refusal;
use super::sockets::APP;
use super::world::{TRIGGER, Upload, Whisper, World};
use bytes::Bytes;
use serde_json::{Map, Value, json};

/// Characters of a message's text: Slack cuts longer ones off (docs.slack.dev/reference/methods/chat.postMessage).
const TEXT: usize = 40_000;

/// The arguments of a call.
pub(crate) struct Ask {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) is_json: bool,
}

/// The token that a method wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Bot,
    App,
}

/// A method of the Web API.
pub(crate) struct ApiMethod {
    pub(crate) name: &'static str,
    pub(crate) token: Token,
    pub(crate) scope: Option<&'static str>,
    pub(crate) takes_json: bool,
    pub(crate) arguments: &'static [&'static str],
    pub(crate) handler: fn(&mut World, &Ask) -> Result<Value, Refusal>,
}

const fn method(
    name: &'static str,
    scope: Option<&'static str>,
    takes_json: bool,
    arguments: &'static [&'static str],
    handler: fn(&mut World, &Ask) -> Result<Value, Refusal>,
) -> ApiMethod {
    ApiMethod { name, token: Token::Bot, scope, takes_json, arguments, handler }
}

pub(crate) const METHODS: [ApiMethod; 11] = [
    method("auth.test", None, true, &[], auth_test),
    method(
        "chat.postMessage",
        Some("chat:write"),
        true,
        &[
            "channel", "text", "blocks", "thread_ts", "reply_broadcast", "unfurl_links", "unfurl_media", "parse",
            "link_names", "mrkdwn", "metadata",
        ],
        post_message,
    ),
    method(
        "chat.update",
        Some("chat:write"),
        true,
        &["channel", "ts", "text", "blocks", "parse", "link_names", "reply_broadcast", "metadata"],
        update,
    ),
    method(
        "chat.postEphemeral",
        Some("chat:write"),
        true,
        &["channel", "user", "text", "blocks", "thread_ts", "parse", "link_names"],
        post_ephemeral,
    ),
    method("views.open", None, true, &["trigger_id", "view", "interactivity_pointer"], views_open),
    method("conversations.open", Some("im:write"), true, &["users", "channel", "return_im", "prevent_creation"], open),
    method(
        "conversations.info",
        Some("channels:read"),
        false,
        &["channel", "include_locale", "include_num_members"],
        info,
    ),
    method("users.info", Some("users:read"), false, &["user", "include_locale"], user_info),
    method(
        "files.getUploadURLExternal",
        Some("files:write"),
        false,
        &["filename", "length", "alt_txt", "snippet_type"],
        upload_url,
    ),
    method(
        "files.completeUploadExternal",
        Some("files:write"),
        true,
        &["files", "channel_id", "initial_comment", "thread_ts", "channels", "blocks"],
        complete_upload,
    ),
    ApiMethod {
        name: "apps.connections.open",
        token: Token::App,
        scope: None,
        takes_json: true,
        arguments: &[],
        handler: connections_open,
    },
];

impl Ask {
    pub(crate) fn text(&self, name: &str) -> String {
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// An argument that is JSON, or a string that holds JSON.
    fn json(&self, name: &str) -> Option<Value> {
        match self.arguments.get(name)? {
            Value::String(text) => serde_json::from_str(text).ok(),
            Value::Null => None,
            value => Some(value.clone()),
        }
    }

    /// The text and the blocks of a message.
    fn said(&self) -> Result<Revision, Refusal> {
        let text = self.text("text");
        if text.chars().count() > TEXT {
            return Err(Refusal::new("msg_too_long"));
        }
        let blocks = match self.json("blocks") {
            Some(Value::Array(blocks)) => blocks,
            None if self.arguments.get("blocks").is_none_or(Value::is_null) => Vec::new(),
            _ => return Err(Refusal::of("invalid_blocks", &["must be an array".to_owned()])),
        };
        if text.trim().is_empty() && blocks.is_empty() {
            return Err(Refusal::new("no_text"));
        }
        match kit::message(&blocks) {
            Some((error, errors)) if errors.is_empty() => Err(Refusal::new(error)),
            Some((error, errors)) => Err(Refusal::of(error, &errors)),
            None => Ok(Revision { text, blocks }),
        }
    }
}

fn auth_test(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    let User { id, name, .. } = &world.bot;
    Ok(json!({
        "ok": true, "url": "https://office.slack.com/", "team": "office", "user": name, "team_id": "T0DMPLZTM", "user_id": id,
        "bot_id": "B0DMPLZBT", "is_enterprise_install": false,
    }))
}

/// A channel that the app may write to.
fn joined(world: &World, ask: &Ask) -> Result<String, Refusal> {
    let id = ask.text("channel");
    match world.channels.get(&id) {
        None => Err(Refusal::new("channel_not_found")),
        Some(channel) if !channel.is_member => Err(Refusal::new("not_in_channel")),
        Some(_) => Ok(id),
    }
}

fn post_message(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = joined(world, ask)?;
    let said = ask.said()?;
    let thread = Some(ask.text("thread_ts")).filter(|thread| !thread.is_empty());
    if let Some(thread) = &thread {
        let root = world.find(&channel, thread).ok_or_else(|| Refusal::new("thread_not_found"))?;
        if root.thread_ts.is_some() {
            return Err(Refusal::of("invalid_arguments", &["thread_ts is a reply, not its parent".to_owned()]));
        }
    }
    let unfurls = ["unfurl_links", "unfurl_media"].iter().any(|name| ask.arguments.get(*name) != Some(&false.into()));
    let (bot, text) = (world.bot.clone(), said.text.clone());
    let ts = world.write(&channel, &bot, said, thread);
    if let Some(message) = world.find(&channel, &ts) {
        message.unfurls = unfurls;
    }
    let message = json!({ "type": "message", "user": bot.id, "bot_id": "B0DMPLZBT", "ts": ts, "text": text });
    Ok(json!({ "ok": true, "channel": channel, "ts": ts, "message": message }))
}

fn update(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = joined(world, ask)?;
    let (said, ts, bot) = (ask.said()?, ask.text("ts"), world.bot.id.clone());
    let message = world.find(&channel, &ts).ok_or_else(|| Refusal::new("message_not_found"))?;
    if message.user.id != bot {
        return Err(Refusal::new("cant_update_message"));
    }
    let text = said.text.clone();
    message.revisions.push(said);
    Ok(json!({ "ok": true, "channel": channel, "ts": ts, "text": text, "message": { "text": text, "user": bot } }))
}

fn post_ephemeral(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = joined(world, ask)?;
    let (said, user) = (ask.said()?, ask.text("user"));
    let is_there = world.channels.get(&channel).is_some_and(|channel| !channel.left.contains(&user));
    if !is_there || !world.users.contains_key(&user) {
        return Err(Refusal::new("user_not_in_channel"));
    }
    world.whispers.push(Whisper { channel, user, said });
    Ok(json!({ "ok": true, "message_ts": world.ts() }))
}

fn views_open(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let view = ask.json("view").ok_or_else(|| Refusal::of("invalid_arguments", &["missing: view".to_owned()]))?;
    let errors = kit::modal(&view);
    if !errors.is_empty() {
        return Err(Refusal::of("invalid_arguments", &errors));
    }
    let trigger = ask.text("trigger_id");
    let press = world.presses.values_mut().find(|press| press.trigger.0 == trigger);
    let press = press.ok_or_else(|| Refusal::new("invalid_trigger_id"))?;
    if press.trigger.1.elapsed() > TRIGGER {
        return Err(Refusal::new("expired_trigger_id"));
    }
    if press.modal.is_some() {
        return Err(Refusal::new("exchanged_trigger_id"));
    }
    press.modal = Some(view.clone());
    Ok(json!({ "ok": true, "view": view }))
}

fn open(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let user = ask.text("users");
    if world.users.get(&user).is_none_or(|user| user.is_bot) {
        return Err(Refusal::new("user_not_found"));
    }
    Ok(json!({ "ok": true, "channel": { "id": world.dm(&user) } }))
}

fn info(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let id = ask.text("channel");
    let channel = world.channels.get(&id).ok_or_else(|| Refusal::new("channel_not_found"))?;
    let is_im = channel.with.is_some();
    Ok(json!({ "ok": true, "channel": {
        "id": id, "name": channel.name, "is_channel": !is_im, "is_im": is_im, "is_archived": false,
        "is_member": channel.is_member && !is_im, "user": channel.with,
    } }))
}

fn user_info(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let user = world.users.get(&ask.text("user")).ok_or_else(|| Refusal::new("user_not_found"))?;
    Ok(json!({ "ok": true, "user": {
        "id": user.id, "name": user.name.to_lowercase(), "real_name": user.name, "is_bot": user.is_bot,
        "profile": { "display_name": user.name, "real_name": user.name },
    } }))
}

fn upload_url(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (name, length) = (ask.text("filename"), ask.text("length").parse().unwrap_or_default());
    if name.is_empty() || length == 0 {
        return Err(Refusal::of("invalid_arguments", &["filename and length are required".to_owned()]));
    }
    let id = format!("F{:09}", world.next());
    world.uploads.insert(id.clone(), Upload { name, length, bytes: None });
    Ok(json!({ "ok": true, "upload_url": format!("http://{}/upload/v1/{id}", world.address), "file_id": id }))
}

/// Takes the bytes of a file.
pub(crate) fn upload(world: &mut World, id: &str, bytes: Bytes) -> Result<(), Refusal> {
    let upload = world.uploads.get_mut(id).ok_or_else(|| Refusal::new("file_not_found"))?;
    if upload.length != bytes.len() {
        return Err(Refusal::new("invalid_length"));
    }
    upload.bytes = Some(bytes);
    Ok(())
}

fn complete_upload(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = ask.text("channel_id");
    if !world.channels.get(&channel).is_some_and(|channel| channel.is_member) {
        return Err(Refusal::new("channel_not_found"));
    }
    let listed = ask.json("files").and_then(|files| files.as_array().cloned()).unwrap_or_default();
    let mut files = Vec::new();
    for file in &listed {
        let id = file["id"].as_str().unwrap_or_default();
        let upload = world.uploads.remove(id).ok_or_else(|| Refusal::new("file_not_found"))?;
        let bytes = upload.bytes.ok_or_else(|| Refusal::new("file_not_found"))?;
        files.push((file["title"].as_str().map_or(upload.name, str::to_owned), bytes));
    }
    let bot = world.bot.clone();
    let ts = world.write(&channel, &bot, Revision::default(), None);
    if let Some(message) = world.find(&channel, &ts) {
        message.files = files;
    }
    Ok(json!({ "ok": true, "files": listed }))
}

fn connections_open(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    let ticket = format!("ticket-{}", world.next());
    let url = format!("ws://{}/link/?ticket={ticket}&app_id={APP}", world.address);
    world.sockets.tickets.insert(ticket);
    Ok(json!({ "ok": true, "url": url }))
}
