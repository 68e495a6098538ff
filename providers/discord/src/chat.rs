//! Channels, people and their ids.

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::manifest::{CHANNEL, PERSON};

/// Opens a chat. A channel needs no request and has no owner; a direct message channel is configured by its person.
pub(crate) fn open(api: Api<'_>, chat: &Chat) -> Result<OpenChat> {
    OpenChat::of(chat, checked(chat)?, |person| {
        let channel = api.send_json(Method::Post, "/users/@me/channels", &json!({ "recipient_id": person }))?;
        Ok(channel.need("id", "a direct message channel without id")?.to_owned())
    })
}

/// Returns a reference to a message.
pub(crate) fn reference(message: &Value) -> Option<MessageRef> {
    let (chat, id) = (message.text("channel_id")?, message.text("id")?);
    Some(MessageRef::new(chat, id, id.parse().ok()?))
}

/// Returns a user (docs/resources/user#user-object), with the name that people see.
pub(crate) fn user(user: &Value) -> Option<User> {
    let name = user.text("global_name").or_else(|| user.text("username"))?;
    let is_bot = user.flag("bot") || user.flag("system");
    Some(User { id: user.text("id")?.to_owned(), name: name.to_owned(), is_bot })
}

/// Returns the id of a chat without blanks around it. It is a snowflake: a decimal number of 64 bits (docs/reference#snowflakes).
fn checked(chat: &Chat) -> Result<String> {
    let (Chat::Room(id) | Chat::Person(id)) = chat;
    let setting = if matches!(chat, Chat::Room(_)) { CHANNEL } else { PERSON };
    let expected = "an id of 17 to 20 digits (in Discord: settings, advanced, developer mode; then copy the id)";
    let is_number = |id: &str| id.parse::<u64>().is_ok_and(|number| number > 0);
    settings::id(id, setting, expected, |id| id.bytes().all(|byte| byte.is_ascii_digit()) && is_number(id))
}
