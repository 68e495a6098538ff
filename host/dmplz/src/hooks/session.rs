//! A session of hooks: the events of one run, their handlers as processes, and what one event leaves to the next.
//!
//! The session has a folder of its own while it lives: the transcript, a line for every event and every result, and a file for
//! each handler that may export variables. What ran is also written to the log, with secrets masked.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use dmplz_core::redact::mask;
use dmplz_hooks::env_file;
use dmplz_hooks::environment::Surroundings;
use dmplz_hooks::event::has_env_file;
use dmplz_hooks::input::{Defaults, Input};
use dmplz_hooks::output::{self, Done, Ending, Reading};
use dmplz_hooks::plan::{Planned, plan};
use dmplz_hooks::process::{Job, run_all};
use dmplz_state::{Journal, StateDir};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::place::Place;
use super::words;
use crate::{environment, journals, time, trouble};

/// The longest text of a hook that is logged, in characters.
const LOGGED: usize = 300;

/// The hooks of a place, from the first event to the last.
pub(crate) struct Session<'a> {
    place: &'a Place,
    folder: TempDir,
    id: String,
    base: BTreeMap<String, String>,
    /// What hooks exported so far.
    exported: BTreeMap<String, String>,
    journal: Journal,
}

/// Which handlers of an event run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    /// Those that are waited for.
    Awaited,
    /// Those that are written as `async`.
    Async,
}

impl Part {
    fn has(self, is_async: bool) -> bool {
        match self {
            Self::All => true,
            Self::Awaited => !is_async,
            Self::Async => is_async,
        }
    }
}

/// A handler of an event, and what it did; nothing if it did not run.
pub(super) struct Ran<'a> {
    pub(super) planned: Planned<'a>,
    pub(super) result: Option<Results>,
}

/// What a handler did.
pub(super) struct Results {
    pub(super) done: Done,
    pub(super) reading: Reading,
    pub(super) exported: Vec<String>,
    /// The lines of its file that would have to be executed.
    pub(super) passed_over: Vec<usize>,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Logged {
    pub(super) at: String,
    pub(super) event: String,
    pub(super) session_id: String,
    pub(super) project: String,
    pub(super) source: String,
    pub(super) place: String,
    pub(super) command: String,
    pub(super) ended: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit_code: Option<i32>,
    pub(super) took_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wanted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr: Option<String>,
}

impl<'a> Session<'a> {
    /// Begins a session. Nothing runs yet.
    pub(crate) fn start(place: &'a Place, id: String) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("dmplz-hooks-").tempdir();
        let folder = folder.context("a folder for the session of the hooks cannot be created")?;
        StateDir::open(&place.state_dir)?;
        Ok(Self {
            place,
            id,
            base: environment::variables(),
            exported: BTreeMap::new(),
            journal: journals::hooks(&place.state_dir, &place.log),
            folder,
        })
    }

    /// Runs handlers of an event, all at the same time, and waits for all of them.
    pub(super) async fn raise(&mut self, input: Input, part: Part) -> anyhow::Result<Vec<Ran<'a>>> {
        let transcript = self.folder.path().join("transcript.jsonl");
        let input = input.with_defaults(Defaults {
            session_id: &self.id,
            transcript_path: &transcript.to_string_lossy(),
            cwd: &self.place.project.to_string_lossy(),
        });
        let line: Arc<[u8]> = input.line().into();
        let mut planned = plan(&self.place.sources, &input, self.place.home.as_deref());
        planned.retain(|planned| part.has(planned.handler.is_async));
        append(&transcript, &line)?;
        let env_files = (0..planned.len()).map(|index| self.env_file(input.event(), index));
        let env_files: Vec<Option<PathBuf>> = env_files.collect::<Result<_, _>>()?;
        let of = Surroundings { project: &self.place.project, base: &self.base, exported: &self.exported };
        let job = |(planned, file): (&Planned<'_>, &Option<PathBuf>)| match planned.skip {
            None => Job::of(planned, &input, &line, of, file.as_deref()),
            Some(_) => None,
        };
        let jobs: Vec<Option<Job>> = planned.iter().zip(&env_files).map(job).collect();
        let mut done = run_all(jobs.iter().flatten()).await.into_iter();
        let mut ran = Vec::new();
        for ((planned, job), file) in planned.into_iter().zip(jobs).zip(env_files) {
            let done = job.and_then(|_| done.next());
            let result = done.map(|done| self.result(&input, &planned, done, file.as_deref()));
            if let Some(result) = &result {
                let logged = self.logged(&input, &planned, result);
                append(&transcript, &[serde_json::to_vec(&logged)?, b"\n".to_vec()].concat())?;
                trouble::report(self.journal.append(&logged));
            }
            ran.push(Ran { planned, result });
        }
        Ok(ran)
    }

