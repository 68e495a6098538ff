//! Reads the circles that may remain: a table of the map, which gives the reason of each.

use std::path::PathBuf;

/// The map of the host.
pub(super) const MAP: &str = "host/ARCHITECTURE.md";
/// The heading of the table in it.
pub(super) const HEADING: &str = "Remaining cycles of imports";

/// A circle that may remain.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The line of the table, from 1.
    pub(super) line: usize,
    /// The folder of the crate, relative to the root.
    pub(super) folder: PathBuf,
    /// The modules that the circle is in, with those below them: `a/b`.
    pub(super) modules: Vec<String>,
    /// How many circles were found in them.
    pub(super) circles: usize,
}

impl Row {
    /// Returns whether all of these modules are below those of the row.
    pub(super) fn covers(&self, modules: &[String]) -> bool {
        let is_below = |module: &str, outer: &str| {
            module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        modules.iter().all(|module| self.modules.iter().any(|outer| is_below(module, outer)))
    }
}

/// Returns the rows of the table: the crate's folder and the modules are the names in `code` in its first two columns. A folder without
/// `/` is in `host`.
pub(super) fn rows(map: &str) -> Vec<Row> {
    let lines = map.lines().enumerate();
    let below = lines.skip_while(|(_, line)| line.strip_prefix("## ") != Some(HEADING)).skip(1);
    let table = below.take_while(|(_, line)| !line.starts_with("## "));
    let row = |(at, line): (usize, &str)| {
        let mut cells = line.strip_prefix('|')?.split('|').map(in_code);
        let folder = cells.next()?.into_iter().next()?;
        let folder = if folder.contains('/') { folder } else { format!("host/{folder}") };
        Some(Row { line: at + 1, folder: folder.into(), modules: cells.next()?, circles: 0 })
    };
    table.filter_map(row).collect()
}

fn in_code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
