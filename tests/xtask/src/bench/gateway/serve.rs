//! A running gateway, and hooks that ask it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::line::Line;

/// The time limit of the start.
const UP: Duration = Duration::from_secs(20);
/// The prefix of the session ids of requests that stay open.
pub(super) const CROWD: &str = "crowd-";

pub(crate) struct Serve {
    dmplz: PathBuf,
    home: TempDir,
    child: Child,
    /// The connection that answers requests.
    person: RefCell<Line>,
}

/// Returns the session id in an `approval.requested` event.
fn session(message: &Value) -> Option<&str> {
    message.pointer("/params/approval/source/sessionId")?.as_str()
}

impl Serve {
    pub(super) fn start(dmplz: &Path) -> anyhow::Result<Self> {
        Self::with(dmplz, "")
    }

    /// Starts it with a settings file of this text.
    pub(crate) fn with(dmplz: &Path, settings: &str) -> anyhow::Result<Self> {
        let home = tempfile::tempdir()?;
        std::fs::create_dir(home.path().join("state"))?;
        std::fs::write(home.path().join("state/config.toml"), settings)?;
        let mut command = program(dmplz, home.path());
        command.args(["serve", "--port", "0"]).env("DMPLZ_QUESTION_TIMEOUT_MS", "86400000");
        let child = command.stdout(Stdio::null()).spawn().context("start dmplz serve")?;
        let (socket, end) = (socket(home.path()), Instant::now() + UP);
        let mut person = loop {
            match Line::connect(&socket) {
                Ok(line) => break line,
                Err(error) if Instant::now() > end => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        person.call("events.subscribe", &json!({ "types": ["approval.requested"] }))?;
        Ok(Self { dmplz: dmplz.to_owned(), home, child, person: RefCell::new(person) })
    }

    /// Returns the gateway's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the home directory of its hooks.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn connect(&self) -> anyhow::Result<Line> {
        Line::connect(&socket(self.home.path()))
    }

    /// Starts a hook and approves its request. Returns the milliseconds from the answer to the hook's output.
    pub(super) fn answered(&self, request: &Path) -> anyhow::Result<f64> {
        let mut hook = program(&self.dmplz, self.home.path());
        hook.arg("hook").stdin(File::open(request)?).stdout(Stdio::piped());
        let mut person = self.person.borrow_mut();
        let mut child = hook.spawn().context("start the hook")?;
        let told = person.until(|message| session(message).is_some_and(|id| !id.starts_with(CROWD)))?;
        let id = told.pointer("/params/approval/id").context("read the request's id")?;
        let mut stdout = child.stdout.take().context("read its stdout")?;
        let answer = json!({ "id": id, "decision": "approve" });
        let start = Instant::now();
        person.send("approval.respond", &answer)?;
        let mut decision = [0; 4096];
        let length = stdout.read(&mut decision)?;
        let took = start.elapsed();
        anyhow::ensure!(child.wait()?.success(), "see the hook succeed");
        let decision = String::from_utf8_lossy(decision.get(..length).unwrap_or_default());
        anyhow::ensure!(decision.contains(r#""behavior":"allow""#), "see an allow: {decision}");
        Ok(took.as_secs_f64() * 1e3)
    }

    /// Returns the gateway's resident memory in MiB.
    pub(super) fn resident_mib(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("find VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse().context("read VmRSS")?;
        Ok(kib / 1024.0)
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Measures from a hook's start to its request at a socket that stands in for the gateway's. The hook is then told that
/// its request was answered elsewhere, so that it ends.
pub(crate) fn to_request(dmplz: &Path, home: &Path, request: &Path) -> anyhow::Result<Duration> {
    std::fs::create_dir_all(home.join("state"))?;
    let socket = socket(home);
    let _ = std::fs::remove_file(&socket);
    let listener = UnixListener::bind(&socket)?;
    let mut hook = program(dmplz, home);
    hook.arg("hook").stdin(File::open(request)?).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = hook.spawn().context("start the hook")?;
    let (stream, _) = listener.accept()?;
    let mut line = String::new();
    let mut reader = BufReader::new(stream);
    reader.read_line(&mut line)?;
    let took = start.elapsed();
    let call: Value = serde_json::from_str(&line).context("read the hook's request")?;
    anyhow::ensure!(call.get("method").and_then(Value::as_str) == Some("hook.ask"), "see the hook ask: {line}");
    let elsewhere = json!({ "resolution": { "outcome": "resolved_elsewhere", "cause": "terminal" } });
    let reply = json!({ "jsonrpc": "2.0", "id": call.get("id"), "result": elsewhere });
    reader.get_mut().write_all(format!("{reply}\n").as_bytes())?;
    drop(reader);
    drop(listener);
    child.wait()?;
    std::fs::remove_file(&socket)?;
    Ok(took)
}

pub(crate) fn program(dmplz: &Path, home: &Path) -> Command {
    let mut command = Command::new(dmplz);
    command.env_clear().env("HOME", home).env("DMPLZ_STATE_DIR", home.join("state")).env("PATH", "/usr/bin:/bin");
    command
}

fn socket(home: &Path) -> PathBuf {
    home.join("state/gateway.sock")
}
