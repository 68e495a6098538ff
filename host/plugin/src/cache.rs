//! A cache of compiled third-party components.
//!
//! An entry is native code, so it is trusted only if no other user can have written it:
//!
//! | what | must be | otherwise |
//! |---|---|---|
//! | directory | owned by the user, not a link, without permissions for group and others | error: nothing is loaded or written |
//! | entry | a regular file owned by the user, not a link, without permissions for group and others | compiled again and replaced |
//! | content | followed by a matching BLAKE3 checksum of the component's digest and the code | compiled again and replaced |
//!
//! An entry is named for the SHA-256 of the component and for wasmtime's version, configuration and processor. It is
//! written to a temporary file and renamed, so that readers see all of it or nothing. An entry that is renamed to
//! another component's name no longer matches its hash.
//!
//! An entry is mapped where the system can: what is never run is then read once, to check it, and takes no memory. It is
//! never written in place, so a process that maps a replaced or removed entry keeps the old one.
//!
//! Writing an entry removes others: all except those of pinned components and the newest [`NEWEST`].

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::{Engine, native};

const CHECKSUM: usize = blake3::OUT_LEN;
/// The bytes that are read at a time to check an entry.
const BUFFER: usize = 64 << 10;
/// The number of entries of unpinned components that are kept.
const NEWEST: usize = 4;
/// The suffix of an entry's name.
const EXTENSION: &str = "native";
/// The age after which a temporary file is considered abandoned.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// The SHA-256 of a component, by which it is pinned: 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(String);

/// A private directory of compiled components.
pub struct Cache {
    dir: PathBuf,
    pinned: Box<dyn Fn() -> Option<BTreeSet<Digest>>>,
}

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file or directory could not be read or written.
    #[error("the cache {path} cannot be used")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Another user could write to it.
    #[error("the cache {0} cannot be trusted: it must be a directory of yours with mode 0700")]
    NotPrivate(PathBuf),
}

impl Digest {
    /// Returns the digest of a component's bytes.
    pub fn of(wasm: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(wasm)))
    }

    /// Parses 64 hexadecimal digits, with or without the prefix `sha256:`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("sha256:").unwrap_or(text).to_ascii_lowercase();
        let is_digest = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then_some(Self(digits))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Cache {
    /// Opens the directory, and creates it if it is absent. `pinned` returns the components whose entries must stay.
    /// It is called only when an entry is written; if it returns `None`, nothing is removed.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created or is not private.
    pub fn open(dir: &Path, pinned: impl Fn() -> Option<BTreeSet<Digest>> + 'static) -> Result<Self, CacheError> {
        let failed = |source| CacheError::Io { path: dir.to_owned(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(failed)?;
        let metadata = fs::symlink_metadata(dir).map_err(failed)?;
        if metadata.is_dir() && is_private(&metadata) {
            Ok(Self { dir: dir.to_owned(), pinned: Box::new(pinned) })
        } else {
            Err(CacheError::NotPrivate(dir.to_owned()))
        }
    }

    /// Returns whether the cache has a trustworthy compiled form of a component for this engine.
    pub fn holds(&self, engine: &Engine, digest: &Digest) -> bool {
        self.find(engine, digest).is_some()
    }

    /// Loads the compiled form of a component, if the cache has a trustworthy one.
    pub(crate) fn load(&self, engine: &Engine, digest: &Digest) -> Option<wasmtime::component::Component> {
        let mut file = self.find(engine, digest)?;
        if let Ok(component) = native::mapped(&engine.0, &file) {
            return Some(component);
        }
        let mut code = Vec::new();
        file.rewind().ok()?;
        file.read_to_end(&mut code).ok()?;
        code.truncate(code.len().checked_sub(CHECKSUM)?);
        native::trusted(&engine.0, &code).ok()
    }

    /// Returns the entry of a component after it was checked.
    fn find(&self, engine: &Engine, digest: &Digest) -> Option<File> {
        let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).ok()?;
        let mut file = OpenOptions::new().read(true).custom_flags(no_follow).open(self.entry(engine, digest)).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || !is_private(&metadata) {
            return None;
        }
        is_whole(&mut file, metadata.len(), digest)?.then_some(file)
    }

    /// Stores the compiled form of a component, and removes surplus entries.
    pub(crate) fn keep(&self, engine: &Engine, digest: &Digest, code: &[u8]) -> Result<(), CacheError> {
        let entry = self.entry(engine, digest);
        let write = || {
            // Temporary files are created with mode 0600.
            let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
            file.write_all(code)?;
            file.write_all(started(digest).update(code).finalize().as_bytes())?;
            file.persist(&entry)?;
            Ok(())
        };
        write().map_err(|source| CacheError::Io { path: entry.clone(), source })?;
        self.prune(engine, &entry);
        Ok(())
    }

    /// Removes surplus entries after `written` was written. What cannot be inspected or removed stays.
    fn prune(&self, engine: &Engine, written: &Path) {
        let Some(pinned) = (self.pinned)() else { return };
        let stays: BTreeSet<PathBuf> = pinned.iter().map(|digest| self.entry(engine, digest)).collect();
        let Ok(now) = fs::metadata(written).and_then(|metadata| metadata.modified()) else { return };
        let mut others = Vec::new();
        for file in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = file.path();
            let Ok(modified) = file.metadata().and_then(|metadata| metadata.modified()) else { continue };
            let is_entry = path.extension().is_some_and(|extension| extension == EXTENSION);
            if is_entry && path != written && !stays.contains(&path) {
                others.push((modified, path));
            } else if !is_entry && now.duration_since(modified).is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(path);
            }
        }
        others.sort();
        let unpinned = NEWEST - usize::from(!stays.contains(written));
        let too_much = others.len().saturating_sub(unpinned);
        others.into_iter().take(too_much).for_each(|(_, path)| drop(fs::remove_file(path)));
    }

    fn entry(&self, engine: &Engine, digest: &Digest) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        engine.0.precompile_compatibility_hash().hash(&mut hasher);
        self.dir.join(format!("{digest}-{:016x}.{EXTENSION}", hasher.finish()))
    }
}

/// Returns whether the checksum at the end of an entry is that of the code before it. `None` if it cannot be read.
fn is_whole(file: &mut File, length: u64, digest: &Digest) -> Option<bool> {
    let mut left = length.checked_sub(CHECKSUM as u64)?;
    let (mut checksum, mut buffer) = (started(digest), vec![0; BUFFER]);
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(BUFFER).min(BUFFER);
        let bytes = buffer.get_mut(..wanted)?;
        file.read_exact(bytes).ok()?;
        checksum.update(bytes);
        left -= wanted as u64;
    }
    let mut kept = [0; CHECKSUM];
    file.read_exact(&mut kept).ok()?;
    Some(checksum.finalize() == kept)
}

/// Returns the beginning of a checksum, which the code follows. A hook computes it at every start: BLAKE3 takes a third of the time of
/// SHA-256, which is an eighth of that until the first request.
fn started(digest: &Digest) -> blake3::Hasher {
    let mut checksum = blake3::Hasher::new();
    checksum.update(digest.0.as_bytes());
    checksum
}

fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0
}
