//! Components of third parties, compiled once.
//!
//! An entry is native code, so it is believed only when nobody else can have written it:
//!
//! | what | must be | else |
//! |---|---|---|
//! | directory | ours, no link, no rights for group and others | error: nothing is loaded, nothing written |
//! | entry | a regular file of ours, no link, no rights for group and others | compiled anew and replaced |
//! | content | after the SHA-256 of the component's digest and of the code, which fits | compiled anew and replaced |
//!
//! An entry is named for the SHA-256 of the component and for wasmtime's version, configuration and processor. It is
//! written beside and renamed, so that readers see all of it or nothing. One that is renamed to belong to another component
//! does not fit any more.
//!
//! Whenever an entry is written, others are removed: all but those of pinned components and the newest
//! [`NEWEST`]. That harms no process: entries are read, never mapped, and a file that is removed can be read to its end
//! by who has it open.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::Engine;

const CHECKSUM: usize = 32;
/// Entries of components that nobody pinned which are kept.
const NEWEST: usize = 4;
/// What an entry's name ends with.
const EXTENSION: &str = "native";
/// A file that somebody began to write so long ago will never be an entry.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// The SHA-256 of a component, by which it is pinned: 64 hexadecimal digits in lower case.
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
    /// It could not be read or written.
    #[error("the cache {path} cannot be used")]
    Io {
        /// Which file or directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Somebody else could write to it.
    #[error("the cache {0} cannot be trusted: it must be a directory of yours with mode 0700")]
    NotPrivate(PathBuf),
}

impl Digest {
    /// Of the bytes of a component.
    pub fn of(wasm: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(wasm)))
    }

    /// Reads 64 hexadecimal digits, with or without `sha256:` before them. None for anything else.
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
    /// Opens the directory, creating it when it is absent. `pinned` tells the components whose entries must stay; it is
    /// asked only when an entry is written, and nothing is removed where it does not know.
    ///
    /// # Errors
    /// When the directory cannot be made, or is not private.
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

    /// Whether a trustworthy compiled form of a component is kept, for this engine.
    pub fn holds(&self, engine: &Engine, digest: &Digest) -> bool {
        self.find(engine, digest).is_some()
    }

    /// The compiled form of a component, when a trustworthy one is kept.
    pub(crate) fn find(&self, engine: &Engine, digest: &Digest) -> Option<Vec<u8>> {
        let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).ok()?;
        let mut file = OpenOptions::new().read(true).custom_flags(no_follow).open(self.entry(engine, digest)).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || !is_private(&metadata) {
            return None;
        }
        read_checked(&mut file, digest)
    }

    /// Keeps the compiled form of a component, and removes what is too much.
    pub(crate) fn keep(&self, engine: &Engine, digest: &Digest, code: &[u8]) -> Result<(), CacheError> {
        let entry = self.entry(engine, digest);
        let write = || {
            // Temporary files are made with mode 0600.
            let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
            file.write_all(&checksum(digest, code))?;
            file.write_all(code)?;
            file.persist(&entry)?;
            Ok(())
        };
        write().map_err(|source| CacheError::Io { path: entry.clone(), source })?;
        self.prune(engine, &entry);
        Ok(())
    }

    /// Removes what is too much once `written` was written. What cannot be looked at or removed stays.
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

fn read_checked(file: &mut File, digest: &Digest) -> Option<Vec<u8>> {
    let mut kept = [0; CHECKSUM];
    file.read_exact(&mut kept).ok()?;
    let mut code = Vec::new();
    file.read_to_end(&mut code).ok()?;
    (checksum(digest, &code) == kept).then_some(code)
}

fn checksum(digest: &Digest, code: &[u8]) -> [u8; CHECKSUM] {
    Sha256::new().chain_update(&digest.0).chain_update(code).finalize().into()
}

fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0
}
