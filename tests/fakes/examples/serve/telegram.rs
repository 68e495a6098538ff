use crate::{PATIENCE, Query, wire};
use axum::extract::{Path, Query as Pairs, State};
use axum::routing::any;
use axum::{Json, Router};
use dmplz_fakes::telegram::{FakeTelegram, Message, User};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;

#[derive(Clone)]
struct Room {
    fake: FakeTelegram,
    jin: User,
    chat: i64,
}

/// Serves with one person, whose private chat with the bot is open.
pub(crate) fn serve(port: u16, token: Option<String>) -> io::Result<(Router, Value)> {
    let setup = FakeTelegram::setup().port(port);
    let fake = match token {
        Some(token) => setup.token(token),
        None => setup,
    }
    .start()?;
    let jin = User::person(7, "Jin");
    let chat = fake.private_chat(&jin);
    let about = json!({"base_url": fake.base_url(), "token": fake.token(), "chat": chat, "user": jin.id});
    Ok((Router::new().route("/{action}", any(human)).with_state(Room { fake, jin, chat }), about))
}

/// Performs `/say?text=` (with `&topic=` in that topic), `/attach?file=&text=` (the same; the file at a path), `/enable_topics`, `/topics`, `/commands?language=`, `/reply?message=&text=`, `/press?message=&button=`, `/await?text=`, `/await_answer?press=`,
/// `/messages`, and the actions of wire.rs.
async fn human(
    State(Room { fake, jin, chat }): State<Room>,
    Path(action): Path<String>,
    Pairs(pairs): Pairs<HashMap<String, String>>,
) -> Json<Value> {
    let query = Query(pairs);
    let (text, at) = (query.text("text"), (chat, query.number("message").unwrap_or(0)));
    Json(match action.as_str() {
        "say" => match query.number("topic") {
            Some(topic) => json!({"message": fake.say_in(chat, topic, &jin, text).id}),
            None => json!({"message": fake.say(chat, &jin, text).id}),
        },
        "attach" => match query.file() {
            Some((name, content)) => {
                json!({"message": fake.attach_in(chat, query.number("topic"), &jin, &name, content, text).id})
            }
            None => json!({"error": "there is no such file"}),
        },
        "enable_topics" => {
            fake.enable_topics(chat);
            json!({})
        }
        "topics" => fake.topics(chat).into_iter().map(|(id, topic)| json!({"topic": id, "name": topic.name})).collect(),
        "drafts" => {
            fake.drafts(chat).into_iter().map(|draft| json!({"topic": draft.topic, "text": draft.text})).collect()
        }
        "commands" => fake.commands(chat, query.text("language")).into_iter().map(|(name, _)| json!(name)).collect(),
        "reply" => json!({"message": fake.reply(at, &jin, text).id}),
        "press" => match fake.press(at, query.text("button"), &jin) {
            Ok(press) => json!({ "press": press }),
            Err(error) => json!({ "error": error.to_string() }),
        },
        "await" => match fake.await_message(PATIENCE, |message| message.text().contains(text)).await {
            Some(message) => shown(&message),
            None => json!({"error": "no such message came"}),
        },
        "await_answer" => match fake.await_answer(query.text("press"), PATIENCE).await {
            Some(answer) => json!({"text": answer.text, "alert": answer.alert}),
            None => json!({"error": "no answer came"}),
        },
        "messages" => fake.messages(chat).iter().map(shown).collect(),
        other => wire::act(fake.wire(), other, &query),
    })
}

fn shown(message: &Message) -> Value {
    let now = message.now();
    let document = now.document.as_ref().map(|file| json!({"name": file.name, "size": file.bytes.len()}));
    let buttons: Vec<&str> = now.keyboard.iter().flatten().map(|button| button.text.as_str()).collect();
    json!({
        "message": message.id,
        "from": message.from.first_name,
        "text": now.text,
        "entities": now.entities.iter().map(|entity| entity.kind.as_str()).collect::<Vec<_>>(),
        "buttons": buttons,
        "document": document,
        "revisions": message.revisions.len(),
        "reply_to": message.reply_to,
        "topic": message.topic,
        "deleted": message.deleted,
    })
}
