//! Chat ids: a private chat has the id of its user, a group or channel has a negative one, and a public group or
//! channel may be written `@name`. A topic is a chat of its own here, `CHAT/TOPIC`, although the ids of messages count
//! in the whole chat.

use dmplz_provider_sdk::prelude::*;

use crate::api::{self, incomplete};

/// Opens a chat. Only a name requires a request: presses carry the numeric id, and a reference must contain the same
/// one.
pub(crate) fn open(api: Api<'_>, chat: Chat) -> Result<OpenChat> {
    let id = match target(&chat)? {
        Value::Number(id) => id.to_string(),
        name => {
            let found = api::call(api, "getChat", &json!({ "chat_id": name }))?;
            found.int("id").ok_or_else(|| incomplete("getChat"))?.to_string()
        }
    };
    let owner = is_private(&id).then(|| id.clone());
    let opened = OpenChat { id, owner };
    Ok(match configured_topic(&chat) {
        Some(id) => topic(&opened, id),
        None => opened,
    })
}

/// Returns the topic of a chat that is configured as `CHAT/TOPIC`.
fn configured_topic(chat: &Chat) -> Option<i64> {
    match chat {
        Chat::Room(id) => parts(id.trim())?.1,
        Chat::Person(_) => None,
    }
}

/// Returns the value of `chat_id`: a number, or `@name`.
pub(crate) fn target(chat: &Chat) -> Result<Value> {
    match chat {
        Chat::Room(id) if is_name(id.trim()) => Ok(json!(id.trim())),
        Chat::Room(id) => parts(id.trim()).map(|(id, _)| Value::from(id)).ok_or_else(bad_chat_id),
        Chat::Person(id) => number(id.trim()).filter(|number| *number > 0).map(Value::from).ok_or_else(bad_chat_id),
    }
}

/// Returns the numeric ids of the chat and the message in a reference that this provider created.
pub(crate) fn numbers(message: &MessageRef) -> Result<(i64, i64)> {
    let (chat, _) = parts(&message.chat).ok_or(Error::NotFound)?;
    Ok((chat, number(&message.id).ok_or(Error::NotFound)?))
}

/// Returns the numeric id of an open chat, and of the topic, if it is one.
pub(crate) fn id(chat: &OpenChat) -> Result<(i64, Option<i64>)> {
    parts(&chat.id).ok_or_else(bad_chat_id)
}

/// Returns a topic of a chat.
pub(crate) fn topic(chat: &OpenChat, topic: i64) -> OpenChat {
    OpenChat { id: format!("{}/{topic}", chat.id), owner: chat.owner.clone() }
}

/// Returns the reference of a message of the Bot API. An inaccessible message, which has no other fields, has one as
/// well.
pub(crate) fn place(message: &Value) -> Option<MessageRef> {
    let (chat, id) = (message.get("chat")?.int("id")?, message.int("message_id")?);
    let chat = match topic_of(message) {
        Some(topic) => format!("{chat}/{topic}"),
        None => chat.to_string(),
    };
    Some(MessageRef { chat, id: id.to_string(), sequence: u64::try_from(id).ok()? })
}

/// Returns the topic in which a message stands. A reply in a group without topics has a `message_thread_id` too.
pub(crate) fn topic_of(message: &Value) -> Option<i64> {
    message.int("message_thread_id").filter(|_| message.flag("is_topic_message"))
}

fn parts(id: &str) -> Option<(i64, Option<i64>)> {
    match id.split_once('/') {
        Some((chat, topic)) => Some((number(chat)?, Some(number(topic)?))),
        None => Some((number(id)?, None)),
    }
}

/// Returns whether a chat is one with a person.
pub(crate) fn is_private(id: &str) -> bool {
    !id.starts_with('-')
}

fn is_name(id: &str) -> bool {
    id.strip_prefix('@')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

fn number(id: &str) -> Option<i64> {
    id.parse().ok().filter(|number| *number != 0)
}

fn bad_chat_id() -> Error {
    let expected = "a chat's number such as 123456789 or -1001234567890, also with a topic (-1001234567890/7), or @name of a \
                    public group or channel";
    Error::bad_setting("chat-id", expected)
}
