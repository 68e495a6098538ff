//! The only configuration of wasmtime: the engine that compiles ahead of time and the engine that runs must agree.
//!
//! | choice | because |
//! |---|---|
//! | fuel instead of epochs | a looping component yields every [`limits::FUEL_SLICE`], so the timers of the single thread run and no watchdog thread is needed |
//! | no compiler in the running engine | a bundled component is already compiled, and starting Cranelift costs a tenth of a millisecond |
//! | instances on demand | the pooling allocator costs up to 2 ms at start and gains nothing for a handful of instances |
//! | no backtraces, no address map | nothing reads them, and the compiled component is a third smaller |
//! | memory is copied at its start | an image of it in a memory file, which instances share, costs a twentieth of the time to a hook's first request, and a process has one instance |
//! | stack 512 KiB | deep recursion ends in a trap long before the host's own stack |

use std::sync::Arc;

use wasmtime::Config;

use crate::{limits, native};

/// Runs components. Cheap to clone; one per process is enough.
#[derive(Clone)]
pub struct Engine(pub(crate) wasmtime::Engine);

/// Why a component could not be compiled.
#[derive(Debug, thiserror::Error)]
#[error("the component cannot be compiled: {0}")]
pub struct CompileError(pub(crate) String);

impl Engine {
    /// Returns an engine that runs what [`precompile`] made. Takes about 0.05 ms.
    ///
    /// # Errors
    /// Returns an error if wasmtime does not support this machine.
    pub fn new() -> Result<Self, CompileError> {
        let mut config = config();
        config.enable_compiler(false);
        config.with_custom_code_memory(Some(Arc::new(native::Pages)));
        wasmtime::Engine::new(&config).map(Self).map_err(|error| CompileError(format!("{error:#}")))
    }
}

/// Compiles a component ahead of time, to native code that only an [`Engine`] of the same build accepts. With a
/// target triple the result uses no feature of a particular processor; without one it is for this machine. Takes
/// about a tenth of a second for 100 KiB. Called by the build script of `dmplz-bundled`, and by the cache.
///
/// # Errors
/// Returns an error if the bytes are not a valid component.
pub fn precompile(wasm: &[u8], target: Option<&str>) -> Result<Vec<u8>, CompileError> {
    let mut config = config();
    let mut compile = || {
        if let Some(target) = target {
            config.target(target)?;
        }
        wasmtime::Engine::new(&config)?.precompile_component(wasm)
    };
    compile().map_err(|error| CompileError(format!("{error:#}")))
}

fn config() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    config.consume_fuel(true);
    config.memory_init_cow(false);
    config.max_wasm_stack(limits::STACK);
    config.async_stack_size(limits::STACK + limits::STACK_OF_HOST);
    config.wasm_backtrace_max_frames(None).native_unwind_info(false).generate_address_map(false);
    config
}
