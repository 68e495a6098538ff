//! A gateway for a test, and a client that sends exactly the given bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::Subject;
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_protocol::{Request, RequestId, Source};
use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::approvals::tests::fake::Fake;
use crate::approvals::{Approvals, Attached, Rules};
use crate::bus::Bus;
use crate::health::Health;
use crate::pairing::Pairing;
use crate::push::Push;
use crate::rpc::Page;
use crate::web::{Bound, Browsers, Config, Token, WebLimits};

pub(super) struct Gateway {
    pub(super) port: u16,
    pub(super) token: String,
    pub(super) metrics_token: String,
    pub(super) approvals: Approvals,
    /// The disk under `approvals`.
    pub(super) fake: Fake,
    pub(super) pairing: Pairing,
    pub(super) push: Push,
    pub(super) now_ms: Arc<AtomicU64>,
    /// The state directory, which holds the grants.
    pub(super) state: PathBuf,
    pub(super) stop: Option<oneshot::Sender<()>>,
    pub(super) served: Option<tokio::task::JoinHandle<()>>,
    pub(super) health: Health,
    pub(super) surface: Option<Attached>,
    _state: tempfile::TempDir,
}

/// A response as it was received.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the error's code.
    pub(super) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// How long a gateway may be away before browsers have to pair again.
const GAP: Duration = Duration::from_secs(600);
pub(super) const START_MS: u64 = 1_790_000_000_000;

pub(super) fn rules() -> Rules {
    Rules {
        expiry: Duration::from_secs(300),
        reason_timeout: Duration::from_secs(60),
        reason: ReasonRules { max_chars: 300, skip_keywords: vec!["no_reason".into()] },
    }
}

/// Returns the person that the gateway belongs to.
pub(super) fn owner() -> Approver {
    let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
    Approvers::owner("web", "owner").admit(&user).unwrap()
}

impl Gateway {
    pub(super) async fn start() -> Self {
        Self::with(|_| ()).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::of(tempfile::tempdir().unwrap(), change).await
    }

    /// Ends the gateway. Returns its port, and its state directory for the next one.
    pub(super) async fn end(mut self) -> (u16, tempfile::TempDir) {
        self.stop.take().unwrap().send(()).unwrap();
        self.served.take().unwrap().await.unwrap();
        (self.port, self._state)
    }

