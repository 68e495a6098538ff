//! The faults of a component. Each one costs it its instance.

use wasmtime::Trap;

/// A breach of the sandbox's limits or of the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It trapped: a panic, an access outside its memory, or too deep a recursion.
    #[error("it trapped: {0}")]
    Trapped(String),
    /// It requested more memory than it may have.
    #[error("it wanted more than 64 MiB of memory")]
    Memory,
    /// It requested larger tables than it may have.
    #[error("it wanted more than 100,000 table elements")]
    Tables,
    /// It passed more bytes than one call may carry.
    #[error("it passed more than 32 MiB in one call")]
    Payload,
    /// It used more fuel than one export may.
    #[error("it computed for too long")]
    Work,
    /// It did not return in time.
    #[error("it did not return in time")]
    Overstayed,
    /// A fresh instance describes itself differently from the first one.
    #[error("it changed its manifest")]
    ManifestChanged,
    /// It returned a value that the contract does not allow.
    #[error("it broke the contract: {0}")]
    Contract(&'static str),
    /// It refused the settings that it accepted before.
    #[error("it refused its settings when it was started again")]
    Refused,
}

impl From<wasmtime::Error> for Fault {
    fn from(error: wasmtime::Error) -> Self {
        if let Some(fault) = error.downcast_ref::<Fault>() {
            return fault.clone();
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => Fault::Work,
            Some(trap) => Fault::Trapped(trap.to_string()),
            // Wasmtime has no error type for a call that carries too much, nor for a store with too many instances.
            None => match error.root_cause().to_string() {
                cause if cause.contains("fuel allocated for hostcalls") => Fault::Payload,
                cause => Fault::Trapped(cause),
            },
        }
    }
}
