//! A local connection: what is written can be read at once, in order, until an end is dropped.

use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};

/// One end.
pub type Pipe = (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>);

/// Bytes that the system takes before somebody reads.
const BUFFER: usize = 1 << 16;

/// Both ends.
pub fn pair() -> (Pipe, Pipe) {
    let (ours, theirs) = duplex(BUFFER);
    (split(ours), split(theirs))
}
