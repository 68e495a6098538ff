//! Why a command cannot be run, found before anybody is asked.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is wrong with the folder or the executable of a command. It displays the message of the error; `error` is what
/// the system says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the sentence of each variant says what it and its values are")]
pub enum NotRunnable {
    #[error("the folder {} cannot be entered: {error}", .folder.display())]
    Folder { folder: PathBuf, error: String },
    #[error("{program} was not found: no absolute folder of PATH has it as an executable file")]
    NotFound { program: String },
    /// It cannot be hashed.
    #[error("the executable {} cannot be read: {error}", .file.display())]
    Unreadable { file: PathBuf, error: String },
    #[error("{} cannot be run: it is no executable file", .file.display())]
    NotExecutable { file: PathBuf },
    /// Some other program would have to interpret it.
    #[error("{} cannot be run: it is neither a program of this system nor a script that begins with #!", .file.display())]
    UnknownFormat { file: PathBuf },
    #[error("{} cannot be run: it is larger than {most} bytes", .file.display())]
    TooLarge { file: PathBuf, most: u64 },
}
