use crate::{PATIENCE, Query, wire};
use axum::extract::{Path, Query as Pairs, State};
use axum::routing::any;
use axum::{Json, Router};
use dmplz_fakes::mattermost::{FakeMattermost, Message, User};
use serde_json::{Value, json};
use std::collections::HashMap;

#[derive(Clone)]
struct Room {
    fake: FakeMattermost,
    jin: User,
    channel: String,
}

/// Serves with one person, who has a channel with the bot.
pub(crate) async fn serve() -> (Router, Value) {
    let fake = FakeMattermost::start().await;
    let jin = User::person("user0000000000000000000jin", "jin");
    let channel = fake.channel(std::slice::from_ref(&jin));
    let about = json!({
        "base_url": fake.base_url(), "token": fake.token(), "bot": fake.bot(), "user": jin.id, "channel": channel,
    });
    (Router::new().route("/{action}", any(human)).with_state(Room { fake, jin, channel }), about)
}

/// `/say?text=&root=`, `/react?message=&name=`, `/unreact?message=&name=`, `/delete?message=`, `/leave`, `/await?text=`,
/// `/messages`, `/ready`, `/cut`, and what wire.rs has.
async fn human(
    State(Room { fake, jin, channel }): State<Room>,
    Path(action): Path<String>,
    Pairs(pairs): Pairs<HashMap<String, String>>,
) -> Json<Value> {
    let query = Query(pairs);
    let (text, place) = (query.text("text"), (channel.as_str(), query.text("message")));
    let done = || json!(true);
    Json(match action.as_str() {
        "say" => {
            let root = Some(query.text("root")).filter(|root| !root.is_empty());
            json!({ "message": fake.say(&channel, &jin, text, root).id })
        }
        "react" => {
            fake.react(place, &jin, query.text("name"));
            done()
        }
        "unreact" => {
            fake.unreact(place, &jin, query.text("name"));
            done()
        }
        "delete" => {
            fake.delete(place);
            done()
        }
        "leave" => {
            fake.set_member(&channel, false);
            done()
        }
        "cut" => {
            fake.cut();
            done()
        }
        "ready" => json!(fake.await_ready(PATIENCE).await),
        "await" => {
            let has_it = |message: &&Message| message.now().contains(text);
            let found = fake.watch(&channel, PATIENCE, |messages| messages.iter().rfind(has_it).cloned()).await;
            found.map_or(json!({ "error": "no such message came" }), |message| shown(&message))
        }
        "messages" => fake.messages(&channel).iter().map(shown).collect(),
        other => wire::act(fake.wire(), other, &query),
    })
}

fn shown(message: &Message) -> Value {
    let files: Vec<_> =
        message.files.iter().map(|(name, bytes)| json!({ "name": name, "size": bytes.len() })).collect();
    let reactions: Vec<_> = message.reactions.iter().map(|it| json!([it.user, it.name])).collect();
    json!({
        "message": message.id, "from": message.user, "text": message.now(), "revisions": message.texts.len(),
        "props": message.props, "root": message.root, "files": files, "reactions": reactions, "deleted": message.deleted,
    })
}
