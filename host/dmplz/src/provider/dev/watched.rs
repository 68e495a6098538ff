//! The files of a folder that are watched.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders that builds write.
const BUILT: [&str; 4] = ["target", "node_modules", "__pycache__", "bindings"];
/// No folder deeper than this is looked at, and no more files than these.
const DEPTH: usize = 8;
const FILES: usize = 10_000;

/// The files of a folder, with the time of their last change and their size.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Watched(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

impl Watched {
    /// Looks at the files now. What cannot be read is left out.
    pub(super) fn look(folder: &Path) -> Self {
        let mut found = Self::default();
        found.add(folder, DEPTH);
        found
    }

    fn add(&mut self, folder: &Path, depth: usize) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let Ok(metadata) = entry.metadata() else { continue };
            if name.starts_with('.') || self.0.len() >= FILES {
                continue;
            }
            if metadata.is_dir() && depth > 0 && !BUILT.contains(&name.as_ref()) {
                self.add(&path, depth - 1);
            } else if metadata.is_file() && !is_written_by_builds(&name) {
                self.0.insert(path, (metadata.modified().ok(), metadata.len()));
            }
        }
    }
}

fn is_written_by_builds(name: &str) -> bool {
    name.ends_with(".wasm") || ["Cargo.lock", "package-lock.json"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_source_is_seen_and_what_builds_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("src/lib.rs", "1");
        let before = Watched::look(folder.path());
        for built in
            ["target/debug/x", "node_modules/a/b.js", ".venv/x.py", "acme.wasm", "Cargo.lock", "src/__pycache__/x.pyc"]
        {
            write(built, "built");
            assert_eq!(Watched::look(folder.path()), before, "{built}");
        }
        for (file, text) in [("src/lib.rs", "12"), ("src/more/x.rs", ""), ("wire.json", "{}")] {
            let before = Watched::look(folder.path());
            write(file, text);
            assert_ne!(Watched::look(folder.path()), before, "{file}");
        }
    }
}
