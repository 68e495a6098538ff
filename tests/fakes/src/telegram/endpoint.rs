use super::methods;
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use crate::call::Call;
use crate::server::{Platform, Reply};
use crate::watched::Watched;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// The HTTP side: from a request to a method, and from its outcome to a reply.
pub(crate) struct Endpoint {
    world: Arc<Watched<World>>,
}

impl Endpoint {
    pub(crate) fn new(world: Arc<Watched<World>>) -> Self {
        Self { world }
    }

    async fn outcome(&self, request: Request<Bytes>) -> Result<Value, Refusal> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().strip_prefix("/bot").ok_or_else(|| Refusal::not_found("Not Found"))?;
        let (token, method) = path.split_once('/').ok_or_else(|| Refusal::not_found("Not Found"))?;
        if !token.contains(':') {
            return Err(Refusal::unauthorized("Unauthorized: invalid token specified"));
        }
        if self.world.read(|world| world.token != token) {
            return Err(Refusal::unauthorized("Unauthorized"));
        }
        let params = Params::read(&parts, body).await.map_err(Refusal::bad_request)?;
        let call = self.world.change(|world| {
            world.calls.push(Call {
                name: methods::spelling(method).unwrap_or(method).to_owned(),
                path: parts.uri.path().to_owned(),
                params: params.shown(),
                at: Instant::now(),
                status: None,
            });
            world.calls.len() - 1
        });
        let outcome = methods::call(&self.world, method, &params).await;
        let status = outcome.as_ref().map_or_else(|refusal| refusal.status, |_| StatusCode::OK);
        self.world.change(|world| {
            if let Some(call) = world.calls.get_mut(call) {
                call.status = Some(status.as_u16());
            }
        });
        outcome
    }
}

impl Platform for Endpoint {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        Reply { response: response(self.outcome(request).await), cut: None }
    }
}

fn response(outcome: Result<Value, Refusal>) -> Response<Bytes> {
    let (status, retry_after, body) = match outcome {
        Ok(result) => (StatusCode::OK, None, json!({"ok": true, "result": result})),
        Err(refusal) => {
            let mut body =
                json!({"ok": false, "error_code": refusal.status.as_u16(), "description": refusal.description});
            let parameters = refusal.retry_after.map(|seconds| json!({"retry_after": seconds}));
            super::json::set(&mut body, "parameters", parameters);
            (refusal.status, refusal.retry_after, body)
        }
    };
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    if let Some(seconds) = retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    response
}
