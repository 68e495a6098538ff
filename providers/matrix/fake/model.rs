use bytes::Bytes;
use serde_json::{Value, json};

/// An account on some homeserver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id of the account has the form `@name:server`.
    pub id: String,
    /// The name that people see.
    pub name: String,
}

/// An event of a room.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) room: String,
    pub(crate) kind: String,
    pub(crate) sender: String,
    /// The key of a state; none for other events.
    pub(crate) state_key: Option<String>,
    /// Empty once it was redacted.
    pub(crate) content: Value,
    pub(crate) at: u64,
    /// The redaction, once there was one.
    pub(crate) redacted: Option<Value>,
}

/// A message as a client shows it.
#[derive(Clone, Debug)]
pub struct Message {
    /// The id of its event.
    pub id: String,
    /// The id of its sender.
    pub sender: String,
    /// The time of its event, in milliseconds, which no other event has.
    pub at: u64,
    /// Its contents, the first one first; there is one more for each edit.
    pub contents: Vec<Value>,
    /// Its reactions: who added which.
    pub reactions: Vec<(String, String)>,
    /// The file that it is, with its name.
    pub file: Option<(String, Bytes)>,
    /// The message that it answers, if that is still there.
    pub reply_to: Option<String>,
    /// Whether it was redacted.
    pub deleted: bool,
}

impl Event {
    /// Returns how it relates to another event.
    pub(crate) fn relation(&self) -> &Value {
        &self.content["m.relates_to"]
    }

    /// Returns the event as clients get it.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = json!({
            "event_id": self.id, "room_id": self.room, "type": self.kind, "sender": self.sender, "content": self.content,
            "origin_server_ts": self.at, "unsigned": { "age": 1 },
        });
        if let Some(key) = &self.state_key {
            shown["state_key"] = key.as_str().into();
        }
        if let Some(redacts) = self.content.get("redacts") {
            // For clients of rooms before version 11.
            shown["redacts"] = redacts.clone();
        }
        if let Some(redaction) = &self.redacted {
            shown["unsigned"]["redacted_because"] = redaction.clone();
        }
        shown
    }
}

impl Message {
    /// Returns what is shown now.
    pub fn now(&self) -> &Value {
        self.contents.last().unwrap_or(&Value::Null)
    }

    /// Returns the reactions of somebody.
    pub fn reactions_of(&self, user: &str) -> Vec<String> {
        self.reactions.iter().filter(|(who, _)| who == user).map(|(_, key)| key.clone()).collect()
    }
}
