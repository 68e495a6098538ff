//! A server on loopback that records requests, and sends scripted answers, byte by byte if necessary.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// One request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    pub(crate) connection: usize,
}

/// An answer.
pub(crate) enum Reply {
    /// Status, headers, body.
    Http(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// These bytes over and over again, until nobody takes them.
    Endless(&'static [u8]),
    /// No answer at all.
    Silence,
    /// The connection is closed.
    Cut,
    /// This text, once the test lets it go.
    Held(Arc<Notify>, String),
}

impl Reply {
    pub(crate) fn text(body: impl Into<String>) -> Self {
        Self::Http(200, Vec::new(), body.into().into_bytes())
    }
}

pub(crate) struct Server {
    pub(crate) origin: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (seen, answer) = (Arc::<Mutex<Vec<Seen>>>::default(), Arc::new(answer));
        let record = Arc::clone(&seen);
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let (answer, record) = (Arc::clone(&answer), Arc::clone(&record));
                tokio::spawn(async move {
                    let mut stream = BufReader::new(stream);
                    while let Some(request) = read(&mut stream, connection).await {
                        let reply = answer(&request);
                        record.lock().unwrap().push(request);
                        if send(stream.get_mut(), reply).await.is_none() {
                            break;
                        }
                    }
                });
            }
        });
        Self { origin, seen }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn read(stream: &mut BufReader<TcpStream>, connection: usize) -> Option<Seen> {
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Seen { line: head.remove(0), headers: head, body, connection })
}

async fn send(stream: &mut TcpStream, reply: Reply) -> Option<()> {
    match reply {
        Reply::Http(status, headers, body) => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let head = format!("HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await.ok()?;
            stream.write_all(&body).await.ok()
        }
        Reply::Endless(bytes) => {
            while stream.write_all(bytes).await.is_ok() {}
            None
        }
        Reply::Silence => std::future::pending().await,
        Reply::Cut => None,
        Reply::Held(gate, text) => {
            gate.notified().await;
            Box::pin(send(stream, Reply::text(text))).await
        }
    }
}
