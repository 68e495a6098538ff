//! The rules for one HTTP request, and its rewriting.
//!
//! | part | rule |
//! |---|---|
//! | URL | at most 8 KiB of visible ASCII without `\`, starts with `https://` or `http://`, no user |
//! | headers | at most 32, 8 KiB together, secrets filled in or not |
//! | headers of the host | `accept` where the provider sets none, hop-by-hop headers, `host`, `content-length`, `expect`, and those that would make the reply partial or compressed (`range`, `accept-encoding`), in which no secret could be found |
//! | body | at most 25 MiB, sent unchanged, but for a secret (`body`) |
//! | a secret | once, in a path, header or body where the manifest declares it; refused elsewhere in URL and headers |
//! | redirect | GET only, same origin, at most 3; the headers are sent again |

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use http::{Method, Request, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::placeholder::Template;
use super::{Egress, Origin, Reach, Refusal, shortened};

const URL: usize = 8 << 10;
const HEADERS: usize = 32;
const HEADER_BYTES: usize = 8 << 10;
const BODY: usize = 25 << 20;

/// The host's `user-agent`.
pub(super) const OUR_NAME: &str = concat!("dmplz/", env!("CARGO_PKG_VERSION"));

const HOSTS_OWN: &[&str] = &[
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
    "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
];

/// The characters of a path segment that are not escaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// A request as the provider wrote it.
#[derive(Clone)]
pub(crate) struct Draft<'a> {
    pub(crate) method: Method,
    pub(crate) url: &'a str,
    pub(crate) headers: Vec<(&'a str, &'a str)>,
    pub(crate) body: Vec<u8>,
}

/// A request that is permitted, with its secrets filled in.
pub(crate) struct Outgoing {
    pub(crate) origin: Origin,
    pub(crate) reach: Reach,
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Bytes,
}

impl Egress {
    /// Fills in a request that the policy permits.
    pub(crate) fn judge(&self, draft: Draft<'_>) -> Result<Outgoing, Refusal> {
        let (origin, rest) = split(draft.url)?;
        if origin.scheme().is_socket() {
            return Err(Refusal::Malformed("its URL must be absolute, http or https"));
        }
        let reach = self.reach(&origin)?;
        if draft.headers.len() > HEADERS || draft.body.len() > BODY {
            return Err(Refusal::Malformed("too many headers, or too large a body"));
        }
        let values = draft.headers.iter().map(|(_, value)| Template::parse(value)).collect::<Result<Vec<_>, _>>()?;
        let in_headers = values.iter().flat_map(Template::secrets).count();
        let url = self.url(&origin, rest, in_headers)?;
        let mut headers = HeaderMap::new();
        let mut size = 0;
        for (written, value) in draft.headers.iter().zip(&values) {
            let (name, value) = self.header(*written, value, &origin)?;
            size += name.as_str().len() + value.len();
            headers.append(name, value);
        }
        if size > HEADER_BYTES {
            return Err(Refusal::Malformed("its headers are too large"));
        }
        let elsewhere = in_headers + Template::parse(rest)?.secrets().count();
        let body = self.body(draft.body, &headers, &origin, elsewhere)?;
        Ok(Outgoing { origin, reach, method: draft.method, url, headers, body: body.into() })
    }

    /// Returns the URL with the secret of its path filled in. It is an error if the request has more than one
    /// placeholder.
    pub(super) fn url(&self, origin: &Origin, rest: &str, elsewhere: usize) -> Result<Url, Refusal> {
        let (path, query) = rest.find('?').map_or((rest, ""), |at| rest.split_at(at));
        let template = Template::parse(path)?;
        if let Some(name) = Template::parse(query)?.secrets().next() {
            return Err(Refusal::SecretMisplaced(shortened(name)));
        }
        if template.secrets().count() + elsewhere > 1 {
            return Err(Refusal::SecretTwice);
        }
        let encoded = |name: &str| {
            let value = self.secret(name, origin, |place, base| place.is_path(path, base))?;
            Ok(utf8_percent_encode(value.expose(), ESCAPED).to_string())
        };
        let url = format!("{origin}{}{query}", template.fill(encoded)?);
        Url::parse(&url).map_err(|_| Refusal::Malformed("its URL is none"))
    }

