//! Topics of a supergroup, or of a private chat (<https://core.telegram.org/bots/api#createforumtopic>).

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, Failure, incomplete};
use crate::{chat, diagnose};

/// Opens a topic. `None` if the chat has none: then nothing is created.
pub(crate) fn open(api: &Api, host: &dyn Host, chat: &OpenChat, name: &str) -> Result<Option<OpenChat>, Error> {
    let (chat_id, None) = chat::id(chat)? else { return Ok(None) };
    let has_topics = match &chat.owner {
        Some(_) => diagnose::bot(api, host)?.flag("has_topics_enabled"),
        None => api.call(host, "getChat", &json!({ "chat_id": chat_id }))?.flag("is_forum"),
    };
    if !has_topics {
        return Ok(None);
    }
    match api.call(host, "createForumTopic", &json!({ "chat_id": chat_id, "name": name })) {
        Err(Failure::Refused(refusal)) if refusal.is_no_forum() => Ok(None),
        result => {
            let topic = result?.int("message_thread_id").ok_or_else(|| incomplete("createForumTopic"))?;
            Ok(Some(chat::topic(chat, topic)))
        }
    }
}

/// Names a topic, and closes or reopens it. Topics of private chats cannot be closed.
pub(crate) fn set(api: &Api, host: &dyn Host, thread: &OpenChat, name: &str, closed: bool) -> Result<(), Error> {
    let (chat_id, Some(topic)) = chat::id(thread)? else { return Err(Error::NotFound) };
    let body = json!({ "chat_id": chat_id, "message_thread_id": topic });
    let named = json!({ "chat_id": chat_id, "message_thread_id": topic, "name": name });
    change(api, host, "editForumTopic", &named)?;
    match thread.owner {
        Some(_) => Ok(()),
        None => change(api, host, if closed { "closeForumTopic" } else { "reopenForumTopic" }, &body),
    }
}

fn change(api: &Api, host: &dyn Host, method: &str, body: &Value) -> Result<(), Error> {
    match api.call(host, method, body) {
        Err(Failure::Refused(refusal)) if refusal.is_topic_not_modified() => Ok(()),
        result => Ok(result.map(|_| ())?),
    }
}
