use super::ask::Ask;
use super::json;
use super::model::{Message, MessageRef, Permissions, Reaction, User};
use super::refusal::Refusal;
use super::world::World;
use http::StatusCode;
use serde_json::Value;

/// The maximum number of different emoji on a message.
const EMOJI: usize = 20;
/// The default number of users in a list.
const PAGE: usize = 25;

pub(crate) fn add(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (channel, message) = world.message_for_bot(ask)?;
    let emoji = emoji(ask)?;
    channel.need(Permissions::READ_MESSAGE_HISTORY)?;
    if message.reacted(&emoji).is_empty() {
        channel.need(Permissions::ADD_REACTIONS)?;
        if message.reactions.len() >= EMOJI {
            let message = format!("Maximum number of reactions reached ({EMOJI})");
            return Err(Refusal::new(StatusCode::BAD_REQUEST, 30010, message));
        }
    }
    let (at, bot) = (MessageRef::from(message), world.bot.clone());
    change(world, at, |message| react(message, &emoji, &bot));
    world.tell_reaction("MESSAGE_REACTION_ADD", at, Some(&emoji), Some(bot.id));
    Ok(Value::Null)
}

pub(crate) fn remove_own(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (_, message) = world.message_for_bot(ask)?;
    let (at, bot, emoji) = (MessageRef::from(message), world.bot.id, emoji(ask)?);
    change(world, at, |message| unreact(message, &emoji, bot));
    world.tell_reaction("MESSAGE_REACTION_REMOVE", at, Some(&emoji), Some(bot));
    Ok(Value::Null)
}

pub(crate) fn remove(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (user, emoji) = (ask.id("user_id")?, emoji(ask)?);
    let at = if user == world.bot.id { MessageRef::from(world.message_for_bot(ask)?.1) } else { managed(world, ask)? };
    change(world, at, |message| unreact(message, &emoji, user));
    world.tell_reaction("MESSAGE_REACTION_REMOVE", at, Some(&emoji), Some(user));
    Ok(Value::Null)
}

pub(crate) fn clear(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let at = managed(world, ask)?;
    change(world, at, |message| message.reactions.clear());
    world.tell_reaction("MESSAGE_REACTION_REMOVE_ALL", at, None, None);
    Ok(Value::Null)
}

pub(crate) fn clear_emoji(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (at, emoji) = (managed(world, ask)?, emoji(ask)?);
    change(world, at, |message| message.reactions.retain(|reaction| reaction.emoji != emoji));
    world.tell_reaction("MESSAGE_REACTION_REMOVE_EMOJI", at, Some(&emoji), None);
    Ok(Value::Null)
}

/// Lists the users who reacted, in the order of their ids.
pub(crate) fn users(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (limit, after) = (ask.limit(PAGE)?, ask.query_id("after")?.unwrap_or(0));
    let (channel, message) = world.message_for_bot(ask)?;
    channel.need(Permissions::READ_MESSAGE_HISTORY).map_err(|_| Refusal::missing_access())?;
    let mut users: Vec<&User> = message.reacted(&emoji(ask)?).iter().filter(|user| user.id > after).collect();
    users.sort_by_key(|user| user.id);
    Ok(users.into_iter().take(limit).map(json::user).collect())
}

/// Adds a reaction. A second one of the same user changes nothing.
pub(crate) fn react(message: &mut Message, emoji: &str, user: &User) {
    match message.reactions.iter_mut().find(|reaction| reaction.emoji == emoji) {
        Some(reaction) if reaction.users.iter().any(|there| there.id == user.id) => {}
        Some(reaction) => reaction.users.push(user.clone()),
        None => message.reactions.push(Reaction { emoji: emoji.to_owned(), users: vec![user.clone()] }),
    }
}

/// Removes a reaction, if it exists.
pub(crate) fn unreact(message: &mut Message, emoji: &str, user: u64) {
    for reaction in message.reactions.iter_mut().filter(|reaction| reaction.emoji == emoji) {
        reaction.users.retain(|there| there.id != user);
    }
    message.reactions.retain(|reaction| !reaction.users.is_empty());
}

/// Returns the message that a request names, if the bot may remove reactions of others there.
fn managed(world: &World, ask: &Ask) -> Result<MessageRef, Refusal> {
    let (channel, message) = world.message_for_bot(ask)?;
    if channel.is_dm() {
        return Err(Refusal::new(StatusCode::FORBIDDEN, 50003, "Cannot execute action on a DM channel"));
    }
    channel.need(Permissions::MANAGE_MESSAGES)?;
    Ok(MessageRef::from(message))
}

fn change(world: &mut World, at: MessageRef, change: impl FnMut(&mut Message)) {
    world.message_mut(at).into_iter().for_each(change);
}

/// Returns the emoji of the route: a character, or `name:id`.
fn emoji(ask: &Ask) -> Result<String, Refusal> {
    let emoji = ask.variable("emoji_name");
    let custom = emoji.split_once(':').is_some_and(|(_, id)| id.parse::<u64>().is_ok());
    let keycap = emoji.ends_with('\u{20e3}');
    match custom || keycap || !emoji.chars().any(|character| character.is_ascii()) && !emoji.is_empty() {
        true => Ok(emoji.to_owned()),
        false => Err(Refusal::new(StatusCode::BAD_REQUEST, 10014, "Unknown Emoji")),
    }
}
