//! Serves the requests about the bot, its servers and its channels.

use super::ask::Ask;
use super::fields::{id, set};
use super::json;
use super::refusal::Refusal;
use super::snowflake::timestamp;
use super::world::{Guild, World};
use http::StatusCode;
use serde_json::{Value, json};

/// The application flag of a bot that has the MESSAGE_CONTENT intent and is in fewer than 100 servers.
const MESSAGE_CONTENT_LIMITED: u64 = 1 << 19;

pub(crate) fn me(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    let mut object = json::user(&world.bot);
    set(&mut object, "mfa_enabled", Some(true));
    set(&mut object, "locale", Some("en-US"));
    set(&mut object, "verified", Some(true));
    set(&mut object, "email", Some(Value::Null));
    Ok(object)
}

pub(crate) fn user(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let user = world.users.get(&ask.id("user_id")?);
    user.map(json::user).ok_or_else(|| Refusal::unknown(10013, "User"))
}

/// Returns the flags of the application.
pub(crate) fn application_flags(world: &World) -> u64 {
    if world.reads_content { MESSAGE_CONTENT_LIMITED } else { 0 }
}

pub(crate) fn application(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    let flags = application_flags(world);
    let owner = super::model::User::person(world.bot.id - 1, "developer");
    let mut object = json!({
        "id": id(world.bot.id),
        "name": world.bot.username,
        "icon": null,
        "description": "",
        "type": null,
        "bot": json::user(&world.bot),
        "bot_public": false,
        "bot_require_code_grant": false,
        "verify_key": "0".repeat(64),
        "flags": flags,
        "flags_new": flags.to_string(),
        "owner": json::user(&owner),
    });
    for field in ["interactions_endpoint_url", "role_connections_verification_url", "team"] {
        set(&mut object, field, Some(Value::Null));
    }
    set(&mut object, "redirect_uris", Some(json!([])));
    set(&mut object, "eligible_oauth2_scopes", Some(json!(["bot"])));
    set(&mut object, "explicit_content_filter", Some(0));
    set(&mut object, "approximate_guild_count", Some(world.guilds.len()));
    set(&mut object, "approximate_user_install_count", Some(0));
    set(&mut object, "approximate_user_authorization_count", Some(0));
    Ok(object)
}

pub(crate) fn open_dm(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let recipient = ask.body.get("recipient_id").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let recipient = recipient.and_then(|id| id.parse().ok()).filter(|id| world.users.contains_key(id));
    let recipient = recipient.filter(|id| *id != world.bot.id);
    let recipient = recipient.ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, 50033, "Invalid Recipient(s)"))?;
    let channel = world.dm(recipient);
    Ok(world.channels.get(&channel).map_or(Value::Null, |channel| json::channel(world, channel)))
}

pub(crate) fn channel(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    Ok(json::channel(world, world.channel_for_bot(ask)?))
}

pub(crate) fn guild(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (guild_id, guild) = known(world, ask)?;
    Ok(json::guild(guild_id, guild))
}

pub(crate) fn roles(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (guild_id, guild) = known(world, ask)?;
    Ok(Value::Array(json::roles(guild_id, guild)))
}

pub(crate) fn member(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (_, guild) = known(world, ask)?;
    let user = ask.id("user_id")?;
    let roles = if user == world.bot.id { vec![guild.bot_role] } else { Vec::new() };
    let person = world.users.get(&user).ok_or_else(|| Refusal::unknown(10007, "Member"))?;
    Ok(json::member(person, &roles))
}

pub(crate) fn own_member(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let (_, guild) = known(world, ask)?;
    let mut object = json::member(&world.bot, &[guild.bot_role]);
    set(&mut object, "joined_at", Some(timestamp(guild.bot_role)));
    Ok(object)
}

fn known<'a>(world: &'a World, ask: &Ask) -> Result<(u64, &'a Guild), Refusal> {
    let guild_id = ask.id("guild_id")?;
    let guild = world.guilds.get(&guild_id).ok_or_else(|| Refusal::unknown(10004, "Guild"))?;
    Ok((guild_id, guild))
}
