//! Opens a WebSocket (RFC 6455, section 4.1).

use http::StatusCode;
use http::header::{
    HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_EXTENSIONS, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use reqwest::Upgraded;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::client::{Client, ExchangeError, check_literal, failed, unreachable};
use crate::egress::{Handshake, Refusal};

/// The largest message that is received, in bytes, all its fragments together.
const FRAME: usize = 4 << 20;
/// The size of the read buffer, in bytes.
const READ: usize = 16 << 10;
/// The most bytes that wait to be written.
const WRITE: usize = 1 << 20;

/// A WebSocket over any kind of connection.
pub(crate) type Socket = WebSocketStream<Upgraded>;

impl Client {
    /// Connects and performs the handshake. The future may be dropped at any point, which closes the connection.
    pub(crate) async fn open(&self, handshake: &Handshake) -> Result<Socket, ExchangeError> {
        let origin = &handshake.origin;
        check_literal(origin, handshake.reach)?;
        let request = handshake.to_request()?;
        if self.network.backend.is_some() {
            return Err(unreachable(origin, &"its backend carries no sockets"));
        }
        let accept = request.headers().get(SEC_WEBSOCKET_KEY).map(|key| derive_accept_key(key.as_bytes()));
        let response = self.send(origin, handshake.reach, request).await?;
        match response.status() {
            StatusCode::SWITCHING_PROTOCOLS => {}
            status if status.is_redirection() => return Err(Refusal::Redirect(origin.clone()).into()),
            status => return Err(unreachable(origin, &format_args!("the server answered {status}"))),
        }
        let headers = response.headers();
        // No extension was requested, and a compressed frame could hide a secret.
        if headers.contains_key(SEC_WEBSOCKET_EXTENSIONS) {
            return Err(Refusal::Compressed.into());
        }
        let said = |name: HeaderName| headers.get(name)?.to_str().ok();
        let websocket = said(UPGRADE).is_some_and(|protocol| protocol.eq_ignore_ascii_case("websocket"));
        if !websocket || said(SEC_WEBSOCKET_ACCEPT) != accept.as_deref() || headers.contains_key(SEC_WEBSOCKET_PROTOCOL)
        {
            return Err(unreachable(origin, &"the server's handshake is not one of a WebSocket"));
        }
        let stream = response.upgrade().await.map_err(|error| failed(origin, error))?;
        Ok(WebSocketStream::from_raw_socket(stream, Role::Client, Some(config())).await)
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE)
        .max_message_size(Some(FRAME))
        .max_frame_size(Some(FRAME))
}
