//! What the gateway notes of a session when it starts one, for the gateways after it.
//!
//! Notes are changed in turns, one change at a time: whoever changes them takes a [`Turn`], reads them, and writes them as a
//! whole. They are on disk when the write returns, which takes a while, so a thread does it that may wait.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use dmplz_core::claude::config_dir;
use dmplz_protocol::session::Mode;
use dmplz_protocol::{Refusal, RequestId};
use dmplz_runner::keeper::{SessionDir, SessionDirError};
use dmplz_state::replace;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::spawn_blocking;
use uuid::Uuid;

/// Notes of a session.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notes {
    pub(super) cwd: String,
    pub(super) mode: String,
    pub(super) created_ms: u64,
    /// The model that a person chose.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// The name that a person gave it; empty if nobody did.
    #[serde(default)]
    pub(super) name: String,
    /// The conversation of another session that it continues a copy of.
    #[serde(default)]
    pub(super) fork_of: Option<Uuid>,
    /// The folder of the client's settings for all projects.
    #[serde(default)]
    pub(super) config_dir: PathBuf,
    /// How many clients the session had before.
    #[serde(default)]
    pub(super) run: u32,
    /// Makes the ids of its requests unguessable; hex.
    pub(super) secret: String,
}

/// Gives the turns to change notes, in the order in which they are asked for.
#[derive(Default)]
pub(super) struct Turns(Arc<Mutex<()>>);

/// The right to change notes.
pub(super) struct Turn {
    _held: OwnedMutexGuard<()>,
}

impl Turns {
    /// Waits for the turn.
    pub(super) async fn take(&self) -> Turn {
        Turn { _held: Arc::clone(&self.0).lock_owned().await }
    }
}

impl Turn {
    /// Writes the notes of a session, and gives the turn back. Once begun it goes on even if nobody waits for it any more, and
    /// the next turn begins after it.
    pub(super) async fn write(self, dir: &SessionDir, notes: Notes) -> Result<Self, SessionDirError> {
        let (dir, path) = (dir.clone(), dir.notes());
        let written = spawn_blocking(move || notes.write(&dir).map(|()| self)).await;
        written.unwrap_or_else(|error| Err(SessionDirError::Io { path, source: io::Error::other(error) }))
    }
}

impl Notes {
    pub(super) fn new(cwd: String, mode: Mode, model: Option<String>, created_ms: u64) -> Result<Self, Refusal> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| Refusal::SessionNotStarted { why: error.to_string() })?;
        let (mode, name, fork_of, secret) = (mode.name().to_owned(), String::new(), None, hex::encode(secret));
        Ok(Self { cwd, mode, created_ms, model, name, fork_of, config_dir: PathBuf::new(), run: 0, secret })
    }

    /// The same, of a session whose client has this environment.
    #[must_use]
    pub(super) fn with(self, env: &BTreeMap<String, String>) -> Self {
        Self { config_dir: config_dir(|name| env.get(name).cloned()).unwrap_or_default(), ..self }
    }

    /// Reads those of a session.
    pub(super) fn read(dir: &SessionDir) -> io::Result<Self> {
        Ok(serde_json::from_str(&fs::read_to_string(dir.notes())?)?)
    }

    /// Reads those of a session that is known, so that it must have some.
    pub(super) fn of_known(dir: &SessionDir) -> Result<Self, SessionDirError> {
        Self::read(dir).map_err(|source| SessionDirError::Io { path: dir.notes(), source })
    }

    /// Writes them, readable by this user only. A process that is killed meanwhile, or a power cut, leaves the former ones or these,
    /// because a session without notes is lost.
    fn write(&self, dir: &SessionDir) -> Result<(), SessionDirError> {
        let (path, json) = (dir.notes(), serde_json::to_string(self).unwrap_or_default());
        replace(&path, json.as_bytes()).map_err(|source| SessionDirError::Io { path, source })
    }

    /// The id of the request that the session's client of this number calls so.
    pub(super) fn request_id(&self, run: u64, client_id: &str) -> RequestId {
        let digest = Sha256::new().chain_update(&self.secret).chain_update(":");
        let digest = if run == 0 { digest } else { digest.chain_update(run.to_string()).chain_update(":") };
        let digest = digest.chain_update(client_id).finalize();
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        RequestId::of_secret(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_a_session_are_whole_at_every_moment() {
        let state = tempfile::tempdir().unwrap();
        let dir = SessionDir::of(state.path(), Uuid::nil());
        dir.make().unwrap();
        let notes = Notes::new("x".repeat(100_000), Mode::Default, None, 1).unwrap();
        notes.write(&dir).unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| (0..200).for_each(|_| notes.write(&dir).unwrap()));
            while !writer.is_finished() {
                assert_eq!(Notes::read(&dir).unwrap().cwd.len(), notes.cwd.len());
            }
        });
    }

    #[tokio::test]
    async fn a_write_that_nobody_waits_for_any_more_is_finished_before_the_next_turn() {
        let state = tempfile::tempdir().unwrap();
        let dir = SessionDir::of(state.path(), Uuid::nil());
        dir.make().unwrap();
        let notes = Notes::new("x".repeat(100_000), Mode::Default, None, 1).unwrap();
        let turns = Turns::default();
        for name in (0..20).map(|number| number.to_string()) {
            let write = turns.take().await.write(&dir, Notes { name: name.clone(), ..notes.clone() });
            tokio::select! {
                biased;
                written = write => drop(written.unwrap()),
                () = std::future::ready(()) => {}
            }
            let _turn = turns.take().await;
            assert_eq!(Notes::read(&dir).unwrap().name, name);
        }
    }

    #[test]
    fn a_request_keeps_its_id_and_no_two_sessions_share_one() {
        let notes = || Notes::new("/".into(), Mode::Default, None, 1).unwrap();
        let (one, other) = (notes(), notes());
        assert_eq!(one.request_id(0, "a"), one.clone().request_id(0, "a"));
        assert_ne!(one.request_id(0, "a"), one.request_id(0, "b"));
        assert_ne!(one.request_id(0, "a"), other.request_id(0, "a"));
        assert_ne!(one.request_id(0, "a"), one.request_id(1, "a"), "another client may use the same ids");
    }
}
