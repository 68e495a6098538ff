//! The binding of an approval: exactly these arguments, in this folder, with variables of these names, by this file.
//!
//! It is made when the call comes in, shown to the approver, and made again right before the start. Any difference then
//! refuses the start.
//!
//! | bound | how |
//! |---|---|
//! | arguments, names of variables, time-out | as received; they never leave the gateway's memory and store |
//! | folder | its path without links, and its device and inode |
//! | executable | the path found in `PATH` (the call's own, or the gateway's), that path without links, and its SHA-256 |
//!
//! On Linux, folder and executable are opened once. The open files are inspected, hashed, entered and run (through
//! `/proc/self/fd`), so that replacing them afterwards has no effect. Three gaps remain:
//! * The file may be overwritten in place between its hash and its start, by anyone who may write it.
//! * A script (`#!`) is opened again by its interpreter, by its path; its interpreter is not hashed.
//! * Libraries, and the files that a program reads, are not bound.
//!
//! On other systems the path is opened again for the start, so a file may be replaced between hash and start.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dmplz_protocol::tool::InvokeTool;
use rustix::fs::{Access, OFlags, access};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::call::timeout;
use crate::clock::millis;

/// The bound values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Binding {
    argv: Vec<String>,
    /// The folder's path without links.
    pub(super) cwd: PathBuf,
    device: u64,
    inode: u64,
    /// The names of the variables, without their values.
    pub(super) environment: Vec<String>,
    /// The executable's path as it was found.
    pub(super) executable: PathBuf,
    /// The executable's path without links.
    pub(super) real: PathBuf,
    /// The SHA-256 of the executable's content, in hex.
    pub(super) sha256: String,
    pub(super) timeout_ms: u64,
}

/// A binding, with the folder and the executable it was made from held open.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) binding: Binding,
    folder: File,
    program: File,
    is_script: bool,
}

/// Why a call cannot be bound, so that nothing can run.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The folder cannot be used.
    #[error("the folder {} cannot be entered", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// No folder of `PATH` has the executable.
    #[error("{0} was not found: no absolute folder of PATH has it as an executable file")]
    NotFound(String),
    /// The file cannot be read, so it cannot be hashed.
    #[error("the executable {} cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The file is not executable.
    #[error("{} cannot be run: it is no executable file", .0.display())]
    NotExecutable(PathBuf),
    /// The file is neither a program nor a script, so some other program would have to interpret it.
    #[error("{} cannot be run: it is neither a program of this system nor a script that begins with #!", .0.display())]
    UnknownFormat(PathBuf),
    /// The file is larger than the limit for hashing.
    #[error("{} cannot be run: it is larger than {MAX_EXECUTABLE} bytes", .0.display())]
    TooLarge(PathBuf),
    /// The name is no UTF-8, so it cannot be shown in JSON.
    #[error("{} cannot be shown: its name is no UTF-8", .0.display())]
    NoText(PathBuf),
}

/// The most bytes of an executable that is hashed.
pub(crate) const MAX_EXECUTABLE: u64 = 1 << 30;

