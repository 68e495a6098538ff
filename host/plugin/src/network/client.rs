//! One provider's connections, and an exchange over one of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::time::Instant;

use super::Network;
use crate::egress::{Origin, Outgoing, Reach, Refusal};

/// Largest reply, in bytes.
const BODY: usize = 4 << 20;
/// Largest head of a reply that is read, in bytes.
const HEAD: usize = 64 << 10;
/// Idle connections kept for one origin.
const IDLE: usize = 4;
/// How long: shorter than what servers and routers between grant, who may forget a connection without a word.
const IDLE_FOR: Duration = Duration::from_secs(30);

type Sender = SendRequest<Full<Bytes>>;

/// A provider's connections. They outlive its instances.
pub(crate) struct Client {
    network: Arc<Network>,
    idle: Mutex<HashMap<Origin, Vec<(Sender, Instant)>>>,
}

/// A whole reply.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the reply is too large")]
    TooLarge,
    #[error("{0}")]
    Unreachable(String),
}

impl Client {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        Self { network, idle: Mutex::default() }
    }

    /// Sends a request and reads all of its reply. May be dropped at any point; the connection is then closed.
    pub(crate) async fn exchange(&self, outgoing: &Outgoing) -> Result<Reply, ExchangeError> {
        let reply = match &self.network.backend {
            Some(backend) => self.network.carry(&**backend, outgoing).await?,
            None => self.connected(outgoing).await?,
        };
        if reply.body.len() > BODY { Err(ExchangeError::TooLarge) } else { Ok(reply) }
    }

    /// The same over a connection.
    async fn connected(&self, outgoing: &Outgoing) -> Result<Reply, ExchangeError> {
        let origin = &outgoing.origin;
        let failed = |error| broken(origin, &error);
        let (response, sender) = self.send(origin, outgoing.reach, outgoing.to_request()?.map(Full::new)).await?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, BODY).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                return ExchangeError::TooLarge;
            }
            match error.downcast::<hyper::Error>() {
                Ok(error) => failed(*error),
                Err(_) => ExchangeError::Unreachable(format!("{origin}: the reply broke off")),
            }
        })?;
        self.keep(origin, sender);
        Ok(Reply { status: head.status, headers: head.headers, body: body.to_bytes() })
    }

    /// Over an idle connection when one still works, else over a new one. A request goes out a second time only when
    /// nothing of it had gone out the first time.
    async fn send(
        &self,
        origin: &Origin,
        reach: Reach,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(http::Response<hyper::body::Incoming>, Sender), ExchangeError> {
        let failed = |error| broken(origin, &error);
        while let Some(mut sender) = self.take(origin) {
            if sender.ready().await.is_err() {
                continue;
            }
            match sender.try_send_request(request).await {
                Ok(response) => return Ok((response, sender)),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(failed(error.into_error())),
                },
            }
        }
        let mut sender = self.connect(origin, reach).await?;
        let response = sender.send_request(request).await.map_err(failed)?;
        Ok((response, sender))
    }

    async fn connect(&self, origin: &Origin, reach: Reach) -> Result<Sender, ExchangeError> {
        let stream = self.network.dial(origin, reach).await?;
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(HEAD)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| ExchangeError::Unreachable(format!("{origin}: {error}")))?;
        // Ends with the sender. What goes wrong on the connection, the sender is told.
        tokio::spawn(connection);
        Ok(sender)
    }

    fn take(&self, origin: &Origin) -> Option<Sender> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let senders = idle.get_mut(origin)?;
        senders.retain(|(sender, since)| !sender.is_closed() && since.elapsed() < IDLE_FOR);
        senders.pop().map(|(sender, _)| sender)
    }

    fn keep(&self, origin: &Origin, sender: Sender) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let senders = idle.entry(origin.clone()).or_default();
        if senders.len() < IDLE {
            senders.push((sender, Instant::now()));
        }
    }
}

/// Hyper tells clients that a head was too large only in words.
fn broken(origin: &Origin, error: &hyper::Error) -> ExchangeError {
    match error.to_string() {
        text if error.is_parse() && text.contains("too large") => ExchangeError::TooLarge,
        text => ExchangeError::Unreachable(format!("{origin}: {text}")),
    }
}
