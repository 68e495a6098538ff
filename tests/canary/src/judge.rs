//! Asks the policy. The only file that knows how the engine is called.

use std::path::{Component, Path, PathBuf};

use dmplz_core::policy::{Call, Decision, File, Origin, Policy, Tier};
use serde_json::{Map, Value};

use crate::layout::{HOME, STATE, WORKSPACE};
use crate::shell::Shell;

/// A policy, and what the hook would tell it about the sandbox.
#[derive(Debug)]
pub struct Judge {
    policy: Policy,
    protected: Vec<PathBuf>,
    mode: String,
}

impl Judge {
    /// Reads a policy file, as that of the user. `mode` is the agent's permission mode.
    ///
    /// # Errors
    /// When the file has problems: it would allow nothing.
    pub fn new(rules: &str, mode: &str) -> anyhow::Result<Self> {
        let path = Path::new(STATE).join("policy.toml");
        let policy =
            Policy::new(vec![File::parse(rules, Origin { tier: Tier::User, path, root: None, trusted: true })]);
        let problems: Vec<_> = policy.problems().iter().map(ToString::to_string).collect();
        anyhow::ensure!(problems.is_empty(), "read a rule file: {}", problems.join("; "));
        Ok(Self { policy, protected: protected(), mode: mode.to_owned() })
    }

    /// Whether the line runs without a person being asked.
    pub fn allows(&self, line: &str, _shell: Shell) -> bool {
        let input = Map::from_iter([("command".to_owned(), Value::String(line.to_owned()))]);
        let call = Call {
            mode: Some(&self.mode),
            cwd: Some(Path::new(WORKSPACE)),
            home: Some(Path::new(HOME)),
            protected: &self.protected,
            real_path: &real_path,
            ..Call::new("Bash", &input, jiff::Timestamp::UNIX_EPOCH)
        };
        self.policy.check(&call).decision == Decision::Allow
    }
}

/// As `host/dmplz/src/policy/load.rs` builds it.
fn protected() -> Vec<PathBuf> {
    let state = Path::new(STATE);
    let mut paths: Vec<PathBuf> = ["/etc/dmplz", "/usr/local/bin/dmplz"].map(PathBuf::from).to_vec();
    paths.extend([state.to_owned(), state.join("gateway.token"), state.join("gateway.sock")]);
    for folder in [WORKSPACE, HOME].map(Path::new) {
        paths.extend([".dmplz", ".claude/settings.json", ".claude/settings.local.json"].map(|it| folder.join(it)));
    }
    paths
}

/// As `host/dmplz/src/policy/real_path.rs` follows links.
fn real_path(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    let mut ahead = vec![path.to_owned()];
    let mut links = 0;
    while let Some(path) = ahead.pop() {
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            match part {
                Component::ParentDir => {
                    real.pop();
                    continue;
                }
                Component::CurDir => continue,
                part => real.push(part),
            }
            let Ok(target) = real.read_link() else { continue };
            links += 1;
            if links > 40 {
                return None;
            }
            real.pop();
            ahead.push(parts.as_path().to_owned());
            ahead.push(target);
            break;
        }
    }
    (real != path).then_some(real)
}
