//! Components of third parties, compiled once.
//!
//! An entry is native code, so it is believed only when nobody else can have written it:
//!
//! | what | must be | else |
//! |---|---|---|
//! | directory | ours, no link, no rights for group and others | error: nothing is loaded, nothing written |
//! | entry | a regular file of ours, no link, no rights for group and others | compiled anew and replaced |
//! | content | after its own SHA-256, which fits | compiled anew and replaced |
//!
//! An entry is named for the SHA-256 of the component and for wasmtime's version, configuration and processor. It is
//! written beside and renamed, so that readers see all of it or nothing.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Engine;

const DIGEST: usize = 32;

/// A private directory of compiled components.
pub(crate) struct Cache(PathBuf);

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

impl Cache {
    /// Opens the directory, creating it when it is absent.
    pub(crate) fn open(path: &Path) -> Result<Self, CacheError> {
        let failed = |source| CacheError::Io { path: path.to_owned(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
        let metadata = fs::symlink_metadata(path).map_err(failed)?;
        if metadata.is_dir() && is_private(&metadata) {
            Ok(Self(path.to_owned()))
        } else {
            Err(CacheError::NotPrivate(path.to_owned()))
        }
    }

    /// The compiled form of a component, when a trustworthy one is kept.
    pub(crate) fn find(&self, engine: &Engine, wasm: &[u8]) -> Option<Vec<u8>> {
        let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).ok()?;
        let mut file = OpenOptions::new().read(true).custom_flags(no_follow).open(self.entry(engine, wasm)).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || !is_private(&metadata) {
            return None;
        }
        read_checked(&mut file)
    }

    /// Keeps the compiled form of a component.
    pub(crate) fn keep(&self, engine: &Engine, wasm: &[u8], code: &[u8]) -> Result<(), CacheError> {
        let entry = self.entry(engine, wasm);
        let write = || {
            // Temporary files are made with mode 0600.
            let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
            file.write_all(&Sha256::digest(code))?;
            file.write_all(code)?;
            file.persist(&entry)?;
            Ok(())
        };
        write().map_err(|source| CacheError::Io { path: entry.clone(), source })
    }

    fn entry(&self, engine: &Engine, wasm: &[u8]) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        engine.0.precompile_compatibility_hash().hash(&mut hasher);
        self.0.join(format!("{}-{:016x}.native", hex::encode(Sha256::digest(wasm)), hasher.finish()))
    }
}

fn read_checked(file: &mut File) -> Option<Vec<u8>> {
    let mut digest = [0; DIGEST];
    file.read_exact(&mut digest).ok()?;
    let mut code = Vec::new();
    file.read_to_end(&mut code).ok()?;
    (Sha256::digest(&code).as_slice() == digest).then_some(code)
}

fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0
}
