//! Channels, people and their ids.

use dmplz_provider_sdk::http::Api;
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Chat, MessageRef, OpenChat, Result, User, settings};

use crate::api;

/// Opens a chat. A channel needs no request and has no owner; a direct message is configured by its person.
pub(crate) fn open(api: Api<'_>, chat: Chat) -> Result<OpenChat> {
    match chat {
        Chat::Room(id) => Ok(OpenChat { id: checked(&id, "channel-id", &['C', 'G', 'D'])?, owner: None }),
        Chat::Person(id) => {
            let person = checked(&id, "dm-user-id", &['U', 'W'])?;
            let opened = api::call(api, "conversations.open", &json!({ "users": person }))?;
            let id = opened.inner("channel").need("id", "a direct message without id")?;
            Ok(OpenChat { id: id.to_owned(), owner: Some(person) })
        }
    }
}

/// Returns a reference to a message. Its id is the time of the message, in seconds with six decimals, which no other
/// message of the channel has.
pub(crate) fn reference(chat: &str, ts: &str) -> Option<MessageRef> {
    let (seconds, micros) = ts.split_once('.').filter(|(seconds, micros)| !seconds.is_empty() && micros.len() == 6)?;
    let digits = Some(format!("{seconds}{micros}")).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(MessageRef { chat: chat.to_owned(), id: ts.to_owned(), sequence: digits.parse().ok()? })
}

/// Returns the user of an interaction. Only people can press, not apps.
pub(crate) fn user(user: &Value) -> Option<User> {
    let id = user.text("id")?;
    let name = user.text("name").or_else(|| user.text("username")).unwrap_or(id);
    Some(User { id: id.to_owned(), name: name.to_owned(), is_bot: false })
}

fn checked(id: &str, setting: &str, kinds: &[char]) -> Result<String> {
    let expected = match kinds {
        ['U', ..] => "a member id such as U012AB3CD (in Slack: the profile, then the three dots, then Copy member ID)",
        _ => "a channel id such as C012AB3CD (in Slack: the channel's name, then About, at the bottom)",
    };
    let is_letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    settings::id(id, setting, expected, |id| {
        id.starts_with(kinds) && (9..=32).contains(&id.len()) && id.bytes().all(is_letter)
    })
}
