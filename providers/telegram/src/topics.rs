//! Topics of a supergroup, or of a private chat (<https://core.telegram.org/bots/api#createforumtopic>).

use dmplz_provider_sdk::prelude::*;

use crate::api::refusal::{NO_FORUM, TOPIC_NOT_MODIFIED, unless_said};
use crate::api::{self, incomplete};
use crate::{chat, diagnose};

/// Opens a topic. `None` if the chat has none: then nothing is created.
pub(crate) fn open(api: Api<'_>, chat: &OpenChat, name: &str) -> Result<Option<OpenChat>> {
    let (chat_id, None) = chat::id(chat)? else { return Ok(None) };
    let has_topics = match &chat.owner {
        Some(_) => diagnose::bot(api)?.flag("has_topics_enabled"),
        None => api::call(api, "getChat", &json!({ "chat_id": chat_id }))?.flag("is_forum"),
    };
    if !has_topics {
        return Ok(None);
    }
    let created = api::call(api, "createForumTopic", &json!({ "chat_id": chat_id, "name": name }));
    let Some(created) = unless_said(created, &NO_FORUM)? else { return Ok(None) };
    let topic = created.int("message_thread_id").ok_or_else(|| incomplete("createForumTopic"))?;
    Ok(Some(chat::topic(chat, topic)))
}

/// Names a topic, and closes or reopens it. Topics of private chats cannot be closed.
pub(crate) fn set(api: Api<'_>, thread: &OpenChat, name: &str, closed: bool) -> Result<()> {
    let (chat_id, Some(topic)) = chat::id(thread)? else { return Err(Error::NotFound) };
    let body = json!({ "chat_id": chat_id, "message_thread_id": topic });
    let named = json!({ "chat_id": chat_id, "message_thread_id": topic, "name": name });
    change(api, "editForumTopic", &named)?;
    match thread.owner {
        Some(_) => Ok(()),
        None => change(api, if closed { "closeForumTopic" } else { "reopenForumTopic" }, &body),
    }
}

fn change(api: Api<'_>, method: &str, body: &Value) -> Result<()> {
    Ok(unless_said(api::call(api, method, body), &TOPIC_NOT_MODIFIED).map(drop)?)
}
