//! Compresses the files of a release as gzip.

use std::io::Write;

use flate2::{Compression, GzBuilder};

/// Compresses bytes, without a name or a time.
pub(super) fn gz(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
