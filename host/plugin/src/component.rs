//! A component that is ready to run: loaded, its imports checked and linked.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::bindings::MessengerPre;
use crate::cache::{Cache, CacheError, Digest};
use crate::imports::{self, ImportError};
use crate::outline::{self, Outline, OutlineError};
use crate::state::State;
use crate::{CompileError, Engine, native};

/// A provider's code, ready to be instantiated. Cheap to clone.
#[derive(Clone)]
pub struct Component(pub(crate) Arc<MessengerPre<State>>);

/// Why a component cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("the component cannot be read")]
    Read(#[from] std::io::Error),
    /// Its outer structure is not a provider's.
    #[error(transparent)]
    Outline(#[from] OutlineError),
    /// The file is not the pinned component.
    #[error("it is not the component that was installed: its SHA-256 is {found}, and {pinned} is pinned")]
    Replaced {
        /// The digest of the installed component.
        pinned: Digest,
        /// The digest of the file.
        found: Digest,
    },
    /// It is not a valid component.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It was compiled by another build of the program.
    #[error("the compiled component cannot be loaded: {0}")]
    Incompatible(String),
    /// It imports something that no provider gets.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It does not export what a provider must export.
    #[error("it is no messenger provider: {0}")]
    Export(String),
    /// The cache of compiled components cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl Component {
    /// Loads what [`crate::precompile`] made at build time, without copying it if it is aligned to [`crate::PAGE`].
    /// Takes about 0.2 ms. Only for bytes that are part of the program.
    ///
    /// # Errors
    /// Returns an error if it was compiled for another engine, or breaks the rules of `imports`.
    pub fn embedded(engine: &Engine, code: &'static [u8]) -> Result<Self, LoadError> {
        Self::link(engine, native::embedded(&engine.0, code))
    }

    /// Compiles and loads a component. Takes a tenth of a second or more.
    ///
    /// # Errors
    /// Returns an error if it is not a component, or breaks the rules of `outline` or `imports`.
    pub fn from_wasm(engine: &Engine, wasm: &[u8]) -> Result<Self, LoadError> {
        Outline::of(wasm)?;
        let code = crate::precompile(wasm, None)?;
        Self::link(engine, native::trusted(&engine.0, &code))
    }

    /// Loads a component and compiles it only once: the result is cached under its digest. Compiling blocks: 0.1 s
    /// for 100 KiB, 10 s for a component that contains Python (18 MB), whose compiled form (34 MB) is then read and checked in 20 ms
    /// each time.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be written, or as for [`Self::from_wasm`].
    pub fn cached(engine: &Engine, wasm: &[u8], cache: &Cache) -> Result<Self, LoadError> {
        let digest = Digest::of(wasm);
        if let Some(component) = cache.load(engine, &digest) {
            return Self::link(engine, Ok(component));
        }
        Outline::of(wasm)?;
        let code = crate::precompile(wasm, None)?;
        let component = Self::link(engine, native::trusted(&engine.0, &code))?;
        cache.keep(engine, &digest, &code)?;
        Ok(component)
    }

    /// Loads the component of a digest from the cache. The file is read only if the cache has no entry for this
    /// engine, for instance after an update of this program. It must then have that digest, and is compiled.
    ///
    /// # Errors
    /// Returns [`LoadError::Replaced`] if the file is another one, or as for [`Self::cached`].
    pub fn pinned(engine: &Engine, digest: &Digest, file: &Path, cache: &Cache) -> Result<Self, LoadError> {
        if let Some(component) = cache.load(engine, digest) {
            return Self::link(engine, Ok(component));
        }
        let wasm = read(file)?;
        let found = Digest::of(&wasm);
        if found != *digest {
            return Err(LoadError::Replaced { pinned: digest.clone(), found });
        }
        Self::cached(engine, &wasm, cache)
    }

    /// Returns the names of its imports, to show before it is installed. `imports` lists the possible ones.
    pub fn imports(&self) -> Vec<String> {
        let engine = self.0.engine();
        let imports = self.0.instance_pre().component().component_type();
        imports.imports(engine).map(|(name, _)| name.to_owned()).collect()
    }

    fn link(engine: &Engine, loaded: wasmtime::Result<wasmtime::component::Component>) -> Result<Self, LoadError> {
        let component = loaded.map_err(|error| LoadError::Incompatible(format!("{error:#}")))?;
        let linker = imports::linker(engine, &component)?;
        let pre = linker.instantiate_pre(&component).and_then(MessengerPre::new);
        Ok(Self(Arc::new(pre.map_err(|error| LoadError::Export(format!("{error:#}")))?)))
    }
}

/// Reads a component's file.
///
/// # Errors
/// Returns an error if it cannot be read, or is larger than any provider may be.
pub fn read(file: &Path) -> Result<Vec<u8>, LoadError> {
    let limit = u64::try_from(outline::LARGEST).unwrap_or(u64::MAX);
    let mut wasm = Vec::new();
    std::fs::File::open(file)?.take(limit + 1).read_to_end(&mut wasm)?;
    if wasm.len() > outline::LARGEST { Err(OutlineError::TooLarge.into()) } else { Ok(wasm) }
}
