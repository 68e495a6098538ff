//! Calls of the REST API.

pub(crate) use dmplz_provider_sdk::http::incomplete;
use dmplz_provider_sdk::http::seconds_to_ms;
use dmplz_provider_sdk::prelude::*;

use crate::limits::{PAUSE, RESERVE};
use crate::manifest;
use buckets::Buckets;

pub(crate) use refusal::Refusal;

mod buckets;
mod refusal;

/// The `user-agent`. Discord requires a URL and a version (docs/reference#user-agent) and refuses some agents of
/// another form. The project has no public page, which `.invalid` expresses.
const USER_AGENT: &str = concat!("DiscordBot (https://dmplz.invalid, ", env!("CARGO_PKG_VERSION"), ")");

/// The address of the REST API, and the limits of its routes.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
    buckets: Option<Buckets>,
}

impl Api {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings::server(settings, manifest::API_BASE, "https://discord.com/api/v10")?;
        Ok(Self { base, buckets: None })
    }

    /// Waits until an exhausted route accepts requests again, or returns how long that takes, without running into
    /// the limit. The module `reactions` has pauses of its own.
    pub(crate) fn keeping_limits(self) -> Self {
        Self { buckets: Some(Buckets::default()), ..self }
    }

    /// Requests a resource.
    pub(crate) fn get(&self, host: &dyn Host, path: &str) -> Result<Value, Refusal> {
        Ok(self.send(host, self.request(Method::Get, path))?.json()?)
    }

    /// Sends JSON and returns the created resource.
    pub(crate) fn send_json(
        &self,
        host: &dyn Host,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<Value, Refusal> {
        Ok(self.send(host, self.request(method, path).json(body))?.json()?)
    }

    /// Sends JSON to a path that itself grants access, without the token.
    pub(crate) fn send_open(
        &self,
        host: &dyn Host,
        method: Method,
        path: &str,
        body: &Value,
        timeout: Option<u32>,
    ) -> Result<Response, Refusal> {
        let request = Request::new(method, format!("{}{path}", self.base)).header("user-agent", USER_AGENT).json(body);
        self.send(host, Request { timeout, ..request })
    }

    /// Sends a form with files and returns the created resource.
    pub(crate) fn upload(&self, host: &dyn Host, path: &str, form: &Multipart<'_>) -> Result<Value, Refusal> {
        let request = self.request(Method::Post, path).multipart(form).timeout(UPLOAD);
        Ok(self.send(host, request)?.json()?)
    }

    /// Sends a request without a body, of which only the status matters.
    pub(crate) fn touch(&self, host: &dyn Host, method: Method, path: &str) -> Result<Response, Refusal> {
        self.send(host, self.request(method, path))
    }

    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, format!("{}{path}", self.base))
            .header(manifest::CREDENTIALS, manifest::TOKEN)
            .header("user-agent", USER_AGENT)
    }

    fn send(&self, host: &dyn Host, request: Request) -> Result<Response, Refusal> {
        let path = request.url.strip_prefix(&self.base).unwrap_or_default();
        let buckets = self.buckets.as_ref().map(|buckets| (buckets, buckets::route(request.method, path)));
        if let Some((buckets, route)) = &buckets {
            pause(host, buckets.pause(route, host.now()))?;
        }
        let response = host.send(request).map_err(Error::from)?;
        let refusal = (!response.is_success()).then(|| Refusal::read(&response));
        if let Some((buckets, route)) = &buckets {
            let retry_after = refusal.as_ref().and_then(Refusal::retry_after);
            buckets.note(route, &response, retry_after, host.now());
        }
        refusal.map_or(Ok(response), Err)
    }
}

/// Waits if the wait is short and the export has time; otherwise returns an error so that the host waits.
fn pause(host: &dyn Host, pause: u32) -> Result<(), Error> {
    if pause > PAUSE.min(host.remaining().saturating_sub(RESERVE)) {
        return Err(Error::RateLimited(Some(pause)));
    }
    if pause > 0 {
        host.sleep(pause);
    }
    Ok(())
}

/// Returns the path of a message.
pub(crate) fn message_path(channel: &str, message: &str) -> String {
    format!("/channels/{}/messages/{}", percent_encode(channel), percent_encode(message))
}

/// Returns the milliseconds until the route of this reply accepts another request; `None` if it accepts one now
/// (docs/topics/rate-limits#header-format).
pub(crate) fn pause_after(response: &Response) -> Option<u32> {
    if response.header("x-ratelimit-remaining")?.trim() != "0" {
        return None;
    }
    seconds_to_ms(response.header("x-ratelimit-reset-after")?.trim().parse::<f64>().ok()?)
}
