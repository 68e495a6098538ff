//! Topics, as `ForumTopicManager` of tdlib and the public server treat them.

use super::model::{Chat, Revision, Topic, User};
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use serde_json::{Value, json};

/// The colour of every icon.
pub(crate) const COLOR: i64 = 7_322_096;

/// Creates a topic, as the bot asks for it.
pub(crate) fn create(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat = forum(world, params)?.id;
    let name = params.text("name");
    if name.trim().is_empty() {
        return Err(Refusal::bad_request("topic name is empty"));
    }
    let bot = world.bot.clone();
    let id = begin(world, chat, bot, &name);
    Ok(json!({"message_thread_id": id, "name": name, "icon_color": COLOR}))
}

/// Creates a topic, and the service message that begins it. Returns its id.
pub(crate) fn begin(world: &mut World, chat: i64, by: User, name: &str) -> i64 {
    let at = world.post(chat, by, None, Revision::default());
    if let Some(message) = world.message_mut(at) {
        (message.topic, message.begins) = (Some(at.id), Some(name.to_owned()));
    }
    let topic = Topic { name: name.to_owned(), closed: false };
    let topics = world.chats.get_mut(&chat).and_then(|chat| chat.topics.as_mut());
    topics.into_iter().for_each(|topics| drop(topics.insert(at.id, topic.clone())));
    at.id
}

/// Changes the name of a topic. An empty name changes nothing.
pub(crate) fn edit(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let name = params.text("name");
    change(world, params, |topic| {
        let is_news = !name.is_empty() && topic.name != name;
        if is_news {
            topic.name.clone_from(&name);
        }
        is_news
    })
}

/// Closes or reopens a topic.
pub(crate) fn close(world: &mut World, params: &Params, closed: bool) -> Result<Value, Refusal> {
    if forum(world, params)?.id > 0 {
        return Err(Refusal::bad_request("the chat is not a forum"));
    }
    change(world, params, |topic| std::mem::replace(&mut topic.closed, closed) != closed)
}

/// Returns the topic into which a message is sent; `None` for the chat itself.
pub(crate) fn named(world: &World, params: &Params, chat: i64) -> Result<Option<i64>, Refusal> {
    let id = params.number("message_thread_id");
    let topics = world.chats.get(&chat).and_then(|chat| chat.topics.as_ref());
    match (id, topics.is_some_and(|topics| topics.contains_key(&id))) {
        (0, _) => Ok(None),
        (id, true) => Ok(Some(id)),
        (_, false) => Err(Refusal::bad_request("message thread not found")),
    }
}

fn change(world: &mut World, params: &Params, change: impl FnOnce(&mut Topic) -> bool) -> Result<Value, Refusal> {
    let chat = forum(world, params)?.id;
    let topics = world.chats.get_mut(&chat).and_then(|chat| chat.topics.as_mut());
    let topic = topics.and_then(|topics| topics.get_mut(&params.number("message_thread_id")));
    match topic.map(change) {
        None => Err(Refusal::bad_request("TOPIC_ID_INVALID")),
        Some(false) => Err(Refusal::bad_request("TOPIC_NOT_MODIFIED")),
        Some(true) => Ok(Value::Bool(true)),
    }
}

/// Returns the chat that a request names, if it has topics and the bot may manage them.
fn forum<'a>(world: &'a World, params: &Params) -> Result<&'a Chat, Refusal> {
    let chat = world.chat_for_bot(&params.text("chat_id"))?;
    match &chat.topics {
        None => Err(Refusal::bad_request("the chat is not a forum")),
        Some(_) if chat.id < 0 && !chat.bot_is_admin => {
            Err(Refusal::bad_request("not enough rights to create a topic"))
        }
        Some(_) => Ok(chat),
    }
}
