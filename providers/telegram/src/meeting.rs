//! Pairs the bot with its user: a link opens the chat, and a press on Start sends `/start CODE`
//! (<https://core.telegram.org/bots/features#deep-linking>).

use dmplz_provider_sdk::prelude::*;

use crate::api::incomplete;
use crate::receive::poll;
use crate::{diagnose, updates};

/// The command that a press on Start sends.
const START: &str = "/start";

/// Returns the bot's name and link, and checks whether a webhook receives its events.
pub(crate) fn introduce(api: Api<'_>, code: &str) -> Result<Introduction> {
    let bot = diagnose::bot(api)?;
    let username = bot.text("username").ok_or_else(|| incomplete("getMe"))?;
    let introduction = Introduction::new(diagnose::identity(&bot)?, vec![diagnose::events(api)?], code);
    let link = Some(format!("https://t.me/{username}?start={code}"));
    Ok(Introduction { link, message: format!("{START} {code}"), ..introduction })
}

/// Waits for users who write to the bot.
pub(crate) fn meet(api: Api<'_>, cursor: &str, wait: u32) -> Result<Meeting> {
    let (found, cursor) = poll(api, cursor, wait)?;
    let greetings = found.iter().filter_map(|(_, update)| greeting(update.get("message")?)).collect();
    Ok(Meeting { greetings, cursor })
}

/// Returns the greeting in a message. In a private chat any text is one; in a group, where users talk to each other,
/// only the command.
fn greeting(message: &Value) -> Option<Greeting> {
    let text = message.text("text")?;
    let code = code(text).or_else(|| (message.get("chat")?.text("type") == Some("private")).then_some(text))?;
    let user = updates::author(message)?;
    Some(Greeting { chat: Chat::Room(message.get("chat")?.int("id")?.to_string()), user, code: code.to_owned() })
}

/// Returns the text after `/start`, which in groups is written `/start@name_of_the_bot`.
fn code(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(START)?;
    let (command, code) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (command.is_empty() || command.starts_with('@')).then_some(code.trim())
}