    fn header(
        &self,
        (name, written): (&str, &str),
        value: &Template<'_>,
        origin: &Origin,
    ) -> Result<(HeaderName, HeaderValue), Refusal> {
        let name =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| Refusal::Malformed("a header's name is none"))?;
        if HOSTS_OWN.contains(&name.as_str()) {
            return Err(Refusal::Header(name.to_string()));
        }
        let filled = value.fill(|secret| {
            self.secret(secret, origin, |place, _| place.is_header(&name, written))
                .map(|value| value.expose().to_owned())
        })?;
        let mut filled = HeaderValue::from_str(&filled).map_err(|_| Refusal::Malformed("a header's value is none"))?;
        filled.set_sensitive(value.secrets().next().is_some());
        Ok((name, filled))
    }
}

impl Outgoing {
    /// Returns the host's own request, without placeholders: JSON unless a header says otherwise. `reach` says
    /// where the URL may lead; one that the operator wrote may lead anywhere.
    pub(crate) fn of_host(
        method: Method,
        url: &str,
        reach: Reach,
        headers: &[(&'static str, String)],
        body: Vec<u8>,
    ) -> Result<Self, Refusal> {
        let (origin, _) = split(url)?;
        if origin.scheme().is_socket() {
            return Err(Refusal::Malformed("its URL must be absolute, http or https"));
        }
        let url = Url::parse(url).map_err(|_| Refusal::Malformed("its URL is none"))?;
        let mut filled = HeaderMap::new();
        filled.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).map_err(|_| Refusal::Malformed("a header's value is none"))?;
            filled.insert(HeaderName::from_static(name), value);
        }
        Ok(Self { origin, reach, method, url, headers: filled, body: body.into() })
    }

    /// Returns the request to send, with an absolute URI.
    pub(crate) fn to_request(&self) -> Result<Request<Bytes>, Refusal> {
        let uri: Uri = self.url.as_str().parse().map_err(|_| Refusal::Malformed("its URL is none"))?;
        let mut request = Request::new(self.body.clone());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(OUR_NAME));
        for name in self.headers.keys() {
            headers.remove(name);
        }
        headers.extend(self.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
        Ok(request)
    }

    /// Returns the request that follows a redirect; `None` if the provider receives the reply itself.
    pub(crate) fn follow(&self, location: &str) -> Result<Option<Self>, Refusal> {
        let elsewhere = || Refusal::Redirect(self.origin.clone());
        let url = self.url.join(location).map_err(|_| elsewhere())?;
        if Origin::of_url(url.as_str()).as_ref() != Some(&self.origin) {
            return Err(elsewhere());
        }
        let follow = self.method == Method::GET;
        Ok(follow.then(|| Self {
            origin: self.origin.clone(),
            reach: self.reach,
            method: Method::GET,
            url,
            headers: self.headers.clone(),
            body: Bytes::new(),
        }))
    }
}

/// Splits a URL into its origin and the rest from the path on, without its fragment.
pub(super) fn split(url: &str) -> Result<(Origin, &str), Refusal> {
    if url.len() > URL || !url.bytes().all(|byte| byte.is_ascii_graphic()) || url.contains('\\') {
        return Err(Refusal::Malformed("its URL must be at most 8 KiB of visible ASCII"));
    }
    let start = url.find("://").map_or(0, |at| at + 3);
    let (_, behind) = url.split_at_checked(start).unwrap_or_default();
    let end = behind.find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    let (origin, rest) = url.split_at_checked(end).unwrap_or_default();
    let origin = Origin::parse(origin)
        .ok_or(Refusal::Malformed("its URL must be absolute, and of no other scheme than the contract names"))?;
    let rest = rest.split('#').next().unwrap_or_default();
    Ok((origin, rest))
}
