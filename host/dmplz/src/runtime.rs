//! The runtime in which hooks and commands wait. The gateway builds its own (`serve.rs`).

use tokio::runtime::{Builder, Runtime};

/// Returns a runtime of one thread, for whatever waits.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
