//! Finds files of a crate that import each other in a circle: none of them can be read, or changed, without the others.
//!
//! | an import is | it is none |
//! |---|---|
//! | `use` of a name, and a path to one, of the file that defines the name | of a file whose module is around the importing one: its `super`, and so on; `pub use` of a name that the file itself does not need |
//! | in all code of the crate, and of the messengers' folders that become modules of it | in tests |
//!
//! A circle may remain with a reason, in a table of the map. A row stands for one circle.

mod graph;
mod source;
mod table;
mod tokens;
mod tree;

use std::path::{Path, PathBuf};

use dmplz_guest_build::MESSENGERS;

use super::files::TextFile;
use crate::Finding;
use table::Row;
use tree::{Texts, Tree};

/// The crates that build scripts give a module of each messenger: its root file in the messenger's folder.
const OF_MESSENGERS: [(&str, &str); 3] =
    [("tests/fakes", "fake/lib.rs"), ("tests/conformance", "driver/platform.rs"), ("tests/e2e", "driver/chat.rs")];

/// Returns the circles that the table does not have, and the rows of the table that are no circle.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let texts: Texts<'_> = files.iter().map(|file| (file.path.as_path(), file.text.as_str())).collect();
    let mut allowed = texts.get(Path::new(table::MAP)).map_or_else(Vec::new, |map| table::rows(map));
    let mut findings = Vec::new();
    for (package, root) in files.iter().filter_map(|file| Some((package_of(&file.path)?, &file.path))) {
        let of_messengers = OF_MESSENGERS.iter().find(|(folder, _)| package == Path::new(folder));
        let in_folder = |name: &'static str| Some((name, ["providers", name, of_messengers?.1].iter().collect()));
        let elsewhere: Vec<(&str, PathBuf)> = MESSENGERS.iter().filter_map(|name| in_folder(name)).collect();
        findings.extend(new_circles(&Tree::read(&texts, root, &elsewhere), package, &mut allowed));
    }
    findings.extend(allowed.iter().map(|row| {
        let modules = row.modules.join(", ");
        let what = format!("delete the row: no files of {modules} import each other in a circle that no other row has");
        Finding::new(Path::new(table::MAP), Some(row.line), what)
    }));
    findings
}

/// Returns the folder of the crate that the file is the root of.
fn package_of(file: &Path) -> Option<&Path> {
    let (folder, name) = (file.parent()?, file.file_name()?);
    let source = if folder.ends_with("src/bin") { folder.parent()? } else { folder };
    let is_root = source.ends_with("src") && (source != folder || name == "lib.rs" || name == "main.rs");
    source.parent().filter(|_| is_root)
}

/// Returns the crate's circles that no row has. A row that has one is taken away.
fn new_circles(tree: &Tree<'_>, package: &Path, allowed: &mut Vec<Row>) -> Vec<Finding> {
    let imports = tree.imports();
    let mut findings = Vec::new();
    for circle in graph::circles(&imports) {
        let modules: Vec<String> =
            circle.iter().filter_map(|file| Some(tree.files.get(*file)?.module.join("/"))).collect();
        if let Some(row) = allowed.iter().position(|row| row.package == package && row.covers(&modules)) {
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
            package.display(),
            modules.join("`, `"),
        );
        findings.push(Finding::new(first, Some(place.line), what));
    }
    findings
}

#[cfg(test)]
mod tests;
