//! A WebSocket server on loopback, whose side of each connection the test plays.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Accepts whatever comes.
pub(crate) struct Sockets {
    /// `ws://127.0.0.1:PORT`.
    pub(crate) origin: String,
    accepted: mpsc::UnboundedReceiver<WebSocketStream<TcpStream>>,
    heads: Arc<Mutex<Vec<String>>>,
}

/// The server's side of one connection.
pub(crate) struct Peer(WebSocketStream<TcpStream>);

impl Sockets {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("ws://{}", listener.local_addr().unwrap());
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let (accept, accepted) = mpsc::unbounded_channel();
        let record = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let record = Arc::clone(&record);
                #[allow(clippy::result_large_err, reason = "the library's callback")]
                let callback = move |request: &Request, response: Response| {
                    record.lock().unwrap().push(head(request));
                    Ok(response)
                };
                if let Ok(socket) = tokio_tungstenite::accept_hdr_async(tcp, callback).await {
                    let _ = accept.send(socket);
                }
            }
        });
        Self { origin, accepted, heads }
    }

    /// The next connection.
    pub(crate) async fn accept(&mut self) -> Peer {
        Peer(timeout(PATIENCE, self.accepted.recv()).await.expect("somebody connects").unwrap())
    }

    /// The requests so far: first lines and headers.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

impl Peer {
    pub(crate) async fn say(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into())).await;
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    /// What comes next; a close as `close CODE`, the end as `end`.
    pub(crate) async fn hear(&mut self) -> String {
        match timeout(PATIENCE, self.0.next()).await.expect("something comes") {
            Some(Ok(Message::Text(text))) => text.to_string(),
            Some(Ok(Message::Close(Some(frame)))) => format!("close {}", u16::from(frame.code)),
            Some(Ok(Message::Pong(_))) => "pong".to_owned(),
            Some(Ok(other)) => format!("{other:?}"),
            Some(Err(_)) | None => "end".to_owned(),
        }
    }
}

fn head(request: &Request) -> String {
    let mut lines = vec![request.uri().to_string()];
    lines.extend(request.headers().iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())));
    lines.join("\n")
}
