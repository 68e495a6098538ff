//! Scheme, host and port: what requests are granted and judged by.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

/// `https://host[:port]` or `http://host[:port]`, normalised: lower case, punycode, the scheme's port when none is said.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    https: bool,
    host: Host,
    port: u16,
}

impl Origin {
    /// Reads an origin written as such: no path, no user, no wildcard.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let authority = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
        let bare = !authority.is_empty() && !authority.contains(['/', '\\', '?', '#', '@', '*', '%', '{']);
        if bare && text.bytes().all(|byte| byte.is_ascii_graphic()) { Self::of_url(text) } else { None }
    }

    /// The origin of a URL that the operator wrote.
    pub(crate) fn of_url(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let bare = url.username().is_empty() && url.password().is_none();
        let host = url.host()?.to_owned();
        bare.then_some(Self { https, host, port: url.port_or_known_default()? })
    }

    pub(crate) fn is_https(&self) -> bool {
        self.https
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The host's name or address as it stands in a certificate.
    pub(crate) fn host(&self) -> String {
        match &self.host {
            Host::Domain(name) => name.clone(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        }
    }

    /// The address, where the host is one.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self.host {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        }
    }

    /// Whether it names its address, or the machine itself: nothing that DNS could turn around.
    pub(crate) fn is_literal(&self) -> bool {
        self.address().is_some() || self.host == Host::Domain("localhost".to_owned())
    }

    /// `host[:port]`, for the request's `host` header.
    pub(crate) fn authority(&self) -> String {
        match (self.https, self.port) {
            (true, 443) | (false, 80) => self.host.to_string(),
            (_, port) => format!("{}:{port}", self.host),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.authority())
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_perhaps_a_port() {
        let table = [
            ("https://api.telegram.org", Some("https://api.telegram.org")),
            ("https://API.telegram.org:443", Some("https://api.telegram.org")),
            ("http://127.0.0.1:8081", Some("http://127.0.0.1:8081")),
            ("http://0x7f.1", Some("http://127.0.0.1")),
            ("http://[::1]:80", Some("http://[::1]")),
            ("https://xn--bcher-kva.example", Some("https://xn--bcher-kva.example")),
            ("https://bücher.example", None),
            ("https://host/", None),
            ("https://host/path", None),
            ("https://user@host", None),
            ("https://*.host", None),
            ("https://host?x", None),
            ("https://", None),
            ("ftp://host", None),
            ("host", None),
            ("HTTPS://host", None),
            ("https://ho st", None),
            ("https://ho%73t", None),
            ("https://host\\@elsewhere", None),
        ];
        for (text, origin) in table {
            assert_eq!(Origin::parse(text).map(|origin| origin.to_string()).as_deref(), origin, "{text}");
        }
    }

    #[test]
    fn a_base_url_has_the_origin_of_its_host() {
        let origin = |text| Origin::of_url(text).map(|origin| origin.to_string());
        assert_eq!(origin("https://discord.com/api/v10").as_deref(), Some("https://discord.com"));
        assert_eq!(origin("http://127.0.0.1:5000/bot").as_deref(), Some("http://127.0.0.1:5000"));
        assert_eq!(origin("https://user:word@discord.com/"), None);
        assert_eq!(origin("file:///etc/passwd"), None);
    }
}
