//! Reads the crates of the repository: their modules, and what these define and name.

mod source;
mod tokens;
mod tree;

use std::path::{Path, PathBuf};

use dmplz_guest_build::MESSENGERS;

use super::files::TextFile;
use tree::Texts;

pub(super) use tree::{Imports, Place, Tree};

/// The crates that build scripts give a module of each messenger: its root file in the messenger's folder.
const OF_MESSENGERS: [(&str, &str); 3] =
    [("tests/fakes", "fake/lib.rs"), ("tests/conformance", "driver/platform.rs"), ("tests/e2e", "driver/chat.rs")];

/// A crate of the repository.
#[derive(Debug)]
pub(super) struct Crate<'a> {
    /// The folder of its package, relative to the root.
    pub(super) folder: &'a Path,
    pub(super) tree: Tree<'a>,
}

/// Reads every crate, without those of tests and examples.
pub(super) fn read(files: &[TextFile]) -> Vec<Crate<'_>> {
    let texts: Texts<'_> = files.iter().map(|file| (file.path.as_path(), file.text.as_str())).collect();
    let roots = files.iter().filter_map(|file| Some((package_of(&file.path)?, &file.path)));
    let read = |(folder, root): (_, &PathBuf)| {
        let of_messengers = OF_MESSENGERS.iter().find(|(with, _)| folder == Path::new(with));
        let in_folder = |name: &'static str| Some((name, ["providers", name, of_messengers?.1].iter().collect()));
        let elsewhere: Vec<(&str, PathBuf)> = MESSENGERS.iter().filter_map(|name| in_folder(name)).collect();
        Crate { folder, tree: Tree::read(&texts, root, &elsewhere) }
    };
    roots.map(read).collect()
}

/// Returns the folder of the crate that the file is the root of.
fn package_of(file: &Path) -> Option<&Path> {
    let (folder, name) = (file.parent()?, file.file_name()?);
    let source = if folder.ends_with("src/bin") { folder.parent()? } else { folder };
    let is_root = source.ends_with("src") && (source != folder || name == "lib.rs" || name == "main.rs");
    source.parent().filter(|_| is_root)
}

#[cfg(test)]
mod tests;
