//! The rules for opening a WebSocket.
//!
//! | part | rule |
//! |---|---|
//! | URL | as for a request, with `wss` or `ws`; a secret once, in a path that the manifest declares for it |
//! | handshake | the host's `user-agent` and what RFC 6455 requires; no subprotocol, extension, cookie or origin |
//! | frame sent | see `frame` |
//! | frame received | contains no secret (`leak`) |

use bytes::Bytes;
use http::header::{CONNECTION, HeaderValue, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE, USER_AGENT};
use http::{Request, Uri};
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use url::Url;

use super::request::{OUR_NAME, split};
use super::{Egress, Origin, Reach, Refusal};

/// A permitted opening of a WebSocket, with its secrets filled in.
pub(crate) struct Handshake {
    pub(crate) origin: Origin,
    pub(crate) reach: Reach,
    url: Url,
}

impl Egress {
    /// Fills in the URL of a socket that the policy permits.
    pub(crate) fn judge_socket(&self, url: &str) -> Result<Handshake, Refusal> {
        let (origin, rest) = split(url)?;
        if !origin.scheme().is_socket() {
            return Err(Refusal::Malformed("its URL must be absolute, wss or ws"));
        }
        let reach = self.reach(&origin)?;
        let url = self.url(&origin, rest, 0)?;
        Ok(Handshake { origin, reach, url })
    }
}

impl Handshake {
    /// Returns the handshake to send.
    pub(crate) fn to_request(&self) -> Result<Request<Bytes>, Refusal> {
        let mut request = Request::new(Bytes::new());
        // A handshake is an HTTP request.
        let url = self.url.as_str().replacen("ws", "http", 1);
        *request.uri_mut() = url.parse::<Uri>().map_err(|_| Refusal::Malformed("its URL is none"))?;
        let key = HeaderValue::try_from(generate_key()).map_err(|_| Refusal::Malformed("its key is none"))?;
        let headers = request.headers_mut();
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(SEC_WEBSOCKET_KEY, key);
        headers.insert(USER_AGENT, HeaderValue::from_static(OUR_NAME));
        Ok(request)
    }
}
