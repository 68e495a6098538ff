//! At most one gateway runs per state directory: the process that holds `gateway.lock`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;

use crate::StateDir;
use crate::dir::found;
use crate::lock::{open_ours, try_exclusive, try_shared};

const FILE: &str = "gateway.lock";
/// An upper bound on the length of a process id.
const MAX_PID: u64 = 32;

/// Makes this process the gateway until it is dropped or the process ends.
#[derive(Debug)]
pub struct Instance {
    _file: File,
}

/// Why this process is not the gateway.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// Another process is the gateway of this state directory; the value is its id.
    #[error("another gateway is already running (process {0})")]
    Running(u32),
    /// Another process is the gateway, and has not written its id yet.
    #[error("another gateway is about to start")]
    Starting,
    /// The lock file cannot be opened, locked or written.
    #[error("{path} cannot be used")]
    Io {
        /// The lock file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Instance {
    /// Makes this process the gateway of a state directory.
    pub fn claim(state: &StateDir) -> Result<Self, InstanceError> {
        let path = state.path().join(FILE);
        let io = |source| InstanceError::Io { path: path.clone(), source };
        let mut file = open_ours(OpenOptions::new().read(true).write(true).create(true), &path).map_err(io)?;
        if !try_exclusive(&file).map_err(io)? {
            return Err(pid(&mut file).map_or(InstanceError::Starting, InstanceError::Running));
        }
        file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(io)?;
        Ok(Self { _file: file })
    }

    /// Returns the process id of the running gateway, if there is one.
    pub fn running(state: &StateDir) -> Result<Option<u32>, InstanceError> {
        let path = state.path().join(FILE);
        let io = |source| InstanceError::Io { path: path.clone(), source };
        let file = found(open_ours(OpenOptions::new().read(true), &path)).map_err(io)?;
        let Some(mut file) = file else { return Ok(None) };
        Ok(if try_shared(&file).map_err(io)? { None } else { pid(&mut file) })
    }
}

/// Returns the process id in the file. It is for people only: the lock decides.
fn pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_PID).read_to_string(&mut text).ok()?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_gateway_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path()).unwrap();
        assert_eq!(Instance::running(&state).unwrap(), None);
        let first = Instance::claim(&state).unwrap();
        let us = std::process::id();
        assert!(matches!(Instance::claim(&state), Err(InstanceError::Running(pid)) if pid == us));
        assert_eq!(Instance::running(&state).unwrap(), Some(us));
        drop(first);
        assert_eq!(Instance::running(&state).unwrap(), None);
        drop(Instance::claim(&state).unwrap());
    }
}
