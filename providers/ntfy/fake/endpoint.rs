use super::model::Published;
use super::publishing::{self, is_topic};
use super::refusal::{NtfyWording, Refusal};
use super::world::{TOKEN, World};
use crate::call::Call;
use crate::exchange::{Answer, exchange};
use crate::fake::Endpoint;
use crate::form::query;
use crate::reply::Reply;
use crate::server::Platform;
use crate::violation::Violation;
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{Method, Request};
use serde_json::{Map, Value, json};

/// The kinds of requests. Each has the name of its call.
enum Wanted {
    /// `publish`, or `update` if its sequence already exists.
    Publish(Result<Published, Refusal>),
    /// `attach`.
    Attach { topic: String, name: String },
    /// `poll`.
    Poll { topics: Vec<String>, since: String },
    /// `auth`.
    Auth(String),
    /// `health`.
    Health,
    /// An unknown path.
    Nothing,
}

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let query = query(&parts);
        let wanted = wanted(&parts, &query, &body);
        let name = self.name(&wanted);
        if let Wanted::Publish(_) = &wanted {
            let (_, odd) = publishing::read(&body);
            self.wire.report(odd.into_iter().map(|what| Violation::request(name, what)).collect());
        }
        let mut params = query;
        if let (Wanted::Publish(_), Ok(Value::Object(fields))) = (&wanted, serde_json::from_slice(&body)) {
            params.extend(fields);
        }
        let call = Call::new(name, parts.uri.path(), Value::Object(params));
        let carry_out = async {
            let done = self.world.change(|world| carry_out(world, &parts, wanted, body));
            done.map_or_else(Refusal::answer, Answer::ok)
        };
        exchange(&self.wire, call, &NtfyWording, carry_out).await
    }
}

impl Endpoint<World> {
    fn name(&self, wanted: &Wanted) -> &'static str {
        let is_known = |it: &Published| {
            let sequence = it.sequence.as_deref();
            self.world.read(|world| sequence.is_some_and(|sequence| world.has_sequence(&it.topic, sequence)))
        };
        match wanted {
            Wanted::Publish(Ok(message)) if is_known(message) => "update",
            Wanted::Publish(_) => "publish",
            Wanted::Attach { .. } => "attach",
            Wanted::Poll { .. } => "poll",
            Wanted::Auth(_) => "auth",
            Wanted::Health => "health",
            Wanted::Nothing => "nothing",
        }
    }
}

fn wanted(parts: &Parts, query: &Map<String, Value>, body: &[u8]) -> Wanted {
    let value = |name: &str| query.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let segments: Vec<&str> = parts.uri.path().trim_start_matches('/').split('/').collect();
    match (&parts.method, segments.as_slice()) {
        (&Method::POST, [""]) => Wanted::Publish(publishing::read(body).0),
        (&Method::PUT, [topic]) if is_topic(topic) => {
            Wanted::Attach { topic: (*topic).to_owned(), name: value("filename") }
        }
        (&Method::GET, ["v1", "health"]) => Wanted::Health,
        (&Method::GET, [topic, "auth"]) if is_topic(topic) => Wanted::Auth((*topic).to_owned()),
        (&Method::GET, [topics, "json"]) if topics.split(',').all(is_topic) && value("poll") == "1" => {
            Wanted::Poll { topics: topics.split(',').map(str::to_owned).collect(), since: value("since") }
        }
        _ => Wanted::Nothing,
    }
}

fn carry_out(world: &mut World, parts: &Parts, wanted: Wanted, body: Bytes) -> Result<Value, Refusal> {
    world.count()?;
    if parts.headers.get(AUTHORIZATION).is_some_and(|given| *given != format!("Bearer {TOKEN}")) {
        return Err(Refusal::new(401, 40101, "unauthorized"));
    }
    let open = |world: &World, topic: &str| match world.protected.contains(topic) {
        true => Err(Refusal::new(403, 40301, "forbidden")),
        false => Ok(()),
    };
    match wanted {
        Wanted::Publish(message) => {
            let message = message?;
            open(world, &message.topic)?;
            Ok(shown(&world.publish(Published { by_bot: true, ..message })))
        }
        Wanted::Attach { topic, name } => {
            open(world, &topic)?;
            let message = publishing::file(&topic, &name, body)?;
            Ok(shown(&world.publish(Published { by_bot: true, ..message })))
        }
        Wanted::Poll { topics, since } => {
            topics.iter().try_for_each(|topic| open(world, topic))?;
            let from = from(world, &since)?;
            let of_these = |it: &&Published| topics.contains(&it.topic);
            let after = world.log.iter().skip(from.0).filter(|it| it.time >= from.1);
            Ok(after.filter(of_these).map(shown).collect())
        }
        Wanted::Auth(topic) => open(world, &topic).map(|()| json!({ "success": true })),
        Wanted::Health => Ok(json!({ "healthy": true })),
        Wanted::Nothing => Err(Refusal::new(404, 40401, "page not found")),
    }
}

/// Returns where a poll begins: the number of messages that it skips, and the earliest time of the others. With an
/// unknown id it returns all messages, as the server does (`parseSince` and `messagesSinceID`).
fn from(world: &World, since: &str) -> Result<(usize, u64), Refusal> {
    if matches!(since, "" | "all") {
        return Ok((0, 0));
    }
    if since == "none" {
        return Ok((world.log.len(), 0));
    }
    if since.len() == 12 && since.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok((world.log.iter().position(|it| it.id == since).map_or(0, |at| at + 1), 0));
    }
    let time = since.parse().ok();
    time.map(|time| (0, time)).ok_or_else(|| Refusal::new(400, 40008, "invalid since parameter"))
}

/// Returns a message as JSON: <https://docs.ntfy.sh/subscribe/api/#json-message-format>.
fn shown(message: &Published) -> Value {
    let mut json = json!({
        "id": message.id, "time": message.time, "event": "message", "topic": message.topic, "message": message.message,
    });
    let fields = [
        ("title", Some(message.title.clone()).filter(|title| !title.is_empty()).map(Value::from)),
        ("sequence_id", message.sequence.clone().map(Value::from)),
        ("attachment", message.attachment.as_ref().map(|(name, bytes)| json!({ "name": name, "size": bytes.len() }))),
    ];
    if let Some(object) = json.as_object_mut() {
        object.extend(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    }
    json
}
