//! Converts the model to the objects of Discord's API.

use super::embeds;
use super::fields::{id, set};
use super::model::{Attachment, Message, MessageRef, Permissions, Reaction, User};
use super::snowflake::{iso, timestamp};
use super::world::{Channel, ChannelKind, Guild, World};
use serde_json::{Map, Value, json};

pub(crate) fn user(user: &User) -> Value {
    let mut object = json!({
        "id": id(user.id),
        "username": user.username,
        "global_name": user.global_name,
        "discriminator": if user.bot { "4242" } else { "0" },
        "avatar": null,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": null,
    });
    set(&mut object, "bot", user.bot.then_some(true));
    object
}

pub(crate) fn channel(world: &World, channel: &Channel) -> Value {
    let last = channel.messages.iter().rev().find(|message| !message.deleted).map(|message| id(message.id));
    match &channel.kind {
        ChannelKind::Dm(person) => {
            let recipients: Vec<Value> = world.users.get(person).map(user).into_iter().collect();
            json!({"id": id(channel.id), "type": 1, "flags": 0, "last_message_id": last, "recipients": recipients})
        }
        ChannelKind::Text { guild, name, position, permissions } => json!({
            "id": id(channel.id),
            "type": 0,
            "flags": 0,
            "last_message_id": last,
            "guild_id": id(*guild),
            "name": name,
            "position": position,
            "parent_id": null,
            "topic": null,
            "nsfw": false,
            "rate_limit_per_user": 0,
            "permission_overwrites": [{
                "id": id(world.bot.id),
                "type": 1,
                "allow": permissions.without(Permissions::USUAL).0.to_string(),
                "deny": Permissions::USUAL.without(*permissions).0.to_string(),
            }],
        }),
        ChannelKind::Thread { guild, parent, name, archived, .. } => json!({
            "id": id(channel.id),
            "type": 11,
            "flags": 0,
            "last_message_id": last,
            "guild_id": id(*guild),
            "name": name,
            "parent_id": id(*parent),
            "owner_id": id(world.bot.id),
            "rate_limit_per_user": 0,
            "message_count": channel.messages.len(),
            "total_message_sent": channel.messages.len(),
            "member_count": 1,
            "thread_metadata": {
                "archived": archived,
                "archive_timestamp": timestamp(channel.id),
                "auto_archive_duration": 10080,
                "locked": false,
                "create_timestamp": timestamp(channel.id),
            },
        }),
    }
}

/// Returns the roles of a guild: `@everyone` with the usual permissions, and the bot's own.
pub(crate) fn roles(guild_id: u64, guild: &Guild) -> Vec<Value> {
    let role = |role: u64, name: &str, position: u64| {
        json!({
            "id": id(role),
            "name": name,
            "permissions": Permissions::USUAL.0.to_string(),
            "position": position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
            "hoist": false,
            "managed": position > 0,
            "mentionable": false,
            "icon": null,
            "unicode_emoji": null,
            "flags": 0,
        })
    };
    vec![role(guild_id, "@everyone", 0), role(guild.bot_role, "DM-Plz", 1)]
}

/// Returns a guild as REST represents it.
pub(crate) fn guild(guild_id: u64, guild: &Guild) -> Value {
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
    set(&mut object, "roles", Some(roles(guild_id, guild)));
    object
}

