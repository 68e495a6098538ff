//! Channels, people and their ids.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::without_mentions;

use crate::api;
use crate::manifest::{CHANNEL, PERSON};

/// What the settings of the chat should hold.
const CHANNEL_ID: &str = "a channel id such as C012AB3CD (in Slack: the channel's name, then About, at the bottom)";
const MEMBER_ID: &str =
    "a member id such as U012AB3CD (in Slack: the profile, then the three dots, then Copy member ID)";

/// Opens a chat. A channel needs no request and has no owner; a direct message is configured by its person.
pub(crate) fn open(api: Api<'_>, chat: &Chat) -> Result<OpenChat> {
    OpenChat::of(chat, checked(chat)?, |person| {
        let opened = api::call(api, "conversations.open", &json!({ "users": person }))?;
        Ok(opened.inner("channel").need("id", "a direct message without id")?.to_owned())
    })
}

/// Returns a reference to a message. Its id is the time of the message, in seconds with six decimals, which no other
/// message of the channel has.
pub(crate) fn reference(chat: &str, ts: &str) -> Option<MessageRef> {
    let (seconds, micros) = ts.split_once('.').filter(|(seconds, micros)| !seconds.is_empty() && micros.len() == 6)?;
    let digits = Some(format!("{seconds}{micros}")).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(MessageRef::new(chat, ts, digits.parse().ok()?))
}

/// Returns the user of an interaction. Only people can press, not apps.
pub(crate) fn user(user: &Value) -> Option<User> {
    let id = user.text("id")?;
    let name = user.text("name").or_else(|| user.text("username")).unwrap_or(id);
    Some(User { id: id.to_owned(), name: name.to_owned(), is_bot: false })
}

/// Returns the id of a chat without blanks around it.
pub(crate) fn checked(chat: &Chat) -> Result<String> {
    match chat {
        Chat::Room(id) => settings::id(id, CHANNEL, CHANNEL_ID, |id| id.starts_with(['C', 'G', 'D']) && is_id(id)),
        Chat::Person(id) => settings::id(id, PERSON, MEMBER_ID, |id| id.starts_with(['U', 'W']) && is_id(id)),
    }
}

fn is_id(id: &str) -> bool {
    (9..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Converts an event: a direct message (docs/reference/events/message.im), or a mention in a channel
/// (docs/reference/events/app_mention).
pub(crate) fn greeting(api: Api<'_>, payload: &Value) -> Option<Greeting> {
    let event = payload.get("event").filter(|event| event.text("subtype").is_none())?;
    let user = event.text("user")?;
    let code = without_mentions(event.text("text")?);
    let chat = match event.text("type") {
        Some("app_mention") => Chat::Room(event.text("channel")?.to_owned()),
        Some("message") if event.text("channel_type") == Some("im") => Chat::Person(user.to_owned()),
        _ => return None,
    };
    Some(Greeting { chat, user: person(api, user, event.text("bot_id").is_some()), code })
}

/// Returns who a user is. Without the scope `users:read` nobody has a name.
fn person(api: Api<'_>, id: &str, is_bot: bool) -> User {
    let found = api::ask(api, "users.info", &[("user", id)]);
    let found = found.inspect_err(|refusal| api.warn("a name is not known", &refusal.error)).unwrap_or_default();
    let user = found.inner("user");
    let names = [user.inner("profile").text("display_name"), user.text("real_name"), user.text("name")];
    User { is_bot: is_bot || user.flag("is_bot"), ..User::named(id, names) }
}
