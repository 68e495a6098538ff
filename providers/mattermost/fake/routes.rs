//! The routes that a bot needs (<https://developers.mattermost.com/api-documentation/>).

use super::BOT;
use super::model::Message;
use super::refusal::Refusal;
use super::world::{Upload, World};
use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most characters of a post (`server/public/model/post.go`).
const POST_CHARS: usize = 16_383;
/// The most files of a post.
const FILES: usize = 10;
/// The most posts since a time.
const SINCE: usize = 1000;

/// What a client asks for: the path after `/api/v4/`, and the parameters.
pub(crate) struct Ask {
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) json: Value,
    pub(crate) body: Bytes,
}

type Outcome = Result<(u16, Value), Refusal>;

/// A route of the API.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    name: &'static str,
    method: &'static str,
    /// Its path after `/api/v4/`, with `*` in place of an id.
    path: &'static str,
    /// The parameters of its query and body.
    pub(crate) takes: &'static [&'static str],
    pub(crate) act: fn(&mut World, &Ask) -> Outcome,
}

const fn route(
    name: &'static str,
    method: &'static str,
    path: &'static str,
    takes: &'static [&'static str],
    act: fn(&mut World, &Ask) -> Outcome,
) -> Route {
    Route { name, method, path, takes, act }
}

const ROUTES: [Route; 15] = [
    route("users/me", "GET", "users/me", &[], |world, _| world.user(BOT)),
    route("user", "GET", "users/*", &[], |world, ask| world.user(ask.part(1))),
    route("direct", "POST", "channels/direct", &[], direct),
    route("channel", "GET", "channels/*", &[], |world, ask| Ok((200, world.readable(ask.part(1))?))),
    route("member", "GET", "channels/*/members/me", &[], member),
    route("channel/posts", "GET", "channels/*/posts", &["since", "page", "per_page", "before", "after"], since),
    route("roles", "POST", "roles/names", &[], roles),
    route("config", "GET", "config/client", &["format"], config),
    route("files", "POST", "files", &["channel_id", "filename"], files),
    route(
        "post",
        "POST",
        "posts",
        &["channel_id", "message", "root_id", "file_ids", "props", "metadata", "pending_post_id"],
        post,
    ),
    route("post/get", "GET", "posts/*", &["include_deleted"], get),
    route("patch", "PUT", "posts/*/patch", &["is_pinned", "message", "file_ids", "has_reactions", "props"], patch),
    route("post/delete", "DELETE", "posts/*", &[], delete),
    route("react", "POST", "reactions", &["user_id", "post_id", "emoji_name", "create_at"], react),
    route("unreact", "DELETE", "users/*/posts/*/reactions/*", &[], unreact),
];

/// Returns the route of a request and its name.
pub(crate) fn find(method: &Method, path: &str) -> (String, Option<Route>) {
    let is_it = |route: &&Route| {
        let (wanted, given) = (route.path.split('/'), path.split('/'));
        route.method == method.as_str()
            && wanted.clone().count() == given.clone().count()
            && wanted.zip(given).all(|(wanted, given)| wanted == "*" || wanted == given)
    };
    let found = ROUTES.iter().find(is_it);
    (found.map_or_else(|| format!("{method} {path}"), |route| route.name.to_owned()), found.copied())
}

impl Ask {
    fn part(&self, number: usize) -> &str {
        self.path.split('/').nth(number).unwrap_or_default()
    }

    fn text(&self, field: &str) -> &str {
        self.json[field].as_str().unwrap_or_default()
    }
}

fn direct(world: &mut World, ask: &Ask) -> Outcome {
    let ids = ask.json.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let other = match ids.as_slice() {
        [BOT, other] | [other, BOT] => (*other).to_owned(),
        _ => return Err(Refusal::invalid("user_ids")),
    };
    if !world.users.contains_key(&other) {
        let id = "api.channel.create_direct_channel.invalid_user.app_error";
        return Err(Refusal::new(400, id, "Invalid user ID for direct channel creation."));
    }
    let id = world.dm(&other);
    Ok((201, world.readable(&id)?))
}

fn member(world: &mut World, ask: &Ask) -> Outcome {
    let id = ask.part(1);
    world.readable(id)?;
    Ok((
        200,
        json!({ "channel_id": id, "user_id": BOT, "roles": "channel_user", "scheme_user": true, "notify_props": {} }),
    ))
}

fn roles(world: &mut World, ask: &Ask) -> Outcome {
    let all = ask.json.as_array().ok_or_else(|| Refusal::invalid("rolenames"))?;
    let role = |name: &Value| {
        let permissions: Vec<_> =
            if name == "channel_user" { world.permissions.iter().cloned().collect() } else { Vec::new() };
        json!({ "id": "role0000000000000000000001", "name": name, "permissions": permissions, "scheme_managed": true })
    };
    Ok((200, all.iter().map(role).collect()))
}

fn config(world: &mut World, ask: &Ask) -> Outcome {
    if ask.query.get("format").is_none_or(|format| format != "old") {
        return Err(Refusal::new(400, "api.config.client.old_format.app_error", "New format is not supported yet."));
    }
    Ok((200, json!({ "EnableFileAttachments": world.takes_files.to_string(), "MaxFileSize": "104857600" })))
}

