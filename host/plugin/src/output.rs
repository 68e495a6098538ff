//! Captures the standard error of a component, and logs the end of it when the export is over.
//!
//! | rule | value |
//! |---|---|
//! | kept per export | the last 8 KiB, of these the last 32 lines |
//! | level | warning if the export failed, else debug |
//! | lines | as in `log`: printable, 1,024 bytes, without secrets, 64 per export together with the others |
//!
//! Only runtimes for which WASI is linked (`imports`) have a standard error: those of Python and JavaScript report
//! exceptions only there.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

const BYTES: usize = 8 << 10;
const LINES: usize = 32;

/// The end of the output. Its clones share one buffer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// Takes the lines out, oldest first.
    pub(crate) fn take(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines.iter().skip(lines.len().saturating_sub(LINES)).map(|line| (*line).to_owned()).collect()
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = bytes.get(bytes.len().saturating_sub(BYTES)..).unwrap_or_default();
        let too_much = (kept.len() + new.len()).saturating_sub(BYTES);
        kept.drain(..too_much);
        kept.extend_from_slice(new);
    }
}

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for Output {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        self.add(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(BYTES)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {}
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.add(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_it_is_kept() {
        let output = Output::default();
        for number in 0..10_000 {
            output.add(format!("line {number}\n").as_bytes());
        }
        let lines = output.take();
        assert_eq!(
            (lines.len(), lines.first().unwrap().as_str(), lines.last().unwrap().as_str()),
            (32, "line 9968", "line 9999")
        );
        assert!(output.take().is_empty());
        output.add(&vec![b'x'; 3 * BYTES]);
        output.add(b"\n\n \nlast");
        let lines = output.take();
        assert_eq!((lines.len(), lines[0].len(), lines[1].as_str()), (2, BYTES - 8, "last"));
    }
}
