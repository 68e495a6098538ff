//! Other language runtimes: starting them, and one POST.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An installed runtime.
#[derive(Debug)]
pub(super) struct Runtime {
    /// The executable itself, not a version manager's wrapper.
    pub(super) program: PathBuf,
    /// The option before the script's text.
    pub(super) flag: &'static str,
    /// What the measurement of its start runs: nothing, or the imports that HTTP needs.
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
    /// Finds Python, if it is installed.
    pub(super) fn python() -> Option<Self> {
        let program = answer("python3".as_ref(), &["-c", "import sys; print(sys.executable)"])?;
        Some(Self { program, flag: "-c", start: "import json, urllib.request", post: PYTHON_POST })
    }

    /// Finds Node, if it is installed.
    pub(super) fn node() -> Option<Self> {
        let program = answer("node".as_ref(), &["-p", "process.execPath"])?;
        Some(Self { program, flag: "-e", start: "0", post: FETCH })
    }

    /// Finds Bun, if it is installed. The variable `BUN` may hold its path.
    pub(super) fn bun() -> Option<Self> {
        let named = std::env::var_os("BUN").unwrap_or_else(|| "bun".into());
        let program = answer(&named, &["-p", "process.execPath"])?;
        Some(Self { program, flag: "-e", start: "0", post: FETCH })
    }

    /// Returns the command that sends one POST to a URL and trusts `certificate`.
    pub(super) fn post(&self, url: &str, certificate: &Path) -> Command {
        let mut command = Command::new(&self.program);
        // Only a module may use `await` at its top level.
        if self.flag == "-e" && self.program.ends_with("node") {
            command.arg("--input-type=module");
        }
        command.args([self.flag, self.post]).env("URL", url);
        command.env("NODE_EXTRA_CA_CERTS", certificate).env("SSL_CERT_FILE", certificate);
        command
    }

    /// Returns the command that only starts the runtime.
    pub(super) fn start(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args([self.flag, self.start]);
        command
    }
}

/// Runs a program that prints a path, and returns the path; `None` if there is no such program.
fn answer(program: &OsStr, arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
