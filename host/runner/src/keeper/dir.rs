//! The folder of a session.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dmplz_protocol::Refusal;
use dmplz_protocol::socket_path::SocketPath;
use rustix::fs::{FlockOperation, flock};
use uuid::Uuid;

use super::frame::{Decoder, Frame, Hello};
use super::launch::SESSIONS;
use super::log;

const LOCK: &str = "lock";
const SOCKET: &str = "socket";
const NOTES: &str = "session.json";
const RECEIVED: &str = "received";

/// The folder of a session in a state directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDir {
    id: Uuid,
    path: PathBuf,
}

/// Why the folder of a session cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SessionDirError {
    /// A system call failed.
    #[error("the folder of the session, {path}, cannot be used: {source}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A part of a file does not follow what was appended before; how many bytes the file has.
    #[error("{}", Refusal::PartElsewhere { bytes: *.0 })]
    Elsewhere(u64),
    /// Another keeper runs the session.
    #[error("the session {0} is already running")]
    Running(Uuid),
}

impl From<SessionDirError> for Refusal {
    fn from(error: SessionDirError) -> Self {
        match error {
            SessionDirError::Elsewhere(bytes) => Self::PartElsewhere { bytes },
            error => Self::SessionFolder { why: error.to_string() },
        }
    }
}

/// The log of a session that has ended.
#[derive(Debug)]
pub struct Found {
    /// Whether its oldest part is missing.
    pub hello: Hello,
    /// The frames, oldest first.
    pub frames: Vec<Frame>,
}

impl SessionDir {
    /// Returns the folder of a session, which need not exist. `state` is the state directory.
    pub fn of(state: &Path, id: Uuid) -> Self {
        Self { id, path: state.join(SESSIONS).join(id.hyphenated().to_string()) }
    }

    /// Returns the folder at a path, whose name must be the session's id.
    pub fn at(path: &Path) -> Option<Self> {
        let id = Uuid::try_parse(path.file_name()?.to_str()?).ok()?;
        Some(Self { id, path: path.to_owned() })
    }

    /// Returns the folders of all sessions in a state directory, in no particular order.
    pub fn all(state: &Path) -> io::Result<Vec<Self>> {
        match fs::read_dir(state.join(SESSIONS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries?.filter_map(|entry| entry.map(|entry| Self::at(&entry.path())).transpose()).collect(),
        }
    }

    /// Makes the folder and that for files of people, with mode 0700. One that is there is no error.
    pub fn make(&self) -> Result<(), SessionDirError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(self.received());
        made.map_err(|source| self.io(self.path.clone(), source))
    }

    /// Returns the id of the session.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the folder for files that people send to the session.
    pub fn received(&self) -> PathBuf {
        self.path.join(RECEIVED)
    }

    /// Returns a path by which the keeper's socket is reached, however long the path of the state directory is.
    pub fn socket(&self) -> Result<SocketPath, SessionDirError> {
        SocketPath::of(&self.path.join(SOCKET)).map_err(|source| self.io(self.path.clone(), source))
    }

