use super::methods::{self, Ask, METHODS, Token};
use super::refusal::{Refusal, SlackWording, rate_limited};
use super::world::World;
use super::{APP_TOKEN, BOT_TOKEN};
use crate::call::Call;
use crate::conversation::{self, OPENING};
use crate::exchange::{Admission, Answer, admit, exchange};
use crate::fake::Endpoint;
use crate::form::{bearer, media_type, pairs, query};
use crate::reply::Reply;
use crate::server::{Platform, Socket};
use bytes::Bytes;
use http::header::HeaderValue;
use http::request::Parts;
use http::{Method, Request, Uri};
use serde_json::{Map, Value};

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        if let Some(id) = path.strip_prefix("/upload/v1/") {
            let params = Value::Object(Map::from_iter([("bytes".to_owned(), body.len().into())]));
            let call = Call::new("upload", path.as_str(), params);
            let carry_out = async {
                let taken = self.world.change(|world| methods::upload(world, id, body));
                taken.map_or_else(Refusal::answer, |()| Answer::ok(Value::String("OK".to_owned())))
            };
            return exchange(&self.wire, call, &SlackWording, carry_out).await;
        }
        let name = path.strip_prefix("/api/").unwrap_or(&path).to_owned();
        let arguments = arguments(&parts, &body);
        let params = Value::Object(arguments.clone().unwrap_or_default());
        let call = Call::new(name.as_str(), path, params);
        let carry_out = async {
            let Some(arguments) = arguments else { return Refusal::new("invalid_json").answer() };
            let is_json = media_type(&parts) == "application/json";
            self.carry_out(&name, &parts, Ask { arguments, is_json })
        };
        exchange(&self.wire, call, &SlackWording, carry_out).await
    }

    async fn admit(&self, to: &Uri) -> Result<Admission, Reply> {
        let call = Call::new(OPENING, to.path(), Value::Null);
        let ticket = to.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("ticket="));
        let refused = self.world.change(|world| {
            let is_known = ticket.is_some_and(|ticket| world.sockets.tickets.remove(ticket));
            world.sockets.refused.or((!is_known).then_some(400))
        });
        admit(&self.wire, call, &SlackWording, refused).await
    }

    async fn converse(&self, _to: Uri, admission: Admission, socket: Socket) {
        let fault = admission.pause(&self.wire).await;
        let id = self.world.change(|world| world.sockets.admit(fault.as_ref()));
        let next = |world: &mut World| world.sockets.next_for(id);
        conversation::converse(&self.world, &self.wire, socket, next, World::acknowledge).await;
        self.world.change(|world| world.sockets.close(id));
    }

    /// Lets interactions fail that the app does not acknowledge.
    async fn keep_time(&self) {
        loop {
            let due = self.world.until(|world| world.sockets.deadline()).await;
            tokio::time::sleep_until(due).await;
            let now = tokio::time::Instant::now();
            if self.world.read(|world| world.sockets.deadline().is_some_and(|due| due <= now)) {
                self.world.change(|world| world.expire(now));
            }
        }
    }
}

impl Endpoint<World> {
    fn carry_out(&self, name: &str, parts: &Parts, ask: Ask) -> Answer {
        let Some(method) = METHODS.iter().find(|method| method.name == name) else {
            self.complain(name, "there is no such method");
            return Refusal::new("unknown_method").answer();
        };
        if parts.method != Method::POST && method.takes_json {
            self.complain(name, "not sent by POST");
        }
        let refused = match (method.token, bearer(parts)) {
            (_, None) => Some("not_authed"),
            (Token::Bot, Some(BOT_TOKEN)) | (Token::App, Some(APP_TOKEN)) => None,
            (_, Some(BOT_TOKEN | APP_TOKEN)) => Some("not_allowed_token_type"),
            _ => Some("invalid_auth"),
        };
        if let Some(error) = refused {
            return Refusal::new(error).answer();
        }
        if ask.is_json && !method.takes_json {
            self.complain(name, "it takes no JSON");
        }
        for argument in ask.arguments.keys().filter(|it| !method.arguments.contains(&it.as_str())) {
            self.complain(name, &format!("{argument}: no such argument"));
        }
        let scopes = self.world.read(|world| world.scopes.iter().cloned().collect::<Vec<_>>().join(","));
        if let Some(needed) = method.scope.filter(|scope| !scopes.split(',').any(|it| it == *scope)) {
            return Refusal::missing_scope(needed, &scopes).answer();
        }
        if name == "chat.postMessage"
            && let Some(wait) = self.world.change(|world| world.count(&ask.text("channel")))
        {
            return rate_limited(wait);
        }
        let done = self.world.change(|world| (method.handler)(world, &ask));
        if let Err(refusal) = &done
            && let Some(messages) = refusal.body["response_metadata"]["messages"].as_array()
        {
            messages.iter().for_each(|message| self.complain(name, &message.to_string()));
        }
        let mut answer = done.map_or_else(Refusal::answer, Answer::ok);
        if let (Token::Bot, Ok(scopes)) = (method.token, HeaderValue::from_str(&scopes)) {
            answer.headers.insert("x-oauth-scopes", scopes);
        }
        answer
    }
}

/// The arguments of a request, from its query, form or JSON; none where the JSON is broken.
fn arguments(parts: &Parts, body: &[u8]) -> Option<Map<String, Value>> {
    let mut arguments = query(parts);
    match media_type(parts).as_str() {
        "application/json" => arguments.extend(serde_json::from_slice::<Map<String, Value>>(body).ok()?),
        _ => arguments.extend(pairs(body)),
    }
    Some(arguments)
}
