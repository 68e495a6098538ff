//! Files with a secret of this user: written whole, with mode 0600, and read only if nobody else could read them.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use dmplz_state::replace;
use rustix::fs::OFlags;

/// The most bytes that are read of a file with one secret.
const LONGEST: u64 = 1_024;

/// Why a file with a secret cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The file cannot be read.
    Io(io::Error),
    /// Other users could read the file, or it is no plain file of this user.
    Exposed,
}

/// Reads a short file, without the line break at its end.
pub(crate) fn read(path: &Path) -> Result<String, Unusable> {
    read_at_most(path, LONGEST)
}

/// Reads at most `longest` bytes of a file, without the line break at its end.
pub(crate) fn read_at_most(path: &Path, longest: u64) -> Result<String, Unusable> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| {
        match error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
            true => Unusable::Exposed,
            false => Unusable::Io(error),
        }
    })?;
    let metadata = file.metadata().map_err(Unusable::Io)?;
    let ours = metadata.uid() == rustix::process::geteuid().as_raw();
    if !metadata.is_file() || !ours || metadata.mode() & 0o077 != 0 {
        return Err(Unusable::Exposed);
    }
    let mut text = String::new();
    file.take(longest).read_to_string(&mut text).map_err(Unusable::Io)?;
    text.truncate(text.trim_end().len());
    Ok(text)
}

/// Replaces the file, so that it is always complete.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    replace(path, format!("{text}\n").as_bytes())
}
