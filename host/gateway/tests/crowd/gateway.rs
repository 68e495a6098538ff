//! A gateway with its store, on a separate thread.

use std::collections::HashMap;
use std::fs;
use std::future::Future;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::Subject;
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_gateway::Pairing;
use dmplz_gateway::rpc::{Page, Services};
use dmplz_gateway::web::{Bound, Browsers, Config, Token, WebLimits};
use dmplz_gateway::{Approvals, Bus, Clock, Disk, Rules};
use dmplz_protocol::{Kind, Request, RequestId, Source};
use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Handle};
use tokio_tungstenite::tungstenite::Message;

use crate::clients;
use crate::figures::now;

pub(crate) struct Gateway {
    port: u16,
    token: String,
    approvals: Approvals,
    runtime: Handle,
    published: Arc<Mutex<HashMap<u64, u64>>>,
    _state: tempfile::TempDir,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        let state = tempfile::tempdir().unwrap();
        let dir = StateDir::open(state.path()).unwrap();
        let token = Token::open(state.path()).unwrap();
        let metrics_token = Token::open_for_metrics(state.path()).unwrap();
        let published = Arc::<Mutex<HashMap<u64, u64>>>::default();
        let (sender, started) = mpsc::channel();
        let seen = Arc::clone(&published);
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            let handle = runtime.handle().clone();
            runtime.block_on(async move {
                let clock: Clock = Arc::new(|| now() / 1_000_000);
                let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), clock()).await.unwrap();
                let bus = Bus::default();
                let approvals = Approvals::over(disk.clone(), recovered, bus, rules(), Arc::clone(&clock));
                let limits = WebLimits::default();
                let (hosts, proxy_uids) = (Vec::new(), Vec::new());
                let config = Config { port: 0, hosts, proxy_uids, token, metrics_token, owner: owner(), limits };
                let bound = Bound::open(config).await.unwrap();
                let port = bound.addr().port();
                // A surface stays attached between the rounds.
                let _terminal = approvals.attach("other");
                let mut live = approvals.bus().subscribe(Kind::APPROVALS);
                tokio::spawn(async move {
                    while let Some(event) = live.next().await {
                        seen.lock().unwrap().insert(event.event_id.unwrap(), now());
                    }
                });
                let services = Services::new(approvals.clone(), Default::default());
                let browsers = Browsers::open(dir.path(), Duration::ZERO, Arc::clone(&clock)).unwrap();
                let page = Page { pairing: Pairing::new(clock), browsers, url: String::new(), outside: None };
                sender.send((port, approvals, handle)).unwrap();
                bound.serve(services, page, std::future::pending()).await;
            });
        });
        let (port, approvals, runtime) = started.recv().unwrap();
        let token = fs::read_to_string(state.path().join("gateway.token")).unwrap().trim().to_owned();
        Self { port, token, approvals, runtime, published, _state: state }
    }

    /// Returns the port and the token for the clients.
    pub(crate) fn address(&self) -> String {
        format!("{} {}", self.port, self.token)
    }

    pub(crate) fn last_event(&self) -> u64 {
        self.approvals.last_event_id()
    }

    /// Returns when the events after this one were published.
    pub(crate) fn published(&self, after: u64) -> HashMap<u64, u64> {
        self.published.lock().unwrap().iter().filter(|(id, _)| **id > after).map(|(id, at)| (*id, *at)).collect()
    }

    /// Asks `count` requests of `bytes` bytes.
    pub(crate) fn publish(&self, count: usize, bytes: usize) {
        let approvals = self.approvals.clone();
        self.on_its_thread(async move {
            for _ in 0..count {
                approvals.ask(request(&"x".repeat(bytes), approvals.now_ms())).await.unwrap();
            }
        });
    }

    /// Asks `count` requests, and answers each over a separate WebSocket. Returns how long each answer took.
    pub(crate) fn ask_and_answer(&self, count: usize) -> Vec<u64> {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut client = clients::open(&self.address()).await;
            let mut took = Vec::new();
            for _ in 0..count {
                let approvals = self.approvals.clone();
                let id = self.on_its_thread(async move {
                    let request = request("ls", approvals.now_ms());
                    let id = request.id;
                    approvals.ask(request).await.unwrap();
                    id
                });
                let begun = Instant::now();
                let params = json!({ "id": id, "decision": "deny", "reason": "no" });
                let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "approval.respond", "params": params });
                client.send(Message::text(call.to_string())).await.unwrap();
                let reply = loop {
                    if let Message::Text(text) = client.next().await.unwrap().unwrap() {
                        break serde_json::from_str::<Value>(&text).unwrap();
                    }
                };
                took.push(u64::try_from(begun.elapsed().as_nanos()).unwrap());
                assert!(reply["result"].is_object(), "{reply}");
            }
            took
        })
    }

    fn on_its_thread<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let (sender, done) = mpsc::channel();
        self.runtime.spawn(async move {
            let _ = sender.send(work.await);
        });
        done.recv().unwrap()
    }
}

fn rules() -> Rules {
    Rules {
        expiry: Duration::from_secs(300),
        reason_timeout: Duration::from_secs(60),
        reason: ReasonRules { max_chars: 300, skip_keywords: Vec::new() },
    }
}

fn owner() -> Approver {
    let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
    Approvers::owner("web", "owner").admit(&user).unwrap()
}

fn request(command: &str, created_ms: u64) -> Request {
    let id = RequestId::new();
    Request {
        id,
        source: Source::Hook { session_id: "s".into(), agent_id: None },
        tool: "Bash".into(),
        input: json!({ "command": command }).as_object().unwrap().clone(),
        cwd: "/work".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: vec![],
            parts: vec![],
            grant: None,
            granted: None,
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(true),
        created_ms,
        expires_ms: created_ms + 300_000,
    }
}