/// Returns a guild as GUILD_CREATE represents it.
pub(crate) fn available_guild(world: &World, guild_id: u64) -> Value {
    let Some(guild) = world.guilds.get(&guild_id) else { return Value::Null };
    let of_guild = |it: &&Channel| matches!(it.kind, ChannelKind::Text { guild, .. } if guild == guild_id);
    let channels: Vec<Value> = world.channels.values().filter(of_guild).map(|it| channel(world, it)).collect();
    let mut object = self::guild(guild_id, guild);
    set(&mut object, "joined_at", Some(timestamp(guild.bot_role)));
    set(&mut object, "large", Some(false));
    set(&mut object, "unavailable", Some(false));
    set(&mut object, "member_count", Some(2));
    set(&mut object, "members", Some(vec![member(&world.bot, &[guild.bot_role])]));
    set(&mut object, "channels", Some(channels));
    for field in
        ["voice_states", "threads", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds"]
    {
        set(&mut object, field, Some(json!([])));
    }
    object
}

/// Returns a message as the bot sees it. It includes the message that it replies to, but not the one that this replies
/// to.
pub(crate) fn message(world: &World, message: &Message) -> Value {
    message_for(world, message, world.reads_content)
}

/// As [`message`], for a bot or session with or without the MESSAGE_CONTENT intent.
pub(crate) fn message_for(world: &World, message: &Message, reads_content: bool) -> Value {
    let mut object = alone(world, message, reads_content);
    if let Some(answered) = message.reply_to {
        let at = MessageRef { channel: message.channel, id: answered };
        let there = world.message(at).filter(|answered| !answered.deleted);
        set(
            &mut object,
            "referenced_message",
            Some(there.map_or(Value::Null, |there| alone(world, there, reads_content))),
        );
    }
    let reactions: Vec<Value> = message.reactions.iter().map(|it| reaction(it, world.bot.id)).collect();
    set(&mut object, "reactions", Some(reactions).filter(|reactions| !reactions.is_empty()));
    object
}

fn alone(world: &World, message: &Message, reads_content: bool) -> Value {
    let channel = world.channels.get(&message.channel);
    let readable = message.author.id == world.bot.id
        || reads_content
        || channel.is_none_or(Channel::is_dm)
        || message.mentions.contains(&world.bot.id);
    let now = if readable { message.now() } else { super::model::Revision::default() };
    let mentions: Vec<Value> = message.mentions.iter().filter_map(|id| world.users.get(id)).map(user).collect();
    let attachments: Vec<Value> =
        now.attachments.iter().map(|file| attachment(&world.base_url, message.channel, file)).collect();
    let mut object = json!({
        "id": id(message.id),
        "channel_id": id(message.channel),
        "type": if message.reply_to.is_some() { 19 } else { 0 },
        "content": now.content,
        "author": user(&message.author),
        "timestamp": timestamp(message.id),
        "edited_timestamp": message.edited.map(iso),
        "tts": false,
        "mention_everyone": message.mention_everyone,
        "mentions": mentions,
        "mention_roles": [],
        "attachments": attachments,
        "embeds": now.embeds.iter().map(embeds::written).collect::<Vec<_>>(),
        "components": now.components,
        "pinned": false,
        "flags": message.flags,
    });
    set(&mut object, "nonce", message.nonce.clone());
    if let Some(answered) = message.reply_to {
        let mut reference = json!({"type": 0, "channel_id": id(message.channel), "message_id": id(answered)});
        set(&mut reference, "guild_id", channel.and_then(Channel::guild).map(id));
        set(&mut object, "message_reference", Some(reference));
    }
    object
}

/// Returns the object of an emoji: a character, or `name:id` for a custom one.
pub(crate) fn emoji(emoji: &str) -> Value {
    match emoji.split_once(':') {
        Some((name, id)) => json!({"id": id, "name": name}),
        None => json!({"id": null, "name": emoji}),
    }
}

fn reaction(reaction: &Reaction, bot: u64) -> Value {
    json!({
        "emoji": emoji(&reaction.emoji),
        "count": reaction.users.len(),
        "count_details": {"burst": 0, "normal": reaction.users.len()},
        "burst_colors": [],
        "me_burst": false,
        "me": reaction.users.iter().any(|user| user.id == bot),
    })
}

pub(crate) fn attachment(base_url: &str, channel: u64, file: &Attachment) -> Value {
    let url = format!("{base_url}/attachments/{channel}/{}/{}", file.id, file.filename);
    let mut object = json!({
        "id": id(file.id),
        "filename": file.filename,
        "size": file.bytes.len(),
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
    });
    set(&mut object, "description", file.description.clone());
    object
}

/// Returns the object of a guild's member.
pub(crate) fn member(person: &User, roles: &[u64]) -> Value {
    let fields: Map<String, Value> = ["avatar", "banner", "communication_disabled_until", "nick", "premium_since"]
        .into_iter()
        .map(|field| (field.to_owned(), Value::Null))
        .collect();
    let mut object = Value::Object(fields);
    set(&mut object, "user", Some(user(person)));
    set(&mut object, "roles", Some(roles.iter().copied().map(id).collect::<Vec<_>>()));
    set(&mut object, "joined_at", Some(timestamp(person.id)));
    set(&mut object, "flags", Some(0));
    for field in ["pending", "mute", "deaf"] {
        set(&mut object, field, Some(false));
    }
    object
}
