//! The log of troubles, `log.jsonl` in the state directory: what hooks and the gateway also say on stderr, where nobody may be
//! reading. `dmplz logs` shows it.
//!
//! Secrets are masked before a line is written. A log that cannot be written is no trouble of its own, and creates no state
//! directory. A hook writes by itself, because it may end at once; in the gateway a thread writes, so that a slow disk delays
//! nothing.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use dmplz_core::redact::mask;
use dmplz_core::stats::stamp;
use dmplz_state::{Journal, Retention};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Verbosity, environment};
use crate::time;

/// How much is kept: the newest megabyte, and as much before it.
const RETENTION: Retention = Retention { rotate_bytes: 1 << 20, max_files: 1 };
/// A decision that still has to be handed over is not delayed by more than this.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    #[serde(with = "stamp")]
    pub(crate) timestamp: Timestamp,
    pub(crate) level: Verbosity,
    /// `hook`, `gateway`, or the name of a provider.
    pub(crate) source: String,
    /// The process that wrote it.
    pub(crate) pid: u32,
    pub(crate) text: String,
}

/// Whose lines are kept, and who writes them.
enum Keeper {
    Here(&'static str),
    Apart(&'static str, Sender<Kept>),
}

static KEEPER: OnceLock<Keeper> = OnceLock::new();

/// Keeps the lines of this process, a hook, from now on.
pub(crate) fn of_hook() {
    let _ = KEEPER.set(Keeper::Here("hook"));
}

/// Keeps the lines of this process, the gateway, from now on.
pub(crate) fn of_gateway() {
    let (sender, lines) = channel();
    // It ends with the process, or at once where there can be no thread; then nothing is kept.
    let _ =
        std::thread::Builder::new().name("log".to_owned()).spawn(move || lines.iter().for_each(|line| write(&line)));
    let _ = KEEPER.set(Keeper::Apart("gateway", sender));
}

/// Keeps a line, if this process keeps any. `provider` is set where it is the line of one.
pub(super) fn keep(level: Verbosity, provider: Option<&str>, text: &str) {
    let Some(keeper) = KEEPER.get() else { return };
    let (Keeper::Here(own) | Keeper::Apart(own, _)) = keeper;
    let source = provider.unwrap_or(own).to_owned();
    let text = mask(text).as_str().to_owned();
    let kept = Kept { timestamp: time::timestamp(), level, source, pid: std::process::id(), text };
    match keeper {
        Keeper::Here(_) => write(&kept),
        Keeper::Apart(_, sender) => drop(sender.send(kept)),
    }
}

/// The log of a state directory.
pub(crate) fn journal(state_dir: &Path) -> Journal {
    Journal::new(state_dir.join("log.jsonl"), RETENTION, LOCK_WAIT)
}

fn write(line: &Kept) {
    let Ok(dir) = settings::state_dir(&environment) else { return };
    if dir.is_dir() {
        // To say that it failed would be another line of this log.
        let _ = journal(&dir).append(line);
    }
}
