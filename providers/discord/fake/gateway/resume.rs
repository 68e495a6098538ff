//! RESUME: <https://docs.discord.com/developers/events/gateway#resuming>.

use crate::discord::world::World;
use crate::discord::world::gateway::payload::{self, Close};
use crate::violation::Violation;
use serde_json::{Value, json};

/// Resumes a session, and replays the events that its client has missed.
pub(super) fn resume(world: &mut World, id: u64, data: &Value) -> Vec<Violation> {
    let token = data.get("token").and_then(Value::as_str);
    let name = data.get("session_id").and_then(Value::as_str);
    let seen = data.get("seq").and_then(Value::as_u64);
    let gateway = &mut world.gateway;
    let mut close = |close, why: &str| gateway.close(id, close, why).into_iter().collect();
    let (Some(token), Some(name), Some(seen)) = (token, name, seen) else {
        return close(Close::DECODE_ERROR, "RESUME without token, session_id and seq");
    };
    if token.strip_prefix("Bot ").unwrap_or(token) != world.token {
        return close(Close::AUTHENTICATION_FAILED, "");
    }
    let life = gateway.session_life;
    gateway.sessions.retain(|_, session| session.connection.is_some() || session.left.elapsed() <= life);
    let Some(session) = gateway.sessions.get_mut(name) else {
        gateway.push(id, payload::invalid_session(false));
        return Vec::new();
    };
    if seen > session.sequence {
        gateway.sessions.remove(name);
        return gateway.close(id, Close::INVALID_SEQ, "a sequence number that was never sent").into_iter().collect();
    }
    let former = session.connection.replace(id);
    session.resumes += 1;
    let missed: Vec<String> = session.since(seen).cloned().collect();
    let resumed = session.number("RESUMED", &json!({"_trace": []}));
    if let Some(former) = former.and_then(|former| gateway.connections.get_mut(&former)) {
        former.session = None;
        former.close(Close(4000));
    }
    missed.into_iter().chain([resumed]).for_each(|frame| gateway.push(id, frame));
    let Some(connection) = gateway.connections.get_mut(&id) else { return Vec::new() };
    connection.session = Some(name.to_owned());
    let elsewhere = Violation::request("gateway RESUME", "RESUME was not sent to resume_gateway_url");
    if connection.to_resume { Vec::new() } else { vec![elsewhere] }
}
