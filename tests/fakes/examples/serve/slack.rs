use crate::{PATIENCE, Query, wire};
use axum::extract::{Path, Query as Pairs, State};
use axum::routing::any;
use axum::{Json, Router};
use dmplz_fakes::slack::{FakeSlack, Message, User};
use serde_json::{Value, json};
use std::collections::HashMap;

#[derive(Clone)]
struct Room {
    fake: FakeSlack,
    jin: User,
    channel: String,
}

/// Serves with one person, whose direct message with the app is open.
pub(crate) async fn serve() -> (Router, Value) {
    let fake = FakeSlack::start().await;
    let jin = User::person("U700000007", "Jin");
    let channel = fake.dm(&jin);
    let about = json!({
        "base_url": format!("{}/", fake.base_url()), "token": fake.token(), "app_token": fake.app_token(), "channel": channel,
        "user": jin.id,
    });
    (Router::new().route("/{action}", any(human)).with_state(Room { fake, jin, channel }), about)
}

/// `/say?text=`, `/press?message=&button=`, `/modal?press=`, `/submit?press=&text=`, `/acknowledged?press=`, `/await?text=`,
/// `/whisper?text=`, `/messages`, `/ready`, `/cut`, `/refresh`, `/connections`, and what wire.rs has.
async fn human(
    State(Room { fake, jin, channel }): State<Room>,
    Path(action): Path<String>,
    Pairs(pairs): Pairs<HashMap<String, String>>,
) -> Json<Value> {
    let query = Query(pairs);
    let (text, press) = (query.text("text"), query.number("press").unwrap_or(0));
    Json(match action.as_str() {
        "say" => json!({ "message": fake.say(&channel, &jin, text, None).ts }),
        "press" => json!({ "press": fake.press((&channel, query.text("message")), query.text("button"), &jin) }),
        "modal" => json!(fake.await_press(press, PATIENCE, |it| it.modal.is_some()).await.and_then(|it| it.modal)),
        "submit" => json!({ "press": fake.submit(press, text) }),
        "acknowledged" => json!(fake.await_press(press, PATIENCE, |it| it.acknowledged && !it.failed).await.is_some()),
        "await" => {
            let has_it = |message: &&Message| message.now().text.contains(text);
            let found = fake.watch(&channel, PATIENCE, |messages| messages.iter().rfind(has_it).cloned()).await;
            found.map_or(json!({ "error": "no such message came" }), |message| shown(&message))
        }
        "whisper" => json!(fake.await_whisper(PATIENCE, |it| it.said.text.contains(text)).await),
        "messages" => fake.messages(&channel).iter().map(shown).collect(),
        "ready" => json!(fake.await_ready(PATIENCE).await),
        "connections" => json!(fake.connections().1),
        "cut" => {
            fake.cut();
            json!(true)
        }
        "refresh" => {
            fake.refresh();
            json!(true)
        }
        other => wire::act(fake.wire(), other, &query),
    })
}

fn shown(message: &Message) -> Value {
    let now = message.now();
    let buttons: Vec<_> = now.buttons().into_iter().map(|button| button.label).collect();
    let files: Vec<_> =
        message.files.iter().map(|(name, bytes)| json!({ "name": name, "size": bytes.len() })).collect();
    json!({
        "message": message.ts, "from": message.user.name, "text": now.text, "buttons": buttons, "files": files,
        "revisions": message.revisions.len(), "thread": message.thread_ts, "deleted": message.deleted,
    })
}
