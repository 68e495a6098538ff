//! Reads messages as texts and files.
//!
//! The host compares the place of a text with that of a prompt. The time of an event is that of its sender's homeserver,
//! whose clock may be wrong, so the order of the room's events corrects it.

use std::collections::BTreeMap;

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::without_quote;

use crate::api::{is_event_id, parameter, path, relation, sequence};
use crate::limits::{BATCH, PAGE, PAGES};

/// The kinds of events that are read beyond a sync. Reactions are not.
const TYPES: [&str; 2] = ["m.room.message", "m.room.encrypted"];

/// Returns the texts of a watched room of a sync, with those of the gap before it if a prompt waits for one. A prompt that is being
/// posted is not watched yet, and may be answered already. The users have no names yet.
pub(crate) fn read(api: Api<'_>, room: &str, timeline: &Value, watching: &[Watch], since: &str) -> Result<Vec<Said>> {
    let me = api.me()?;
    if !watching.has_chat(room) {
        return Ok(Vec::new());
    }
    let prompts = watching.iter().filter(|watch| watch.text && watch.message.chat == room);
    let prompts = prompts.map(|watch| (watch.message.id.as_str(), watch.message.sequence)).collect::<BTreeMap<_, _>>();
    let mut events = timeline.items("events").to_vec();
    if let Some(from) = timeline.text("prev_batch").filter(|_| timeline.flag("limited") && !prompts.is_empty()) {
        match gap(api, room, from, since, &prompts) {
            // Each call would come to the same gap again, and nobody would be heard any more.
            Err(error) if !error.is_passing() => api.warn("what was written in a gap cannot be read", &error),
            found => drop(events.splice(..0, found?)),
        }
    }
    // Where the prompts are among the events. Those that are not were posted before all of them.
    let position = |prompt: &str| events.iter().position(|event| event.text("event_id") == Some(prompt));
    let posted = prompts.iter().map(|(prompt, place)| (position(prompt), *place)).collect::<Vec<_>>();
    let mut said = Vec::new();
    for (at, event) in events.iter().enumerate().filter(|(_, event)| event.text("sender") != Some(me)) {
        let Some(mut text) = said_by(event, room, &prompts) else { continue };
        let (before, after) = posted.iter().partition::<Vec<_>, _>(|(position, _)| *position < Some(at));
        let least = before.iter().map(|(_, place)| place + 1).max().unwrap_or_default();
        let most = after.iter().map(|(_, place)| place.saturating_sub(1)).min().unwrap_or(u64::MAX);
        text.message.sequence = text.message.sequence.max(least).min(most);
        said.push(text);
    }
    if said.len() > BATCH {
        api.log(Level::Warn, "more was written than is read: the first messages are left out");
        said.drain(..said.len() - BATCH);
    }
    Ok(said)
}

/// Returns the events between the cursor, or the first prompt, and what the sync brought, in their order.
fn gap(api: Api<'_>, room: &str, from: &str, since: &str, prompts: &BTreeMap<&str, u64>) -> Result<Vec<Value>> {
    let (filter, to) = (percent_encode(&json!({ "types": TYPES }).to_string()), parameter("to", since));
    let path = format!("{}?dir=b&limit={PAGE}&filter={filter}{to}", path(room, &["messages"]));
    let (mut events, mut from) = (Vec::new(), from.to_owned());
    for _ in 0..PAGES {
        let page = api.get(&format!("{path}&from={}", percent_encode(&from)))?;
        let found = page.items("chunk");
        events.extend(found.iter().cloned());
        let is_prompt = |event: &Value| event.text("event_id").is_some_and(|id| prompts.contains_key(id));
        match page.text("end") {
            Some(end) if !found.is_empty() && !found.iter().any(is_prompt) => end.clone_into(&mut from),
            _ => break,
        }
    }
    events.reverse();
    Ok(events)
}

/// Returns what a person wrote or sent: no edits, and of threads only the one below a prompt.
fn said_by(event: &Value, room: &str, prompts: &BTreeMap<&str, u64>) -> Option<Said> {
    let (kind, content, relation) = (event.text("type")?, event.get("content")?, relation(event));
    let reference = |id: &str| MessageRef::new(room, id, prompts.get(id).copied().unwrap_or_default());
    let answered = match relation.text("rel_type") {
        None => relation.inner("m.in_reply_to").text("event_id").filter(|id| is_event_id(id)),
        Some("m.thread") => Some(relation.text("event_id").filter(|root| prompts.contains_key(root))?),
        Some(_) => return None,
    };
    let (text, file) = match kind {
        "m.room.message" => (words(content, answered.is_some()), file(content)),
        // Somebody wrote, but it cannot be read.
        "m.room.encrypted" => (Some(String::new()), None),
        _ => return None,
    };
    // A file can come without words.
    let text = text.or_else(|| file.is_some().then(String::new))?;
    let is_bot = content.text("msgtype") == Some("m.notice");
    let user = User { id: event.text("sender")?.to_owned(), name: String::new(), is_bot };
    let message = MessageRef::new(room, event.text("event_id")?, sequence(event)?);
    Some(Said { message, reply_to: answered.map(reference), user, text, files: file.into_iter().collect() })
}

/// Returns the words of a message. Those of a file are its caption, which differs from its name
/// (<https://spec.matrix.org/v1.16/client-server-api/#media-captions>).
pub(crate) fn words(content: &Value, is_reply: bool) -> Option<String> {
    let body = content.text("body")?;
    let is_words = ["m.text", "m.notice", "m.emote"].contains(&content.text("msgtype")?);
    let is_caption = file_kind(content).and(content.text("filename")).is_some_and(|name| name != body);
    // Until version 1.13 of the specification, clients put the message that they reply to before a reply.
    let said = if is_reply { without_quote(body) } else { body };
    Some(said.to_owned()).filter(|said| (is_words || is_caption) && !said.is_empty())
}

/// Returns the file of a message (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>). One in an encrypted room
/// has no address here.
fn file(content: &Value) -> Option<SentFile> {
    let kind = file_kind(content)?;
    let name = content.text("filename").or(content.text("body")).unwrap_or(kind);
    let size = content.inner("info").count("size");
    SentFile::new(content.text("url")?.strip_prefix("mxc://")?, name, size)
}

/// Returns what kind of file a message is.
fn file_kind(content: &Value) -> Option<&str> {
    let kind = content.text("msgtype")?.strip_prefix("m.")?;
    ["file", "image", "audio", "video"].contains(&kind).then_some(kind)
}
