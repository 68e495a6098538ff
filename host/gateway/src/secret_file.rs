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

/// Why a secret that is made once cannot be used. The text names its file.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read or written.
    #[error("{0} cannot be used")]
    Io(String, #[source] io::Error),
    /// Other users could read the file, or it belongs to another user.
    #[error("{0} cannot be used: it must be a plain file of ours with mode 0600; delete it and a new one is made")]
    Exposed(String),
    /// The file does not hold a secret in our format.
    #[error("{0} cannot be used: {1}; delete it and a new one is made")]
    Malformed(String, &'static str),
    /// The system has no source of randomness.
    #[error("no key of web push could be made")]
    Random,
}

/// Reads a secret from its short file, or makes one if there is no file. `named` is what people call it, and `malformed`
/// says what a text is that `parse` does not take. Only the gateway that holds the directory's lock calls this.
pub(crate) fn open<T>(
    path: &Path,
    named: &str,
    parse: impl Fn(&str) -> Option<T>,
    malformed: &'static str,
    make: impl FnOnce() -> Result<String, SecretError>,
) -> Result<T, SecretError> {
    let named = format!("{named} {}", path.display());
    let found = match read_at_most(path, LONGEST) {
        Err(Unusable::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            write(path, &make()?).map_err(|error| SecretError::Io(named.clone(), error))?;
            read_at_most(path, LONGEST)
        }
        found => found,
    };
    match found {
        Ok(text) => parse(&text).ok_or(SecretError::Malformed(named, malformed)),
        Err(Unusable::Io(error)) => Err(SecretError::Io(named, error)),
        Err(Unusable::Exposed) => Err(SecretError::Exposed(named)),
    }
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
