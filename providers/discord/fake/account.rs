//! Serves the requests about the bot, its servers and its channels.

use super::ask::Ask;
use super::json::{self, id, set};
use super::refusal::Refusal;
use super::snowflake::timestamp;
use super::world::{Guild, World};
use http::StatusCode;
use serde_json::{Map, Value, json};

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
    Ok(guild_object(guild_id, guild))
}

/// Returns a guild as REST represents it.
pub(crate) fn guild_object(guild_id: u64, guild: &Guild) -> Value {
    let nothing = [
        "icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id",
        "afk_channel_id", "system_channel_id", "widget_channel_id", "vanity_url_code", "rules_channel_id",
        "safety_alerts_channel_id", "public_updates_channel_id", "incidents_data",
    ];
    let zero = [
        "system_channel_flags", "verification_level", "default_message_notifications", "mfa_level",
        "explicit_content_filter", "premium_tier", "premium_subscription_count", "nsfw_level",
    ];
    let mut fields = Map::new();
    fields.extend(nothing.map(|field| (field.to_owned(), Value::Null)));
    fields.extend(zero.map(|field| (field.to_owned(), Value::from(0))));
    fields.extend(["widget_enabled", "premium_progress_bar_enabled", "nsfw"].map(|it| (it.to_owned(), false.into())));
    fields.extend(["features", "emojis", "stickers"].map(|field| (field.to_owned(), json!([]))));
    let mut object = Value::Object(fields);
    set(&mut object, "id", Some(id(guild_id)));
    set(&mut object, "name", Some(guild.name.clone()));
    set(&mut object, "owner_id", Some(id(guild.owner)));
    set(&mut object, "region", Some("deprecated"));
    set(&mut object, "preferred_locale", Some("en-US"));
    set(&mut object, "afk_timeout", Some(300));
    set(&mut object, "max_presences", Some(Value::Null));
    set(&mut object, "max_members", Some(500_000));
    set(&mut object, "max_stage_video_channel_users", Some(50));
    set(&mut object, "max_video_channel_users", Some(25));
    set(&mut object, "roles", Some(json::roles(guild_id, guild)));
    object
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
