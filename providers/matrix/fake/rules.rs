//! What the specification says about the content of events and about filters.

use super::world::World;
use serde_json::Value;

/// The tags that clients show (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>).
const TAGS: [&str; 31] = [
    "del", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "p", "a", "ul", "ol", "sup", "sub", "li", "b", "i", "u",
    "strong", "em", "s", "code", "hr", "br", "div", "table", "pre", "span", "img", "details", "summary",
];
const KINDS: [&str; 7] = ["m.text", "m.emote", "m.notice", "m.image", "m.file", "m.audio", "m.video"];
/// The fields of a filter, and those of its parts.
const FILTER: [&str; 5] = ["event_fields", "event_format", "presence", "account_data", "room"];
const ROOM_FILTER: [&str; 7] =
    ["not_rooms", "rooms", "ephemeral", "include_leave", "state", "timeline", "account_data"];
const EVENT_FILTER: [&str; 11] = [
    "limit", "not_senders", "not_types", "senders", "types", "not_rooms", "rooms", "contains_url",
    "include_redundant_members", "lazy_load_members", "unread_thread_notifications",
];

/// Returns what is wrong with an event that a client sends.
pub(crate) fn content(world: &World, room: &str, sender: &str, kind: &str, content: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut complain = |what: String| wrong.push(what);
    if kind == "m.room.message" {
        message(content, &mut complain);
        if world.state(room, "m.room.encryption", "").is_some() && content["m.relates_to"]["rel_type"] != "m.replace" {
            complain("a readable message in an encrypted room".to_owned());
        }
        if let Some(url) = content.get("url").and_then(Value::as_str)
            && !world.media.contains_key(url)
        {
            complain(format!("url: there is no file {url}"));
        }
    }
    let relation = &content["m.relates_to"];
    let target = relation["event_id"].as_str().map(|id| world.find(room, id));
    match relation["rel_type"].as_str() {
        Some("m.replace") => match target.flatten() {
            None => complain("m.replace: there is no such event".to_owned()),
            Some(event) => {
                if event.sender != sender || event.kind != kind || event.relation()["rel_type"] == "m.replace" {
                    complain("m.replace: not an event of this sender and type that is no edit".to_owned());
                }
                if event.redacted.is_some() {
                    complain("m.replace: of an event that was redacted".to_owned());
                }
                match content.get("m.new_content") {
                    Some(new) => {
                        message(new, &mut complain);
                        if new.get("m.relates_to").is_some() {
                            complain("m.new_content: with a relation".to_owned());
                        }
                    }
                    None => complain("m.replace: without m.new_content".to_owned()),
                }
            }
        },
        Some("m.annotation") if target.flatten().is_none() || relation["key"].as_str().is_none_or(str::is_empty) => {
            complain("m.annotation: without an event or a key".to_owned());
        }
        Some("m.annotation") if kind != "m.reaction" => complain("m.annotation: not of an m.reaction".to_owned()),
        _ => {}
    }
    if let Some(reply) = relation.get("m.in_reply_to")
        && reply["event_id"].as_str().and_then(|id| world.find(room, id)).is_none()
    {
        complain("m.in_reply_to: there is no such event".to_owned());
    }
    wrong
}

fn message(content: &Value, complain: &mut impl FnMut(String)) {
    if !content["body"].is_string() {
        complain("body: missing".to_owned());
    }
    if content["msgtype"].as_str().is_none_or(|kind| !KINDS.contains(&kind)) {
        complain(format!("msgtype: {}", content["msgtype"]));
    }
    if content.get("formatted_body").is_some() && content["format"] != "org.matrix.custom.html" {
        complain("format: not org.matrix.custom.html".to_owned());
    }
    if let Some(html) = content["formatted_body"].as_str() {
        html_of(html, complain);
    }
    let mentions = content["m.mentions"].as_object();
    for name in mentions.into_iter().flatten().map(|(name, _)| name) {
        if !["user_ids", "room"].contains(&name.as_str()) {
            complain(format!("m.mentions: {name}"));
        }
    }
    if content["msgtype"] == "m.file" && (content["url"].is_null() || content["info"]["mimetype"].is_null()) {
        complain("m.file: without url or info".to_owned());
    }
}

/// Checks that HTML has only tags that clients show, and that each is closed.
fn html_of(html: &str, complain: &mut impl FnMut(String)) {
    let mut open = Vec::new();
    for piece in html.split('<').skip(1) {
        let Some((tag, _)) = piece.split_once('>') else {
            complain(format!("formatted_body: a tag that does not end: {piece:?}"));
            return;
        };
        let (name, closes) = (tag.trim_start_matches('/'), tag.starts_with('/'));
        let name = name.split(' ').next().unwrap_or_default();
        if !TAGS.contains(&name) {
            complain(format!("formatted_body: <{tag}>"));
        } else if closes && open.pop() != Some(name) {
            complain(format!("formatted_body: <{tag}> was not open"));
        } else if !closes && !["br", "hr", "img"].contains(&name) {
            open.push(name);
        }
    }
    if !open.is_empty() {
        complain(format!("formatted_body: not closed: {open:?}"));
    }
}

/// Returns what is wrong with the filter of a sync.
pub(crate) fn filter(filter: &Value) -> Vec<String> {
    let mut wrong = unknown("filter", filter, &FILTER);
    wrong.extend(unknown("filter.room", &filter["room"], &ROOM_FILTER));
    for part in ["timeline", "state", "ephemeral", "account_data"] {
        wrong.extend(unknown(&format!("filter.room.{part}"), &filter["room"][part], &EVENT_FILTER));
    }
    for part in ["presence", "account_data"] {
        wrong.extend(unknown(&format!("filter.{part}"), &filter[part], &EVENT_FILTER));
    }
    wrong
}

/// Returns the fields of an object that are not known.
pub(crate) fn unknown(place: &str, object: &Value, known: &[&str]) -> Vec<String> {
    let names = object.as_object().into_iter().flatten().map(|(name, _)| name);
    names.filter(|name| !known.contains(&name.as_str())).map(|name| format!("{place}.{name}: unknown field")).collect()
}
