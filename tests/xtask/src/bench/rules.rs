//! A home directory where rules decide: the starter file that `dmplz policy init` writes, and one deny rule.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use serde_json::{Value, json};

const DENY: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = "git push"
decision = "deny"
priority = 900
denyMessage = "Open a pull request instead."
"#;

/// The home directory, and the requests on the hook's stdin.
pub(super) struct Rules {
    home: PathBuf,
    /// A request that the starter file allows.
    pub(super) allowed: PathBuf,
    /// A request that the deny rule denies.
    pub(super) denied: PathBuf,
}

impl Rules {
    /// Creates the home directory, and checks that the rules decide as expected. `request` is a captured
    /// PermissionRequest of Bash.
    pub(super) fn prepare(dmplz: &Path, scratch: &Path, request: &Path) -> anyhow::Result<Self> {
        let home = scratch.join("ruled");
        let project = home.join("project");
        std::fs::create_dir_all(&project)?;
        let mut init = Command::new(dmplz);
        init.args(["policy", "init"]).env_clear().env("HOME", &home).current_dir(&project).stdout(Stdio::null());
        anyhow::ensure!(init.status().context("start dmplz")?.success(), "write the starter file");
        let mut file = OpenOptions::new().append(true).open(home.join(".claude/dm-plz/policy.toml"))?;
        file.write_all(DENY.as_bytes())?;
        let mut request: Value = serde_json::from_slice(&std::fs::read(request)?)?;
        let mut written = |name: &str, command: &str| -> anyhow::Result<PathBuf> {
            let path = scratch.join(name);
            if let Some(request) = request.as_object_mut() {
                request.insert("cwd".to_owned(), json!(project));
                request.insert("tool_input".to_owned(), json!({ "command": command }));
            }
            std::fs::write(&path, format!("{request}\n"))?;
            Ok(path)
        };
        let (allowed, denied) = (written("allowed.json", "git status --short")?, written("denied.json", "git push")?);
        let rules = Self { home, allowed, denied };
        rules.answers(dmplz, &rules.allowed, r#""behavior":"allow""#)?;
        rules.answers(dmplz, &rules.denied, r#""behavior":"deny""#)?;
        Ok(rules)
    }

    /// Returns the hook's command without a messenger, so that nothing but a rule can decide.
    pub(super) fn hook(&self, dmplz: &Path) -> Command {
        let mut command = Command::new(dmplz);
        command.arg("hook").env_clear().env("HOME", &self.home);
        command
    }

    fn answers(&self, dmplz: &Path, request: &Path, wanted: &str) -> anyhow::Result<()> {
        let output = self.hook(dmplz).stdin(File::open(request)?).output().context("start the hook")?;
        let answer = String::from_utf8_lossy(&output.stdout);
        anyhow::ensure!(answer.contains(wanted), "see {wanted}: {answer}{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }
}
