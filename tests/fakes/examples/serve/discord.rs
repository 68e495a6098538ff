use crate::{PATIENCE, Query, presses, wire};
use axum::extract::{Path, Query as Pairs, State};
use axum::routing::any;
use axum::{Json, Router};
use dmplz_fakes::discord::{FakeDiscord, Message, Permissions, Thread, User};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;

#[derive(Clone)]
struct Room {
    fake: FakeDiscord,
    jin: User,
    channel: u64,
}

/// Serves with one person and a server that has one channel, in which the bot may also manage messages.
pub(crate) fn serve(port: u16, token: Option<String>) -> io::Result<(Router, Value)> {
    let setup = FakeDiscord::setup().port(port);
    let fake = match token {
        Some(token) => setup.token(token),
        None => setup,
    }
    .start()?;
    let jin = User::person(175_928_847_299_117_063, "jin");
    fake.meet(&jin);
    let guild = fake.guild("office");
    let channel = fake.channel(guild, "approvals");
    fake.set_permissions(channel, Permissions::USUAL.with(Permissions::MANAGE_MESSAGES));
    let about = json!({
        "base_url": fake.base_url(),
        "gateway": fake.gateway().url(),
        "token": fake.token(),
        "guild": guild.to_string(),
        "channel": channel.to_string(),
        "user": jin.id.to_string(),
    });
    Ok((Router::new().route("/{action}", any(human)).with_state(Room { fake, jin, channel }), about))
}

/// Performs `/say?text=`, `/reply?message=&text=`, `/react?message=&emoji=`, `/unreact?message=&emoji=`,
/// `/await?text=`, `/messages`, `/threads`, `/commands?language=`, `/command?name=&text=` (with `&file=`, the path of a file), and the actions of presses.rs and
/// wire.rs. `channel` is by default that of the server, and may be a thread.
async fn human(
    State(Room { fake, jin, channel }): State<Room>,
    Path(action): Path<String>,
    Pairs(pairs): Pairs<HashMap<String, String>>,
) -> Json<Value> {
    let query = Query(pairs);
    let channel = query.number("channel").unwrap_or(channel);
    let (text, at) = (query.text("text"), (channel, query.number("message").unwrap_or(0)));
    Json(match action.as_str() {
        "say" => json!({"message": fake.say(channel, &jin, text).id.to_string()}),
        "reply" => json!({"message": fake.reply(at, &jin, text).id.to_string()}),
        "react" => {
            fake.react(at, query.text("emoji"), &jin);
            json!(true)
        }
        "unreact" => {
            fake.unreact(at, query.text("emoji"), &jin);
            json!(true)
        }
        "await" => match fake.await_message(PATIENCE, |message| message.content().contains(text)).await {
            Some(message) => shown(&message),
            None => json!({"error": "no such message came"}),
        },
        "messages" => fake.messages(channel).iter().map(shown).collect(),
        "threads" => {
            let shown = |it: &Thread| json!({"thread": it.id.to_string(), "name": it.name, "archived": it.archived});
            fake.threads(channel).iter().map(shown).collect()
        }
        "commands" => {
            let guild = fake.guild_of(channel).unwrap_or(0);
            fake.commands(guild, query.text("language")).into_iter().map(|(name, _)| json!(name)).collect()
        }
        "command" => {
            let file = query.file();
            let file = file.as_ref().map(|(name, content)| (name.as_str(), content.as_slice()));
            match fake.use_command(channel, &jin, query.text("name"), text, file) {
                Some(interaction) => json!({"interaction": interaction.to_string()}),
                None => json!({"error": "no such command is registered"}),
            }
        }
        other => match presses::act(&fake, at, &jin, other, &query).await {
            Some(answer) => answer,
            None => wire::act(fake.wire(), other, &query),
        },
    })
}

fn shown(message: &Message) -> Value {
    let files: Vec<Value> = message
        .attachments()
        .iter()
        .map(|file| json!({"name": file.filename, "size": file.bytes.len(), "description": file.description}))
        .collect();
    json!({
        "message": message.id.to_string(),
        "from": message.author.username,
        "content": message.content(),
        "embeds": message.now().embeds,
        "buttons": presses::labels(message),
        "files": files,
        "emoji": message.emoji(),
        "revisions": message.revisions.len(),
        "reply_to": message.reply_to.map(|id| id.to_string()),
        "mentions": message.mentions.len(),
        "deleted": message.deleted,
    })
}
