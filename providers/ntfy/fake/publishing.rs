//! Parses published messages as the server does.

use super::model::{Action, Published};
use super::refusal::Refusal;
use bytes::Bytes;
use serde_json::Value;

/// The limits of <https://docs.ntfy.sh/publish/#limitations>.
pub(crate) const MESSAGE: usize = 4096;
const TITLE: usize = 1024;
const ACTIONS: usize = 3;
const ATTACHMENT: usize = 2 << 20;
/// The maximum size of a JSON body: twice that of a message (`transformBodyJSON` of the server).
const JSON: usize = 2 * MESSAGE;

/// The fields of <https://docs.ntfy.sh/publish/#publish-as-json> that this fake supports.
const FIELDS: [&str; 7] = ["topic", "message", "title", "priority", "actions", "click", "sequence_id"];
const ACTION_FIELDS: [&str; 6] = ["action", "label", "url", "method", "body", "clear"];

/// Returns whether a name is a valid topic: `[-_A-Za-z0-9]{1,64}`.
pub(crate) fn is_topic(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(letter)
}

/// Parses a message that is published as JSON. Returns also what the server would silently change.
pub(crate) fn read(body: &[u8]) -> (Result<Published, Refusal>, Vec<String>) {
    let mut odd = Vec::new();
    (published(body, &mut odd), odd)
}

fn published(body: &[u8], odd: &mut Vec<String>) -> Result<Published, Refusal> {
    if body.len() > JSON {
        return Err(Refusal::new(413, 41303, "JSON body too large"));
    }
    let bad_json = || Refusal::new(400, 40024, "invalid request: request body must be valid JSON");
    let json: Value = serde_json::from_slice(body).map_err(|_| bad_json())?;
    let fields = json.as_object().ok_or_else(bad_json)?;
    odd.extend(fields.keys().filter(|key| !FIELDS.contains(&key.as_str())).map(|key| format!("{key}: unknown field")));
    let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (topic, title, message) = (text("topic"), text("title"), text("message"));
    if !is_topic(&topic) {
        return Err(Refusal::new(400, 40009, "invalid request: topic invalid"));
    }
    if title.len() > TITLE {
        return Err(Refusal::new(400, 40057, "invalid request: title too long"));
    }
    let actions = json.get("actions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if actions.len() > ACTIONS {
        return Err(Refusal::new(400, 40018, "invalid request: actions invalid"));
    }
    // The server converts these fields to headers, in which it decodes encoded words.
    let headers = json.get("actions").map(Value::to_string).into_iter().chain([title.clone()]);
    odd.extend(headers.filter(|it| it.contains("=?")).map(|it| format!("an encoded word is decoded: {it}")));
    if title.trim() != title {
        odd.push("title: blanks at its ends are cut".to_owned());
    }
    if message.is_empty() {
        odd.push("message: an empty one says \"triggered\"".to_owned());
    }
    if message.len() > MESSAGE {
        odd.push(format!("message: {} bytes become a file", message.len()));
    }
    let sequence = Some(text("sequence_id")).filter(|sequence| !sequence.is_empty());
    if sequence.as_ref().is_some_and(|sequence| !is_topic(sequence)) {
        return Err(Refusal::new(400, 40049, "invalid request: sequence ID invalid"));
    }
    let actions = actions.iter().map(|it| action(it, odd)).collect();
    let priority = json.get("priority").and_then(Value::as_u64).unwrap_or(3);
    Ok(Published { title, message: message.trim().to_owned(), priority, actions, sequence, ..empty(&topic) })
}

/// Returns the message of a file that is published to a topic.
pub(crate) fn file(topic: &str, name: &str, bytes: Bytes) -> Result<Published, Refusal> {
    if bytes.len() > ATTACHMENT {
        return Err(Refusal::new(413, 41301, "attachment too large, or bandwidth limit reached"));
    }
    let message = format!("You received a file: {name}");
    Ok(Published { message, attachment: Some((name.to_owned(), bytes)), ..empty(topic) })
}

/// Returns an empty message of a person.
pub(crate) fn empty(topic: &str) -> Published {
    Published {
        id: String::new(),
        time: 0,
        topic: topic.to_owned(),
        sequence: None,
        title: String::new(),
        message: String::new(),
        priority: 3,
        actions: Vec::new(),
        attachment: None,
        by_bot: false,
    }
}

fn action(json: &Value, odd: &mut Vec<String>) -> Action {
    let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let unknown = json.as_object().into_iter().flat_map(|fields| fields.keys());
    odd.extend(
        unknown.filter(|key| !ACTION_FIELDS.contains(&key.as_str())).map(|key| format!("actions: {key}: unknown")),
    );
    let it = Action { label: text("label"), url: text("url"), body: text("body") };
    if text("action") != "http" || text("method") != "POST" || it.label.is_empty() || it.url.is_empty() {
        odd.push(format!("actions: {json} posts nothing"));
    }
    it
}