/// Resolves a call now. `path` is the `PATH` in which the program is searched.
pub(super) fn resolve(invocation: &InvokeTool, path: &str) -> Result<Held, ResolveError> {
    let folder_error = |error| ResolveError::Folder(invocation.cwd.clone(), error);
    let cwd = invocation.cwd.canonicalize().map_err(folder_error)?;
    let folder = File::open(&cwd).map_err(folder_error)?;
    let place = folder.metadata().map_err(folder_error)?;
    if !place.is_dir() {
        return Err(folder_error(io::ErrorKind::NotADirectory.into()));
    }
    let name = invocation.argv.first().map(String::as_str).unwrap_or_default();
    let executable = find(name, &cwd, path).ok_or_else(|| ResolveError::NotFound(name.to_owned()))?;
    let unreadable = |error| ResolveError::Unreadable(executable.clone(), error);
    // Opening a named pipe would wait for its writer.
    let at_once = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let mut program = OpenOptions::new().read(true).custom_flags(at_once).open(&executable).map_err(unreadable)?;
    let metadata = program.metadata().map_err(unreadable)?;
    if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
        return Err(ResolveError::NotExecutable(executable));
    }
    if metadata.len() > MAX_EXECUTABLE {
        return Err(ResolveError::TooLarge(executable));
    }
    let is_script = match format(&mut program).map_err(unreadable)? {
        Some(is_script) => is_script,
        None => return Err(ResolveError::UnknownFormat(executable)),
    };
    let sha256 = hash(&mut program).map_err(unreadable)?;
    let real = executable.canonicalize().map_err(unreadable)?;
    if let Some(odd) = [&cwd, &executable, &real].into_iter().find(|path| path.to_str().is_none()) {
        return Err(ResolveError::NoText(odd.clone()));
    }
    let binding = Binding {
        argv: invocation.argv.clone(),
        cwd,
        device: place.dev(),
        inode: place.ino(),
        environment: invocation.env.keys().cloned().collect(),
        executable,
        real,
        sha256,
        timeout_ms: millis(timeout(invocation)),
    };
    Ok(Held { binding, folder, program, is_script })
}

impl Binding {
    /// Returns the call that was bound, without the values of its variables.
    pub(super) fn invocation(&self) -> InvokeTool {
        let (argv, cwd) = (self.argv.clone(), self.cwd.clone());
        InvokeTool { argv, cwd, env: BTreeMap::new(), timeout_ms: Some(self.timeout_ms) }
    }

    /// Returns the names of the parts that differ; empty if all are equal.
    pub(super) fn changes(&self, now: &Self) -> Vec<&'static str> {
        let differs = [
            ("the arguments", self.argv != now.argv),
            ("the folder", self.cwd != now.cwd || (self.device, self.inode) != (now.device, now.inode)),
            ("the names of the variables", self.environment != now.environment),
            ("where the executable is", self.executable != now.executable || self.real != now.real),
            ("the content of the executable", self.sha256 != now.sha256),
            ("the time-out", self.timeout_ms != now.timeout_ms),
        ];
        differs.into_iter().filter_map(|(what, differs)| differs.then_some(what)).collect()
    }
}

impl Held {
    /// Returns a path to the open folder.
    pub(super) fn folder(&self) -> PathBuf {
        opened(&self.folder).unwrap_or_else(|| self.binding.cwd.clone())
    }

    /// Returns a path to the hashed file. An interpreter must find its script by the script's own path.
    pub(super) fn program(&self) -> PathBuf {
        let direct = if self.is_script { None } else { opened(&self.program) };
        direct.unwrap_or_else(|| self.binding.executable.clone())
    }
}

/// Returns a path to an open file. It is valid in this process, and in its children until they run another program.
fn opened(file: &File) -> Option<PathBuf> {
    cfg!(target_os = "linux").then(|| PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
}

/// Finds the file of a program name. Relative and empty entries of `PATH` depend on the folder, so they are skipped.
fn find(name: &str, cwd: &Path, path: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(cwd.join(name));
    }
    let runs = |file: &PathBuf| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(runs)
}

/// Returns whether the file is a script. `None` if it is neither a script nor a program.
fn format(file: &mut File) -> io::Result<Option<bool>> {
    /// The magic numbers of ELF, and of Mach-O in both widths and for several processors.
    const PROGRAMS: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
    let mut start = Vec::new();
    file.take(4).read_to_end(&mut start)?;
    Ok(match start {
        start if start.starts_with(b"#!") => Some(true),
        start if PROGRAMS.contains(&start.as_slice()) => Some(false),
        _ => None,
    })
}

fn hash(file: &mut File) -> io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    // A file that grows while it is read is not the file that was inspected.
    io::copy(&mut file.take(MAX_EXECUTABLE + 1), &mut hasher)?;
    Ok(hex::encode(hasher.finalize()))
}
