//! Calls of the REST API.

use std::ops::Deref;

use dmplz_provider_sdk::http::seconds_to_ms;
use dmplz_provider_sdk::prelude::*;

use crate::limits::PAUSE;
use crate::{manifest, token};
use buckets::Buckets;

pub(crate) use refusal::wanting;

mod buckets;
pub(crate) mod refusal;

/// The `user-agent`. Discord requires a URL and a version (docs/reference#user-agent) and refuses some agents of
/// another form. The project has no public page, which `.invalid` expresses.
const USER_AGENT: &str = concat!("DiscordBot (https://dmplz.invalid, ", env!("CARGO_PKG_VERSION"), ")");

/// The address of the REST API, and the limits of its routes.
#[derive(Debug)]
pub(crate) struct Rest {
    base: String,
    buckets: Option<Buckets>,
}

/// The REST API, as a running export reaches it: its requests, and besides them all of the [`Host`].
#[derive(Clone, Copy)]
pub(crate) struct Api<'a> {
    rest: &'a Rest,
    host: &'a dyn Host,
}

impl Rest {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self> {
        let base = settings::server(settings, manifest::API_BASE, "https://discord.com/api/v10")?;
        Ok(Self { base, buckets: None })
    }

    /// Waits until an exhausted route accepts requests again, or returns how long that takes, without running into
    /// the limit. The module `reactions` has pauses of its own.
    pub(crate) fn keeping_limits(self) -> Self {
        Self { buckets: Some(Buckets::default()), ..self }
    }

    /// Returns the API, reached by a host.
    pub(crate) fn on<'a>(&'a self, host: &'a dyn Host) -> Api<'a> {
        Api { rest: self, host }
    }
}

impl Api<'_> {
    /// Requests a resource.
    pub(crate) fn get(self, path: &str) -> Result<Value, Refusal> {
        self.call(self.request(Method::Get, path))
    }

    /// Sends JSON and returns the created resource.
    pub(crate) fn send_json(self, method: Method, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.call(self.request(method, path).json(body))
    }

    /// Sends a request without a body, of which only the status matters.
    pub(crate) fn touch(self, method: Method, path: &str) -> Result<Response, Refusal> {
        self.exchange(self.request(method, path))
    }

    /// Returns a request with the token.
    pub(crate) fn request(self, method: Method, path: &str) -> Request {
        Request::new(method, format!("{}{path}", self.rest.base))
            .header(token::CREDENTIALS, token::BEARER)
            .header("user-agent", USER_AGENT)
    }

    /// Returns a request that posts JSON to a path that itself grants access, without the token.
    pub(crate) fn open_request(self, path: &str, body: &Value) -> Request {
        Request::new(Method::Post, format!("{}{path}", self.rest.base)).header("user-agent", USER_AGENT).json(body)
    }

    /// Sends a request, and returns the JSON of the reply.
    pub(crate) fn call(self, request: Request) -> Result<Value, Refusal> {
        Ok(self.exchange(request)?.json()?)
    }

    /// Sends a request, and returns the reply if its status is 2xx.
    pub(crate) fn exchange(self, request: Request) -> Result<Response, Refusal> {
        let path = request.url.strip_prefix(&self.rest.base).unwrap_or_default();
        let buckets = self.rest.buckets.as_ref().map(|buckets| (buckets, buckets::route(request.method, path)));
        if let Some((buckets, route)) = &buckets {
            self.pause(buckets.pause(route, self.now()))?;
        }
        let response = self.host.send(request).map_err(Error::from)?;
        let refusal = (!response.is_success()).then(|| refusal::read(&response));
        if let Some((buckets, route)) = &buckets {
            let retry_after = match &refusal {
                Some(Refusal { error: Error::RateLimited(pause), .. }) => *pause,
                _ => None,
            };
            buckets.note(route, &response, retry_after, self.now());
        }
        refusal.map_or(Ok(response), Err)
    }

    /// Waits if the wait is short and the export has time; otherwise returns an error so that the host waits.
    fn pause(self, pause: u32) -> Result<()> {
        if pause > PAUSE.min(self.remaining().saturating_sub(RESERVE)) {
            return Err(Error::RateLimited(Some(pause)));
        }
        if pause > 0 {
            self.sleep(pause);
        }
        Ok(())
    }
}

impl<'a> Deref for Api<'a> {
    type Target = dyn Host + 'a;

    fn deref(&self) -> &Self::Target {
        self.host
    }
}

/// Returns the path of a channel.
pub(crate) fn channel_path(channel: &str) -> String {
    format!("/channels/{}", percent_encode(channel))
}

/// Returns the path of a message.
pub(crate) fn message_path(message: &MessageRef) -> String {
    format!("{}/messages/{}", channel_path(&message.chat), percent_encode(&message.id))
}

/// Returns the milliseconds until the route of this reply accepts another request; `None` if it accepts one now
/// (docs/topics/rate-limits#header-format).
pub(crate) fn pause_after(response: &Response) -> Option<u32> {
    if response.header("x-ratelimit-remaining")?.trim() != "0" {
        return None;
    }
    seconds_to_ms(response.header("x-ratelimit-reset-after")?.trim().parse::<f64>().ok()?)
}
