//! A component that may run: loaded, its imports checked and linked.

use std::path::Path;
use std::sync::Arc;

use crate::bindings::MessengerPre;
use crate::cache::{Cache, CacheError};
use crate::imports::{self, ImportError};
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
    /// When it is no component, or breaks the rules of `imports`.
    pub fn from_wasm(engine: &Engine, wasm: &[u8]) -> Result<Self, LoadError> {
        let code = crate::precompile(wasm, None)?;
        Self::link(engine, native::trusted(&engine.0, &code))
    }

    /// Loads a `.wasm` file, compiling it once: the result is kept in `cache`, a directory of the user alone, under the
    /// digest of the file. Compiling blocks: 0.1 s for 100 KiB, 10 s for a component with Python in it (18 MB), which then
    /// takes 0.1 s each time to be read and checked.
    ///
    /// # Errors
    /// When the file cannot be read, the cache cannot be trusted or written, or as for [`Self::from_wasm`].
    pub fn from_file(engine: &Engine, path: &Path, cache: &Path) -> Result<Self, LoadError> {
        let wasm = std::fs::read(path)?;
        let cache = Cache::open(cache)?;
        if let Some(code) = cache.find(engine, &wasm)
            && let Ok(component) = native::trusted(&engine.0, &code)
        {
            return Self::link(engine, Ok(component));
        }
        let code = crate::precompile(&wasm, None)?;
        let component = Self::link(engine, native::trusted(&engine.0, &code))?;
        cache.keep(engine, &wasm, &code)?;
        Ok(component)
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
