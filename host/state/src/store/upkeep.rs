//! Maintenance of the database: checking it, backing it up, and restoring a backup.
//!
//! A backup is made with SQLite's online backup, in one read transaction: it shows one moment, and no writer waits for
//! it. It is one file, without a log beside it. Like the database, it holds the exact texts of open requests.
//!
//! Restoring needs [`Instance`], so no gateway runs meanwhile. The copy is checked first: it must be a plain file,
//! sound, of a known version, and its audit trail intact. The earlier database is kept beside it under another name, and the trail
//! records that it was replaced.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, InterruptHandle, OpenFlags};

use super::{Break, FILE, Happened, Head, Reader, Reads, Store, StoreError, StoreOptions, Verdict, connect, schema};
use crate::lock::open_ours;
use crate::{Instance, StateDir};

/// The most damages that are reported.
const DAMAGES: u32 = 20;
/// How many pages a backup copies at once: all of them, so that it shows one moment.
const ALL: i32 = i32::MAX;
/// The pause between two attempts while the database is locked.
const PAUSE: Duration = Duration::from_millis(50);

/// Interrupts a [`Reader`]'s call from another thread. The call returns [`StoreError::Interrupted`].
pub struct Interrupt(InterruptHandle);

/// The result of restoring a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The end of its audit trail.
    pub head: Head,
    /// The path of the earlier database; `None` if there was none.
    pub replaced: Option<PathBuf>,
}

/// Why a copy was not restored. Nothing was changed, unless the error came with the last steps.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is no copy at the path.
    #[error("it does not exist")]
    Missing,
    /// The path is a directory's.
    #[error("it is a directory")]
    Directory,
    /// The path is that of a device, a named pipe or a socket.
    #[error("it is not a plain file")]
    NotPlain,
    /// The copy is a database that nothing was ever stored in, or an empty file, which SQLite takes for one.
    #[error("it is empty: there are no tables in it")]
    Empty,
    /// SQLite found damage in the copy.
    #[error("the copy is damaged: {0}")]
    Damaged(String),
    /// The copy's audit trail is not as recorded.
    #[error("the copy's audit trail is not as it was recorded: entry {seq} {what}")]
    Untrue {
        /// The first invalid entry.
        seq: u64,
        /// What is wrong with it.
        what: Break,
    },
    /// The copy, or the database, cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file system refused.
    #[error("cannot put the copy in place at {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Interrupt {
    /// Interrupts the reader's call, if one is running.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a copy at any path for reading only. A copy has no `audit.head`.
    pub fn open_copy(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(path, flags, StoreOptions::default())?;
        schema::known(&connection)?;
        Ok(Self { connection, head: None })
    }

    /// Returns what SQLite's `quick_check` finds in the file; empty if it is sound. Reads the whole file.
    pub fn quick_check(&self) -> Result<Vec<String>, StoreError> {
        quick_check(&self.connection)
    }

    /// Returns how many steps of the schema the file has taken, and how many there are.
    pub fn version(&self) -> Result<(i64, i64), StoreError> {
        Ok((schema::version(&self.connection)?, schema::VERSION))
    }

    /// Returns a handle that interrupts this reader's calls from another thread.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt(self.connection.get_interrupt_handle())
    }
}

impl Store {
    /// Shrinks the file by its free space. Needs as much space again while it runs, and blocks every other user of the
    /// database.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?)
    }
}

/// Copies the database into a file, which must be empty or missing.
pub fn backup(from: &Reader, to: &Path) -> Result<(), StoreError> {
    copy(&from.connection, to).map(drop)
}

