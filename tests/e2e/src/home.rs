use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::chat::Chat;
use crate::gateway::Gateway;
use crate::hook::Hook;
use crate::{stdin, until};

/// The home directory of a user who has set up `dmplz`, and the environment that Claude Code gives its hooks there.
pub struct Home {
    binary: PathBuf,
    dir: TempDir,
    environment: BTreeMap<String, OsString>,
}

impl Home {
    /// Creates a home in which nothing is set up. `binary` is `env!("CARGO_BIN_EXE_dmplz")`.
    pub fn bare(binary: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut home = Self { binary: binary.into(), environment: BTreeMap::new(), dir };
        home.set("HOME", home.dir.path().to_owned());
        // As observed with Claude Code 2.1.330; the token must not appear anywhere.
        home.set("CLAUDECODE", "1")
            .set("CLAUDE_CODE_ENTRYPOINT", "cli")
            .set("CLAUDE_PROJECT_DIR", "/home/user/project");
        home.set("CLAUDE_CODE_MESSAGING_TOKEN", "messaging-token-of-the-session").set("PATH", "/usr/bin:/bin");
        home
    }

    /// Creates a home whose requests go to this chat.
    pub fn new(binary: &str, chat: &Chat) -> Self {
        let mut home = Self::bare(binary);
        for (name, value) in chat.settings() {
            home.set(name, value);
        }
        home
    }

    /// Sets a variable of the hooks that start from now on.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) -> &mut Self {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// Removes a variable of later hooks.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.environment.remove(name);
        self
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the default state directory.
    pub fn state(&self) -> PathBuf {
        self.path().join(".claude/dm-plz")
    }

    /// Starts a hook with an event, serialized as the client does.
    pub fn hook(&self, event: &Value) -> Hook {
        self.hook_with(stdin::line(event))
    }

    /// Starts a hook with any stdin.
    pub fn hook_with(&self, stdin: Vec<u8>) -> Hook {
        let mut command = self.command();
        command.arg("hook");
        Hook::start(command, stdin)
    }

    /// Starts the gateway, on any free port.
    #[track_caller]
    pub fn serve(&self) -> Gateway {
        self.serve_at(0)
    }

    /// Starts the gateway on this port.
    #[track_caller]
    pub fn serve_at(&self, port: u16) -> Gateway {
        let mut command = self.command();
        command.env("DMPLZ_GATEWAY_PORT", port.to_string());
        Gateway::start(command)
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).stdin(Stdio::null()).output().expect("run dmplz")
    }

    /// Returns a command of the program, in this home.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env_clear().envs(&self.environment).current_dir(self.path());
        command
    }

    /// Waits until a text is in the gateway's database, or in its write-ahead log.
    #[track_caller]
    pub fn await_kept(&self, text: &str) {
        let holds = |name: &str| {
            let content = fs::read(self.state().join(name)).unwrap_or_default();
            content.windows(text.len()).any(|window| window == text.as_bytes())
        };
        until(&format!("{text} in the database"), || ["state.db", "state.db-wal"].into_iter().any(holds));
    }

    /// Returns the lines of the log of rejections; each must be JSON.
    pub fn rejections(&self) -> Vec<Value> {
        lines(&self.state().join("rejections.jsonl"))
    }

    /// Returns the lines of the log of all requests.
    pub fn requests(&self) -> Vec<Value> {
        lines(&self.state().join("requests.jsonl"))
    }

    /// Returns the stages of the open cards on disk.
    pub fn open_cards(&self) -> Vec<String> {
        let files = files(&self.state().join("cards/open"));
        let records = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        let stage = |path: &PathBuf| {
            let last = lines_as_they_are(path).last().cloned()?;
            Some(last["card"]["stage"].as_str()?.to_owned())
        };
        records.map(|path| stage(path).unwrap_or_default()).collect()
    }

    /// Returns the number of places that are taken in the queues.
    pub fn places(&self) -> usize {
        let queues = files(&self.state().join("queue"));
        let is_place = |path: &&PathBuf| path.file_name().is_some_and(|name| name != "lock");
        queues.iter().map(|queue| files(queue).iter().filter(is_place).count()).sum()
    }

    /// Waits until that many open cards on disk are in this stage.
    #[track_caller]
    pub fn await_cards(&self, count: usize, stage: &str) {
        until(&format!("{count} cards in stage {stage}"), || {
            self.open_cards().iter().filter(|it| *it == stage).count() == count
        });
    }

    /// Checks that nothing is left of any request except what is kept on purpose.
    #[track_caller]
    pub fn nothing_is_left(&self) {
        assert_eq!(self.open_cards(), Vec::<String>::new(), "open cards");
        assert_eq!(files(&self.state().join("cards/open")), Vec::<PathBuf>::new());
        assert_eq!(self.places(), 0, "places in the queue");
    }

    /// Checks that a text is nowhere in the state directory.
    #[track_caller]
    pub fn never_keeps(&self, text: &str) {
        let mut todo = vec![self.state()];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                todo.extend(files(&path));
            } else {
                let content = fs::read(&path).unwrap_or_default();
                assert!(!String::from_utf8_lossy(&content).contains(text), "{text:?} is in {}", path.display());
            }
        }
    }
}

/// Returns every line of a file; each must be JSON. Empty if there is no file.
#[track_caller]
fn lines(path: &Path) -> Vec<Value> {
    let content = fs::read_to_string(path).unwrap_or_default();
    assert!(content.is_empty() || content.ends_with('\n'), "a whole last line in {}", path.display());
    content.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Returns the complete JSON lines of a file that another process may be writing.
fn lines_as_they_are(path: &Path) -> Vec<Value> {
    let content = fs::read_to_string(path).unwrap_or_default();
    content.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}
