use super::reading::{self, Sync};
use super::refusal::{MatrixWording, Refusal, limited};
use super::world::{BOT, REFRESH_TOKEN, TOKEN, World};
use super::{rooms, rules};
use crate::call::Call;
use crate::exchange::{Answer, exchange, hand_out};
use crate::fake::Endpoint;
use crate::form;
use crate::reply::Reply;
use crate::server::Platform;
use crate::violation::Violation;
use crate::wire::Wire;
use bytes::Bytes;
use http::{Method, Request};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A request, in pieces. The path is decoded segment by segment.
struct Ask {
    method: Method,
    path: Vec<String>,
    query: Map<String, Value>,
    body: Bytes,
    json: Value,
    user: Option<String>,
}

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let ask = Ask {
            method: parts.method.clone(),
            path: parts.uri.path().split('/').skip(2).map(decoded).collect(),
            query: form::query(&parts),
            json: serde_json::from_slice(&body).unwrap_or_default(),
            user: form::bearer(&parts).and_then(|token| self.world.read(|world| user_of(world, token))),
            body,
        };
        let is_person = ask.user.as_deref().is_some_and(|user| user != BOT);
        let name = name(&ask);
        // The record is that of what the bot does.
        let wire = if is_person || matches!(name, "login" | "refresh") { Wire::new() } else { self.wire.clone() };
        let params = ask.json.as_object().cloned().unwrap_or_default().into_iter().chain(ask.query.clone()).collect();
        let call = Call::new(name, parts.uri.path(), Value::Object(params));
        if name == "download" && ask.user.is_some() {
            let url = format!("mxc://{}", ask.path.iter().skip(4).cloned().collect::<Vec<_>>().join("/"));
            let found = self.world.read(|world| world.media.get(&url).map(|(_, bytes)| bytes.clone()));
            return hand_out(&wire, call, &MatrixWording, found, Refusal::not_found("Not found").answer()).await;
        }
        exchange(&wire, call, &MatrixWording, self.carry_out(&wire, name, ask)).await
    }
}

impl Endpoint<World> {
    async fn carry_out(&self, wire: &Wire, name: &str, ask: Ask) -> Answer {
        let complain = |wrong: Vec<String>| {
            wire.report(wrong.into_iter().map(|what| Violation::request(name, what)).collect());
        };
        if ask.query.contains_key("access_token") {
            complain(vec!["an access token in the query".to_owned()]);
        }
        if name == "sync" {
            return match self.sync(&ask, complain).await {
                Ok(found) => Answer::ok(found),
                Err(refusal) => refusal.answer(),
            };
        }
        let (wrong, answer) = self.world.change(|world| {
            let wrong = odd(world, name, &ask);
            let user = ask.user.clone().unwrap_or_default();
            let is_counted = matches!(name, "message" | "edit" | "reaction" | "redact") && user == BOT;
            let sent = world.transactions.get(&ask.transaction(&user));
            if is_counted
                && sent.is_none()
                && let Some(wait) = world.count()
            {
                return (wrong, limited(wait));
            }
            (wrong, answer(world, name, &ask).map_or_else(Refusal::answer, Answer::ok))
        });
        complain(wrong);
        answer
    }

    /// Waits for something that passes the filter.
    async fn sync(&self, ask: &Ask, complain: impl Fn(Vec<String>)) -> Result<Value, Refusal> {
        let user = ask.user.clone().ok_or_else(unknown_token)?;
        let known = ["filter", "since", "timeout", "set_presence", "full_state", "use_state_after"];
        complain(rules::unknown("query", &Value::Object(ask.query.clone()), &known));
        let filter = match ask.text("filter") {
            "" => Value::Null,
            given if given.starts_with('{') => serde_json::from_str(given).map_err(|_| not_json())?,
            _ => Value::Null,
        };
        complain(rules::filter(&filter));
        let since = match ask.text("since") {
            "" => None,
            since => {
                match reading::place(since).filter(|place| self.world.read(|world| *place <= world.events.len())) {
                    Some(place) => Some(place),
                    None => return Err(Refusal::new(400, "M_UNKNOWN", "Invalid stream token")),
                }
            }
        };
        let sync = Sync { since, filter };
        let news = |world: &mut World| Some(reading::sync(world, &user, &sync)).filter(|it| it.1).map(|it| it.0);
        let wait = Duration::from_millis(ask.text("timeout").parse().unwrap_or_default());
        let found = match self.world.change(|world| news(world)) {
            Some(found) => Some(found),
            None if wait.is_zero() => None,
            None => self.world.within(wait, news).await,
        };
        Ok(found.unwrap_or_else(|| self.world.read(|world| reading::sync(world, &user, &sync).0)))
    }
}

