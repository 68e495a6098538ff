//! `POST /channels/{channel_id}/messages`: <https://discord.com/developers/docs/resources/message#create-message>.

use super::ask::Ask;
use super::components::{self, at_most, fits};
use super::embeds;
use super::json;
use super::mentions::Mentions;
use super::model::{Attachment, Message, MessageRef, Permissions, Revision, User};
use super::refusal::Refusal;
use super::world::{ChannelKind, World};
use http::StatusCode;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The maximum length of a bot's message in characters. The schema says 4000, which applies only to subscribers.
const CONTENT: usize = 2000;
/// The maximum size of a file in bytes, on a server without boosts.
const FILE: usize = 10 << 20;
/// The maximum number of files in a message.
const FILES: usize = 10;
/// The time for which a nonce is remembered. Discord says "the past few minutes".
const NONCE: Duration = Duration::from_secs(300);
/// The maximum length of a nonce in characters.
const NONCE_LENGTH: usize = 25;

pub(crate) fn create(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = world.channel_for_bot(ask)?;
    channel.need(Permissions::SEND_MESSAGES)?;
    if !ask.files.is_empty() {
        channel.need(Permissions::ATTACH_FILES)?;
    }
    if let ChannelKind::Dm(person) = channel.kind
        && world.unreachable.contains(&person)
    {
        return Err(Refusal::new(StatusCode::FORBIDDEN, 50007, "Cannot send messages to this user"));
    }
    let channel = channel.id;
    world.unarchive(channel);
    let nonce = nonce(ask)?;
    let key = nonce.as_ref().map(|nonce| (world.bot.id, nonce.to_string()));
    let enforced = ask.body.get("enforce_nonce").and_then(Value::as_bool).unwrap_or(false);
    if let Some((at, created)) = key.as_ref().filter(|_| enforced).and_then(|key| world.nonces.get(key))
        && created.elapsed() < NONCE
        && let Some(message) = world.message(*at).filter(|_| at.channel == channel)
    {
        // A message that was deleted is not posted anew (discord-api-docs#6647).
        return if message.deleted {
            Err(Refusal::unknown(10008, "Message"))
        } else {
            Ok(json::message(world, message))
        };
    }
    let shows = revised(world, ask, &Revision::default())?;
    let reply_to = answered(world, ask, channel)?;
    let mentions = Mentions::read(ask.body.get("allowed_mentions"))?;
    let bot = world.bot.clone();
    let at = post(world, channel, bot, reply_to, shows, &mentions);
    if let Some(key) = key {
        world.nonces.insert(key, (at, Instant::now()));
    }
    if let Some(message) = world.message_mut(at) {
        message.nonce = nonce;
        message.flags = ask.body.get("flags").and_then(Value::as_u64).unwrap_or(0);
    }
    world.tell_message("MESSAGE_CREATE", at);
    Ok(world.message(at).map_or(Value::Null, |message| json::message(world, message)))
}

/// Adds a message to an existing channel.
pub(crate) fn post(
    world: &mut World,
    channel: u64,
    author: User,
    reply_to: Option<u64>,
    shows: Revision,
    mentions: &Mentions,
) -> MessageRef {
    let id = world.ids.next();
    let answered = reply_to.and_then(|id| world.message(MessageRef { channel, id })).map(|message| message.author.id);
    let message = Message {
        channel,
        id,
        author,
        edited: None,
        reply_to,
        nonce: None,
        flags: 0,
        mentions: mentions.users(&shows.content, answered),
        mention_everyone: mentions.everyone(&shows.content),
        deleted: false,
        reactions: Vec::new(),
        revisions: vec![shows],
    };
    if let Some(channel) = world.channels.get_mut(&channel) {
        channel.messages.push(message);
    }
    MessageRef { channel, id }
}