    /// Becomes the session's one keeper, as long as the file is open.
    pub fn claim(&self) -> Result<File, SessionDirError> {
        let path = self.path.join(LOCK);
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = file.map_err(|source| self.io(path.clone(), source))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK) => Err(SessionDirError::Running(self.id)),
            Err(error) => Err(self.io(path, error.into())),
        }
    }

    /// Returns whether a keeper runs the session now.
    pub fn is_kept(&self) -> bool {
        let Ok(file) = OpenOptions::new().read(true).open(self.path.join(LOCK)) else { return false };
        matches!(flock(&file, FlockOperation::NonBlockingLockShared), Err(rustix::io::Errno::WOULDBLOCK))
    }

    /// Returns the path of what the gateway notes of the session.
    pub fn notes(&self) -> PathBuf {
        self.path.join(NOTES)
    }

    /// Adds a part to a file that a person sends to the session, readable by this user only. At 0 the file begins anew;
    /// anywhere else than at its end nothing is written, and the error says where that is. The file goes with the
    /// session's folder.
    pub fn append(&self, upload: Uuid, at: u64, content: &[u8]) -> Result<(), SessionDirError> {
        let path = self.incomplete(upload);
        let io = |source| self.io(path.clone(), source);
        self.make()?;
        let opened = OpenOptions::new().append(true).create(at == 0).mode(0o600).open(&path);
        let mut file = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound && at > 0 => {
                return Err(SessionDirError::Elsewhere(0));
            }
            opened => opened.map_err(io)?,
        };
        if at == 0 {
            file.set_len(0).map_err(io)?;
        }
        match file.metadata().map_err(io)?.len() {
            length if length == at => io::Write::write_all(&mut file, content).map_err(io),
            length => Err(SessionDirError::Elsewhere(length)),
        }
    }

    /// Gives a file its name, once all of it was appended, and returns its path. A file of that name is replaced.
    pub fn receive(&self, upload: Uuid, name: &str) -> Result<PathBuf, SessionDirError> {
        let path = self.received().join(name);
        match fs::rename(self.incomplete(upload), &path) {
            Ok(()) => Ok(path),
            Err(source) => Err(self.io(path, source)),
        }
    }

    /// Returns the path of a file while it is uploaded.
    fn incomplete(&self, upload: Uuid) -> PathBuf {
        self.received().join(format!(".{}", upload.simple()))
    }

    /// Reads the log of a session whose keeper is gone. A frame that was not written whole is left out.
    pub fn past(&self) -> Result<Found, SessionDirError> {
        let (bytes, cut) = log::read(&self.path).map_err(|source| self.io(self.path.clone(), source))?;
        let (mut decoder, mut frames) = (Decoder::default(), Vec::new());
        decoder.feed(&bytes);
        while let Ok(Some(frame)) = decoder.take_frame() {
            frames.push(frame);
        }
        Ok(Found { hello: Hello { version: 1, cut }, frames })
    }

    /// Removes the folder of a session that has ended.
    pub fn remove(&self) -> Result<(), SessionDirError> {
        if self.is_kept() {
            return Err(SessionDirError::Running(self.id));
        }
        fs::remove_dir_all(&self.path).map_err(|source| self.io(self.path.clone(), source))
    }

    fn io(&self, path: PathBuf, source: io::Error) -> SessionDirError {
        SessionDirError::Io { path, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_one_keeper() {
        let state = tempfile::tempdir().unwrap();
        let dir = SessionDir::of(state.path(), Uuid::nil());
        assert!(!dir.is_kept());
        dir.make().unwrap();
        let held = dir.claim().unwrap();
        assert!(matches!(dir.claim(), Err(SessionDirError::Running(_))));
        assert!(dir.is_kept() && dir.remove().is_err());
        drop(held);
        assert!(!dir.is_kept());
        assert_eq!(SessionDir::all(state.path()).unwrap(), std::slice::from_ref(&dir));
        dir.remove().unwrap();
        assert_eq!(SessionDir::all(state.path()).unwrap(), []);
    }

    #[test]
    fn a_file_is_appended_to_where_it_ends_and_nowhere_else() {
        let state = tempfile::tempdir().unwrap();
        let (dir, upload) = (SessionDir::of(state.path(), Uuid::nil()), Uuid::from_u128(7));
        dir.make().unwrap();
        let refused = |at| match dir.append(upload, at, b"x") {
            Err(SessionDirError::Elsewhere(length)) => length,
            appended => panic!("{appended:?}"),
        };
        assert_eq!(refused(5), 0, "nothing was begun");
        assert!(dir.receive(upload, "x").is_err());
        dir.append(upload, 0, b"left alone").unwrap();
        dir.append(upload, 0, b"ab").unwrap();
        assert_eq!([1, 3].map(refused), [2, 2]);
        dir.append(upload, 2, b"cd").unwrap();
        let path = dir.receive(upload, "a.txt").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abcd");
        dir.remove().unwrap();
        assert!(!path.exists());
    }
}
