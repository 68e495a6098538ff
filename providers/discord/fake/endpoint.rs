use super::ask::Ask;
use super::gateway;
use super::limits::{self, Bucket, TooMany};
use super::refusal::Refusal;
use super::routes::{Route, route};
use super::spec::SPEC;
use super::world::World;
use super::world::gateway::RESUME_PATH;
use crate::call::Call;
use crate::clock::{rounded_up, since_epoch};
use crate::conversation::OPENING;
use crate::exchange::{Admission, Answer, Wording, admit, exchange, hand_out};
use crate::fake::Endpoint;
use crate::reply::Reply;
use crate::server::{Platform, Socket};
use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderValue, RETRY_AFTER, USER_AGENT, VIA};
use http::request::Parts;
use http::{HeaderMap, Request, StatusCode, Uri};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::sleep_until;

/// The path of the API below the server's root.
pub(crate) const BASE: &str = "/api/v10";

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        if let Some(file) = path.strip_prefix("/attachments/") {
            return self.file(&path, file).await;
        }
        let route = match path.strip_prefix(BASE) {
            Some(below) => route(&parts.method, below),
            None => Err(Refusal::plain(StatusCode::NOT_FOUND)),
        };
        let mut ask = Ask::read(&parts, body).await;
        if let (Ok(route), Ok(ask)) = (&route, &mut ask) {
            ask.path.clone_from(&route.variables);
        }
        let name = route.as_ref().map_or_else(|_| format!("{} {path}", parts.method), |route| route.name.clone());
        let call = Call::new(name.clone(), path, ask.as_ref().map(Ask::shown).unwrap_or_default());
        let carry_out = async {
            let major = ask.as_ref().map_or_else(|_| String::new(), major);
            let taken = self.world.change(|world| world.limits.take(&name, &major, Instant::now()));
            let bucket = match taken {
                Ok(bucket) => bucket,
                Err(too_many) => return refuse(&too_many),
            };
            let outcome = self.carry_out(&parts, route, ask);
            self.wire.report(match &outcome {
                Ok(reply) => SPEC.reply(&name, reply),
                Err(refusal) => SPEC.reply_of_type(&name, "ErrorResponse", &refusal.body()),
            });
            answer(outcome, &bucket)
        };
        exchange(&self.wire, call, &DiscordWording, carry_out).await
    }

    async fn admit(&self, to: &Uri) -> Result<Admission, Reply> {
        let call = Call::new(OPENING, to.path(), Value::Null);
        let refused = self.world.read(|world| world.gateway.refused);
        let admitted = admit(&self.wire, call, &DiscordWording, refused).await;
        if admitted.is_err() && to.path().starts_with(RESUME_PATH) {
            self.world.change(|world| world.gateway.resume_refused = true);
        }
        admitted
    }

    async fn converse(&self, to: Uri, admission: Admission, socket: Socket) {
        gateway::converse(&self.world, &self.wire, &to, admission, socket).await;
    }

    /// Fails the interactions that the bot does not respond to in time.
    async fn keep_time(&self) {
        loop {
            let due = self.world.until(|world| world.interactions.deadline()).await;
            sleep_until(due).await;
            let now = tokio::time::Instant::now();
            if self.world.read(|world| world.interactions.deadline().is_some_and(|due| due <= now)) {
                self.world.change(|world| self.wire.report(world.interactions.expire(now)));
            }
        }
    }
}

/// Returns whether a route accepts requests without the bot's token, because no secret is needed or its path contains
/// one.
fn is_open(route: &str) -> bool {
    let path = route.split_once(' ').map_or("", |(_, path)| path);
    path == "/gateway" || path.starts_with("/interactions/") || path.starts_with("/webhooks/")
}

impl Endpoint<World> {
    /// Hands out a file under `CHANNEL/ATTACHMENT/NAME`, as the CDN does: without a token.
    async fn file(&self, path: &str, file: &str) -> Reply {
        let attachment = file.split('/').nth(1).and_then(|id| id.parse().ok());
        let found = self.world.read(|world| world.file(attachment?));
        let call = Call::new("file", path, Value::Null);
        let missing = Answer { status: StatusCode::NOT_FOUND, headers: HeaderMap::new(), body: None };
        hand_out(&self.wire, call, &DiscordWording, found, missing).await
    }