/// Returns what a message shows after a request, whose body is applied to what it shows now. It is never nothing.
pub(crate) fn revised(world: &mut World, ask: &Ask, now: &Revision) -> Result<Revision, Refusal> {
    let shows = shown(ask, now.clone())?;
    let attachments = attachments(world, ask, &now.attachments)?;
    let shows = Revision { attachments, ..shows };
    match shows.content.trim().is_empty() && shows.embeds.is_empty() && shows.attachments.is_empty() {
        true => Err(Refusal::new(StatusCode::BAD_REQUEST, 50006, "Cannot send an empty message")),
        false => Ok(shows),
    }
}

/// Applies the body to what the message shows now, without its files.
fn shown(ask: &Ask, mut shows: Revision) -> Result<Revision, Refusal> {
    at_most(ask.body.get("content"), CONTENT, "content")?;
    match ask.body.get("content") {
        None => {}
        Some(Value::String(content)) => shows.content = content.trim().to_owned(),
        Some(Value::Null) => shows.content.clear(),
        Some(_) => {
            return Err(Refusal::field(&["content"], "BASE_TYPE_BAD_TYPE", "Could not interpret value as string."));
        }
    }
    match ask.body.get("embeds") {
        Some(Value::Array(embeds)) => {
            embeds::check(embeds)?;
            shows.embeds.clone_from(embeds);
        }
        Some(Value::Null) => shows.embeds.clear(),
        _ => {}
    }
    match ask.body.get("components") {
        Some(Value::Array(components)) => shows.components = components::read(components)?,
        Some(Value::Null) => shows.components.clear(),
        _ => {}
    }
    Ok(shows)
}

/// Returns the files of a message: those of `now` that the body still lists, and the uploaded ones.
fn attachments(world: &mut World, ask: &Ask, now: &[Attachment]) -> Result<Vec<Attachment>, Refusal> {
    let listed = ask.body.get("attachments").and_then(Value::as_array);
    let about = |id: &str| {
        listed.into_iter().flatten().find(|about| match about.get("id") {
            Some(Value::String(text)) => text == id,
            Some(Value::Number(number)) => number.as_u64().is_some_and(|number| id.parse() == Ok(number)),
            _ => false,
        })
    };
    let mut files: Vec<Attachment> = match listed {
        None => now.to_vec(),
        Some(_) => now.iter().filter(|file| about(&file.id.to_string()).is_some()).cloned().collect(),
    };
    for part in &ask.files {
        if part.bytes.len() > FILE {
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, 40005, "Request entity too large"));
        }
        let number = part.name.strip_prefix("files[").and_then(|name| name.strip_suffix(']')).unwrap_or_default();
        let text = |field: &str| about(number)?.get(field)?.as_str().map(str::to_owned);
        files.push(Attachment {
            id: world.ids.next(),
            filename: text("filename").or_else(|| part.file.clone()).unwrap_or_default(),
            content_type: part.mime.clone(),
            description: text("description"),
            bytes: part.bytes.clone(),
        });
    }
    fits(files.len(), FILES, "attachments")?;
    Ok(files)
}

fn nonce(ask: &Ask) -> Result<Option<Value>, Refusal> {
    match ask.body.get("nonce") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(nonce)) if nonce.chars().count() > NONCE_LENGTH => {
            let message = format!("Must be {NONCE_LENGTH} or fewer in length.");
            Err(Refusal::field(&["nonce"], "NONCE_TYPE_TOO_LONG", message))
        }
        Some(nonce) => Ok(Some(nonce.clone())),
    }
}

/// Returns the id of the message that a request replies to.
fn answered(world: &World, ask: &Ask, channel: u64) -> Result<Option<u64>, Refusal> {
    let Some(reference) = ask.body.get("message_reference").filter(|reference| !reference.is_null()) else {
        return Ok(None);
    };
    let id = reference.get("message_id").and_then(|id| id.as_str().and_then(|id| id.parse().ok()).or(id.as_u64()));
    let at = MessageRef { channel, id: id.unwrap_or(0) };
    let there = world.message(at).is_some_and(|message| !message.deleted);
    let strict = reference.get("fail_if_not_exists").and_then(Value::as_bool).unwrap_or(true);
    match (there, strict) {
        (true, _) => Ok(Some(at.id)),
        (false, false) => Ok(None),
        (false, true) => Err(Refusal::field(&["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message")),
    }
}
