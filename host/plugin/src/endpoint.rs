//! The host's own requests to a URL that the operator wrote, such as that of a webhook, or that a paired browser named. A
//! component never comes here.
//!
//! The rules are those of a server in a setting (`egress`): it may be anywhere that is ever reached (a browser's only at
//! public addresses, over https), no redirect is followed, and the caps on URLs, headers and replies hold. The whole URL counts as a secret, because that of a webhook is one: no
//! error holds more of it than its origin.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use http::header::RETRY_AFTER;
use tokio::time::timeout;

use crate::Secret;
use crate::egress::{Origin, Outgoing, Reach};
use crate::http::REPLY;
use crate::network::{Client, ExchangeError, Network};

/// A URL that the host posts to.
pub struct Endpoint {
    client: Client,
    url: Secret,
    origin: Origin,
    reach: Reach,
}

/// The reply of the server.
#[derive(Debug, Clone)]
pub struct EndpointReply {
    /// The status code of the HTTP response.
    pub status: u16,
    /// How long to wait, according to the header `retry-after`.
    pub retry_after: Option<Duration>,
    /// The whole body, which is untrusted.
    pub body: Bytes,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The text is not a URL to post to.
    #[error("it is no http or https URL of visible ASCII, without a user and of at most 8 KiB")]
    Url,
    /// A rule of egress forbids it, such as an address that is never reached.
    #[error("{0}")]
    Refused(String),
    /// The server cannot be reached, or breaks off.
    #[error("{0}")]
    Unreachable(String),
    /// It did not reply in time.
    #[error("{0}: no reply within {1} s")]
    Slow(String, u64),
}

impl Endpoint {
    /// Returns the endpoint of a URL. It does not connect.
    ///
    /// # Errors
    /// The text is not a URL to post to.
    pub fn new(network: Arc<Network>, url: Secret) -> Result<Self, EndpointError> {
        Self::within(network, url, Reach::Anywhere)
    }

    /// Returns the endpoint of a URL that somebody else wrote, such as a browser's push service: only https, and only
    /// public addresses. It does not connect.
    ///
    /// # Errors
    /// The text is not such a URL.
    pub fn public(network: Arc<Network>, url: Secret) -> Result<Self, EndpointError> {
        let endpoint = Self::within(network, url, Reach::Public)?;
        if endpoint.origin.is_secure() { Ok(endpoint) } else { Err(EndpointError::Url) }
    }

    /// Checks a URL as [`Self::new`] does.
    ///
    /// # Errors
    /// The text is not a URL to post to.
    pub fn check(url: &str) -> Result<(), EndpointError> {
        Outgoing::of_host(Method::POST, url, Reach::Anywhere, &[], Vec::new()).map(drop).map_err(|_| EndpointError::Url)
    }

    fn within(network: Arc<Network>, url: Secret, reach: Reach) -> Result<Self, EndpointError> {
        let outgoing =
            Outgoing::of_host(Method::POST, url.expose(), reach, &[], Vec::new()).map_err(|_| EndpointError::Url)?;
        Ok(Self { client: Client::new(network), origin: outgoing.origin, url, reach })
    }

    /// Returns the scheme, host and port, which are not secret.
    pub fn origin(&self) -> String {
        self.origin.to_string()
    }

    /// Reads what is there. May be dropped at any point.
    ///
    /// # Errors
    /// There is no reply.
    pub async fn get(&self, within: Duration) -> Result<EndpointReply, EndpointError> {
        self.exchange(Method::GET, &[], Vec::new(), within).await
    }

    /// Posts a body, and reads the whole reply. It is JSON unless a header `content-type` says otherwise. May be dropped at any point.
    ///
    /// # Errors
    /// There is no reply. The server may have received the request nevertheless.
    pub async fn post(
        &self,
        headers: &[(&'static str, String)],
        body: Vec<u8>,
        within: Duration,
    ) -> Result<EndpointReply, EndpointError> {
        self.exchange(Method::POST, headers, body, within).await
    }

    async fn exchange(
        &self,
        method: Method,
        headers: &[(&'static str, String)],
        body: Vec<u8>,
        within: Duration,
    ) -> Result<EndpointReply, EndpointError> {
        let refused = |refusal: crate::egress::Refusal| EndpointError::Refused(refusal.to_string());
        let outgoing = Outgoing::of_host(method, self.url.expose(), self.reach, headers, body).map_err(refused)?;
        let reply = match timeout(within, self.client.exchange(&outgoing, REPLY)).await {
            Err(_) => return Err(EndpointError::Slow(self.origin(), within.as_secs())),
            Ok(Err(ExchangeError::Refused(refusal))) => return Err(refused(refusal)),
            Ok(Err(error @ (ExchangeError::TooLarge | ExchangeError::Unreachable { .. }))) => {
                return Err(EndpointError::Unreachable(error.to_string()));
            }
            Ok(Ok(reply)) => reply,
        };
        let retry_after =
            reply.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse::<f64>().ok());
        Ok(EndpointReply {
            status: reply.status.as_u16(),
            retry_after: retry_after.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            body: reply.body,
        })
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("origin", &self.origin()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_with_a_user_or_another_scheme_is_refused_and_none_is_shown() {
        let of = |url: &str| Endpoint::new(Arc::default(), Secret::new(url));
        for bad in
            ["", "hook", "ftp://a/b", "ws://a/b", "https://user:pass@a/b", "https://", "https://a b/", "file:///x"]
        {
            assert_eq!(of(bad).unwrap_err(), EndpointError::Url, "{bad}");
        }
        let endpoint = of("https://hooks.example.org/services/hunter2").unwrap();
        assert_eq!(format!("{endpoint:?}"), r#"Endpoint { origin: "https://hooks.example.org", .. }"#);
    }

    #[tokio::test]
    async fn a_url_of_somebody_else_leads_to_public_addresses_over_https_only() {
        let of = |url: &str| Endpoint::public(Arc::default(), Secret::new(url));
        assert_eq!(of("http://push.example.org/a").unwrap_err(), EndpointError::Url);
        for inside in ["https://127.0.0.1:1/a", "https://10.0.0.1/a", "https://[::1]:1/a"] {
            let error = of(inside).unwrap().post(&[], Vec::new(), Duration::from_secs(5)).await.unwrap_err();
            assert!(
                matches!(&error, EndpointError::Refused(why) if why.contains("no address that may be reached")),
                "{inside} {error}"
            );
        }
    }

    #[tokio::test]
    async fn a_metadata_service_is_never_reached() {
        let endpoint = Endpoint::new(Arc::default(), Secret::new("http://169.254.169.254/latest")).unwrap();
        let error = endpoint.post(&[], Vec::new(), Duration::from_secs(5)).await.unwrap_err();
        assert!(
            matches!(&error, EndpointError::Refused(why) if why.contains("no address that may be reached")),
            "{error}"
        );
    }
}
