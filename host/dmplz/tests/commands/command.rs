use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dmplz_fakes::telegram::FakeTelegram;
use serde_json::Value;
use tempfile::TempDir;

/// A home where nothing is set up, and a folder to work in.
pub(crate) struct Home {
    dir: TempDir,
    environment: Vec<(String, String)>,
}

/// The result of a command.
#[must_use]
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    /// Creates a home directory with English and a constant time zone.
    pub(crate) fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap(), environment: Vec::new() };
        std::fs::create_dir_all(home.path().join("work")).unwrap();
        home.with("DMPLZ_LANG", "en").with("TZ", "UTC")
    }

    /// Creates one whose environment sets up the bot of a fake for this chat.
    pub(crate) fn on_telegram(fake: &FakeTelegram, chat: i64) -> Self {
        Self::new()
            .with("DMPLZ_TELEGRAM_API_BASE", &fake.base_url())
            .with("DMPLZ_TELEGRAM_BOT_TOKEN", fake.token())
            .with("DMPLZ_TELEGRAM_CHAT_ID", &chat.to_string())
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the environment of the commands other than `HOME`.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (String, String)> {
        self.environment.iter().cloned()
    }

    /// Returns whether the commands use English, the default.
    pub(crate) fn is_english(&self) -> bool {
        self.environment().filter(|(name, _)| name == "DMPLZ_LANG").last().is_none_or(|(_, lang)| lang == "en")
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

    /// Puts a file into the folder to work in.
    pub(crate) fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join("work").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the program's command in the working folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dmplz"));
        command.args(arguments).env_clear().env("HOME", self.path()).envs(self.environment());
        command.current_dir(self.path().join("work"));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Left {
        self.run_with(arguments, Stdio::null())
    }

    /// Runs the program with a file as its standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: Stdio) -> Left {
        Left::of(self.command(arguments).stdin(stdin).output().unwrap())
    }
}

impl Left {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Parses stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
