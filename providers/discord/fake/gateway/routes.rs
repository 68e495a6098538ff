//! <https://docs.discord.com/developers/events/gateway#get-gateway-bot>

use crate::discord::ask::Ask;
use crate::discord::refusal::Refusal;
use crate::discord::world::World;
use crate::discord::world::gateway::Gateway;
use serde_json::{Value, json};

pub(crate) fn gateway(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    Ok(json!({"url": url(world)}))
}

pub(crate) fn gateway_bot(world: &mut World, _: &Ask) -> Result<Value, Refusal> {
    let limit = json!({
        "total": Gateway::STARTS,
        "remaining": world.gateway.starts,
        "reset_after": if world.gateway.starts < Gateway::STARTS { 86_400_000 } else { 0 },
        "max_concurrency": 1,
    });
    Ok(json!({"url": url(world), "shards": 1, "session_start_limit": limit}))
}

fn url(world: &World) -> String {
    world.base_url.replacen("http://", "ws://", 1)
}
