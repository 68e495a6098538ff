use super::json;
use super::model::{Answer, MessageRef, User};
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use serde_json::{Value, json};

/// The maximum length of an answer's text in UTF-16 units.
const TOAST: usize = 200;

/// The reason why a press is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PressError {
    /// The message does not exist, or was deleted.
    #[error("there is no such message")]
    NoMessage,
    /// The message has no such button.
    #[error("the message has no button {0:?}, but {1:?}")]
    NoButton(String, Vec<String>),
}

/// Presses a button that the message shows now or, on an old screen, showed before. Returns the id of the callback
/// query.
pub(crate) fn press(
    world: &mut World,
    at: MessageRef,
    button: &str,
    user: &User,
    old_screen: bool,
) -> Result<String, PressError> {
    let message = world.message(at).filter(|message| old_screen || !message.deleted).ok_or(PressError::NoMessage)?;
    let seen = message.revisions.iter().rev().take(if old_screen { usize::MAX } else { 1 });
    let data = seen.filter_map(|revision| revision.button(button)).find_map(|button| button.data.clone());
    let data = data.ok_or_else(|| {
        let labels = message.keyboard().iter().flatten().map(|button| button.text.clone()).collect();
        PressError::NoButton(button.to_owned(), labels)
    })?;
    Ok(send_press(world, at, &data, user))
}

/// Sends a callback query with any data, whether or not a button has it. Returns its id.
pub(crate) fn send_press(world: &mut World, at: MessageRef, data: &str, user: &User) -> String {
    let id = world.new_press();
    let gone = || json!({"chat": world.chats.get(&at.chat).map(json::chat), "message_id": at.id, "date": 0});
    let shown = world.message(at).filter(|message| !message.deleted);
    let shown = shown.map_or_else(gone, |message| json::message(world, message));
    let query = json!({
        "id": id,
        "from": json::user(user),
        "message": shown,
        "chat_instance": at.chat.unsigned_abs().wrapping_mul(2_654_435_761).to_string(),
        "data": data,
    });
    world.updates.push("callback_query", query);
    id
}

pub(crate) fn answer(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let text = params.text("text");
    if text.encode_utf16().count() > TOAST {
        return Err(Refusal::bad_request("MESSAGE_TOO_LONG"));
    }
    let press = world.presses.get_mut(&params.text("callback_query_id")).filter(|press| press.fresh);
    let press = press
        .ok_or_else(|| Refusal::bad_request("query is too old and response timeout expired or query ID is invalid"))?;
    press.answer = Some(Answer { text, alert: params.truth("show_alert") });
    Ok(Value::Bool(true))
}
