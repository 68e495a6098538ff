//! One call of the Bot API, and what its errors mean to the host.

use dmplz_provider_sdk::http::{Method, Multipart, Request, Response};
use dmplz_provider_sdk::{Error, Host, Setting};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use refusal::Refusal;

mod refusal;

/// Where the Bot API is.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
}

/// Why a call brought nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Telegram refused it, and said why.
    Refused(Refusal),
    /// It did not get that far.
    Error(Error),
}

impl Api {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings.iter().find(|setting| setting.name == crate::API_BASE).map(|setting| &setting.value);
        let base = base.map(|base| base.trim_end_matches('/')).unwrap_or_default();
        let usable = ["https://", "http://"].iter().any(|scheme| base.len() > scheme.len() && base.starts_with(scheme));
        if !usable || base.contains(['?', '#', '{', '}']) {
            let expected = "an http(s) URL such as https://api.telegram.org".to_owned();
            return Err(Error::BadSetting((crate::API_BASE.to_owned(), expected)));
        }
        Ok(Self { base: base.to_owned() })
    }

    /// Calls a method with JSON.
    pub(crate) fn call<T: DeserializeOwned>(&self, host: &dyn Host, method: &str, body: &Value) -> Result<T, Failure> {
        self.send(host, self.request(method).json(body))
    }

    /// Calls a method with JSON, giving the whole exchange so many milliseconds.
    pub(crate) fn call_within<T: DeserializeOwned>(
        &self,
        host: &dyn Host,
        method: &str,
        body: &Value,
        milliseconds: u32,
    ) -> Result<T, Failure> {
        self.send(host, self.request(method).json(body).timeout(milliseconds))
    }

    /// Calls a method with a form that holds a file.
    pub(crate) fn upload<T: DeserializeOwned>(
        &self,
        host: &dyn Host,
        method: &str,
        form: &Multipart,
    ) -> Result<T, Failure> {
        self.send(host, self.request(method).multipart(form).timeout(crate::limits::UPLOAD))
    }

    fn request(&self, method: &str) -> Request {
        Request::new(Method::Post, format!("{}/bot{{secret:bot-token}}/{method}", self.base))
    }

    fn send<T: DeserializeOwned>(&self, host: &dyn Host, request: Request) -> Result<T, Failure> {
        let response = host.send(request).map_err(|error| Failure::Error(error.into()))?;
        let result = result_of(&response)?;
        serde_json::from_value(result).map_err(|error| nonsense(response.status, &error))
    }
}

/// Every reply has this form (<https://core.telegram.org/bots/api#making-requests>).
#[derive(Deserialize)]
struct Reply {
    ok: bool,
    result: Option<Value>,
    error_code: Option<u16>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: refusal::Parameters,
}

fn result_of(response: &Response) -> Result<Value, Failure> {
    match serde_json::from_slice::<Reply>(&response.body) {
        Ok(Reply { ok: true, result: Some(result), .. }) => Ok(result),
        Ok(Reply { ok: true, result: None, .. }) => Err(nonsense(response.status, &"no result")),
        Ok(Reply { error_code, description, parameters, .. }) => {
            let code = error_code.unwrap_or(response.status);
            Err(Failure::Refused(Refusal { code, description, parameters }))
        }
        Err(error) => Err(not_telegram(response, &error)),
    }
}

/// A reply that no Bot API server wrote: a proxy in between, or a wrong server.
fn not_telegram(response: &Response, error: &serde_json::Error) -> Failure {
    Failure::Error(match response.status {
        413 => Error::TooLarge,
        429 => Error::RateLimited(retry_after(response)),
        200..300 | 500.. => return nonsense(response.status, error),
        status => Error::Other(Some(format!("status {status} without a Bot API reply; is api-base right?"))),
    })
}

fn retry_after(response: &Response) -> Option<u32> {
    let seconds = response.header("retry-after")?.trim().parse::<f64>().ok()?;
    dmplz_provider_sdk::http::seconds_to_ms(seconds)
}

fn nonsense(status: u16, what: &dyn std::fmt::Display) -> Failure {
    Failure::Error(Error::Unavailable(Some(format!("a reply with status {status} that makes no sense: {what}"))))
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Error(error) => error,
        }
    }
}
