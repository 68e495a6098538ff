//! Converts the model to the objects of the Bot API.

use super::model::{Chat, ChatKind, Document, Entity, Message, User};
use super::topics;
use super::world::World;
use serde_json::{Map, Value, json};

pub(crate) fn user(user: &User) -> Value {
    let mut object = json!({"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name});
    set(&mut object, "username", user.username.clone());
    set(&mut object, "language_code", user.language.clone());
    object
}

/// Returns the bot's account with the fields that only `getMe` has.
pub(crate) fn me(world: &World) -> Value {
    let mut object = user(&world.bot);
    set(&mut object, "can_join_groups", Some(true));
    set(&mut object, "can_read_all_group_messages", Some(!world.privacy));
    set(&mut object, "supports_inline_queries", Some(false));
    set(&mut object, "can_connect_to_business", Some(false));
    set(&mut object, "has_main_web_app", Some(false));
    let has_topics = world.chats.values().any(|chat| chat.id > 0 && chat.topics.is_some());
    set(&mut object, "has_topics_enabled", Some(has_topics));
    object
}

pub(crate) fn chat(chat: &Chat) -> Value {
    match &chat.kind {
        ChatKind::Private(person) => {
            let mut object = json!({"id": chat.id, "type": "private", "first_name": person.first_name});
            set(&mut object, "username", person.username.clone());
            object
        }
        ChatKind::Group { title, .. } => json!({"id": chat.id, "type": "supergroup", "title": title}),
    }
}

/// Returns a message. As at Telegram, it includes the message that it replies to, but not the one that this replies to.
pub(crate) fn message(world: &World, message: &Message) -> Value {
    let mut object = alone(world, message);
    // What replies to nothing in a topic replies to the message that began the topic.
    let answered = message.reply_to.or(message.topic).and_then(|id| world.message((message.chat, id).into()));
    set(&mut object, "reply_to_message", answered.filter(|answered| !answered.deleted).map(|it| alone(world, it)));
    object
}

fn alone(world: &World, message: &Message) -> Value {
    let mut object = json!({"message_id": message.id, "from": user(&message.from), "date": message.date});
    set(&mut object, "chat", world.chats.get(&message.chat).map(chat));
    set(&mut object, "edit_date", message.edited);
    set(&mut object, "message_thread_id", message.topic);
    set(&mut object, "is_topic_message", message.topic.map(|_| true));
    let begins = message.begins.as_ref().map(|name| json!({"name": name, "icon_color": topics::COLOR}));
    set(&mut object, "forum_topic_created", begins);
    let Some(now) = message.revisions.last() else { return object };
    let (text, marks) = match &now.document {
        None => ("text", "entities"),
        Some(_) => ("caption", "caption_entities"),
    };
    set(&mut object, "document", now.document.as_ref().map(document));
    set(&mut object, text, Some(now.text.clone()).filter(|text| !text.is_empty()));
    let entities: Vec<Value> = now.entities.iter().map(entity).collect();
    set(&mut object, marks, Some(entities).filter(|entities| !entities.is_empty()));
    let rows: Vec<Vec<&Value>> =
        now.keyboard.iter().map(|row| row.iter().map(|button| &button.raw).collect()).collect();
    set(&mut object, "reply_markup", (!rows.is_empty()).then(|| json!({ "inline_keyboard": rows })));
    object
}

fn entity(entity: &Entity) -> Value {
    let mut object: Map<String, Value> = entity.more.clone();
    object.insert("type".to_owned(), entity.kind.clone().into());
    object.insert("offset".to_owned(), entity.offset.into());
    object.insert("length".to_owned(), entity.length.into());
    Value::Object(object)
}

fn document(document: &Document) -> Value {
    json!({
        "file_id": document.file_id,
        "file_unique_id": document.file_id.replace("BQACAgUAAxkDAAI", "AgAD"),
        "file_name": document.name,
        "mime_type": document.mime,
        "file_size": document.bytes.len(),
    })
}

/// Adds a field, if it has a value.
pub(crate) fn set(object: &mut Value, field: &str, value: Option<impl Into<Value>>) {
    if let (Value::Object(fields), Some(value)) = (object, value) {
        fields.insert(field.to_owned(), value.into());
    }
}
