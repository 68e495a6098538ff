//! The opening of a WebSocket.

use http::header::SEC_WEBSOCKET_EXTENSIONS;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::dial::Stream;
use super::{ExchangeError, Network};
use crate::egress::{Handshake, Origin, Refusal};

/// Largest frame that arrives, in bytes, its fragments together.
const FRAME: usize = 4 << 20;
/// What is read at once, in bytes.
const READ: usize = 16 << 10;
/// What waits to be written at most, in bytes.
const WRITE: usize = 1 << 20;

/// A WebSocket over whatever leads there.
pub(crate) type Socket = WebSocketStream<Box<dyn Stream>>;

impl Network {
    /// Connects and shakes hands. May be dropped at any point; the connection is then closed.
    pub(crate) async fn open(&self, handshake: &Handshake) -> Result<Socket, ExchangeError> {
        let request = handshake.to_request()?;
        if self.backend.is_some() {
            return Err(ExchangeError::Unreachable(format!("{}: its backend carries no sockets", handshake.origin)));
        }
        let stream = self.dial(&handshake.origin, handshake.reach).await?;
        let opened = client_async_with_config(request, stream, Some(config())).await;
        let (socket, response) = opened.map_err(|error| failed(&handshake.origin, &error))?;
        // None was asked for, and a secret could hide in a compressed frame.
        if response.headers().contains_key(SEC_WEBSOCKET_EXTENSIONS) {
            return Err(Refusal::Compressed.into());
        }
        Ok(socket)
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

fn failed(origin: &Origin, error: &Error) -> ExchangeError {
    match error {
        Error::Http(response) if response.status().is_redirection() => Refusal::Redirect(origin.clone()).into(),
        Error::Http(response) => {
            ExchangeError::Unreachable(format!("{origin}: the server answered {}", response.status()))
        }
        error => ExchangeError::Unreachable(format!("{origin}: {error}")),
    }
}
