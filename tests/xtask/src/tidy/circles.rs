//! Finds files and folders of a crate that import each other in a circle: none of them can be read, or changed, without the others.
//!
//! | an import is | it is none |
//! |---|---|
//! | `use` of a name, and a path to one, of the file that defines the name | of a file whose module is around the importing one: its `super`, and so on; `pub use` of a name that the file itself does not need |
//! | in all code of the crate, and of the messengers' folders that become modules of it | in tests |
//!
//! A folder imports another one of the same folder if a file of it does: a module with the modules in it counts as one.
//!
//! A circle may remain with a reason, in a table of the map. A row stands for one circle of files, and for those of the folders that it
//! names.

mod folders;
mod graph;
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::crates::{Crate, Imports, Place, Tree};
use super::files::TextFile;
use crate::Finding;
use table::Row;

/// Returns the circles that the table does not have, and the rows of the table that are no circle.
pub(super) fn check(files: &[TextFile], crates: &[Crate<'_>]) -> Vec<Finding> {
    let map = files.iter().find(|file| file.path == Path::new(table::MAP));
    let mut rows = map.map_or_else(Vec::new, |map| table::rows(&map.text));
    let mut findings = Vec::new();
    for Crate { folder, tree } in crates {
        let imports = tree.imports();
        let circles = graph::circles(&imports);
        let of_files = circles.iter().filter_map(|circle| circle_of_files(tree, &imports, circle));
        let of_files: Vec<_> = of_files.filter(|circle| !circle.may_remain(folder, &mut rows, true)).collect();
        // A circle of files is one of their folders as well, which is told once.
        let of_folders = if of_files.is_empty() { folders::circles(tree, &imports) } else { Vec::new() }.into_iter();
        let of_folders = of_folders.filter(|circle| !circle.may_remain(folder, &mut rows, false));
        findings.extend(of_files.into_iter().chain(of_folders).filter_map(|circle| circle.finding(folder)));
    }
    findings.extend(rows.iter().filter(|row| row.circles == 0).map(|row| {
        let modules = row.modules.join(", ");
        let what = format!("delete the row: no files of {modules} import each other in a circle that no other row has");
        Finding::new(Path::new(table::MAP), Some(row.line), what)
    }));
    findings
}

/// Files, or folders, that import each other.
struct Circle {
    /// What they are, in words.
    of: &'static str,
    /// Their modules: `a/b`.
    modules: Vec<String>,
    /// The shortest way around: the file of each import, its line and what it names.
    steps: Vec<(PathBuf, Place)>,
}

impl Circle {
    /// Returns whether a row of the table has the circle; `alone`: one that has no other.
    fn may_remain(&self, folder: &Path, rows: &mut [Row], alone: bool) -> bool {
        let row = rows
            .iter_mut()
            .find(|row| row.folder == folder && row.covers(&self.modules) && !(alone && row.circles > 0));
        row.map(|row| row.circles += 1).is_some()
    }

    fn finding(self, folder: &Path) -> Option<Finding> {
        let (first, place) = self.steps.first()?;
        let line = |(file, place): &(PathBuf, Place)| format!("\n  {}:{}: {}", file.display(), place.line, place.named);
        let what = format!(
            "{} import each other in a circle:{}\n  Move what two of them need into one that needs neither. If there is a reason for \
             the circle, give it in {}, \"{}\": | `{}` | `{}` |",
            self.of,
            self.steps.iter().map(line).collect::<String>(),
            table::MAP,
            table::HEADING,
            folder.display(),
            self.modules.join("`, `"),
        );
        Some(Finding::new(first, Some(place.line), what))
    }
}

fn circle_of_files(tree: &Tree<'_>, imports: &Imports, circle: &BTreeSet<usize>) -> Option<Circle> {
    let modules = circle.iter().filter_map(|file| Some(tree.files.get(*file)?.module.join("/"))).collect();
    let step = |step: (usize, usize)| Some((tree.files.get(step.0)?.path.clone(), imports.get(&step)?.clone()));
    let steps = graph::shortest(imports, circle).into_iter().map(step).collect::<Option<_>>()?;
    Some(Circle { of: "files", modules, steps })
}

#[cfg(test)]
mod tests;
