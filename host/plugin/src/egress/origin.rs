//! An origin: scheme, host and port. Requests and sockets are granted and judged by it.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

/// `https://host[:port]`, or the same with `http`, `wss` or `ws`, normalized: lower case, punycode, and the scheme's
/// default port if none is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    scheme: Scheme,
    host: Host,
    port: u16,
}

/// The protocol of an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    Https,
    Http,
    Wss,
    Ws,
}

/// An origin that a manifest asks for, or with `wss://*.host` every origin with one more label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pattern {
    One(Origin),
    Beneath(Origin),
}

impl Scheme {
    const ALL: [Self; 4] = [Self::Https, Self::Http, Self::Wss, Self::Ws];

    /// Returns whether it uses TLS.
    pub(crate) fn is_secure(self) -> bool {
        matches!(self, Self::Https | Self::Wss)
    }

    /// Returns whether it is a WebSocket's.
    pub(crate) fn is_socket(self) -> bool {
        matches!(self, Self::Wss | Self::Ws)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
            Self::Wss => "wss",
            Self::Ws => "ws",
        }
    }
}

impl Origin {
    /// Parses an origin without a path, user or wildcard.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let known = Scheme::ALL.iter().any(|known| known.name() == scheme);
        let bare = known && !authority.is_empty() && !authority.contains(['/', '\\', '?', '#', '@', '*', '%', '{']);
        if bare && text.bytes().all(|byte| byte.is_ascii_graphic()) { Self::of_url(text) } else { None }
    }

    /// Returns the origin of a URL that the operator wrote.
    pub(crate) fn of_url(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.name() == url.scheme())?;
        let bare = url.username().is_empty() && url.password().is_none();
        let host = url.host()?.to_owned();
        bare.then_some(Self { scheme, host, port: url.port_or_known_default()? })
    }

    /// Returns the same server over a WebSocket.
    pub(crate) fn as_socket(&self) -> Self {
        let scheme = if self.is_secure() { Scheme::Wss } else { Scheme::Ws };
        Self { scheme, ..self.clone() }
    }

    pub(crate) fn scheme(&self) -> Scheme {
        self.scheme
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.scheme.is_secure()
    }

    /// Returns the host's name or address, as in a certificate.
    pub(crate) fn host(&self) -> String {
        match &self.host {
            Host::Domain(name) => name.clone(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        }
    }

    /// Returns the address, if the host is one.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self.host {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        }
    }

    /// Returns whether the host is an address or `localhost`, which DNS cannot redirect.
    pub(crate) fn is_literal(&self) -> bool {
        self.address().is_some() || self.host == Host::Domain("localhost".to_owned())
    }

    /// Returns `host[:port]`, for the request's `host` header.
    pub(crate) fn authority(&self) -> String {
        match (self.is_secure(), self.port) {
            (true, 443) | (false, 80) => self.host.to_string(),
            (_, port) => format!("{}:{port}", self.host),
        }
    }
}

impl Pattern {
    /// Parses what [`Origin::parse`] parses, and `wss://*.host` with a host of at least two labels and no port.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Some(host) = text.strip_prefix("wss://*.") else { return Origin::parse(text).map(Self::One) };
        let origin = Origin::parse(&format!("wss://{host}"))?;
        let Host::Domain(name) = &origin.host else { return None };
        let labels = || name.split('.');
        let plain = !host.contains(':') && labels().count() >= 2 && labels().all(|label| !label.is_empty());
        plain.then_some(Self::Beneath(origin))
    }

    /// Returns whether it matches an origin.
    pub(crate) fn covers(&self, origin: &Origin) -> bool {
        match (self, &origin.host) {
            (Self::One(one), _) => one == origin,
            (Self::Beneath(base), Host::Domain(name)) => {
                let beneath =
                    |(label, rest): (&str, &str)| !label.is_empty() && base.host == Host::Domain(rest.to_owned());
                (base.scheme, base.port) == (origin.scheme, origin.port) && name.split_once('.').is_some_and(beneath)
            }
            (Self::Beneath(_), _) => false,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.authority())
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Pattern};

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
            ("wss://Gateway.discord.gg:443", Some("wss://gateway.discord.gg")),
            ("ws://127.0.0.1:80", Some("ws://127.0.0.1")),
            ("wss://*.discord.gg", None),
            ("WSS://host", None),
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

    #[test]
    fn a_star_stands_for_exactly_one_label() {
        let covers = |pattern: &str, origin: &str| {
            let pattern = Pattern::parse(pattern).unwrap_or_else(|| panic!("{pattern} is a pattern"));
            pattern.covers(&Origin::parse(origin).unwrap())
        };
        assert!(covers("wss://*.discord.gg", "wss://gateway-us-east1-b.discord.gg"));
        assert!(covers("wss://*.discord.gg", "wss://GATEWAY.discord.gg:443"));
        assert!(covers("wss://gateway.discord.gg", "wss://gateway.discord.gg"));
        for other in [
            "wss://discord.gg", "wss://a.b.discord.gg", "wss://evildiscord.gg", "wss://.discord.gg",
            "wss://a.discord.gg.", "wss://a.discord.gg:444", "ws://a.discord.gg:443", "https://a.discord.gg",
            "wss://1.2.3.4",
        ] {
            assert!(Origin::parse(other).is_none() || !covers("wss://*.discord.gg", other), "{other}");
        }
        for none in [
            "wss://*", "wss://*.gg", "wss://*.gg.", "wss://*.*.discord.gg", "wss://a.*.gg", "wss://*.1.2.3.4",
            "wss://*.discord.gg:444", "wss://*.discord..gg", "wss://*.discord.gg/", "wss://*discord.gg",
            "ws://*.discord.gg", "https://*.discord.gg",
        ] {
            assert_eq!(Pattern::parse(none), None, "{none}");
        }
    }
}
