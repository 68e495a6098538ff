//! Hosts of web tools.
//!
//! `example.com` is that host and nothing below it, `*.example.com` everything below it and not the host itself, `*` any
//! host. An address is a host too: `127.0.0.1`, `[::1]`. Port and path do not matter.
//!
//! A URL is parsed as browsers do (WHATWG), so that `https://good.com@evil.com` and `https://good.com\@evil.com` mean
//! what will be fetched. Other programs parse some URLs differently. So a URL with a user name, a backslash, a blank
//! or a control character, without a scheme, or with another scheme than `http` and `https` is matched by no allow,
//! and a deny that does not match it still may.

use std::net::Ipv6Addr;

use url::{Host, Url};

use crate::{Match, Reading};

/// Host names: `example.com` is that host, `*.example.com` all below it.
#[derive(Debug, Clone)]
pub struct Domains {
    written: Vec<String>,
    hosts: Vec<Pattern>,
}

/// The target of a URL, parsed once for all rules.
#[derive(Debug, Clone)]
pub struct Site {
    host: Option<Host>,
    /// The target with the scheme that some fetchers add themselves.
    assumed: Option<Host>,
    /// Whether every program parses it alike.
    plain: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Any,
    Host(Host),
    /// The suffix with the dot before it: `.example.com`.
    Below(String),
}

/// Why host names cannot be used. The text of each is the host name as written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    /// There is no host name.
    #[error("an empty list matches nothing")]
    Empty,
    /// It has a scheme or a path.
    #[error("`{0}` is a URL or a path, write the host alone")]
    UrlOrPath(String),
    /// It has a port.
    #[error("`{0}` has a port, write the host alone: it stands for every port")]
    Port(String),
    /// `*` is not its first label.
    #[error("`*` in `{0}` may only be the first label, as in `*.example.com`")]
    Star(String),
    /// `*.` is before an address.
    #[error("nothing is below the address in `{0}`")]
    BelowAddress(String),
    /// It is neither a name nor an address.
    #[error("`{0}` is no host")]
    NotAHost(String),
}

impl Domains {
    /// Parses host names.
    ///
    /// # Errors
    /// Returns an error if the list is empty, or one entry is not a host: a URL, a port, a `*` anywhere but as the first
    /// label.
    pub fn new(written: &[String]) -> Result<Self, DomainError> {
        let hosts = written.iter().map(|text| pattern(text)).collect::<Result<Vec<_>, _>>()?;
        if hosts.is_empty() {
            return Err(DomainError::Empty);
        }
        Ok(Self { written: written.to_vec(), hosts })
    }

    /// Returns the host names as written.
    pub fn hosts(&self) -> &[String] {
        &self.written
    }

    /// Returns whether a URL leads to one of them.
    pub fn matches(&self, site: &Site, reading: Reading) -> Match {
        let found = |host: &Option<Host>| host.as_ref().is_some_and(|host| self.has(host, reading));
        match (reading, site.plain) {
            (Reading::Narrow, plain) => Match::from(plain && found(&site.host)),
            (Reading::Broad, _) if found(&site.host) || found(&site.assumed) => Match::Yes,
            (Reading::Broad, true) => Match::No,
            (Reading::Broad, false) => Match::Maybe,
        }
    }

    fn has(&self, host: &Host, reading: Reading) -> bool {
        let host = match (host, reading) {
            (Host::Ipv6(address), Reading::Broad) => &address.to_ipv4_mapped().map_or_else(|| host.clone(), Host::Ipv4),
            _ => host,
        };
        self.hosts.iter().any(|pattern| match (pattern, host) {
            (Pattern::Any, _) => true,
            (Pattern::Host(wanted), _) => wanted == host,
            (Pattern::Below(end), Host::Domain(name)) => name.len() > end.len() && name.ends_with(end.as_str()),
            (Pattern::Below(_), _) => false,
        })
    }
}

fn pattern(written: &str) -> Result<Pattern, DomainError> {
    let text = written.trim();
    if text == "*" {
        return Ok(Pattern::Any);
    }
    if text.contains("://") || text.contains('/') {
        return Err(DomainError::UrlOrPath(text.to_owned()));
    }
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Ok(Pattern::Host(Host::Ipv6(address)));
    }
    if !text.starts_with('[') && text.contains(':') {
        return Err(DomainError::Port(text.to_owned()));
    }
    let (below, name) = text.strip_prefix("*.").map_or((false, text), |name| (true, name));
    if name.contains('*') {
        return Err(DomainError::Star(text.to_owned()));
    }
    match (below, Host::parse(name).map(tidy)) {
        (_, Err(_)) => Err(DomainError::NotAHost(text.to_owned())),
        (_, Ok(Host::Domain(name))) if name.split('.').any(str::is_empty) => {
            Err(DomainError::NotAHost(text.to_owned()))
        }
        (false, Ok(host)) => Ok(Pattern::Host(host)),
        (true, Ok(Host::Domain(name))) => Ok(Pattern::Below(format!(".{name}"))),
        (true, Ok(_)) => Err(DomainError::BelowAddress(text.to_owned())),
    }
}

impl Site {
    /// Parses the host of a URL.
    pub fn of(url: &str) -> Self {
        let read = Url::parse(url).ok();
        let host = read.as_ref().and_then(host);
        let plain = host.is_some() && read.as_ref().is_some_and(|read| is_plain(url, read));
        let assume = || Url::parse(&format!("https://{url}")).ok().as_ref().and_then(self::host);
        let assumed = if host.is_none() { assume() } else { None };
        Self { host, assumed, plain }
    }

    /// Returns the scheme, host and port of a URL that every program parses alike: `https://example.org`.
    pub fn plain_origin(url: &str) -> Option<String> {
        let read = Url::parse(url).ok()?;
        host(&read)?;
        is_plain(url, &read).then(|| read.origin().ascii_serialization())
    }
}

fn host(url: &Url) -> Option<Host> {
    let host = match url.host()?.to_owned() {
        // Only the hosts of known schemes are normalized.
        Host::Domain(name) => Host::parse(&name).ok()?,
        address => address,
    };
    Some(tidy(host))
}

/// Removes the trailing dot of a fully qualified name.
fn tidy(host: Host) -> Host {
    match host {
        Host::Domain(name) if name.ends_with('.') => Host::Domain(name.trim_end_matches('.').to_owned()),
        other => other,
    }
}

/// Returns whether every program parses the URL alike.
fn is_plain(url: &str, read: &Url) -> bool {
    let odd = |char: char| char == '\\' || char.is_whitespace() || char.is_control();
    // `https:good.com` and `https:///good.com` have a host only to browsers, and not every program recognizes the
    // empty user of `https://:@good.com`.
    let named = url.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !authority.is_empty() && !authority.contains('@')
    });
    matches!(read.scheme(), "http" | "https") && named && !url.contains(odd)
}

#[cfg(test)]
mod tests;
