//! What an approval is for: exactly these arguments, in this folder, with variables of these names, by this file.
//!
//! It is made when the call comes in, shown to whoever decides, and made again right before the start. Whatever differs then
//! refuses the start.
//!
//! | bound | how |
//! |---|---|
//! | arguments, names of variables, time-out | as they came; they never leave the gateway's memory and store |
//! | folder | its path without links, and its device and inode |
//! | executable | where `PATH` (the call's own, or the gateway's) leads, where that leads without links, and its SHA-256 |
//!
//! On Linux folder and executable are opened once, and what was opened is looked at, hashed, entered and run (through
//! `/proc/self/fd`), so that nothing which is put in its place afterwards counts. What stays open:
//! * The file may be written in place between its hash and its start, by whoever may write it.
//! * A script (`#!`) is opened again by its interpreter, by its path; its interpreter is not hashed.
//! * Libraries, and the files that a program reads, are what they are when it reads them.
//!
//! On other systems the path is opened again for the start, so a file may be exchanged between hash and start.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, OFlags, access};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::call::Invocation;

/// What is bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Binding {
    argv: Vec<String>,
    /// Without links.
    pub(super) cwd: PathBuf,
    device: u64,
    inode: u64,
    /// Names only.
    pub(super) environment: Vec<String>,
    /// As it was found.
    pub(super) executable: PathBuf,
    /// Without links.
    pub(super) real: PathBuf,
    /// Of its content, in hex.
    pub(super) sha256: String,
    pub(super) timeout_ms: u64,
}

/// What was looked at, held open.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) binding: Binding,
    folder: File,
    program: File,
    is_script: bool,
}

/// Why there is nothing to run.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The folder cannot be used.
    #[error("the folder {} cannot be entered", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// No folder of `PATH` has it.
    #[error("{0} was not found: no absolute folder of PATH has it as an executable file")]
    NotFound(String),
    /// The file cannot be read, so nobody can say what it is.
    #[error("the executable {} cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is no executable file.
    #[error("{} cannot be run: it is no executable file", .0.display())]
    NotExecutable(PathBuf),
    /// It is neither a program nor a script, so that something else would have to be run in its place.
    #[error("{} cannot be run: it is neither a program of this system nor a script that begins with #!", .0.display())]
    UnknownFormat(PathBuf),
    /// It is larger than what is hashed.
    #[error("{} cannot be run: it is larger than {MAX_EXECUTABLE} bytes", .0.display())]
    TooLarge(PathBuf),
    /// A name that JSON cannot carry, so nobody could be shown it.
    #[error("{} cannot be shown: its name is no UTF-8", .0.display())]
    NoText(PathBuf),
}

const MAX_EXECUTABLE: u64 = 1 << 30;

/// Looks at everything, now. `path` is what the program is looked for in.
pub(super) fn resolve(invocation: &Invocation, path: &str) -> Result<Held, ResolveError> {
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
    // A named pipe would let us wait for its writer.
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
        timeout_ms: u64::try_from(invocation.timeout().as_millis()).unwrap_or(u64::MAX),
    };
    Ok(Held { binding, folder, program, is_script })
}

impl Binding {
    /// The call that it was made of, but for the values of its variables.
    pub(super) fn invocation(&self) -> Invocation {
        let timeout = Some(Duration::from_millis(self.timeout_ms));
        Invocation { argv: self.argv.clone(), cwd: self.cwd.clone(), env: BTreeMap::new(), timeout }
    }

    /// What is not as it was, in words; none where everything is.
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
    /// The folder that was looked at.
    pub(super) fn folder(&self) -> PathBuf {
        opened(&self.folder).unwrap_or_else(|| self.binding.cwd.clone())
    }

    /// The file that was hashed. An interpreter has to find its script by a path.
    pub(super) fn program(&self) -> PathBuf {
        let direct = if self.is_script { None } else { opened(&self.program) };
        direct.unwrap_or_else(|| self.binding.executable.clone())
    }
}

/// What is open, as a path of the process that has it open, and of its children until they run something else.
fn opened(file: &File) -> Option<PathBuf> {
    cfg!(target_os = "linux").then(|| PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
}

/// The file that a name means. Empty and relative folders of `PATH` mean another file in every folder, and are left out.
fn find(name: &str, cwd: &Path, path: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(cwd.join(name));
    }
    let runs = |file: &PathBuf| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(runs)
}

/// Whether it is a script; none where it is neither that nor a program.
fn format(file: &mut File) -> io::Result<Option<bool>> {
    /// ELF, and Mach-O in both widths and for several processors.
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
    // What grows while it is read is not what was looked at.
    io::copy(&mut file.take(MAX_EXECUTABLE + 1), &mut Sink(&mut hasher))?;
    Ok(hex::encode(hasher.finalize()))
}

struct Sink<'a>(&'a mut Sha256);

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
