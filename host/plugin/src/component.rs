//! A component that may run: loaded, its imports checked and linked.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::bindings::MessengerPre;
use crate::cache::{Cache, CacheError, Digest};
use crate::imports::{self, ImportError};
use crate::outline::{self, Outline, OutlineError};
use crate::state::State;
use crate::{CompileError, Engine, native};

/// A provider's code, ready to be started. Cheap to clone.
#[derive(Clone)]
pub struct Component(pub(crate) Arc<MessengerPre<State>>);

/// Why a component cannot run here.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("the component cannot be read")]
    Read(#[from] std::io::Error),
    /// What stands on its outside is not a provider's.
    #[error(transparent)]
    Outline(#[from] OutlineError),
    /// The file is not the component that was pinned.
    #[error("it is not the component that was installed: its SHA-256 is {found}, and {pinned} is pinned")]
    Replaced {
        /// What was installed.
        pinned: Digest,
        /// What the file holds now.
        found: Digest,
    },
    /// It is no valid component.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It was compiled by another build of the program.
    #[error("the compiled component cannot be loaded: {0}")]
    Incompatible(String),
    /// It wants what no provider gets.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It does not offer what a provider offers.
    #[error("it is no messenger provider: {0}")]
    Export(String),
    /// The cache of compiled components does not work.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl Component {
    /// Loads what [`crate::precompile`] made at build time, without copying it when it is aligned to [`crate::PAGE`].
    /// About 0.2 ms. Only for bytes that are a part of the program.
    ///
    /// # Errors
    /// When it was compiled for another engine, or breaks the rules of `imports`.
    pub fn embedded(engine: &Engine, code: &'static [u8]) -> Result<Self, LoadError> {
        Self::link(engine, native::embedded(&engine.0, code))
    }

    /// Compiles and loads a component; a tenth of a second or more.
    ///
    /// # Errors
    /// When it is no component, or breaks the rules of `outline` or `imports`.
    pub fn from_wasm(engine: &Engine, wasm: &[u8]) -> Result<Self, LoadError> {
        Outline::of(wasm)?;
        let code = crate::precompile(wasm, None)?;
        Self::link(engine, native::trusted(&engine.0, &code))
    }

    /// Loads a component, compiling it once: the result is kept in the cache under its digest. Compiling blocks: 0.1 s for
    /// 100 KiB, 10 s for a component with Python in it (18 MB), which then takes 0.1 s each time to be read and checked.
    ///
    /// # Errors
    /// When the cache cannot be written, or as for [`Self::from_wasm`].
    pub fn cached(engine: &Engine, wasm: &[u8], cache: &Cache) -> Result<Self, LoadError> {
        let digest = Digest::of(wasm);
        if let Some(code) = cache.find(engine, &digest)
            && let Ok(component) = native::trusted(&engine.0, &code)
        {
            return Self::link(engine, Ok(component));
        }
        Outline::of(wasm)?;
        let code = crate::precompile(wasm, None)?;
        let component = Self::link(engine, native::trusted(&engine.0, &code))?;
        cache.keep(engine, &digest, &code)?;
        Ok(component)
    }

    /// Loads the component of a digest from the cache. The file is read only where the cache has nothing of it for this
    /// engine: after an update of this program, say. Then it must have that digest, and is compiled.
    ///
    /// # Errors
    /// [`LoadError::Replaced`] where the file is another one, or as for [`Self::cached`].
    pub fn pinned(engine: &Engine, digest: &Digest, file: &Path, cache: &Cache) -> Result<Self, LoadError> {
        if let Some(code) = cache.find(engine, digest)
            && let Ok(component) = native::trusted(&engine.0, &code)
        {
            return Self::link(engine, Ok(component));
        }
        let wasm = read(file)?;
        let found = Digest::of(&wasm);
        if found != *digest {
            return Err(LoadError::Replaced { pinned: digest.clone(), found });
        }
        Self::cached(engine, &wasm, cache)
    }

    /// The names of what it imports, for whoever is asked whether it may run. `imports` says which ones there can be.
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

/// The bytes of a component's file.
///
/// # Errors
/// When it cannot be read, or is larger than any provider.
pub fn read(file: &Path) -> Result<Vec<u8>, LoadError> {
    let limit = u64::try_from(outline::LARGEST).unwrap_or(u64::MAX);
    let mut wasm = Vec::new();
    std::fs::File::open(file)?.take(limit + 1).read_to_end(&mut wasm)?;
    if wasm.len() > outline::LARGEST { Err(OutlineError::TooLarge.into()) } else { Ok(wasm) }
}
