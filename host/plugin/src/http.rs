//! The capability `http`: checks a request (`egress`), sends it (`exchange`), and returns the reply unless it contains a
//! secret. A file that a component located is got in the same way, and given to the host alone.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use dmplz_core::messenger::{Download, NoConnection, ProviderError};
use http::header::{CONTENT_ENCODING, DATE};
use http::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, timeout, timeout_at};

use crate::LogLevel;
use crate::bindings::http::{Error, Header, Host, Method as Verb, Request, Response};
use crate::egress::{Draft, Origin, Refusal};
use crate::exchange::{NoReply, exchange};
use crate::network::Reply;
use crate::renewal;
use crate::state::{Access, State};

const PATIENCE: Duration = Duration::from_secs(10);
/// The largest reply that a component gets, in bytes.
pub(crate) const REPLY: usize = 4 << 20;
/// The largest file that the host gets, in bytes: as much as Telegram hands out to bots
/// (<https://core.telegram.org/bots/api#getfile>).
const FILE: usize = 20 << 20;
const HEADERS: usize = 64;
const HEADER_BYTES: usize = 32 << 10;
/// The limit of a `date` header, in bytes. A date in the form of RFC 9110 has 29.
const DATE_BYTES: usize = 64;

impl Host for State {
    async fn send(&mut self, request: Request) -> wasmtime::Result<Result<Response, Error>> {
        self.turn(request.body.len()).await?;
        let traced = self.host.log.wants(LogLevel::Debug).then(|| (self.in_words(&request), Instant::now()));
        let answer = self.answer(request).await;
        if let Some((asked, begun)) = traced {
            let came = match &answer {
                Ok(response) => response.status.to_string(),
                Err(error) => format!("{error:?}"),
            };
            self.trace(&format!("{asked} -> {came} ({} ms)", begun.elapsed().as_millis()));
        }
        if let Err(Error::Refused(why)) = &answer {
            self.note(LogLevel::Warn, &format!("a request was refused: {why}"));
        }
        Ok(answer)
    }
}

impl State {
    /// Describes a request for its author, with secrets as placeholders.
    fn in_words(&self, request: &Request) -> String {
        let verb = method(request.method);
        match &self.access {
            Some(access) if access.shows_paths => format!("{verb} {}", request.url),
            _ => format!("{verb} {}", crate::egress::origin_of(&request.url).unwrap_or_default()),
        }
    }

    async fn answer(&mut self, request: Request) -> Result<Response, Error> {
        let access = self.access.clone().filter(|_| self.call.online);
        let Some(access) = access else { return Err(Error::Refused("there is no network here".to_owned())) };
        let now = Instant::now();
        if now >= self.call.told {
            return Err(Error::Deadline);
        }
        let patience = request.timeout.map_or(PATIENCE, |ms| Duration::from_millis(ms.into()));
        let own = now + patience;
        let headers = request.headers.iter().map(|header| (header.name.as_str(), header.value.as_str())).collect();
        let draft = Draft { method: method(request.method), url: &request.url, headers, body: request.body };
        let before = self.call.contact.attempt();
        let Some(origin) = Origin::of_url(&request.url) else {
            return Err(Refusal::Malformed("its URL must be absolute, http or https").into());
        };
        match timeout_at(own.min(self.call.told), answered(&access, draft, REPLY)).await {
            Ok(Ok(reply)) => response(&access, &reply),
            Ok(Err(NoReply::NoToken(why))) => {
                self.note(LogLevel::Warn, &why);
                Ok(Response { status: 401, headers: Vec::new(), body: Vec::new() })
            }
            Ok(Err(NoReply::Failed(error, unsent))) => {
                if let Some(why) = unsent {
                    self.call.contact.failed(before, why);
                }
                Err(error)
            }
            Err(_) => {
                if !access.client.has_connected() {
                    self.call.contact.failed(before, NoConnection::other(format!("{origin}: no connection in time")));
                }
                Err(if own < self.call.told { Error::Timeout } else { Error::Deadline })
            }
        }
    }
}

