//! A WebSocket server on loopback, whose side of each connection the test plays.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

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
        Self::adding("", "").await
    }

    /// Adds a header to what it answers to a handshake.
    pub(crate) async fn adding(name: &'static str, value: &'static str) -> Self {
        let listener = small().listen(64).unwrap();
        let origin = format!("ws://{}", listener.local_addr().unwrap());
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let (accept, accepted) = mpsc::unbounded_channel();
        let record = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let record = Arc::clone(&record);
                #[allow(clippy::result_large_err, reason = "the library's callback")]
                let callback = move |request: &Request, mut response: Response| {
                    record.lock().unwrap().push(head(request));
                    if !name.is_empty() {
                        response.headers_mut().insert(name, value.parse().unwrap());
                    }
                    Ok(response)
                };
                if let Ok(socket) = tokio_tungstenite::accept_hdr_async(tcp, callback).await {
                    let _ = accept.send(socket);
                }
            }
        });
        Self { origin, accepted, heads }
    }

    /// Waits for the next connection.
    pub(crate) async fn accept(&mut self) -> Peer {
        Peer(timeout(PATIENCE, self.accepted.recv()).await.expect("somebody connects").unwrap())
    }

    /// Connections that nobody asked for yet.
    pub(crate) fn waiting(&self) -> usize {
        self.accepted.len()
    }

    /// Returns the requests so far: first lines and headers.
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

    /// Says goodbye.
    pub(crate) async fn close(&mut self, code: u16, reason: impl Into<Utf8Bytes>) {
        self.send(Message::Close(Some(CloseFrame { code: code.into(), reason: reason.into() }))).await;
    }

    /// Writes bytes that need not be frames.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).await.unwrap();
    }

    /// Counts texts until something else arrives. Returns their number, and what arrived.
    pub(crate) async fn count(&mut self) -> (usize, String) {
        let mut count = 0;
        loop {
            match self.hear().await {
                text if text.starts_with("close ") || text == "end" => return (count, text),
                _ => count += 1,
            }
        }
    }

    /// Waits for what arrives next, except pings. Returns a close as `close CODE`, and the end as `end`.
    pub(crate) async fn hear(&mut self) -> String {
        loop {
            match self.next().await {
                ping if ping == "ping" => {}
                other => return other,
            }
        }
    }

    /// The same with pings.
    pub(crate) async fn next(&mut self) -> String {
        match timeout(PATIENCE, self.0.next()).await.expect("something comes") {
            Some(Ok(Message::Text(text))) => text.to_string(),
            Some(Ok(Message::Close(Some(frame)))) => format!("close {}", u16::from(frame.code)),
            Some(Ok(Message::Ping(_))) => "ping".to_owned(),
            Some(Ok(Message::Pong(_))) => "pong".to_owned(),
            Some(Ok(other)) => format!("{other:?}"),
            Some(Err(_)) | None => "end".to_owned(),
        }
    }
}

/// Starts a server that answers every handshake with these bytes, and then sends nothing. Returns its
/// `ws://127.0.0.1:PORT`.
pub(crate) async fn answering(bytes: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("ws://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut tcp, _)) = listener.accept().await {
            if read_head(&mut tcp).await.is_ok() {
                let _ = tcp.write_all(bytes.as_bytes()).await;
            }
            open.push(tcp);
        }
    });
    origin
}

/// Reads the head of a request, with the empty line that ends it.
pub(crate) async fn read_head(tcp: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(tcp.read_u8().await?);
    }
    Ok(String::from_utf8(head).unwrap())
}

/// Takes little that nobody reads.
fn small() -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    socket
}

fn head(request: &Request) -> String {
    let mut lines = vec![request.uri().to_string()];
    lines.extend(request.headers().iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())));
    lines.join("\n")
}
