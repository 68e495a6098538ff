//! The programs that are compared, ready to run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tempfile::TempDir;

use super::build;
use super::chat::Chat;
use super::gateway;
use super::installed::Installed;
use super::rules::Rules;
use super::run::{Asked, Posted, ask, post, to_exit};
use super::scripts::Runtime;

pub(super) struct Candidates {
    empty: PathBuf,
    dmplz: PathBuf,
    python: Option<Runtime>,
    node: Option<Runtime>,
    bun: Option<Runtime>,
    http: Chat,
    tls: Chat,
    request: PathBuf,
    event: PathBuf,
    rules: Rules,
    installed: Installed,
    scratch: TempDir,
}

/// The measurements of one round.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) empty: Duration,
    pub(super) http: Asked,
    pub(super) tls: Asked,
    pub(super) event: Duration,
    pub(super) allowed: Duration,
    pub(super) denied: Duration,
    /// With an installed component in place of the bundled one.
    pub(super) installed: Asked,
    /// From the hook's start to its request at a gateway.
    pub(super) handed_on: Duration,
    pub(super) python_start: Option<Duration>,
    pub(super) node_start: Option<Duration>,
    pub(super) python: Option<Posted>,
    pub(super) node: Option<Posted>,
    pub(super) bun: Option<Posted>,
    pub(super) python_tls: Option<Posted>,
    pub(super) node_tls: Option<Posted>,
    pub(super) bun_tls: Option<Posted>,
}

/// Runs a short candidate twice, and returns what the second run took: the caches that the one before it left would count as
/// much as the candidate itself.
fn second<T>(run: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    run()?;
    run()
}

impl Candidates {
    /// Builds the candidates, and starts the servers.
    pub(super) fn prepare(root: &Path, dmplz: &Path) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir()?;
        let stdin = root.join("tests/e2e/stdin");
        let tls = certificate(&scratch.path().join("certificate.pem"))?;
        Ok(Self {
            empty: build::empty(root, scratch.path())?,
            rules: Rules::prepare(dmplz, scratch.path(), &stdin.join("PermissionRequest-Bash.json"))?,
            installed: Installed::prepare(root, dmplz, scratch.path())?,
            dmplz: dmplz.to_owned(),
            python: Runtime::python(),
            node: Runtime::node(),
            bun: Runtime::bun(),
            http: Chat::start(None)?,
            tls: Chat::start(Some(Arc::new(tls)))?,
            request: stdin.join("PermissionRequest-Bash.json"),
            event: stdin.join("PostToolUse-Bash.json"),
            scratch,
        })
    }

    /// Runs everything once.
    pub(super) fn round(&self) -> anyhow::Result<Round> {
        let nothing = Path::new("/dev/null");
        let start =
            |runtime: &Option<Runtime>| runtime.as_ref().map(|runtime| to_exit(runtime.start(), nothing)).transpose();
        let posted = |runtime: &Option<Runtime>, chat: &Chat, url: String| {
            let runtime = runtime.as_ref();
            runtime.map(|runtime| post(runtime.post(&url, &self.certificate()), nothing, chat)).transpose()
        };
        let http = || format!("http://{}/post", self.http.address);
        let tls = || format!("https://localhost:{}/post", self.tls.address.port());
        let (over_http, over_tls) =
            (format!("http://{}", self.http.address), format!("https://127.0.0.1:{}", self.tls.address.port()));
        Ok(Round {
            empty: second(|| to_exit(Command::new(&self.empty), &self.request))?,
            http: second(|| ask(self.hook(&over_http), &self.request, &self.http))?,
            installed: second(|| ask(self.installed.hook(&self.dmplz, &over_http), &self.request, &self.http))?,
            event: second(|| to_exit(self.hook(&over_http), &self.event))?,
            allowed: second(|| to_exit(self.rules.hook(&self.dmplz), &self.rules.allowed))?,
            denied: second(|| to_exit(self.rules.hook(&self.dmplz), &self.rules.denied))?,
            handed_on: second(|| {
                gateway::to_request(&self.dmplz, &self.scratch.path().join("gateway"), &self.request)
            })?,
            tls: second(|| ask(self.hook(&over_tls), &self.request, &self.tls))?,
            python_start: start(&self.python)?,
            node_start: start(&self.node)?,
            bun: posted(&self.bun, &self.http, http())?,
            python: posted(&self.python, &self.http, http())?,
            node: posted(&self.node, &self.http, http())?,
            bun_tls: posted(&self.bun, &self.tls, tls())?,
            python_tls: posted(&self.python, &self.tls, tls())?,
            node_tls: posted(&self.node, &self.tls, tls())?,
        })
    }

    fn hook(&self, server: &str) -> Command {
        let mut command = Command::new(&self.dmplz);
        command.arg("hook").env_clear();
        command.env("HOME", self.scratch.path()).env("DMPLZ_STATE_DIR", self.scratch.path().join("state"));
        command.env("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw");
        command.env("DMPLZ_TELEGRAM_CHAT_ID", "42").env("DMPLZ_TELEGRAM_API_BASE", server);
        command.env("DMPLZ_CA_FILE", self.certificate());
        command
    }

    fn certificate(&self) -> PathBuf {
        self.scratch.path().join("certificate.pem")
    }
}

/// Makes a self-signed certificate for loopback, and writes it to `path` for the clients to trust.
fn certificate(path: &Path) -> anyhow::Result<ServerConfig> {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).context("make a certificate")?;
    std::fs::write(path, made.cert.pem())?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions()?.with_no_client_auth();
    config.with_single_cert(vec![made.cert.der().clone()], key).context("use the certificate")
}
