//! What of the disk the hooks' settings need: whole files up to a size, and whether a program can be started.

use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dmplz_hooks::script::{Disk, File};
use dmplz_state::read_plain;

/// The maximum size of a settings file, in bytes.
pub(super) const SETTINGS: u64 = 1 << 20;
/// The maximum size of a program that is trusted, in bytes.
pub(super) const PROGRAM: u64 = 64 << 20;
/// The most files below a folder that are looked at.
const MAX_FILES: usize = 500;

/// Reads a plain file of at most `limit` bytes; `None` if there is none.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match read_plain(path, limit) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        read => read.map(|(bytes, _)| Some(bytes)),
    }
}

/// Returns the plain files below a folder, in order; none if there is no such folder. Links to folders are not followed.
pub(super) fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push(entry.path()),
                _ if entry.path().is_file() => files.push(entry.path()),
                _ => {}
            }
        }
        if files.len() + folders.len() > MAX_FILES {
            return Err(io::Error::other(format!("there are more than {MAX_FILES} files in it")));
        }
    }
    files.sort();
    Ok(files)
}

/// The disk, with the folders in which a shell looks for programs.
pub(super) struct RealDisk {
    pub(super) path: String,
}

impl Disk for RealDisk {
    fn file(&self, path: &Path) -> Option<File> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let mut start = [0; 256];
        let count = std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or_default();
        let start = start.get(..count).unwrap_or_default();
        let is_text = !start.contains(&0) && count > 0;
        Some(File {
            is_executable: metadata.permissions().mode() & 0o111 != 0,
            is_bare_text: is_text && !start.starts_with(b"#!"),
        })
    }

    fn is_on_path(&self, name: &str) -> bool {
        std::env::split_paths(&self.path)
            .any(|folder| self.file(&folder.join(name)).is_some_and(|file| file.is_executable))
    }
}
