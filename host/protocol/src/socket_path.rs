//! The path of a socket, however deep its folder is.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// The longest path of a socket, in bytes, that every system takes: 104 bytes on macOS and 108 on Linux, with a zero.
const LONGEST: usize = 103;

/// A path by which the system reaches a socket. It is valid until it is dropped.
#[derive(Debug)]
pub struct SocketPath {
    path: PathBuf,
    /// The folder that the path leads through.
    _folder: Option<File>,
}

impl SocketPath {
    /// Returns a path that is short enough for the system. On Linux a long one leads through the opened folder.
    ///
    /// # Errors
    /// Returns an error if the folder of a long path cannot be opened, or on other systems, where it says that the path is too long.
    pub fn of(path: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::Error::new(ErrorKind::InvalidInput, format!("{} is no path of a socket", path.display())));
        };
        if path.as_os_str().len() <= LONGEST {
            return Ok(Self { path: path.to_owned(), _folder: None });
        }
        if cfg!(not(target_os = "linux")) {
            let path = path.display();
            let why =
                format!("{path} is too long for a socket: set DMPLZ_STATE_DIR so that it has at most {LONGEST} bytes");
            return Err(io::Error::new(ErrorKind::InvalidFilename, why));
        }
        let folder = File::open(folder)?;
        let path = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
        Ok(Self { path, _folder: Some(folder) })
    }

    /// Returns the path, borrowed: who takes it by value, as functions of tokio do, could drop it before the system has read it.
    pub fn as_path(&self) -> &Path {
        &self.path
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::net::{UnixListener, UnixStream};

    use super::*;

    #[test]
    fn a_socket_is_reached_however_long_its_path_is() {
        let state = tempfile::tempdir().unwrap();
        for folder in ["short".to_owned(), "long".repeat(40)] {
            let folder = state.path().join(folder);
            std::fs::create_dir(&folder).unwrap();
            let path = folder.join("socket");
            let listener = UnixListener::bind(SocketPath::of(&path).unwrap().as_path()).unwrap();
            assert!(path.exists());
            UnixStream::connect(SocketPath::of(&path).unwrap().as_path()).unwrap();
            listener.accept().unwrap();
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_as_such() {
        let path = Path::new("/nowhere").join("long".repeat(40)).join("socket");
        assert_eq!(SocketPath::of(&path).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(SocketPath::of(Path::new("/")).is_err());
    }
}
