use super::params::Params;
use super::refusal::Refusal;
use super::spec::SPEC;
use super::world::World;
use super::{files, methods};
use crate::call::Call;
use crate::clock::rounded_up;
use crate::exchange::{Answer, Wording, exchange, hand_out};
use crate::fake::Endpoint;
use crate::reply::Reply;
use crate::server::Platform;
use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        if let Some(file) = path.strip_prefix("/file/bot") {
            return self.file(&path, file).await;
        }
        let (token, method) = path.strip_prefix("/bot").and_then(|rest| rest.split_once('/')).unwrap_or_default();
        let params = Params::read(&parts, body).await;
        let name = methods::spelling(method).unwrap_or(method);
        let call = Call::new(name, path.as_str(), params.as_ref().map(Params::shown).unwrap_or_default());
        let carry_out = async {
            let outcome = self.carry_out(token, method, params).await;
            if let Ok(result) = &outcome {
                self.wire.report(SPEC.reply(name, result));
            }
            answer(outcome)
        };
        exchange(&self.wire, call, &TelegramWording, carry_out).await
    }
}

impl Endpoint<World> {
    /// Hands out a file under `TOKEN/PATH`: <https://core.telegram.org/bots/api#getfile>.
    async fn file(&self, path: &str, file: &str) -> Reply {
        let (token, file) = file.split_once('/').unwrap_or_default();
        let found = self.world.read(|world| if world.token == token { files::at(world, file) } else { None });
        let call = Call::new("file", path, Value::Null);
        hand_out(&self.wire, call, &TelegramWording, found, answer(Err(Refusal::not_found("Not Found")))).await
    }

    async fn carry_out(
        &self,
        token: &str,
        method: &str,
        params: Result<Params, &'static str>,
    ) -> Result<Value, Refusal> {
        if method.is_empty() {
            return Err(Refusal::not_found("Not Found"));
        }
        if !token.contains(':') {
            return Err(Refusal::unauthorized("Unauthorized: invalid token specified"));
        }
        if self.world.read(|world| world.token != token) {
            return Err(Refusal::unauthorized("Unauthorized"));
        }
        let params = params.map_err(Refusal::bad_request)?;
        let name = methods::spelling(method).unwrap_or(method);
        self.wire.report(SPEC.request(name, &Value::Null, &params.declared()));
        methods::call(&self.world, name, &params).await
    }
}

struct TelegramWording;

impl Wording for TelegramWording {
    fn refused(&self, status: StatusCode, _code: Option<u64>, message: Option<String>) -> Answer {
        let usual = match status.as_u16() {
            400 => "Bad Request: chat not found",
            403 => "Forbidden: bot was blocked by the user",
            409 => "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            429 => "Too Many Requests: retry after 1",
            _ => status.canonical_reason().unwrap_or("Error"),
        };
        let retry_after = (status == StatusCode::TOO_MANY_REQUESTS).then_some(1);
        answer(Err(Refusal { status, description: message.unwrap_or_else(|| usual.to_owned()), retry_after }))
    }

    fn rate_limited(&self, retry_after: Duration, _global: bool) -> Answer {
        let seconds = rounded_up(retry_after);
        answer(Err(Refusal {
            status: StatusCode::TOO_MANY_REQUESTS,
            description: format!("Too Many Requests: retry after {seconds}"),
            retry_after: Some(seconds),
        }))
    }

    fn list<'a>(&self, body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        body.get_mut("result")?.as_array_mut()
    }
}

/// Wraps an outcome in the envelope of answers: <https://core.telegram.org/bots/api#making-requests>.
fn answer(outcome: Result<Value, Refusal>) -> Answer {
    let mut headers = HeaderMap::new();
    match outcome {
        Ok(result) => Answer { status: StatusCode::OK, headers, body: Some(json!({"ok": true, "result": result})) },
        Err(refusal) => {
            let code = refusal.status.as_u16();
            let mut body = json!({"ok": false, "error_code": code, "description": refusal.description});
            if let Some(seconds) = refusal.retry_after {
                super::json::set(&mut body, "parameters", Some(json!({"retry_after": seconds})));
                headers.insert(RETRY_AFTER, seconds.into());
            }
            Answer { status: refusal.status, headers, body: Some(body) }
        }
    }
}
