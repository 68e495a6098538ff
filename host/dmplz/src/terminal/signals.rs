//! Signals as a descriptor, for what waits for a terminal or a socket too, without a runtime.

use std::io::Write;
use std::os::unix::net::UnixStream;

use tokio::signal::unix::{SignalKind, signal};

/// Returns a descriptor that becomes readable with every signal of these kinds. They no longer end this process.
pub(crate) fn signals(kinds: &[SignalKind]) -> anyhow::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    for kind in kinds {
        let mut theirs = theirs.try_clone()?;
        let runtime = crate::runtime::runtime()?;
        let mut signals = runtime.block_on(async { signal(*kind) })?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            runtime.block_on(async { while signals.recv().await.is_some() && theirs.write_all(b"!").is_ok() {} });
        })?;
    }
    Ok(ours)
}
