//! Updates as events.

use dmplz_provider_sdk::{Chosen, Event, Host, Level, Said, User, Watch};
use serde::Deserialize;
use serde_json::Value;

use crate::chat::reference;
use crate::keyboard::parse_payload;

/// What a reply to `getUpdates` brought.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) events: Vec<Event>,
    /// The id after the highest one; none when there was no update.
    pub(crate) next: Option<i64>,
}

/// Reads updates by their ids. One that cannot be read is left out and passed, because a bot that stops at an update
/// would never get beyond it. Presses are reported wherever they happened, texts only from watched chats.
pub(crate) fn read(host: &dyn Host, updates: Vec<Value>, watching: &[Watch]) -> Read {
    let mut numbered =
        updates.into_iter().filter_map(|update| Some((id_of(host, &update)?, update))).collect::<Vec<_>>();
    numbered.sort_by_key(|(id, _)| *id);
    let next = numbered.last().map(|(id, _)| id.saturating_add(1));
    let events = numbered.into_iter().filter_map(|(id, update)| event(host, id, update, watching)).collect();
    Read { events, next }
}

fn id_of(host: &dyn Host, update: &Value) -> Option<i64> {
    let id = update.get("update_id").and_then(Value::as_i64);
    if id.is_none() {
        host.log(Level::Warn, "passed an update without an id");
    }
    id
}

fn event(host: &dyn Host, id: i64, update: Value, watching: &[Watch]) -> Option<Event> {
    let update = match serde_json::from_value::<Update>(update) {
        Ok(update) => update,
        Err(error) => {
            host.log(Level::Warn, &format!("passed update {id}, which makes no sense: {error}"));
            return None;
        }
    };
    match update {
        Update { callback_query: Some(press), .. } => press.event(),
        Update { message: Some(message), .. } => message.event(watching),
        Update { .. } => None,
    }
}

/// <https://core.telegram.org/bots/api#update>. Kinds that nobody asked for have no field here.
#[derive(Deserialize)]
struct Update {
    callback_query: Option<CallbackQuery>,
    message: Option<Message>,
}

/// <https://core.telegram.org/bots/api#callbackquery>
#[derive(Deserialize)]
struct CallbackQuery {
    id: String,
    from: Account,
    /// Only its place is read, which a message that is no longer accessible has too.
    message: Option<Place>,
    data: Option<String>,
}

/// <https://core.telegram.org/bots/api#message>
#[derive(Deserialize)]
struct Message {
    #[serde(flatten)]
    place: Place,
    from: Option<Account>,
    sender_chat: Option<Value>,
    reply_to_message: Option<Place>,
    text: Option<String>,
    caption: Option<String>,
}

#[derive(Deserialize)]
struct Place {
    message_id: i64,
    chat: InChat,
}

#[derive(Deserialize)]
struct InChat {
    id: i64,
}

/// <https://core.telegram.org/bots/api#user>
#[derive(Deserialize)]
struct Account {
    id: i64,
    is_bot: bool,
    #[serde(default)]
    first_name: String,
    last_name: Option<String>,
    username: Option<String>,
}

impl CallbackQuery {
    fn event(self) -> Option<Event> {
        let data = self.data?;
        let (tag, choice) = parse_payload(&data)?;
        let message = self.message?;
        Some(Event::Chosen(Chosen {
            message: message.reference(),
            tag: Some(tag.to_owned()),
            choice: choice.to_owned(),
            user: self.from.user(),
            token: self.id,
        }))
    }
}

impl Message {
    fn event(self, watching: &[Watch]) -> Option<Event> {
        let message = self.place.reference();
        if !watching.iter().any(|watch| watch.message.chat == message.chat) {
            return None;
        }
        let mut user = self.from?.user();
        // In the name of a chat (an anonymous administrator, a linked channel): `from` is then a stand-in.
        user.is_bot |= self.sender_chat.is_some();
        let text = self.text.or(self.caption)?;
        Some(Event::Said(Said { message, reply_to: self.reply_to_message.map(|it| it.reference()), user, text }))
    }
}

impl Place {
    fn reference(&self) -> dmplz_provider_sdk::MessageRef {
        reference(self.chat.id, self.message_id)
    }
}

impl Account {
    fn user(self) -> User {
        let full = [Some(self.first_name), self.last_name].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let full = full.trim().to_owned();
        let name = if full.is_empty() { self.username.unwrap_or_default() } else { full };
        User { id: self.id.to_string(), name, is_bot: self.is_bot }
    }
}
