use crate::{PATIENCE, Query, wire};
use axum::extract::{Path, Query as Pairs, State};
use axum::routing::any;
use axum::{Json, Router};
use dmplz_fakes::matrix::{FakeMatrix, Message, User};
use serde_json::{Value, json};
use std::collections::HashMap;

#[derive(Clone)]
struct Room {
    fake: FakeMatrix,
    jin: User,
    room: String,
}

/// Serves with one person, whose room the bot is invited to.
pub(crate) async fn serve() -> (Router, Value) {
    let fake = FakeMatrix::start().await;
    let jin = User { id: "@jin:example.org".to_owned(), name: "Jin".to_owned() };
    let room = fake.invite(std::slice::from_ref(&jin), false);
    let about = json!({
        "base_url": fake.base_url(), "token": fake.token(), "bot": fake.bot(), "user": jin.id, "room": room,
    });
    (Router::new().route("/{action}", any(human)).with_state(Room { fake, jin, room }), about)
}

/// `/say?text=`, `/react?message=&key=`, `/delete?message=`, `/encrypt`, `/limit`, `/await?text=`, `/messages`, and what wire.rs
/// has.
async fn human(
    State(Room { fake, jin, room }): State<Room>,
    Path(action): Path<String>,
    Pairs(pairs): Pairs<HashMap<String, String>>,
) -> Json<Value> {
    let query = Query(pairs);
    let text = query.text("text");
    let place = (room.as_str(), query.text("message"));
    Json(match action.as_str() {
        "say" => json!({ "message": fake.say(&room, &jin, text) }),
        "react" => json!({ "reaction": fake.react(place, &jin, query.text("key")) }),
        "delete" => {
            fake.delete(place, &jin);
            json!(true)
        }
        "encrypt" => {
            fake.encrypt(&room, &jin);
            json!(true)
        }
        "limit" => {
            fake.limit_events();
            json!(true)
        }
        "await" => {
            let has_it = |message: &&Message| message.now()["body"].as_str().is_some_and(|body| body.contains(text));
            let found = fake.watch(&room, PATIENCE, |messages| messages.iter().rfind(has_it).cloned()).await;
            found.map_or(json!({ "error": "no such message came" }), |message| shown(&message))
        }
        "messages" => fake.messages(&room).iter().map(shown).collect(),
        other => wire::act(fake.wire(), other, &query),
    })
}

fn shown(message: &Message) -> Value {
    json!({
        "message": message.id, "from": message.sender, "text": message.now()["body"], "revisions": message.contents.len(),
        "reactions": message.reactions, "reply_to": message.reply_to, "deleted": message.deleted,
        "file": message.file.as_ref().map(|(name, bytes)| json!({ "name": name, "size": bytes.len() })),
    })
}