    fn carry_out(
        &self,
        parts: &Parts,
        route: Result<Route, Refusal>,
        ask: Result<Ask, Refusal>,
    ) -> Result<Value, Refusal> {
        if parts.headers.get(USER_AGENT).is_none_or(HeaderValue::is_empty) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, 40333, "internal network error"));
        }
        let route = route.inspect_err(|_| self.complain(parts.method.as_str(), "there is no such method or route"))?;
        let agent = parts.headers.get(USER_AGENT).map(HeaderValue::as_bytes).unwrap_or_default();
        if !agent.starts_with(b"DiscordBot (") {
            self.complain(&route.name, "User-Agent: should be \"DiscordBot ($url, $version)\"");
        }
        let expected = self.world.read(|world| format!("Bot {}", world.token));
        let given = parts.headers.get(AUTHORIZATION);
        if !is_open(&route.name) && given.is_none_or(|given| given.as_bytes() != expected.as_bytes()) {
            return Err(Refusal::plain(StatusCode::UNAUTHORIZED));
        }
        let ask = ask.inspect_err(|refusal| self.complain(&route.name, &refusal.message))?;
        let body = match () {
            () if !ask.list.is_empty() => Value::Array(ask.list.clone()),
            () if ask.body.is_empty() && ask.files.is_empty() => Value::Null,
            () => Value::Object(ask.body.clone()),
        };
        self.wire.report(SPEC.request(&route.name, &Value::Object(ask.query.clone()), &body));
        self.world.change(|world| (route.handler)(world, &ask))
    }
}

struct DiscordWording;

impl Wording for DiscordWording {
    fn refused(&self, status: StatusCode, code: Option<u64>, message: Option<String>) -> Answer {
        let usual = match status.as_u16() {
            403 => Refusal::missing_access(),
            404 => Refusal::unknown(10003, "Channel"),
            _ => Refusal::plain(status),
        };
        let message = message.unwrap_or(usual.message);
        let bucket = Bucket { limit: 5, remaining: 4, reset_after: Duration::from_secs(1), name: limits::name("") };
        answer(Err(Refusal::new(status, code.unwrap_or(usual.code), message)), &bucket)
    }

    fn rate_limited(&self, retry_after: Duration, global: bool) -> Answer {
        let bucket = Bucket { limit: 5, remaining: 0, reset_after: retry_after, name: limits::name("") };
        refuse(&TooMany { retry_after, bucket: (!global).then_some(bucket) })
    }

    fn list<'a>(&self, body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        body.as_array_mut()
    }
}

/// Returns the major parameters, by which the buckets of a route are separated.
fn major(ask: &Ask) -> String {
    ["channel_id", "guild_id", "webhook_id", "webhook_token"].map(|name| ask.variable(name)).concat()
}

/// Answers 429. A limit without a bucket is the global one.
fn refuse(too_many: &TooMany) -> Answer {
    let TooMany { retry_after, bucket } = too_many;
    let mut headers = common();
    headers.insert(RETRY_AFTER, rounded_up(*retry_after).into());
    let scope = if bucket.is_none() { "global" } else { "user" };
    headers.insert("x-ratelimit-scope", HeaderValue::from_static(scope));
    match bucket {
        None => _ = headers.insert("x-ratelimit-global", HeaderValue::from_static("true")),
        Some(bucket) => state(&mut headers, bucket),
    }
    let (seconds, global) = (retry_after.as_secs_f64(), bucket.is_none());
    let body = json!({"message": "You are being rate limited.", "retry_after": seconds, "global": global});
    Answer { status: StatusCode::TOO_MANY_REQUESTS, headers, body: Some(body) }
}

fn answer(outcome: Result<Value, Refusal>, bucket: &Bucket) -> Answer {
    let mut headers = common();
    state(&mut headers, bucket);
    match outcome {
        Ok(Value::Null) => Answer { status: StatusCode::NO_CONTENT, headers, body: None },
        Ok(body) => Answer { status: StatusCode::OK, headers, body: Some(body) },
        Err(refusal) => Answer { status: refusal.status, headers, body: Some(refusal.body()) },
    }
}

/// Returns the headers of every answer. discord.py takes a 429 without `Via` for a ban by Cloudflare.
fn common() -> HeaderMap {
    HeaderMap::from_iter([(VIA, HeaderValue::from_static("1.1 google"))])
}

/// Adds the headers that describe the route's bucket:
/// <https://discord.com/developers/docs/topics/rate-limits#header-format>.
fn state(headers: &mut HeaderMap, bucket: &Bucket) {
    let reset = since_epoch() + bucket.reset_after;
    let values = [
        ("x-ratelimit-limit", bucket.limit.to_string()),
        ("x-ratelimit-remaining", bucket.remaining.to_string()),
        ("x-ratelimit-reset", format!("{:.3}", reset.as_secs_f64())),
        ("x-ratelimit-reset-after", format!("{:.3}", bucket.reset_after.as_secs_f64())),
        ("x-ratelimit-bucket", bucket.name.clone()),
    ];
    for (name, value) in values {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}
