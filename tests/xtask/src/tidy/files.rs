//! Reads the repository's text files.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Directories that are not part of the repository.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", "corpus", "artifacts"];
const EXTENSIONS: &[&str] = &["rs", "toml", "md", "wit", "sh", "py", "mjs"];

/// A text file of the repository.
#[derive(Debug)]
pub(super) struct TextFile {
    /// The path relative to the root.
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl TextFile {
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|found| found == extension)
    }

    /// Returns the lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// Reads every file that the rules apply to.
pub(super) fn read(root: &Path) -> anyhow::Result<Vec<TextFile>> {
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(root: &Path, directory: &Path, files: &mut Vec<TextFile>) -> anyhow::Result<()> {
    for entry in directory.read_dir().with_context(|| format!("list {}", directory.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            if !SKIPPED.contains(&name) {
                collect(root, &path, files)?;
            }
        } else if path.extension().and_then(|found| found.to_str()).is_some_and(|found| EXTENSIONS.contains(&found)) {
            let text = std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
            files.push(TextFile { path: path.strip_prefix(root)?.to_owned(), text });
        }
    }
    Ok(())
}
