//! Programs that connect and leave during the run: WebSocket clients, `approvals watch`, and readers of the metrics and
//! the page.

use std::process::Stdio;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::Stage;
use crate::http;

/// Starts one thread per program.
pub(super) fn start(stage: &Arc<Stage>) -> Vec<JoinHandle<()>> {
    let run = |what: fn(&Stage, &mut fastrand::Rng), seed: u64| {
        let stage = Arc::clone(stage);
        std::thread::spawn(move || {
            let mut random = fastrand::Rng::with_seed(seed);
            while !stage.is_over() {
                what(&stage, &mut random);
            }
        })
    };
    vec![run(listen, 1), run(listen, 2), run(listen, 3), run(never_read, 4), run(watch, 5), run(read, 6)]
}

/// Subscribes for some seconds, and then closes the WebSocket or drops the connection.
fn listen(stage: &Stage, random: &mut fastrand::Rng) {
    let end = Instant::now() + Duration::from_secs(random.u64(1..20));
    if let Ok(mut socket) = http::open(&stage.address, &stage.token) {
        let _ = socket.send(Message::text(subscribe()));
        let _ = socket.get_ref().set_read_timeout(Some(Duration::from_millis(300)));
        while Instant::now() < end && !stage.is_over() {
            match socket.read() {
                Ok(_) => {}
                Err(tokio_tungstenite::tungstenite::Error::Io(error))
                    if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
        if random.bool() {
            let _ = socket.close(None);
        }
    }
    stage.rest(Duration::from_millis(random.u64(..2000)));
}

/// Subscribes, and never reads.
fn never_read(stage: &Stage, random: &mut fastrand::Rng) {
    let socket = http::open(&stage.address, &stage.token).and_then(|mut socket| {
        socket.send(Message::text(subscribe()))?;
        Ok(socket)
    });
    stage.rest(Duration::from_secs(random.u64(5..90)));
    drop(socket);
}

fn subscribe() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "events.subscribe", "params": {} }).to_string()
}

fn watch(stage: &Stage, random: &mut fastrand::Rng) {
    let mut command = stage.home.command();
    command.args(["approvals", "watch", "--json"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        stage.rest(Duration::from_secs(random.u64(2..30)));
        let _ = child.kill();
        let _ = child.wait();
    }
    stage.rest(Duration::from_secs(2));
}

/// Reads what Prometheus, probes, programs and a browser read.
fn read(stage: &Stage, _: &mut fastrand::Rng) {
    let paths = [
        "/metrics",
        "/healthz",
        "/readyz",
        "/",
        "/api/v1/approvals?status=ended&limit=20",
        "/api/v1/metrics",
        "/api/v1/grants",
    ];
    for path in paths {
        let _ = http::ask(&stage.address, &stage.token, "GET", path, None);
    }
    stage.rest(Duration::from_secs(5));
}
