use super::json;
use super::model::ChatKind;
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use serde_json::{Value, json};

/// The maximum number of reactions on a message.
const MAX_REACTIONS: u32 = 11;

pub(crate) fn chat(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat = world.chat_to_see(&params.text("chat_id"))?;
    let mut object = json::chat(chat);
    json::set(&mut object, "accent_color_id", Some(0));
    json::set(&mut object, "max_reaction_count", Some(MAX_REACTIONS));
    json::set(&mut object, "accepted_gift_types", Some(gifts()));
    json::set(&mut object, "is_forum", (chat.id < 0 && chat.topics.is_some()).then_some(true));
    Ok(object)
}

fn gifts() -> Value {
    json!({
        "unlimited_gifts": false,
        "limited_gifts": false,
        "unique_gifts": false,
        "premium_subscription": false,
        "gifts_from_channels": false,
    })
}

pub(crate) fn member(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let id = params.number("user_id");
    if id <= 0 {
        return Err(Refusal::bad_request("invalid user_id specified"));
    }
    let bot = world.bot.clone();
    let chat = world.chat_to_see(&params.text("chat_id"))?;
    if id == bot.id && chat.bot_is_admin {
        return Ok(administrator(json::user(&bot)));
    }
    let person = match &chat.kind {
        _ if id == bot.id => Some(&bot),
        ChatKind::Private(person) => Some(person).filter(|person| person.id == id),
        ChatKind::Group { members, .. } => members.iter().find(|member| member.id == id),
    };
    let person = person.ok_or_else(|| Refusal::bad_request("member not found"))?;
    Ok(json!({"status": "member", "user": json::user(person)}))
}

fn administrator(user: Value) -> Value {
    let mut object = json!({"status": "administrator", "user": user});
    for right in [
        "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
        "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
        "can_edit_stories", "can_delete_stories",
    ] {
        json::set(&mut object, right, Some(matches!(right, "can_manage_chat" | "can_delete_messages")));
    }
    object
}

pub(crate) fn action(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    world.chat_for_bot(&params.text("chat_id"))?;
    match params.text("action").is_empty() {
        true => Err(Refusal::bad_request("wrong parameter action in request")),
        false => Ok(Value::Bool(true)),
    }
}

pub(crate) fn set_commands(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    match params.json("commands") {
        Some(commands @ Value::Array(_)) => drop(world.commands.insert(scope(params), commands)),
        Some(_) => return Err(Refusal::bad_request("expected an Array of BotCommand")),
        None => return Err(Refusal::bad_request("can't parse commands JSON object")),
    }
    Ok(Value::Bool(true))
}

pub(crate) fn delete_commands(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    world.commands.remove(&scope(params));
    Ok(Value::Bool(true))
}

pub(crate) fn commands(world: &World, params: &Params) -> Value {
    world.commands.get(&scope(params)).cloned().unwrap_or_else(|| json!([]))
}

/// Returns the people for whom commands are: the chat of the scope, 0 for everybody, and the language.
fn scope(params: &Params) -> (i64, String) {
    let chat = params.json("scope").and_then(|scope| scope.get("chat_id")?.as_i64());
    (chat.unwrap_or(0), params.text("language_code"))
}

pub(crate) fn set_webhook(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let url = params.text("url");
    if !url.is_empty() && !url.starts_with("https://") {
        return Err(Refusal::bad_request("bad webhook: An HTTPS URL must be provided for webhook"));
    }
    forget_pending(world, params);
    world.updates.allow(params);
    world.updates.webhook = Some(url).filter(|url| !url.is_empty());
    Ok(Value::Bool(true))
}

pub(crate) fn delete_webhook(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    forget_pending(world, params);
    world.updates.webhook = None;
    Ok(Value::Bool(true))
}

pub(crate) fn webhook(world: &World) -> Value {
    let url = world.updates.webhook.clone().unwrap_or_default();
    let mut object =
        json!({"url": url, "has_custom_certificate": false, "pending_update_count": world.updates.pending()});
    let allowed = world.updates.allowed().map(|allowed| allowed.iter().cloned().collect::<Vec<_>>());
    json::set(&mut object, "allowed_updates", allowed);
    object
}

fn forget_pending(world: &mut World, params: &Params) {
    if params.truth("drop_pending_updates") {
        world.updates.drop_pending();
    }
}
