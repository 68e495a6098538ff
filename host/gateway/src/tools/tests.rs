use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_protocol::tool::{Fault, Stream};
use dmplz_protocol::{Kind, Message, Standing, Status};
use dmplz_state::StateDir;
use dmplz_state::store::StoreOptions;
use tempfile::TempDir;

use super::*;
use crate::approvals::{Attached, Rules};
use crate::bus::{Bus, Subscription, Verdict};
use crate::disk::Disk;
use dmplz_core::request::Answer;

mod approval;
mod bound;
mod follow;
mod process;
mod restart;

/// A gateway with a tool runtime, a folder, and a surface that shows requests.
struct House {
    approvals: Approvals,
    tools: Tools,
    disk: Disk,
    now_ms: Arc<AtomicU64>,
    folder: TempDir,
    _surface: Attached,
}

impl House {
    async fn new() -> Self {
        Self::with(|_: &Request| Verdict::Ask(Vec::new()), Limits::default()).await
    }

    async fn with(judge: impl Fn(&Request) -> Verdict + Send + Sync + 'static, limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now_ms = Arc::new(AtomicU64::new(1_000_000));
        let reason = ReasonRules { max_chars: 500, skip_keywords: Vec::new() };
        let rules = Rules { expiry: Duration::from_secs(300), reason_timeout: Duration::from_secs(60), reason };
        let approvals = Approvals::new(Bus::judged(judge, Lang::En), rules, {
            let now_ms = Arc::clone(&now_ms);
            Arc::new(move || now_ms.load(Ordering::Relaxed))
        });
        approvals.serve_bus();
        let surface = approvals.attach("other");
        let state = StateDir::open(folder.path().join("state").as_path()).unwrap();
        let (disk, _) = Disk::open(&state, StoreOptions::default(), 1).await.unwrap();
        let tools = Tools::open(approvals.clone(), disk.clone(), setup(limits)).await.unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { approvals, tools, disk, now_ms, folder, _surface: surface }
    }

    /// Starts a runtime that continues after this one.
    async fn restart(&mut self) {
        self.approvals.serve_bus();
        self.tools = Tools::open(self.approvals.clone(), self.disk.clone(), setup(Limits::default())).await.unwrap();
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    fn call(&self, argv: &[&str]) -> InvokeTool {
        let argv = argv.iter().map(|word| word.to_string()).collect();
        InvokeTool { argv, cwd: self.path(), env: BTreeMap::new(), timeout_ms: None }
    }

    fn shell(&self, script: &str) -> InvokeTool {
        self.call(&["sh", "-c", script])
    }

    /// Writes a script into the folder.
    fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Invokes a call, and returns its request.
    async fn asked(&self, call: InvokeTool) -> (Uuid, Standing) {
        let invoked = self.tools.invoke(call).await.unwrap();
        assert!(invoked.awaiting_approval && invoked.state == State::AwaitingApproval);
        let of = |standing: &Standing| standing.request.source == Source::Tool { invocation_id: invoked.invocation_id };
        let standing = self.approvals.open().into_iter().find(of).unwrap();
        (invoked.invocation_id, standing)
    }

    async fn answer(&self, standing: &Standing, answer: Answer) {
        self.approvals.answer(standing.request.id, answer, ada()).await.unwrap();
    }

    /// Invokes a call, approves it, and waits for its end.
    async fn run(&self, call: InvokeTool) -> Report {
        let (id, standing) = self.asked(call).await;
        self.answer(&standing, Answer::APPROVE).await;
        self.tools.ended(id).await.unwrap().unwrap()
    }

    fn events(&self) -> Subscription {
        self.approvals.bus().subscribe(&[Kind::ToolStarted, Kind::ToolOutput, Kind::ToolFinished])
    }
}

fn setup(limits: Limits) -> Setup {
    let base = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/home/ada")];
    let base = base.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Setup { base, lang: Lang::En, limits, hooks: None }
}

fn ada() -> Approver {
    let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
    Approvers::owner("web", "owner").admit(&user).unwrap()
}

fn written(report: &Report, stream: Stream) -> String {
    report.output.iter().filter(|piece| piece.stream == stream).map(|piece| piece.text.as_str()).collect()
}

fn stdout(report: &Report) -> String {
    written(report, Stream::Stdout)
}

fn code(report: &Report) -> Option<Code> {
    report.error.as_ref().map(|error| error.code)
}

/// Waits until a file exists.
async fn appears(path: &Path) {
    while !path.exists() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