/// Restores a copy. `expected` is a head that was kept elsewhere: the copy's audit trail must hold it.
pub fn restore(
    dir: &StateDir,
    _only: &Instance,
    from: &Path,
    expected: Option<Head>,
    now_ms: u64,
) -> Result<Restored, RestoreError> {
    plain(from)?;
    let path = |name: String| dir.path().join(name);
    let (database, new) = (path(FILE.to_owned()), path(format!("{FILE}.restoring")));
    let io = |path: &Path, done: std::io::Result<()>| {
        done.map_err(|source| RestoreError::Io { path: path.to_owned(), source })
    };
    // A file that an earlier process left here when it was killed.
    if new.exists() {
        io(&new, fs::remove_file(&new))?;
    }
    let made = open_ours(OpenOptions::new().read(true).write(true).create(true), &new).map(drop);
    io(&new, made)?;
    let checked = Reader::open_copy(from).map_err(RestoreError::from).and_then(|from| checked(&from, &new, expected));
    let head = match checked {
        Ok(head) => head,
        Err(error) => {
            let _ = fs::remove_file(&new);
            return Err(error);
        }
    };

    let mut replaced = None;
    let mut last = None;
    if database.exists() {
        last = settle(&database);
        let aside = path(format!("{FILE}.replaced-{now_ms}"));
        // The log is moved first. Beside another database it would be read as that one's log.
        for suffix in ["-wal", "-shm", ""] {
            let name = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
            let from = name(&database);
            if from.exists() {
                io(&from, fs::rename(&from, name(&aside)))?;
            }
        }
        replaced = Some(aside);
    }
    let old = path("audit.head".to_owned());
    if old.exists() {
        io(&old, fs::rename(&old, path(format!("audit.head.replaced-{now_ms}"))))?;
    }
    io(&database, fs::rename(&new, &database).and_then(|()| fs::File::open(dir.path())?.sync_all()))?;
    super::head_file::HeadFile::new(dir.path()).write(&head);
    let mut store = Store::open(dir, StoreOptions::default(), now_ms)?;
    let body = serde_json::json!({ "from": head.to_string(), "replaced": last.map(|last| last.to_string()) });
    let mut batch = store.batch()?;
    batch.attempt(|writes| {
        let happened = Happened { at_ms: now_ms, kind: "store.restored", request_id: None, body: &body.to_string() };
        writes.record(&happened)
    })?;
    batch.commit()?;
    Ok(Restored { head, replaced })
}

/// Checks that the copy is a file. SQLite takes a device for an empty database, and waits for a named pipe.
fn plain(from: &Path) -> Result<(), RestoreError> {
    match fs::metadata(from) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(RestoreError::Missing),
        Ok(found) if found.is_dir() => Err(RestoreError::Directory),
        Ok(found) if !found.is_file() => Err(RestoreError::NotPlain),
        // Every other error is reported when the file is opened.
        _ => Ok(()),
    }
}

/// Copies a copy, and checks that it is sound. Returns the end of its audit trail.
fn checked(from: &Reader, to: &Path, expected: Option<Head>) -> Result<Head, RestoreError> {
    if schema::version(&from.connection)? == 0 {
        return Err(RestoreError::Empty);
    }
    let mut copy = copy(&from.connection, to)?;
    if let Some(damage) = quick_check(&copy)?.into_iter().next() {
        return Err(RestoreError::Damaged(damage));
    }
    schema::prepare(&mut copy)?;
    copy.pragma_update(None, "journal_mode", "DELETE").map_err(StoreError::from)?;
    let reader = Reader { connection: copy, head: None };
    match reader.verify(expected)? {
        Verdict::Verified { last, .. } => Ok(last),
        Verdict::Broken { seq, what } => Err(RestoreError::Untrue { seq, what }),
    }
}

fn copy(from: &Connection, to: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = connect(to, flags, StoreOptions::default())?;
    Backup::new(from, &mut target)?.run_to_completion(ALL, PAUSE, None)?;
    // This makes the copy one file: the copied header says that a log belongs to it.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(target)
}

/// Moves the log of a database into it, so that it is one file. Returns the end of its audit trail, if that can be
/// read.
fn settle(database: &Path) -> Option<Head> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(database, flags, StoreOptions::default()).ok()?;
    let last = Reads { connection: &connection }.last().ok();
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    last
}

fn quick_check(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(&format!("PRAGMA quick_check({DAMAGES})"))?;
    let found = statement.query_map([], |row| row.get(0))?;
    let found: Vec<String> = found.collect::<Result<_, _>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}
