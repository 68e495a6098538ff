//! What the code that loads a policy file finds wrong with the file as a whole. This crate reads no files; it only says it.

use std::path::{Path, PathBuf};

/// What is wrong with a file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Loading {
    /// A part of it is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It is a folder, a device or a pipe.
    #[error("it is not a plain file")]
    NotPlain,
    /// It is too large; the limit in MiB.
    #[error("it is larger than {0} MiB")]
    TooLarge(u64),
    /// It is a link out of its folder; where to.
    #[error("it is a symbolic link to another place ({})", .0.display())]
    Link(PathBuf),
    /// What the system says.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Another user may have written it.
    #[error("{0}, so what it allows does not count")]
    Suspect(Suspicion),
    /// A person trusted it with another content.
    #[error("it has changed since it was trusted; look at it, and run `dmplz policy trust` if it is as you want it")]
    Changed,
    /// The list of trusted files cannot be used; why.
    #[error("whether it is trusted is not known: {0}")]
    TrustUnknown(TrustList),
}

/// What is wrong with the list of trusted files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustList {
    /// Its content is no such list.
    #[error("{} cannot be read: it is no list of trusted files; remove it, and trust them again", .0.display())]
    Corrupt(PathBuf),
    /// Another user may have written it.
    #[error("{} is not trusted: it belongs to another user, or others may write to it", .0.display())]
    Foreign(PathBuf),
    /// The system refuses to read it.
    #[error("{} cannot be read: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
}

/// Why a file or folder is not trusted: another user may have written it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Suspicion {
    /// It belongs to another user.
    #[error("{} belongs to user {owner}", name(.path, *.is_folder))]
    Owner {
        /// The file, or a folder above it.
        path: PathBuf,
        /// Whether it is a folder.
        is_folder: bool,
        /// The id of the user.
        owner: u32,
    },
    /// Others may write to it.
    #[error("others may write to {} (mode {mode:03o}; `chmod go-w {}`)", name(.path, *.is_folder), .path.display())]
    Writable {
        /// The file, or a folder above it.
        path: PathBuf,
        /// Whether it is a folder.
        is_folder: bool,
        /// Its permissions.
        mode: u32,
    },
    /// Who may write to a folder is not known; what the system says.
    #[error("{} cannot be looked at: {error}", .folder.display())]
    Unseen {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: String,
    },
}

fn name(path: &Path, is_folder: bool) -> String {
    if is_folder { path.display().to_string() } else { "it".to_owned() }
}
