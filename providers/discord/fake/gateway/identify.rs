//! IDENTIFY and READY: <https://docs.discord.com/developers/events/gateway-events#identify>.

use super::{Event, intents};
use crate::discord::account::application_flags;
use crate::discord::fields::{id as id_text, set};
use crate::discord::json;
use crate::discord::world::World;
use crate::discord::world::gateway::RESUME_PATH;
use crate::discord::world::gateway::payload::{self, Close};
use crate::violation::Violation;
use serde_json::{Value, json};
use tokio::time::Instant;

/// The fields of IDENTIFY.
const FIELDS: [&str; 8] =
    ["token", "properties", "compress", "large_threshold", "shard", "presence", "intents", "capabilities"];

/// Starts a session, or closes the connection if IDENTIFY is wrong.
pub(super) fn identify(world: &mut World, id: u64, data: &Value) -> Vec<Violation> {
    let mut found: Vec<Violation> = unknown_fields(data);
    if let Err((close, why)) = check(world, data) {
        found.extend(world.gateway.close(id, close, why));
        return found;
    }
    let now = Instant::now();
    let gateway = &mut world.gateway;
    if gateway.starts == 0 {
        // As at Discord, the token is reset, and all its sessions end.
        gateway.connected().into_iter().for_each(|id| _ = gateway.close(id, Close::AUTHENTICATION_FAILED, ""));
        gateway.sessions.clear();
        found.push(violation("more sessions were started than a day has"));
        return found;
    }
    gateway.starts -= 1;
    if gateway.identified_at.is_some_and(|at| now.duration_since(at) < gateway.identify_window) {
        gateway.push(id, payload::invalid_session(false));
        return found;
    }
    gateway.identified_at = Some(now);
    let session = gateway.begin(id, data.get("intents").and_then(Value::as_u64).unwrap_or(0));
    let ready = ready(world, &session, data.get("shard"));
    world.gateway.tell(&session, "READY", &ready);
    let guilds: Vec<u64> = world.guilds.keys().copied().collect();
    for guild in guilds {
        let event = Event::guild_create(world, guild);
        world.gateway.tell_if(&session, &event);
    }
    found
}

fn check(world: &World, data: &Value) -> Result<(), (Close, &'static str)> {
    if !data.is_object() || !data.get("properties").is_some_and(Value::is_object) {
        return Err((Close::DECODE_ERROR, "IDENTIFY without properties"));
    }
    let token = data.get("token").and_then(Value::as_str).ok_or((Close::DECODE_ERROR, "IDENTIFY without a token"))?;
    if token.strip_prefix("Bot ").unwrap_or(token) != world.token {
        return Err((Close::AUTHENTICATION_FAILED, ""));
    }
    let invalid = (Close::INVALID_INTENTS, "IDENTIFY without intents that there are");
    let wanted = data.get("intents").and_then(Value::as_u64).filter(|it| intents::valid(*it)).ok_or(invalid)?;
    if !intents::granted(world, wanted) {
        return Err((Close::DISALLOWED_INTENTS, ""));
    }
    match data.get("shard").map(|shard| (shard.get(0).and_then(Value::as_u64), shard.get(1).and_then(Value::as_u64))) {
        None => Ok(()),
        Some((Some(number), Some(count))) if number < count => Ok(()),
        Some(_) => Err((Close::INVALID_SHARD, "a shard that cannot be")),
    }
}

fn unknown_fields(data: &Value) -> Vec<Violation> {
    let names = data.as_object().into_iter().flat_map(|fields| fields.keys());
    let unknown = names.filter(|name| !FIELDS.contains(&name.as_str()));
    unknown.map(|name| violation(&format!("{name}: unknown field"))).collect()
}

fn violation(what: &str) -> Violation {
    Violation::request("gateway IDENTIFY", what)
}

fn ready(world: &World, session: &str, shard: Option<&Value>) -> Value {
    let mut user = json::user(&world.bot);
    set(&mut user, "mfa_enabled", Some(true));
    set(&mut user, "verified", Some(true));
    set(&mut user, "email", Some(Value::Null));
    let guilds: Vec<Value> = world.guilds.keys().map(|id| json!({"id": id_text(*id), "unavailable": true})).collect();
    let address = world.base_url.replacen("http://", "ws://", 1);
    let mut ready = json!({
        "v": 10,
        "user_settings": {},
        "user": user,
        "session_type": "normal",
        "session_id": session,
        "resume_gateway_url": format!("{address}{RESUME_PATH}"),
        "relationships": [],
        "private_channels": [],
        "presences": [],
        "guilds": guilds,
        "guild_join_requests": [],
        "geo_ordered_rtc_regions": [],
        "auth": {},
        "application": {"id": id_text(world.bot.id), "flags": application_flags(world)},
        "_trace": [],
    });
    set(&mut ready, "shard", shard.cloned());
    ready
}
