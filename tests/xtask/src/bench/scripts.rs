//! Other runtimes: their start, and one POST.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A runtime that is installed here.
#[derive(Debug)]
pub(super) struct Runtime {
    /// The program itself, not a wrapper that chooses a version.
    pub(super) program: PathBuf,
    /// Makes it run its argument.
    pub(super) flag: &'static str,
    /// What a script that talks HTTP starts with.
    pub(super) start: &'static str,
    post: &'static str,
}

const PYTHON_POST: &str = "import json, os, urllib.request
request = urllib.request.Request(os.environ['URL'], json.dumps({'text': 'hello'}).encode(), {'content-type': 'application/json'})
json.load(urllib.request.urlopen(request))";
const FETCH: &str = "const reply = await fetch(process.env.URL, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: 'hello' }) });
await reply.json();";

impl Runtime {
    /// Python, where it is installed.
    pub(super) fn python() -> Option<Self> {
        let program = answer("python3".as_ref(), &["-c", "import sys; print(sys.executable)"])?;
        Some(Self { program, flag: "-c", start: "import json, urllib.request", post: PYTHON_POST })
    }

    /// Node, where it is installed.
    pub(super) fn node() -> Option<Self> {
        let program = answer("node".as_ref(), &["-p", "process.execPath"])?;
        Some(Self { program, flag: "-e", start: "0", post: FETCH })
    }

    /// Bun, where it is installed; `BUN` may say where.
    pub(super) fn bun() -> Option<Self> {
        let named = std::env::var_os("BUN").unwrap_or_else(|| "bun".into());
        let program = answer(&named, &["-p", "process.execPath"])?;
        Some(Self { program, flag: "-e", start: "0", post: FETCH })
    }

    /// One POST to a URL; `certificate` is the one to trust.
    pub(super) fn post(&self, url: &str, certificate: &Path) -> Command {
        let mut command = Command::new(&self.program);
        // A module, for `await`.
        if self.flag == "-e" && self.program.ends_with("node") {
            command.arg("--input-type=module");
        }
        command.args([self.flag, self.post]).env("URL", url);
        command.env("NODE_EXTRA_CA_CERTS", certificate).env("SSL_CERT_FILE", certificate);
        command
    }

    /// Only its start.
    pub(super) fn start(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args([self.flag, self.start]);
        command
    }
}

/// The path that a program prints; none where there is no such program.
fn answer(program: &OsStr, arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
