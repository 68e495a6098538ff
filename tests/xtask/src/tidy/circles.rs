//! Finds files of a crate that import each other in a circle: none of them can be read, or changed, without the others.
//!
//! | an import is | it is none |
//! |---|---|
//! | `use` of a name, and a path to one, of the file that defines the name | of a file whose module is around the importing one: its `super`, and so on; `pub use` of a name that the file itself does not need |
//! | in all code of the crate, and of the messengers' folders that become modules of it | in tests |
//!
//! A circle may remain with a reason, in a table of the map. A row stands for one circle.

mod graph;
mod table;

use std::path::Path;

use super::crates::{Crate, Tree};
use super::files::TextFile;
use crate::Finding;
use table::Row;

/// Returns the circles that the table does not have, and the rows of the table that are no circle.
pub(super) fn check(files: &[TextFile], crates: &[Crate<'_>]) -> Vec<Finding> {
    let map = files.iter().find(|file| file.path == Path::new(table::MAP));
    let mut allowed = map.map_or_else(Vec::new, |map| table::rows(&map.text));
    let mut findings: Vec<Finding> =
        crates.iter().flat_map(|it| new_circles(&it.tree, it.folder, &mut allowed)).collect();
    findings.extend(allowed.iter().map(|row| {
        let modules = row.modules.join(", ");
        let what = format!("delete the row: no files of {modules} import each other in a circle that no other row has");
        Finding::new(Path::new(table::MAP), Some(row.line), what)
    }));
    findings
}

/// Returns the crate's circles that no row has. A row that has one is taken away.
fn new_circles(tree: &Tree<'_>, folder: &Path, allowed: &mut Vec<Row>) -> Vec<Finding> {
    let imports = tree.imports();
    let mut findings = Vec::new();
    for circle in graph::circles(&imports) {
        let modules: Vec<String> =
            circle.iter().filter_map(|file| Some(tree.files.get(*file)?.module.join("/"))).collect();
        if let Some(row) = allowed.iter().position(|row| row.folder == folder && row.covers(&modules)) {
            allowed.remove(row);
            continue;
        }
        let way = graph::shortest(&imports, &circle);
        let steps = way.iter().zip(way.iter().cycle().skip(1));
        let place = |(from, to): (&usize, &usize)| Some((&tree.files.get(*from)?.path, imports.get(&(*from, *to))?));
        let steps: Vec<_> = steps.filter_map(place).collect();
        let Some((first, place)) = steps.first() else { continue };
        let lines = steps.iter().map(|(file, place)| format!("\n  {}:{}: {}", file.display(), place.line, place.named));
        let what = format!(
            "files import each other in a circle:{}\n  Move what two of them need into a file that needs neither. If there is a reason for \
             the circle, give it in {}, \"{}\": | `{}` | `{}` |",
            lines.collect::<String>(),
            table::MAP,
            table::HEADING,
            folder.display(),
            modules.join("`, `"),
        );
        findings.push(Finding::new(first, Some(place.line), what));
    }
    findings
}

#[cfg(test)]
mod tests;