    /// Creates the file into which a handler may export variables, where the event has one.
    fn env_file(&self, event: &str, index: usize) -> anyhow::Result<Option<PathBuf>> {
        if !has_env_file(event) {
            return Ok(None);
        }
        let path = self.folder.path().join(format!("{}-hook-{index}.sh", event.to_lowercase()));
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        Ok(Some(path))
    }

    fn result(&mut self, input: &Input, planned: &Planned<'_>, done: Done, file: Option<&Path>) -> Results {
        let reading = output::read(input.event(), planned.handler.on_failure, &done);
        let known = |name: &str| self.exported.get(name).or_else(|| self.base.get(name)).cloned();
        let exports = file.map(|file| env_file::parse(&exported_text(file), &known)).unwrap_or_default();
        let exported = exports.variables.keys().cloned().collect();
        self.exported.extend(exports.variables);
        Results { done, reading, exported, passed_over: exports.passed_over }
    }

    fn logged(&self, input: &Input, planned: &Planned<'_>, result: &Results) -> Logged {
        let stderr = result.done.stderr.text();
        Logged {
            at: time::timestamp().to_string(),
            event: input.event().to_owned(),
            session_id: input.text("session_id").unwrap_or_default().to_owned(),
            project: self.place.project.display().to_string(),
            source: planned.source.name().to_owned(),
            place: planned.handler.place.to_string(),
            command: command(planned),
            ended: ended(&result.done.ending).to_owned(),
            exit_code: match result.done.ending {
                Ending::Exited { exit_code } => Some(exit_code),
                _ => None,
            },
            took_ms: time::millis(result.done.took),
            wanted: result.reading.wanted.map(words::code),
            reason: result.reading.reason.as_deref().map(kept),
            stderr: Some(kept(stderr.trim())).filter(|text| !text.is_empty()),
        }
    }
}

/// Returns a handler's command as it may be shown: masked. Empty for a handler that has none.
pub(super) fn command(planned: &Planned<'_>) -> String {
    let shown = planned.handler.command.as_ref().map(dmplz_hooks::settings::Command::shown);
    mask(&shown.unwrap_or_default()).as_str().to_owned()
}

/// Masks a text and then cuts it, so that no half of a secret is left.
fn kept(text: &str) -> String {
    let masked = mask(text);
    masked.as_str().chars().take(LOGGED).collect()
}

/// Returns the word for how a process ended, as JSON has it.
pub(super) fn ended(ending: &Ending) -> &'static str {
    match ending {
        Ending::Exited { .. } => "exited",
        Ending::Killed { .. } => "killed",
        Ending::TimedOut => "timed_out",
        Ending::NotStarted { .. } => "not_started",
    }
}

/// Returns what a hook wrote into its file, up to a limit. A file that it removed or made unreadable exports nothing.
fn exported_text(file: &Path) -> String {
    let mut bytes = Vec::new();
    let limit = env_file::MAX_BYTES as u64;
    let is_plain = std::fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file());
    let read = is_plain.then(|| File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes)));
    match read {
        Some(Ok(_)) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}

fn append(path: &Path, line: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)?.write_all(line)
}
