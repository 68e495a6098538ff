use std::sync::Arc;

use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_core::text::Lang;
use dmplz_protocol::Status;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::*;
use crate::approvals::{Approvals, Attached, Rules};
use crate::bus::Bus;
use crate::health::Health;
use crate::rpc::Limits;
use dmplz_core::request::Answer;

const ID: &str = "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11";

struct Gateway {
    dir: TempDir,
    approvals: Approvals,
    peer: Peer,
    stop: watch::Sender<bool>,
    served: JoinHandle<()>,
    news: mpsc::UnboundedReceiver<News>,
    health: Health,
    _surface: Attached,
}

fn approvals() -> Approvals {
    let reason = ReasonRules { max_chars: 300, skip_keywords: vec!["no_reason".into()] };
    let rules = Rules { expiry: Duration::from_secs(300), reason_timeout: Duration::from_secs(60), reason };
    Approvals::new(Bus::default(), rules, Arc::new(|| 1_700_000_000_000))
}

impl Gateway {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::open(dir.path()).unwrap();
        let instance = Instance::claim(&state).unwrap();
        let (tell, news) = mpsc::unbounded_channel();
        let socket = Socket::bind(&state, &instance).unwrap().telling(move |news| _ = tell.send(news));
        let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
        let by = Approvers::owner("cli", "owner").admit(&user).unwrap();
        let peer = Peer { by, role: crate::rpc::Role::Local, limits: Limits::LOCAL };
        let (stop, stopped) = watch::channel(false);
        let approvals = approvals();
        let surface = approvals.attach("other");
        let services = Services::new(approvals.clone(), Lang::En);
        let health = services.health.clone();
        let served = tokio::spawn({
            let peer = peer.clone();
            async move {
                let _only = instance;
                socket.serve(services, peer, stopped).await;
            }
        });
        Self { dir, approvals, peer, stop, served, news, health, _surface: surface }
    }

    async fn connect(&self) -> BufReader<UnixStream> {
        BufReader::new(UnixStream::connect(self.dir.path().join(SOCKET)).await.unwrap())
    }
}

async fn next(stream: &mut BufReader<UnixStream>) -> Value {
    let mut line = String::new();
    stream.read_line(&mut line).await.unwrap();
    serde_json::from_str(&line).unwrap()
}

async fn send(stream: &mut BufReader<UnixStream>, text: &str) {
    stream.write_all(text.as_bytes()).await.unwrap();
    stream.write_all(b"\n").await.unwrap();
}

fn ask() -> String {
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/work",
        "tool_name": "Bash", "tool_input": { "command": "git push" },
    });
    let params = json!({ "requestId": ID, "input": input, "expiresInMs": 60_000 });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "hook.ask", "params": params }).to_string()
}

