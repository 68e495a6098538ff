//! One request and its reply, with the faults in between; the same for all platforms.

use crate::call::Call;
use crate::fault::Fault;
use crate::reply::{Cut, Reply};
use crate::wire::{Hold, Wire};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Response, StatusCode};
use serde_json::Value;
use std::future::Future;
use std::time::Duration;

/// An answer before it is written: its status, its extra headers and its JSON.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: http::HeaderMap,
    /// The JSON body; `None` for no body at all (204).
    pub(crate) body: Option<Value>,
}

impl Answer {
    /// Returns an answer to a request that succeeded.
    pub(crate) fn ok(body: Value) -> Self {
        Self::of(StatusCode::OK.as_u16(), body)
    }

    /// Returns an answer without extra headers.
    pub(crate) fn of(status: u16, body: Value) -> Self {
        Self { status: code(status), headers: http::HeaderMap::new(), body: Some(body) }
    }
}

/// The words in which a platform reports errors.
pub(crate) trait Wording {
    fn refused(&self, status: StatusCode, code: Option<u64>, message: Option<String>) -> Answer;
    fn rate_limited(&self, retry_after: Duration, global: bool) -> Answer;
    /// Returns the list in an answer, if it is one.
    fn list<'a>(&self, body: &'a mut Value) -> Option<&'a mut Vec<Value>>;
    /// Formats the body of an answer as it is sent.
    fn written(&self, body: &Value) -> String {
        body.to_string()
    }
}

/// Answers one request: performs it and spoils the answer, as the script says.
pub(crate) async fn exchange(
    wire: &Wire,
    call: Call,
    wording: &impl Wording,
    carry_out: impl Future<Output = Answer>,
) -> Reply {
    let (number, fault, hold) = wire.begin(call);
    let mut answer = match stopped(wire, number, fault.as_ref(), hold, wording).await {
        Some(Stopped::Outright(reply)) => return reply,
        Some(Stopped::Refused(answer)) => answer,
        None => carry_out.await,
    };
    wire.end(number, answer.status.as_u16());
    if let Some(list) = answer.body.as_mut().and_then(|body| wording.list(body)) {
        match fault {
            Some(Fault::Doubled) => *list = list.iter().flat_map(|item| [item.clone(), item.clone()]).collect(),
            Some(Fault::Reversed) => list.reverse(),
            _ => {}
        }
    }
    let kept = answer.body.clone().filter(|_| wire.keeps(number));
    let mut reply = Reply { response: write(answer, wording), cut: None };
    let body = reply.response.body_mut();
    match fault {
        Some(Fault::Slow(delay)) => tokio::time::sleep(delay).await,
        Some(Fault::HeldAfter) => wire.released(hold).await,
        Some(Fault::CutAfter) => reply.cut = Some(Cut::Now),
        Some(Fault::CutInside) => reply.cut = Some(Cut::InBody(body.len() / 2)),
        Some(Fault::Garbled) => body.truncate(body.len() / 2),
        Some(Fault::Huge(size)) => *body = pad(body, size),
        _ => {}
    }
    let is_torn = matches!(fault, Some(Fault::CutAfter | Fault::CutInside | Fault::Garbled | Fault::Huge(_)));
    if let Some(kept) = kept.filter(|_| !is_torn) {
        wire.replied(number, kept);
    }
    reply
}

/// Hands out a file, or answers that it is `missing`.
pub(crate) async fn hand_out(
    wire: &Wire,
    call: Call,
    wording: &impl Wording,
    file: Option<Bytes>,
    missing: Answer,
) -> Reply {
    let Some(file) = file else { return exchange(wire, call, wording, async { missing }).await };
    let found = Answer { status: StatusCode::OK, headers: http::HeaderMap::new(), body: None };
    let mut reply = exchange(wire, call, wording, async { found }).await;
    if reply.response.status().is_success() {
        *reply.response.body_mut() = file;
        reply.response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    }
    reply
}

/// An admitted WebSocket, and the faults of its connection.
pub(crate) struct Admission {
    pub(crate) fault: Option<Fault>,
    pub(crate) hold: Hold,
}

impl Admission {
    /// Waits as the script says, and returns the fault of the connection.
    pub(crate) async fn pause(self, wire: &Wire) -> Option<Fault> {
        let Self { fault, hold } = self;
        match &fault {
            Some(Fault::HeldAfter) => wire.released(hold).await,
            Some(Fault::Slow(delay)) => tokio::time::sleep(*delay).await,
            _ => {}
        }
        fault
    }
}

/// Answers a request to become a WebSocket: admits it unless the script or the platform refuses.
pub(crate) async fn admit(
    wire: &Wire,
    call: Call,
    wording: &impl Wording,
    refused: Option<u16>,
) -> Result<Admission, Reply> {
    let (number, fault, hold) = wire.begin(call);
    match stopped(wire, number, fault.as_ref(), hold, wording).await {
        Some(Stopped::Outright(reply)) => return Err(reply),
        Some(Stopped::Refused(answer)) => {
            wire.end(number, answer.status.as_u16());
            return Err(Reply { response: write(answer, wording), cut: None });
        }
        None => {}
    }
    wire.end(number, refused.unwrap_or(StatusCode::SWITCHING_PROTOCOLS.as_u16()));
    match refused {
        Some(status) => Err(Reply::of(code(status))),
        None => Ok(Admission { fault, hold }),
    }
}

/// The outcome of a request that is not performed.
enum Stopped {
    Refused(Answer),
    Outright(Reply),
}

/// Applies the script to a request before it is performed.
async fn stopped(
    wire: &Wire,
    number: usize,
    fault: Option<&Fault>,
    hold: Hold,
    wording: &impl Wording,
) -> Option<Stopped> {
    match fault? {
        Fault::Status(status) => Some(Stopped::Refused(wording.refused(code(*status), None, None))),
        Fault::Refused { status, code: number, message } => {
            Some(Stopped::Refused(wording.refused(code(*status), Some(*number), Some(message.clone()))))
        }
        Fault::RateLimited { retry_after, global } => {
            Some(Stopped::Refused(wording.rate_limited(*retry_after, *global)))
        }
        Fault::Html(status) => {
            wire.end(number, *status);
            Some(Stopped::Outright(page(code(*status))))
        }
        Fault::CutBefore => Some(Stopped::Outright(Reply { response: Response::default(), cut: Some(Cut::Now) })),
        Fault::HeldBefore => {
            wire.released(hold).await;
            None
        }
        _ => None,
    }
}

fn write(answer: Answer, wording: &impl Wording) -> Response<Bytes> {
    let body = answer.body.map(|body| Bytes::from(wording.written(&body)));
    let has_body = body.is_some();
    let mut response = Response::new(body.unwrap_or_default());
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers;
    if has_body {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    response
}

/// Returns the page that a proxy in front of a failed platform sends.
fn page(status: StatusCode) -> Reply {
    let title = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or("Error"));
    let html = format!("<html>\r\n<head><title>{title}</title></head>\r\n<body><h1>{title}</h1></body>\r\n</html>\r\n");
    let mut response = Response::new(Bytes::from(html));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    Reply { response, cut: None }
}

/// Returns the same JSON with white space after it, so that only its size is wrong.
fn pad(body: &[u8], size: usize) -> Bytes {
    let mut padded = body.to_vec();
    padded.resize(size.max(body.len()), b' ');
    Bytes::from(padded)
}

fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
