//! Checks which requests may come in at all, before they are authenticated. Replies go to the same machine only, so the
//! dangers are foreign pages in the owner's browser: one whose host name resolves to this machine (DNS rebinding), and
//! one that sends forms or opens a WebSocket across sites.
//!
//! | header | accepted values |
//! |---|---|
//! | `Host`, and the authority of an absolute request line | exactly one: a local name with our port, or a listed host |
//! | `Origin`, if there is one | exactly one: `http://` and a local name with our port, or a listed host with its scheme |
//! | `Sec-Fetch-Site`, if there is one | `same-origin` or `none`; others only to open the page itself (`GET /` as a navigation) |
//!
//! The local names are `127.0.0.1`, `localhost` and `[::1]`. The origin `null` is never accepted.
//!
//! A listed host is `[http://|https://]host[:port]`. Without a scheme both schemes match; without a port, the scheme's
//! default. The list is empty by default. Names are compared literally, but without regard to case: `localhost.` is not
//! `localhost`.
//!
//! Passing this check authenticates nothing.

use std::str::FromStr;

use http::header::{HOST, HeaderName, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, Method};

const LOCAL: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
const HTTP: u16 = 80;
const HTTPS: u16 = 443;

/// A host name by which an operator's proxy reaches the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    scheme: Option<Scheme>,
    name: String,
    port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

/// A text that is no host name for the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no host: it is written [http://|https://]host[:port]")]
pub struct InvalidHost(String);

/// The host names under which clients may address the gateway.
#[derive(Debug, Clone)]
pub(super) struct Fence {
    port: u16,
    listed: Vec<AllowedHost>,
}

/// What the headers say about the sender of an accepted request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// No header names a page: the sender is a program, or a browser that opens the page.
    NoOrigin,
    /// Our own page sends it.
    OwnPage,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("this needs exactly one Host header")]
    NoHost,
    #[error("this is not a name of this gateway; list it in DMPLZ_GATEWAY_HOSTS if it should be")]
    Host,
    #[error("this gateway takes nothing from other sites")]
    OtherSite,
}

impl Fence {
    pub(super) fn new(port: u16, listed: Vec<AllowedHost>) -> Self {
        Self { port, listed }
    }

    /// Checks whether a request may come in.
    pub(super) fn check(&self, parts: &Parts) -> Result<Passed, Refused> {
        let host = only(&parts.headers, &HOST).ok().flatten().ok_or(Refused::NoHost)?;
        let host: Authority = host.parse().map_err(|_| Refused::Host)?;
        let asked = parts.uri.authority().into_iter().chain([&host]);
        if !asked.into_iter().all(|authority| self.is_ours(None, authority)) {
            return Err(Refused::Host);
        }
        let opens_page = parts.method == Method::GET
            && parts.uri.path() == "/"
            && parts.headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
        match only(&parts.headers, &SEC_FETCH_SITE).map_err(|_| Refused::OtherSite)? {
            None | Some("same-origin" | "none") => {}
            Some(_) if opens_page => {}
            Some(_) => return Err(Refused::OtherSite),
        }
        let Some(origin) = only(&parts.headers, &ORIGIN).map_err(|_| Refused::OtherSite)? else {
            return Ok(Passed::NoOrigin);
        };
        let (scheme, rest) = split_scheme(origin);
        let (scheme, authority) = scheme.zip(rest.parse::<Authority>().ok()).ok_or(Refused::OtherSite)?;
        let ours = self.is_ours(Some(scheme), &authority);
        ours.then_some(Passed::OwnPage).ok_or(Refused::OtherSite)
    }

    fn is_ours(&self, scheme: Option<Scheme>, authority: &Authority) -> bool {
        let (name, port) = (authority.host(), authority.port_u16());
        if authority.as_str().contains('@') || (port.is_none() && authority.as_str().len() != name.len()) {
            return false;
        }
        let local = LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name))
            && scheme != Some(Scheme::Https)
            && port.unwrap_or(HTTP) == self.port;
        local || self.listed.iter().any(|listed| listed.is(scheme, name, port))
    }
}

impl AllowedHost {
    /// Returns whether this entry matches. `scheme` is `None` for a `Host` header, which names none.
    fn is(&self, scheme: Option<Scheme>, name: &str, port: Option<u16>) -> bool {
        let is_by = |(by, default): (Scheme, u16)| {
            [self.scheme, scheme].into_iter().flatten().all(|named| named == by)
                && self.port.unwrap_or(default) == port.unwrap_or(default)
        };
        self.name.eq_ignore_ascii_case(name) && [(Scheme::Http, HTTP), (Scheme::Https, HTTPS)].into_iter().any(is_by)
    }
}

impl FromStr for AllowedHost {
    type Err = InvalidHost;

    fn from_str(text: &str) -> Result<Self, InvalidHost> {
        let invalid = || InvalidHost(text.to_owned());
        let (scheme, rest) = split_scheme(text);
        let authority: Authority = rest.parse().map_err(|_| invalid())?;
        let (name, port) = (authority.host(), authority.port_u16());
        let plain = match port {
            Some(port) => format!("{name}:{port}"),
            None => name.to_owned(),
        };
        // A name with an `@`, an empty port or a `*` would not mean what it seems to mean.
        if plain != rest || name.is_empty() || name.contains('*') {
            return Err(invalid());
        }
        Ok(Self { scheme, name: name.to_ascii_lowercase(), port })
    }
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns the value of a header. An error if it occurs more than once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

fn split_scheme(text: &str) -> (Option<Scheme>, &str) {
    match (text.strip_prefix("http://"), text.strip_prefix("https://")) {
        (Some(rest), _) => (Some(Scheme::Http), rest),
        (_, Some(rest)) => (Some(Scheme::Https), rest),
        (None, None) => (None, text),
    }
}

#[cfg(test)]
mod tests;
