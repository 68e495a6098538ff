//! The messenger's server: as much of the Bot API as one request needs. It records when requests arrive, and presses
//! the first button. Its threads block in `accept` before a candidate connects, so that no measurement includes the
//! start of a thread.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

/// The delay of the press. It is long enough that the hook is idle when the press arrives.
pub(super) const PRESS_AFTER: Duration = Duration::from_millis(20);

/// The number of threads. A hook has two connections at most: one polls for presses, the other edits the card.
const THREADS: usize = 4;

/// A running server.
pub(super) struct Chat {
    pub(super) address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

/// The requests of one run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The `callback_data` of the card's first button.
    payload: Value,
    /// The process id of the hook, while it runs.
    pub(super) pid: Option<u32>,
    /// When the first request had arrived completely.
    pub(super) first: Option<Instant>,
    /// When the card had arrived completely.
    pub(super) posted: Option<Instant>,
    /// When the press was about to be sent.
    pub(super) pressed: Option<Instant>,
    /// The peak memory of the hook at its last edit of the card.
    pub(super) peak_kib: Option<u64>,
}

impl Chat {
    /// Starts the server, which runs until the program ends. With `tls` it serves HTTPS.
    pub(super) fn start(tls: Option<Arc<ServerConfig>>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("listen on loopback")?;
        let address = listener.local_addr()?;
        let seen = Arc::<Mutex<Seen>>::default();
        for _ in 0..THREADS {
            let (listener, tls, seen) = (listener.try_clone()?, tls.clone(), Arc::clone(&seen));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    // A candidate may end the connection at any time.
                    let _ = accept(stream, tls.as_ref(), &seen);
                }
            });
        }
        Ok(Self { address, seen })
    }

    /// Takes what was recorded since the last call.
    pub(super) fn take(&self) -> Seen {
        std::mem::take(&mut *lock(&self.seen))
    }

    /// Returns when a card arrived, if one has.
    pub(super) fn posted(&self) -> Option<Instant> {
        lock(&self.seen).posted
    }

    /// Sets the process whose memory is measured.
    pub(super) fn watch(&self, pid: u32) {
        lock(&self.seen).pid = Some(pid);
    }
}

fn accept(stream: TcpStream, tls: Option<&Arc<ServerConfig>>, seen: &Mutex<Seen>) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    match tls {
        None => serve(stream, seen),
        Some(config) => serve(StreamOwned::new(ServerConnection::new(Arc::clone(config))?, stream), seen),
    }
}

fn serve(stream: impl Read + Write, seen: &Mutex<Seen>) -> anyhow::Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some((method, body)) = request(&mut stream)? {
        let now = Instant::now();
        lock(seen).first.get_or_insert(now);
        let reply = match method.as_str() {
            "sendMessage" => {
                let card: Value = serde_json::from_slice(&body)?;
                let payload = card.pointer("/reply_markup/inline_keyboard/0/0/callback_data").cloned();
                let mut seen = lock(seen);
                seen.payload = payload.unwrap_or_default();
                seen.posted = Some(now);
                message()
            }
            "getUpdates" => updates(std::mem::take(&mut lock(seen).payload)),
            "editMessageText" => {
                let mut seen = lock(seen);
                seen.peak_kib = seen.pid.and_then(peak_kib);
                message()
            }
            _ => json!(true),
        };
        let body = json!({ "ok": true, "result": reply }).to_string();
        let reply = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        if method == "getUpdates" {
            lock(seen).pressed.get_or_insert_with(Instant::now);
        }
        stream.get_mut().write_all(reply.as_bytes())?;
        stream.get_mut().flush()?;
    }
    Ok(())
}

/// Reads a request: the method at the end of its path, and its body. Returns `None` if the client closed the
/// connection.
fn request(stream: &mut impl BufRead) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default();
    let method = path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(Some((method, body)))
}

fn message() -> Value {
    json!({ "message_id": 7, "date": 1_790_000_000, "chat": { "id": 42, "type": "private", "first_name": "Ann" } })
}

fn updates(payload: Value) -> Value {
    std::thread::sleep(PRESS_AFTER);
    if payload.is_null() {
        return json!([]);
    }
    let person = json!({ "id": 42, "is_bot": false, "first_name": "Ann" });
    let press = json!({ "id": "1", "from": person, "chat_instance": "1", "data": payload, "message": message() });
    json!([{ "update_id": 1, "callback_query": press }])
}

/// Returns the peak resident memory. `VmHWM` counts from `exec`; the figure of `wait4` would include the memory of the
/// process that forked.
fn peak_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}