/// Sends a request, with the tokens of the secrets that it carries, for a reply of at most so many bytes. One that is answered with 401
/// is sent once more, with new tokens.
async fn answered(access: &Arc<Access>, draft: Draft<'_>, most: usize) -> Result<Reply, NoReply> {
    let texts = draft.headers.iter().map(|(_, value)| value.as_bytes());
    let texts = texts.chain([draft.url.as_bytes(), draft.body.as_slice()]);
    let names: Vec<String> = access.renewals.named_in(texts).into_iter().map(str::to_owned).collect();
    if names.is_empty() {
        return send(access, draft, most).await;
    }
    for name in &names {
        renewal::ready(&access.renewals, name, None).await?;
    }
    let tokens: Vec<_> = names.iter().map(|name| access.egress.token(name).map(|(token, _)| token)).collect();
    let reply = send(access, draft.clone(), most).await?;
    if reply.status != StatusCode::UNAUTHORIZED {
        return Ok(reply);
    }
    for (name, token) in names.iter().zip(&tokens) {
        match renewal::ready(&access.renewals, name, token.as_ref()).await {
            // The server has said what it is to say.
            Err(NoReply::Failed(..)) => return Ok(reply),
            ready => ready?,
        }
    }
    send(access, draft, most).await
}

/// Judges a request and sends it.
async fn send(access: &Access, draft: Draft<'_>, most: usize) -> Result<Reply, NoReply> {
    exchange(&access.client, &access.egress, access.egress.judge(draft)?, most).await
}

/// Gets a file that a component located, for the host. It may hold anything.
///
/// # Errors
/// The error says what happened in words that may hold a server's, without any secret.
pub(crate) async fn download(
    access: &Arc<Access>,
    wanted: &Download,
    within: Duration,
) -> Result<Bytes, ProviderError> {
    let headers: Vec<_> = wanted.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let draft = Draft { method: Method::GET, url: &wanted.url, headers, body: Vec::new() };
    let reply = match timeout(within, answered(access, draft, FILE)).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(NoReply::NoToken(_))) => return Err(ProviderError::Denied(None)),
        Ok(Err(NoReply::Failed(error, unsent))) => {
            return Err(unsent.map_or_else(|| failed(error), ProviderError::Unreachable));
        }
        Err(_) => return Err(ProviderError::Deadline),
    };
    if !is_plain(&reply.headers) {
        return Err(ProviderError::Refused(Refusal::Compressed.to_string()));
    }
    match reply.status.as_u16() {
        200..300 => Ok(reply.body),
        401 | 403 => Err(ProviderError::Denied(None)),
        404 | 410 => Err(ProviderError::NotFound),
        413 => Err(ProviderError::TooLarge),
        429 => Err(ProviderError::RateLimited(None)),
        status => Err(ProviderError::Unavailable(Some(format!("status {status}")))),
    }
}

/// Returns the error of a file that did not come.
fn failed(error: Error) -> ProviderError {
    match error {
        Error::TooLarge => ProviderError::TooLarge,
        Error::Refused(why) => ProviderError::Refused(why),
        Error::Timeout | Error::Deadline => ProviderError::Deadline,
        Error::Unreachable(why) => ProviderError::Unavailable(Some(why)),
        Error::Other(why) => ProviderError::Other(why),
    }
}

fn response(access: &Access, reply: &Reply) -> Result<Response, Error> {
    let size: usize = reply.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if reply.headers.len() > HEADERS || size > HEADER_BYTES {
        return Err(Error::TooLarge);
    }
    note_date(access, &reply.headers);
    let leaks = access.egress.leaks();
    let in_headers = reply
        .headers
        .iter()
        .any(|(name, value)| leaks.are_in(name.as_str().as_bytes()) || leaks.are_in(value.as_bytes()));
    if !is_plain(&reply.headers) {
        return Err(Refusal::Compressed.into());
    }
    if in_headers || leaks.are_in(&reply.body) {
        return Err(Refusal::Leak.into());
    }
    let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| Header {
        name: name.as_str().to_owned(),
        value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    Ok(Response {
        status: reply.status.as_u16(),
        headers: reply.headers.iter().map(header).collect(),
        body: reply.body.to_vec(),
    })
}

fn note_date(access: &Access, headers: &HeaderMap) {
    let date = headers.get(DATE).and_then(|date| date.to_str().ok()).filter(|date| date.len() <= DATE_BYTES);
    if let Some(date) = date {
        *access.date.lock().unwrap_or_else(PoisonError::into_inner) = Some(date.to_owned());
    }
}

/// Returns whether a reply is uncompressed. A compressed one was not requested, and could hide a secret.
fn is_plain(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|encoding| encoding == "identity")
}

fn method(verb: Verb) -> Method {
    match verb {
        Verb::Get => Method::GET,
        Verb::Post => Method::POST,
        Verb::Put => Method::PUT,
        Verb::Patch => Method::PATCH,
        Verb::Delete => Method::DELETE,
    }
}
