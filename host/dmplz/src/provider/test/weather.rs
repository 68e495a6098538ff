//! Servers that are down, refuse, lie, answer nonsense or do not answer.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use dmplz_plugin::{Exchange, HttpBackend};
use http::{Request, Response};

use super::WITHIN;

/// The time limit of an export that waits for a server without an answer.
const SOON: Duration = Duration::from_secs(1);

/// A fault of the server, with which it answers every request.
#[derive(Debug)]
pub(super) struct Weather {
    /// The fault as a clause: `post, where {}`.
    pub(super) name: &'static str,
    reply: Reply,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The fault passes, so the component has to ask the host to try again.
    Passes,
    /// No card can have been posted or changed.
    No,
    /// The answer is meaningless.
    Nonsense,
}

#[derive(Debug, Clone, Copy)]
enum Reply {
    /// No connection.
    None,
    /// A connection, and nothing ever comes.
    Never,
    Http(u16, &'static [(&'static str, &'static str)], Body),
}

#[derive(Debug, Clone, Copy)]
enum Body {
    Text(&'static str),
    /// Bytes that follow from nothing.
    Noise(usize),
    Spaces(usize),
    /// Arrays in arrays.
    Nested(usize),
    /// The request itself, with its secrets.
    Echo,
}

const fn passing(name: &'static str, reply: Reply) -> Weather {
    Weather { name, reply, kind: Kind::Passes }
}

const fn no(name: &'static str, reply: Reply) -> Weather {
    Weather { name, reply, kind: Kind::No }
}

const fn nonsense(name: &'static str, body: Body) -> Weather {
    Weather { name, reply: Reply::Http(200, &[], body), kind: Kind::Nonsense }
}

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
const PAGE: &str = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to the network</body></html>";

pub(super) const WEATHERS: &[Weather] = &[
    passing("the server cannot be reached", Reply::None),
    passing("the server does not answer", Reply::Never),
    no("it answers 401", Reply::Http(401, JSON, Body::Text("{}"))),
    no("it answers 403", Reply::Http(403, JSON, Body::Text("{\"error\":\"forbidden\"}"))),
    no("it answers 404", Reply::Http(404, JSON, Body::Text("{}"))),
    no("it answers 409", Reply::Http(409, JSON, Body::Text("null"))),
    no("it answers 413", Reply::Http(413, &[], Body::Text(""))),
    passing("it answers 429", Reply::Http(429, &[("retry-after", "2")], Body::Text("{}"))),
    passing("it answers 429 with a nonsensical wait", Reply::Http(429, &[("retry-after", "-1e99")], Body::Text("[]"))),
    passing("it answers 500", Reply::Http(500, &[], Body::Text("Internal Server Error"))),
    passing("it answers 502 with a page", Reply::Http(502, &[("content-type", "text/html")], Body::Text(PAGE))),
    passing("it answers 503", Reply::Http(503, &[("retry-after", "1")], Body::Text(""))),
    no(
        "it redirects to another server",
        Reply::Http(302, &[("location", "https://elsewhere.example/")], Body::Text("")),
    ),
    nonsense("it answers nothing", Body::Text("")),
    nonsense("it answers {}", Body::Text("{}")),
    nonsense("it answers null", Body::Text("null")),
    nonsense("it answers a list", Body::Text("[[],{},0,\"\"]")),
    nonsense("it answers a cut JSON", Body::Text("{\"ok\":true,\"result\":{\"id\":")),
    nonsense(
        "it answers numbers beyond all bounds",
        Body::Text("{\"ok\":true,\"id\":1e999,\"result\":-99999999999999999999999999}"),
    ),
    nonsense("it answers a page of a portal", Body::Text(PAGE)),
    nonsense("it answers noise", Body::Noise(4_096)),
    nonsense("it answers lists in lists", Body::Nested(200_000)),
    nonsense("it answers 4 MiB of blanks", Body::Spaces(4 << 20)),
    nonsense("it answers more than the host takes", Body::Spaces((4 << 20) + 1)),
    nonsense("it answers with what it was sent", Body::Echo),
];

impl Weather {
    /// Returns a server with these faults.
    pub(super) fn backend(weather: &'static Self) -> Arc<Server> {
        Arc::new(Server { reply: weather.reply, asked: AtomicUsize::new(0) })
    }

    /// Returns whether no card can have been posted or changed.
    pub(super) fn is_a_no(&self) -> bool {
        self.kind != Kind::Nonsense
    }

    /// Returns whether the fault passes.
    pub(super) fn passes(&self) -> bool {
        self.kind == Kind::Passes
    }

    /// Returns how long an export may take.
    pub(super) fn within(&self) -> Duration {
        if matches!(self.reply, Reply::Never) { SOON } else { WITHIN }
    }
}

/// A server that answers all requests in the same way, and counts them.
#[derive(Debug)]
pub(super) struct Server {
    reply: Reply,
    asked: AtomicUsize,
}

impl Server {
    /// Returns a server that cannot be reached.
    pub(super) fn gone() -> Arc<Self> {
        Arc::new(Self { reply: Reply::None, asked: AtomicUsize::new(0) })
    }

    /// Returns a server that accepts every request with an empty reply.
    pub(super) fn content() -> Arc<Self> {
        Arc::new(Self { reply: Reply::Http(200, JSON, Body::Text("{}")), asked: AtomicUsize::new(0) })
    }

    /// Returns the number of requests since they were last forgotten.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    pub(super) fn forget(&self) {
        self.asked.store(0, Ordering::Relaxed);
    }
}

impl HttpBackend for Server {
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            let (status, headers, body) = match self.reply {
                Reply::None => return Err(io::Error::from(io::ErrorKind::ConnectionRefused)),
                Reply::Never => std::future::pending().await,
                Reply::Http(status, headers, body) => (status, headers, body),
            };
            let reply = headers
                .iter()
                .fold(Response::builder().status(status), |reply, (name, value)| reply.header(*name, *value));
            reply.body(body.bytes(&request)).map_err(io::Error::other)
        })
    }
}

impl Body {
    fn bytes(self, request: &Request<Bytes>) -> Bytes {
        match self {
            Self::Text(text) => Bytes::from_static(text.as_bytes()),
            Self::Noise(length) => noise(length).into(),
            Self::Spaces(length) => vec![b' '; length].into(),
            Self::Nested(depth) => vec![b'['; depth].into(),
            Self::Echo => format!("{} {:?}\n{:?}", request.uri(), request.headers(), request.body()).into(),
        }
    }
}

/// Returns random bytes that are the same in each run, from a linear congruential generator (Knuth, MMIX).
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0_u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let [first, ..] = state.to_be_bytes();
        first
    };
    (0..length).map(next).collect()
}