fn files(world: &mut World, ask: &Ask) -> Outcome {
    let named = |name: &str| ask.query.get(name).cloned().unwrap_or_default();
    let channel = named("channel_id");
    if !world.takes_files {
        return Err(Refusal::new(
            403,
            "api.file.attachments.disabled.app_error",
            "File attachments have been disabled.",
        ));
    }
    world.may(&channel, "upload_file")?;
    let id = world.id("file");
    let info = json!({ "id": id, "user_id": BOT, "create_at": 1, "name": named("filename"), "size": ask.body.len() });
    world.uploads.insert(id, Upload { channel, name: named("filename"), bytes: ask.body.clone() });
    Ok((201, json!({ "file_infos": [info], "client_ids": [] })))
}

fn post(world: &mut World, ask: &Ask) -> Outcome {
    let channel = ask.text("channel_id").to_owned();
    world.may(&channel, "create_post")?;
    let text = ask.text("message").to_owned();
    let pending = ask.text("pending_post_id").to_owned();
    if let Some(known) = world.messages.iter().find(|it| !pending.is_empty() && it.pending == pending) {
        return Ok((201, known.json()));
    }
    check(&text)?;
    let ids = ask.json["file_ids"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let ids = ids.map(str::to_owned).collect::<Vec<_>>();
    let files = ids.iter().map(|id| world.uploads.get(id).filter(|it| it.channel == channel));
    let files = files.map(|it| it.map(|it| (it.name.clone(), it.bytes.clone()))).collect::<Option<Vec<_>>>();
    let Some(files) = files.filter(|files| files.len() <= FILES) else { return Err(Refusal::invalid("file_ids")) };
    let root = Some(ask.text("root_id").to_owned()).filter(|root| !root.is_empty());
    let mut props = if ask.json["props"].is_object() { ask.json["props"].clone() } else { json!({}) };
    props["from_bot"] = "true".into();
    let made = Message { files, file_ids: ids, props, pending, ..world.draft(&channel, BOT, &text, root) };
    Ok((201, world.publish(made)))
}

fn check(text: &str) -> Result<(), Refusal> {
    if text.chars().count() > POST_CHARS {
        return Err(Refusal::new(
            400,
            "model.post.is_valid.message_length.app_error",
            "Post Message property is longer.",
        ));
    }
    Ok(())
}

fn get(world: &mut World, ask: &Ask) -> Outcome {
    let post = world.post(ask.part(1))?.json();
    world.readable(post["channel_id"].as_str().unwrap_or_default())?;
    Ok((200, post))
}

fn patch(world: &mut World, ask: &Ask) -> Outcome {
    let (new, at) = (ask.json["message"].as_str().map(str::to_owned), world.now());
    // One that is gone looks like one of somebody else.
    let found = world.post(ask.part(1)).ok().filter(|post| post.user == BOT).map(|post| post.channel.clone());
    world.may(&found.ok_or_else(Refusal::permissions)?, "edit_post")?;
    let post = world.post(ask.part(1))?;
    if let Some(text) = new.filter(|text| *text != post.now()) {
        check(&text)?;
        post.texts.push(text);
        post.edited = at;
    }
    if ask.json["props"].is_object() {
        post.props = ask.json["props"].clone();
    }
    post.updated = at;
    let (channel, post) = (post.channel.clone(), post.json());
    world.tell("post_edited", &channel, json!({ "post": post.to_string() }));
    Ok((200, post))
}

fn delete(world: &mut World, ask: &Ask) -> Outcome {
    if world.post(ask.part(1))?.user != BOT {
        return Err(Refusal::permissions());
    }
    world.delete(ask.part(1));
    Ok((200, json!({ "status": "OK" })))
}

fn react(world: &mut World, ask: &Ask) -> Outcome {
    if ask.text("user_id") != BOT {
        let id = "api.reaction.save_reaction.user_id.app_error";
        return Err(Refusal::new(403, id, "You cannot save reaction for the other user."));
    }
    let channel = world.post(ask.text("post_id"))?.channel.clone();
    world.may(&channel, "add_reaction")?;
    if !super::human::EMOJI.iter().any(|(name, _)| *name == ask.text("emoji_name")) {
        return Err(Refusal::new(404, "app.emoji.get_by_name.no_result", "Could not find the emoji."));
    }
    Ok((200, world.react(ask.text("post_id"), BOT, ask.text("emoji_name")).unwrap_or_default()))
}

fn unreact(world: &mut World, ask: &Ask) -> Outcome {
    if ask.part(1) != BOT {
        return Err(Refusal::permissions());
    }
    let channel = world.post(ask.part(3))?.channel.clone();
    world.may(&channel, "remove_reaction")?;
    world.unreact(ask.part(3), BOT, ask.part(5));
    Ok((200, json!({ "status": "OK" })))
}

fn since(world: &mut World, ask: &Ask) -> Outcome {
    let channel = ask.part(1);
    world.readable(channel)?;
    let since = ask.query.get("since").and_then(|since| since.parse::<u64>().ok());
    let Some(since) = since else { return Err(Refusal::invalid("since")) };
    let mut found = world.messages.iter().filter(|it| it.channel == channel && it.updated > since).collect::<Vec<_>>();
    found.sort_by_key(|it| std::cmp::Reverse(it.at));
    found.truncate(SINCE);
    let order = found.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    let posts = found.iter().map(|it| (it.id.clone(), it.json())).collect::<serde_json::Map<_, _>>();
    Ok((200, json!({ "order": order, "posts": posts, "next_post_id": "", "prev_post_id": "", "has_next": false })))
}