    /// Starts a gateway in a state directory.
    pub(super) async fn of(state: tempfile::TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let now_ms = Arc::new(AtomicU64::new(START_MS));
        let clock = Arc::clone(&now_ms);
        let clock: crate::Clock = Arc::new(move || clock.load(Ordering::SeqCst));
        let fake = Fake::default();
        let approvals = Approvals::with(Arc::new(fake.clone()), Bus::default(), rules(), Arc::clone(&clock));
        let token = Token::open(state.path()).unwrap();
        let mut config = Config {
            port: 0,
            hosts: vec!["https://dm.example.org".parse().unwrap()],
            proxy_uids: Vec::new(),
            token,
            metrics_token: Token::open_for_metrics(state.path()).unwrap(),
            owner: owner(),
            limits: WebLimits::default(),
        };
        change(&mut config);
        let mut rpc = crate::rpc::Services::new(approvals.clone(), Default::default());
        let base = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
        let setup = crate::tools::Setup { base, lang: Default::default(), limits: Default::default(), hooks: None };
        let kept = dmplz_state::StateDir::open(state.path().join("kept")).unwrap();
        rpc.grants = Some(crate::grants::tests::of(&kept, approvals.clone()));
        let (disk, _) = crate::Disk::open(&kept, Default::default(), START_MS).await.unwrap();
        let health = Health::new(approvals.clone(), Some(disk.clone()));
        rpc.health = health.clone();
        approvals.serve_bus();
        rpc.tools = Some(crate::tools::Tools::open(approvals.clone(), disk, setup).await.unwrap());
        let browsers = Browsers::open(state.path(), GAP, Arc::clone(&clock)).unwrap();
        let push = Push::open(state.path(), Vec::new(), browsers.clone()).unwrap();
        rpc.push = Some(push.clone());
        let pairing = Pairing::new(Arc::clone(&clock));
        let url = "http://127.0.0.1:4780".to_owned();
        let page = Page { pairing: pairing.clone(), browsers, url, outside: None };
        rpc.page = Some(page.clone());
        let bound = Bound::open(config).await.unwrap();
        let port = bound.addr().port();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(bound.serve(rpc, page, async {
            let _ = stopped.await;
        }));
        Self {
            port,
            token: fs::read_to_string(state.path().join("gateway.token")).unwrap().trim().to_owned(),
            metrics_token: fs::read_to_string(state.path().join("metrics.token")).unwrap().trim().to_owned(),
            health,
            pairing,
            push,
            now_ms,
            stop: Some(stop),
            served: Some(served),
            surface: Some(approvals.attach("other")),
            approvals,
            fake,
            state: state.path().join("kept"),
            _state: state,
        }
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// Sends a text unchanged and reads one response.
    pub(super) async fn raw(&self, text: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(text).await.unwrap();
        answer(&mut stream).await.expect("an answer")
    }

    /// Sends a request with these headers and those that its body needs. Checks the response against the OpenAPI
    /// document.
    pub(super) async fn send(&self, line: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Answer {
        let mut text = format!("{line} HTTP/1.1\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        if !body.is_empty() {
            text.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
        } else if !line.starts_with("GET") {
            text.push_str("content-length: 0\r\n");
        }
        let answer = self.raw(format!("{text}\r\n{body}").as_bytes()).await;
        super::documented::check(line, &answer);
        answer
    }

    /// Sends a request as a program with the token.
    pub(super) async fn program(&self, line: &str, body: Option<&Value>) -> Answer {
        let (host, token) = (self.host(), format!("Bearer {}", self.token));
        self.send(line, &[("host", &host), ("authorization", &token)], body).await
    }

    /// Adds an open request.
    pub(super) async fn asked(&self, tool: &str, input: Value) -> RequestId {
        let request = request(tool, input, self.approvals.now_ms());
        let id = request.id;
        self.approvals.ask(request).await.unwrap();
        id
    }
}

pub(super) fn request(tool: &str, input: Value, created_ms: u64) -> Request {
    let Value::Object(input) = input else { panic!("an input is an object") };
    let id = RequestId::new();
    Request {
        id,
        source: Source::Hook { session_id: "s1".into(), agent_id: None },
        tool: tool.into(),
        subject: subject(id, tool, &input),
        input,
        cwd: "/work".into(),
        offer: dmplz_core::request::Offer::plain(true),
        created_ms,
        expires_ms: created_ms + 300_000,
    }
}

fn subject(id: RequestId, tool: &str, input: &Map<String, Value>) -> Subject {
    let call = dmplz_core::claude::ToolCall {
        tool: tool.into(),
        input: input.clone(),
        tool_use_id: None,
        suggestions: Vec::new(),
    };
    Subject::of(&call, &id.to_string(), "/work", None, &[], Default::default())
}

/// Reads one response. `None` if the connection ended before it.
pub(super) async fn answer(stream: &mut TcpStream) -> Option<Answer> {
    let mut read = Vec::new();
    let head = loop {
        let end = read.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            break end;
        }
        let mut some = [0; 4096];
        match stream.read(&mut some).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => read.extend_from_slice(&some[..count]),
        }
    };
    let text = String::from_utf8(read[..head].to_vec()).unwrap();
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())).unwrap())
        .collect();
    let length =
        headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = read[head + 4..].to_vec();
    while body.len() < length {
        let mut some = vec![0; length - body.len()];
        let count = stream.read(&mut some).await.unwrap();
        assert!(count > 0, "the body broke off");
        body.extend_from_slice(&some[..count]);
    }
    Some(Answer { status, headers, body })
}