impl Ask {
    fn text(&self, name: &str) -> &str {
        self.query.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns what a transaction's id is unique in. Synapse takes it for the same in the whole room, whatever the request.
    fn transaction(&self, user: &str) -> (String, String, String) {
        let piece = |at: usize| self.path.get(at).cloned().unwrap_or_default();
        (
            user.to_owned(),
            piece(3),
            self.path.last().filter(|_| self.method == Method::PUT).cloned().unwrap_or_default(),
        )
    }

    fn pieces(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }
}

/// Returns the name of a request, as it stands in the record.
fn name(ask: &Ask) -> &'static str {
    match (ask.method.as_str(), ask.pieces().as_slice()) {
        ("GET", ["client", "versions"]) => "versions",
        ("POST", ["client", "v3", "login"]) => "login",
        ("POST", ["client", "v3", "refresh"]) => "refresh",
        ("GET", ["client", "v3", "account", "whoami"]) => "whoami",
        ("GET", ["client", "v3", "sync"]) => "sync",
        ("POST", ["client", "v3", "createRoom"]) => "createRoom",
        ("POST", ["client", "v3", "rooms", _, "join"] | ["client", "v3", "join", _]) => "join",
        ("GET", ["client", "v3", "rooms", _, "joined_members"]) => "joined_members",
        ("GET", ["client", "v3", "rooms", _, "messages"]) => "messages",
        ("GET", ["client", "v3", "rooms", _, "event", _]) => "event",
        ("GET", ["client", "v3", "rooms", _, "state", ..]) => "state",
        ("PUT", ["client", "v3", "rooms", _, "state", ..]) => "setState",
        ("GET", ["client", "v1", "rooms", _, "relations", _, ..]) => "relations",
        ("PUT", ["client", "v3", "rooms", _, "redact", _, _]) => "redact",
        ("PUT", ["client", "v3", "rooms", _, "send", kind, _]) => {
            match (*kind, ask.json["m.relates_to"]["rel_type"].as_str()) {
                ("m.room.message", Some("m.replace")) => "edit",
                ("m.room.message", _) => "message",
                ("m.reaction", _) => "reaction",
                _ => "send",
            }
        }
        ("GET" | "PUT", ["client", "v3", "user", _, "account_data", _]) => "account_data",
        ("GET", ["client", "v1", "media", "config"]) => "config",
        ("POST", ["media", "v3", "upload"]) => "upload",
        ("GET", ["client", "v1", "media", "download", ..]) => "download",
        _ => "unknown",
    }
}

/// Returns what the specification does not allow in a request.
fn odd(world: &World, name: &str, ask: &Ask) -> Vec<String> {
    let query = Value::Object(ask.query.clone());
    let in_query = |known: &[&str]| rules::unknown("query", &query, known);
    let body = |known: &[&str]| rules::unknown("body", &ask.json, known);
    match (name, ask.pieces().as_slice()) {
        ("message" | "edit" | "reaction" | "send", ["client", _, _, room, _, kind, _]) => {
            let mut wrong = rules::content(world, room, ask.user.as_deref().unwrap_or_default(), kind, &ask.json);
            let sent = world.transactions.get(&ask.transaction(ask.user.as_deref().unwrap_or_default()));
            if sent.is_some_and(|(_, content)| *content != ask.json) {
                wrong.push("a transaction with another content than before".to_owned());
            }
            [wrong, in_query(&[])].concat()
        }
        ("messages", _) => in_query(&["dir", "filter", "from", "limit", "to"]),
        ("relations", _) => in_query(&["dir", "from", "limit", "to", "recurse"]),
        ("upload", _) => in_query(&["filename"]),
        ("redact", _) => body(&["reason"]),
        ("createRoom", _) => body(&[
            "creation_content", "initial_state", "invite", "invite_3pid", "is_direct", "name",
            "power_level_content_override", "preset", "room_alias_name", "room_version", "topic", "visibility",
        ]),
        ("unknown", _) => vec![format!("there is no {} {}", ask.method, ask.path.join("/"))],
        _ => Vec::new(),
    }
}

