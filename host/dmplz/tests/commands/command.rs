use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A home where nothing is set up, and a folder to work in.
pub(crate) struct Home {
    dir: TempDir,
    environment: Vec<(String, String)>,
}

/// What a command left.
#[must_use]
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    /// English, in a time zone that never changes.
    pub(crate) fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap(), environment: Vec::new() };
        std::fs::create_dir_all(home.path().join("work")).unwrap();
        home.with("DMPLZ_LANG", "en").with("TZ", "UTC")
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join(".claude/dm-plz")
    }

    /// Puts a file into the state directory.
    pub(crate) fn keep(&self, name: &str, text: &str) -> PathBuf {
        std::fs::create_dir_all(self.state()).unwrap();
        let path = self.state().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Left {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dmplz"));
        command.args(arguments).env_clear().env("HOME", self.path()).envs(self.environment.iter().cloned());
        let output = command.current_dir(self.path().join("work")).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Left { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

impl Left {
    /// stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
