//! Processes the frames of a client.

use super::{identify, resume};
use crate::discord::world::World;
use crate::discord::world::gateway::payload::{self, Close};
use crate::discord::world::gateway::{Acks, Origin, Out};
use crate::violation::Violation;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// The maximum size of a payload in bytes: <https://docs.discord.com/developers/events/gateway#sending-events>.
const PAYLOAD: usize = 4096;
/// A shorter heartbeat interval is that of a test. Its heartbeats are not counted, because they would exceed the limit
/// of frames.
const USUAL_INTERVAL: Duration = Duration::from_secs(1);

/// Processes one frame of a client.
pub(super) fn receive(world: &mut World, id: u64, frame: &str) -> Vec<Violation> {
    let found = act(world, id, frame);
    let gateway = &mut world.gateway;
    if gateway.frames.passed(id, Origin::Client, frame)
        && let Some(connection) = gateway.connections.get_mut(&id)
    {
        connection.cut();
    }
    found
}

fn act(world: &mut World, id: u64, frame: &str) -> Vec<Violation> {
    let now = Instant::now();
    let short = world.gateway.heartbeat < USUAL_INTERVAL;
    let Some(connection) = world.gateway.connections.get_mut(&id).filter(|connection| !connection.closing) else {
        return Vec::new();
    };
    let payload: Value = serde_json::from_str(frame).unwrap_or_default();
    let (op, data) = (payload.get("op").and_then(Value::as_u64), payload.get("d").unwrap_or(&Value::Null));
    let counts = op != Some(payload::HEARTBEAT) || !short;
    let too_many = counts && connection.counts(now);
    let turns_away = world.gateway.turned_away.1 > 0;
    let carries = connection.session.is_some();
    let mut close = |close, why: &str| world.gateway.close(id, close, why).into_iter().collect();
    match op {
        _ if frame.len() > PAYLOAD => close(Close::DECODE_ERROR, "a payload is longer than 4096 bytes"),
        _ if too_many => close(Close::RATE_LIMITED, "more than 120 payloads in 60 s"),
        None => close(Close::DECODE_ERROR, "a payload is no object with a number as op"),
        Some(payload::HEARTBEAT) => match data.is_null() || data.is_u64() {
            true => heartbeat(world, id, data, now),
            false => close(Close::DECODE_ERROR, "the d of a heartbeat is neither null nor a sequence number"),
        },
        Some(payload::IDENTIFY) if carries => close(Close::ALREADY_AUTHENTICATED, "a second IDENTIFY"),
        Some(payload::RESUME) if carries => close(Close::ALREADY_AUTHENTICATED, "RESUME on a session"),
        Some(payload::IDENTIFY | payload::RESUME) if turns_away => {
            world.gateway.turn_away(id);
            Vec::new()
        }
        Some(payload::IDENTIFY) => identify::identify(world, id, data),
        Some(payload::RESUME) => resume::resume(world, id, data),
        Some(
            payload::PRESENCE_UPDATE
            | payload::VOICE_STATE_UPDATE
            | payload::REQUEST_GUILD_MEMBERS
            | payload::REQUEST_SOUNDBOARD_SOUNDS,
        ) => match carries {
            true => Vec::new(),
            false => close(Close::NOT_AUTHENTICATED, "a payload before IDENTIFY"),
        },
        Some(op) => close(Close::UNKNOWN_OPCODE, &format!("op {op}")),
    }
}

fn heartbeat(world: &mut World, id: u64, seen: &Value, now: Instant) -> Vec<Violation> {
    let gateway = &mut world.gateway;
    let acks = gateway.acks;
    let Some(connection) = gateway.connections.get_mut(&id) else { return Vec::new() };
    connection.heard = now;
    match acks {
        Acks::Prompt => connection.outbox.push_back(Out::Frame(payload::ack())),
        Acks::After(delay) => connection.hold(now + delay, payload::ack()),
        Acks::Never => {}
    }
    let session = connection.session.as_ref().and_then(|session| gateway.sessions.get(session));
    match (seen.as_u64(), session) {
        (Some(seen), Some(session)) if seen > session.sequence => {
            let what = format!("{seen} was never sent, but at most {}", session.sequence);
            vec![Violation::request("gateway HEARTBEAT", what)]
        }
        _ => Vec::new(),
    }
}