fn answer(world: &mut World, name: &str, ask: &Ask) -> Result<Value, Refusal> {
    if name == "versions" {
        return Ok(json!({ "versions": ["v1.11", "v1.12"], "unstable_features": {} }));
    }
    if name == "login" {
        return login(world, &ask.json);
    }
    if name == "refresh" {
        return refresh(&ask.json);
    }
    let user = ask.user.clone().ok_or_else(unknown_token)?;
    if let ["client", _, "rooms", room, ..] = ask.pieces().as_slice()
        && name != "join"
        && world.membership(room, &user) != "join"
    {
        return Err(Refusal::forbidden(&format!("User {user} not in room {room}, and room previews are disabled")));
    }
    let transaction = ask.transaction(&user);
    if let Some((id, _)) = world.transactions.get(&transaction) {
        return Ok(json!({ "event_id": id }));
    }
    match ask.pieces().as_slice() {
        ["client", _, "account", "whoami"] => Ok(json!({ "user_id": user, "device_id": "DMPLZ", "is_guest": false })),
        ["client", _, "createRoom"] => rooms::create(world, &user, &ask.json),
        ["client", _, "rooms", room, "join"] | ["client", _, "join", room] => rooms::join(world, room, &user),
        ["client", _, "rooms", room, "joined_members"] => {
            let members = world.users.values().filter(|it| world.membership(room, &it.id) == "join");
            let joined = members.map(|it| (it.id.clone(), json!({ "display_name": it.name }))).collect::<Map<_, _>>();
            Ok(json!({ "joined": joined }))
        }
        ["client", _, "rooms", room, "messages"] => reading::messages(world, room, &ask.query),
        ["client", _, "rooms", room, "event", id] => {
            world.find(room, id).map(|event| event.shown()).ok_or_else(|| Refusal::not_found("Event not found."))
        }
        ["client", _, "rooms", room, "state", kind, key @ ..] if ask.method == Method::GET => {
            let found = world.state(room, kind, key.first().unwrap_or(&"")).map(|event| event.content.clone());
            found.ok_or_else(|| Refusal::not_found("Event not found."))
        }
        ["client", _, "rooms", room, "state", kind, key @ ..] => {
            rooms::set_state(world, room, &user, (kind, key.first().unwrap_or(&"")), ask.json.clone())
        }
        ["client", _, "rooms", room, "relations", event, kinds @ ..] => {
            reading::relations(world, room, event, kinds, &ask.query)
        }
        ["client", _, "rooms", room, "redact", event, _] => {
            let id = rooms::redact(world, room, &user, event)?;
            world.transactions.insert(transaction, (id.clone(), ask.json.clone()));
            Ok(json!({ "event_id": id }))
        }
        ["client", _, "rooms", room, "send", kind, _] => {
            let id = rooms::send(world, room, &user, kind, &ask.json)?;
            world.transactions.insert(transaction, (id.clone(), ask.json.clone()));
            Ok(json!({ "event_id": id }))
        }
        ["client", _, "user", _, "account_data", kind] => {
            let key = (user, (*kind).to_owned());
            if ask.method == Method::PUT {
                world.account_data.insert(key, ask.json.clone());
                return Ok(json!({}));
            }
            world.account_data.get(&key).cloned().ok_or_else(|| Refusal::not_found("Account data not found"))
        }
        ["client", _, "media", "config"] => Ok(json!({ "m.upload.size": rooms::FILE_BYTES })),
        ["media", _, "upload"] => rooms::upload(world, ask.text("filename"), ask.body.clone()),
        _ => Err(Refusal::new(404, "M_UNRECOGNIZED", "Unrecognized request")),
    }
}

/// Logs a person in; the password is their name. The bot has its token.
fn login(world: &World, body: &Value) -> Result<Value, Refusal> {
    let name = body["identifier"]["user"].as_str().or_else(|| body["user"].as_str()).unwrap_or_default();
    let found = world.users.keys().find(|id| *id == name || id.starts_with(&format!("@{name}:")));
    let user = found.ok_or_else(|| Refusal::forbidden("Invalid username or password"))?;
    let token = if user == BOT { TOKEN.to_owned() } else { format!("person {user}") };
    Ok(json!({ "user_id": user, "access_token": token, "device_id": "DMPLZ", "home_server": "example.org" }))
}

/// Gives the bot its token for a refresh token. Its processes may all begin with the first one.
fn refresh(body: &Value) -> Result<Value, Refusal> {
    let given = body["refresh_token"].as_str().unwrap_or_default();
    if !given.starts_with(REFRESH_TOKEN) {
        return Err(Refusal::new(401, "M_UNKNOWN_TOKEN", "Unrecognised refresh token"));
    }
    Ok(json!({ "access_token": TOKEN, "refresh_token": format!("{REFRESH_TOKEN}1"), "expires_in_ms": 300_000 }))
}

fn user_of(world: &World, token: &str) -> Option<String> {
    if token == TOKEN {
        return Some(BOT.to_owned());
    }
    token.strip_prefix("person ").filter(|user| world.users.contains_key(*user)).map(str::to_owned)
}

fn unknown_token() -> Refusal {
    let mut refusal = Refusal::new(401, "M_UNKNOWN_TOKEN", "Invalid access token passed.");
    refusal.body["soft_logout"] = false.into();
    refusal
}

fn not_json() -> Refusal {
    Refusal::new(400, "M_NOT_JSON", "Content not JSON.")
}

fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8_lossy().replace('/', "\u{FF0F}")
}
