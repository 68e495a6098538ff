//! Finds the effects of a line.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, WatchFlags};

use crate::layout::SECRETS;

/// All effects of a line.
#[derive(Debug, Default)]
pub struct Trace {
    /// Canaries that were started, with their arguments.
    pub started: Vec<String>,
    /// Secrets that were opened.
    pub opened: Vec<&'static str>,
    /// Whether the output contains a secret.
    pub shown: bool,
    /// Files that were changed.
    pub changes: Vec<Change>,
}

/// A file or folder that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The absolute path that was touched.
    pub path: PathBuf,
    /// The kind of the change.
    pub how: How,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The file was created.
    New,
    /// Its content, mode, owner or times were changed.
    Written,
    /// It was deleted. If it was a folder, so was everything in it.
    Gone,
}

/// Observes which secrets are opened. It ends with the mount.
#[derive(Debug)]
pub(super) struct Watch {
    handle: OwnedFd,
    watched: Vec<(i32, &'static str)>,
}

impl Watch {
    pub(super) fn new() -> anyhow::Result<Self> {
        let handle = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        let mut watched = Vec::new();
        for secret in SECRETS {
            let flags = WatchFlags::OPEN | WatchFlags::ACCESS;
            watched.push((inotify::add_watch(&handle, *secret, flags)?, *secret));
        }
        Ok(Self { handle, watched })
    }

    /// Returns the secrets that were opened since the last call.
    pub(super) fn opened(&self) -> Vec<&'static str> {
        let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(&self.handle, &mut buffer);
        let mut opened = Vec::new();
        while let Ok(event) = reader.next() {
            let seen = inotify::ReadFlags::OPEN | inotify::ReadFlags::ACCESS;
            if event.events().intersects(seen) {
                opened.extend(self.watched.iter().find(|(watch, _)| *watch == event.wd()).map(|(_, secret)| *secret));
            }
        }
        opened.sort_unstable();
        opened.dedup();
        opened
    }
}

/// Returns the changes in an upper layer, compared to the template below it.
pub(super) fn changes(upper: &Path, lower: &Path, root: &str) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    walk(upper, Some(lower), Path::new(root), &mut changes)?;
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

fn walk(upper: &Path, lower: Option<&Path>, at: &Path, changes: &mut Vec<Change>) -> anyhow::Result<()> {
    for entry in fs::read_dir(upper)? {
        let entry = entry?;
        let (path, found) = (at.join(entry.file_name()), entry.metadata()?);
        let below = lower.map(|lower| lower.join(entry.file_name()));
        let before = below.as_ref().and_then(|below| fs::symlink_metadata(below).ok());
        let how = match &before {
            // An overlay represents a deleted file by such a device.
            _ if found.file_type().is_char_device() && found.rdev() == 0 => Some(How::Gone),
            None => Some(How::New),
            Some(before) if found.is_dir() && before.is_dir() => {
                if is_opaque(&entry.path()) {
                    Some(How::Gone)
                } else {
                    ((before.mode(), before.uid()) != (found.mode(), found.uid())).then_some(How::Written)
                }
            }
            // A folder that was replaced by a file is deleted with everything in it.
            Some(before) if before.is_dir() => Some(How::Gone),
            Some(_) => {
                let same = below.as_ref().is_some_and(|below| only_branches_differ(&path, below, &entry.path()));
                (!same).then_some(How::Written)
            }
        };
        if found.is_dir() {
            walk(&entry.path(), below.as_deref().filter(|_| how != Some(How::Gone)), &path, changes)?;
        }
        changes.extend(how.map(|how| Change { path, how }));
    }
    Ok(())
}

/// Returns whether only the tracking information of branches differs, which git stores there. A rule that allows `git
/// branch` means that, and nothing else in the file.
fn only_branches_differ(path: &Path, before: &Path, after: &Path) -> bool {
    let rest = |file: &Path| {
        let text = fs::read_to_string(file).ok()?;
        let mut kept = true;
        let rest = text.lines().filter(|line| {
            if line.starts_with('[') {
                kept = !line.starts_with("[branch ");
            }
            kept
        });
        Some(rest.collect::<Vec<_>>().join("\n"))
    };
    path.ends_with(".git/config") && rest(before).is_some_and(|before| Some(before) == rest(after))
}

/// Returns whether a folder replaced the one below it.
fn is_opaque(folder: &Path) -> bool {
    let mut value = [0_u8; 1];
    let names = ["trusted.overlay.opaque", "user.overlay.opaque"];
    names.iter().any(|name| rustix::fs::lgetxattr(folder, *name, &mut value).is_ok() && value == *b"y")
}