#[tokio::test]
async fn the_socket_is_ours_alone_and_replaces_what_a_dead_gateway_left() {
    let dir = tempfile::tempdir().unwrap();
    let state = StateDir::open(dir.path()).unwrap();
    let instance = Instance::claim(&state).unwrap();
    let path = dir.path().join(SOCKET);
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let socket = Socket::bind(&state, &instance).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    drop(socket);
    assert!(!path.exists());
    fs::write(&path, "a file of somebody's").unwrap();
    assert!(Socket::bind(&state, &instance).is_err());
    assert!(path.exists());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_gateway_is_reached_however_long_the_path_of_its_directory_is() {
    let root = tempfile::tempdir().unwrap();
    let state = StateDir::open(root.path().join("long".repeat(40))).unwrap();
    let instance = Instance::claim(&state).unwrap();
    let socket = Socket::bind(&state, &instance).unwrap();
    let path = socket.path().to_owned();
    dmplz_protocol::client::open(&path).unwrap();
    drop(socket);
    assert!(!path.exists());
    assert!(matches!(dmplz_protocol::client::open(&path), Err(dmplz_protocol::client::GatewayError::NotRunning(_))));
}

#[tokio::test]
async fn garbage_is_refused_line_by_line_and_harms_nobody() {
    let gateway = Gateway::start();
    let mut stream = gateway.connect().await;
    for (garbage, code) in [(&b"{"[..], -32700), (b"\xff\xfe", -32700), (b"[]", -32600), (b"7", -32600)] {
        stream.write_all(garbage).await.unwrap();
        stream.write_all(b"\n").await.unwrap();
        assert_eq!(next(&mut stream).await["error"]["code"], code);
    }
    send(&mut stream, r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
    assert_eq!(next(&mut stream).await["id"], 1);
}

#[tokio::test]
async fn a_line_without_an_end_is_cut_off() {
    let gateway = Gateway::start();
    let stream = gateway.connect().await;
    let (reader, mut writer) = tokio::io::split(stream);
    let writing = tokio::spawn(async move {
        let chunk = vec![b'x'; 1 << 20];
        while writer.write_all(&chunk).await.is_ok() {}
    });
    let mut lines = BufReader::new(reader).lines();
    let refusal: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(refusal["error"]["code"], -32600);
    writing.await.unwrap();
}

#[tokio::test]
async fn what_was_called_before_the_last_word_is_answered() {
    let gateway = Gateway::start();
    let mut stream = gateway.connect().await;
    send(&mut stream, r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
    stream.get_mut().shutdown().await.unwrap();
    assert_eq!(next(&mut stream).await["id"], 1);
    assert_eq!(stream.read(&mut [0]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_hook_that_hangs_up_withdraws_its_request() {
    let gateway = Gateway::start();
    let mut stream = gateway.connect().await;
    send(&mut stream, &ask()).await;
    assert_eq!(next(&mut stream).await["method"], "hook.accepted");
    drop(stream);
    let ended = gateway.approvals.ended(ID.parse().unwrap()).await.unwrap();
    assert!(matches!(ended.status, Status::Ended { .. }));
}

/// A failed write may reveal a killed hook before the end of its input is read.
#[tokio::test]
async fn a_hook_that_cannot_be_told_anything_withdraws_its_request() {
    let gateway = Gateway::start();
    let stream = std::os::unix::net::UnixStream::connect(gateway.dir.path().join(SOCKET)).unwrap();
    stream.shutdown(std::net::Shutdown::Read).unwrap();
    stream.set_nonblocking(true).unwrap();
    let mut stream = BufReader::new(UnixStream::from_std(stream).unwrap());
    send(&mut stream, &ask()).await;
    let id = ID.parse().unwrap();
    while gateway.approvals.get(id).await.is_none() {
        tokio::task::yield_now().await;
    }
    let ended = timeout(Duration::from_secs(40), gateway.approvals.ended(id)).await.expect("an end").unwrap();
    assert!(matches!(ended.status, Status::Ended { .. }));
}

#[tokio::test]
async fn a_gateway_that_stops_tells_everybody_and_keeps_what_is_open() {
    let gateway = Gateway::start();
    let mut stream = gateway.connect().await;
    send(&mut stream, &ask()).await;
    assert_eq!(next(&mut stream).await["method"], "hook.accepted");
    gateway.stop.send_replace(true);
    assert_eq!(next(&mut stream).await["method"], "gateway.stopping");
    assert_eq!(stream.read(&mut [0]).await.unwrap(), 0);
    gateway.served.await.unwrap();
    assert!(!gateway.dir.path().join(SOCKET).exists());
    let id = ID.parse().unwrap();
    assert_eq!(gateway.approvals.get(id).await.unwrap().status, Status::Open);
    gateway.approvals.answer(id, Answer::APPROVE, gateway.peer.by.clone().on("cli")).await.unwrap();
}

async fn list(stream: &mut BufReader<UnixStream>) -> Value {
    send(stream, r#"{"jsonrpc":"2.0","id":1,"method":"approvals.list"}"#).await;
    next(stream).await["id"].clone()
}

#[tokio::test]
async fn a_socket_whose_file_is_gone_or_replaced_is_bound_again_and_whoever_was_connected_stays() {
    let mut gateway = Gateway::start();
    let mut before = gateway.connect().await;
    let path = gateway.dir.path().join(SOCKET);
    fs::remove_file(&path).unwrap();
    assert_eq!(gateway.news.recv().await, Some(News::BoundAgain));
    assert_eq!(list(&mut gateway.connect().await).await, 1);
    fs::remove_file(&path).unwrap();
    let _other = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert_eq!(gateway.news.recv().await, Some(News::BoundAgain));
    assert_eq!(list(&mut gateway.connect().await).await, 1);
    assert_eq!(list(&mut before).await, 1);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn what_is_no_socket_stays_and_is_said_once_until_it_is_gone() {
    let mut gateway = Gateway::start();
    let path = gateway.dir.path().join(SOCKET);
    fs::remove_file(&path).unwrap();
    fs::write(&path, "a file of somebody's").unwrap();
    let expected = News::Lost("something that is no socket has its name".to_owned());
    assert_eq!(gateway.news.recv().await, Some(expected));
    while gateway.health.socket_trouble().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "a file of somebody's");
    fs::remove_file(&path).unwrap();
    assert_eq!(gateway.news.recv().await, Some(News::BoundAgain));
    while gateway.health.socket_trouble().is_some() {
        tokio::task::yield_now().await;
    }
}

/// Starts a process that holds the lock as a gateway does. `None` if there is no `flock`.
fn another_gateway(state: &Path) -> Option<std::process::Child> {
    let lock = state.join("gateway.lock");
    fs::remove_file(&lock).unwrap();
    fs::write(&lock, "").unwrap();
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o600)).unwrap();
    let script = r#"printf $$ > "$0"; printf x; exec sleep 60"#;
    let mut flock = std::process::Command::new("flock");
    flock.args(["--no-fork", "--exclusive"]).arg(&lock).args(["sh", "-c", script]).arg(&lock);
    let mut child = flock.stdout(std::process::Stdio::piped()).spawn().ok()?;
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
    Some(child)
}

#[tokio::test]
async fn the_socket_of_another_living_gateway_is_never_taken() {
    let mut gateway = Gateway::start();
    let path = gateway.dir.path().join(SOCKET);
    let Some(mut other) = another_gateway(gateway.dir.path()) else {
        eprintln!("skipped: there is no flock");
        return;
    };
    fs::remove_file(&path).unwrap();
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let expected = News::Lost(format!("process {} is the gateway of this directory now", other.id()));
    assert_eq!(gateway.news.recv().await, Some(expected));
    gateway.stop.send_replace(true);
    gateway.served.await.unwrap();
    assert!(path.exists(), "what belongs to another gateway is not taken away");
    drop(listener);
    other.kill().unwrap();
    other.wait().unwrap();
}
