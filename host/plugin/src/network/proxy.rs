//! The operator's proxy.

use url::Url;

/// Why a proxy cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the proxy's URL must be http://[user:password@]host[:port]")]
pub struct ProxyError;

/// Returns a proxy for `https`, which requests use with CONNECT.
pub(super) struct Proxy {
    pub(super) host: String,
    pub(super) client: reqwest::Proxy,
}

impl Proxy {
    pub(super) fn parse(text: &str) -> Result<Self, ProxyError> {
        let url = Url::parse(text).ok().filter(|url| url.scheme() == "http").ok_or(ProxyError)?;
        let host = url.host_str().ok_or(ProxyError)?.to_owned();
        Ok(Self { host, client: reqwest::Proxy::https(url).map_err(|_| ProxyError)? })
    }
}
