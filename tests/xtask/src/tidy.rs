//! Checks rules about files, names and manifests that the compiler does not check.
//!
//! | what | rule |
//! |---|---|
//! | `.rs` | at most [`MAX_LINES`] lines; no `mod.rs` |
//! | names | no type, module or file is called a manager, helper or util, because such a name says nothing |
//! | documentation | that of public items has more than three words |
//! | unfinished work | no marker of it in code, scripts, manifests and the contract |
//! | imports | no files of a crate import each other in a circle, except those in a table of the map |
//! | `startup.ld` | the code whose names it lists is there |
//! | packages | each has a description and the workspace's lints |
//! | `providers/*/{fake,driver}` | formatted by rustfmt; `cargo fmt` does not find these modules |
//! | Markdown | links to files of the repository are valid |
//! | CHANGELOG.md | exists |

mod circles;
mod crates;
mod files;
mod format;
mod links;
mod packages;
mod sources;
mod startup;

use std::fmt;
use std::path::Path;

use crate::Finding;
use files::TextFile;
pub use startup::Startup;

/// The maximum number of lines of a source file.
pub const MAX_LINES: usize = 600;

/// The result of the checks.
#[derive(Debug, Clone)]
pub struct Report {
    /// The findings, sorted by file.
    pub findings: Vec<Finding>,
    /// The lengths of the `.rs` files.
    pub lengths: Lengths,
    /// The state of the list for the linker.
    pub startup: Startup,
}

/// Statistics of file lengths, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// The number of source files.
    pub files: usize,
    /// The median: half of the files are shorter.
    pub median: usize,
    /// The 95th percentile: one file in twenty is longer.
    pub p95: usize,
    /// The length of the longest file.
    pub longest: usize,
}

/// Checks all rules on the repository at `root`.
///
/// # Errors
/// Returns an error if a file cannot be read or a manifest is not valid TOML.
pub fn tidy(root: &Path) -> anyhow::Result<Report> {
    let files = files::read(root)?;
    let mut findings: Vec<Finding> = files.iter().flat_map(sources::check).collect();
    let crates = crates::read(&files);
    findings.extend(circles::check(&files, &crates));
    let startup = Startup::read(root, &crates)?;
    findings.extend(startup.check());
    findings.extend(links::check(root, &files));
    findings.extend(packages::check(&files)?);
    findings.extend(format::check(root)?);
    let changelog = Path::new("CHANGELOG.md");
    if !root.join(changelog).is_file() {
        findings.push(Finding::new(changelog, None, "there is none"));
    }
    findings.sort();
    Ok(Report { findings, lengths: lengths(&files), startup })
}

fn lengths(files: &[TextFile]) -> Lengths {
    let sources = files.iter().filter(|file| file.has_extension("rs"));
    let mut lines: Vec<usize> = sources.map(|file| file.text.lines().count()).collect();
    lines.sort_unstable();
    let at = |percent: usize| lines.get((lines.len() * percent / 100).min(lines.len().saturating_sub(1)));
    let at = |percent| at(percent).copied().unwrap_or_default();
    Lengths { files: lines.len(), median: at(50), p95: at(95), longest: at(100) }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, median, p95, longest } = self;
        write!(f, "{files} .rs files; lines: median {median}, p95 {p95}, longest {longest}")
    }
}

#[cfg(test)]
mod tests;
