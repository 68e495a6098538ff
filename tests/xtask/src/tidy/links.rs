//! Checks the links of Markdown files.

use std::path::Path;

use super::files::TextFile;
use crate::Finding;

/// Returns the links to files that do not exist. Links to the web and to headings are not checked.
pub(super) fn check(root: &Path, files: &[TextFile]) -> Vec<Finding> {
    files.iter().filter(|file| file.has_extension("md")).flat_map(|file| broken(root, file)).collect()
}

fn broken(root: &Path, file: &TextFile) -> Vec<Finding> {
    let directory = root.join(file.path.parent().unwrap_or(Path::new("")));
    let mut in_code = false;
    let mut findings = Vec::new();
    for (line, text) in file.lines() {
        in_code ^= text.trim_start().starts_with("```");
        if in_code {
            continue;
        }
        for target in targets(text) {
            let path = target.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
            if !elsewhere && !directory.join(path).exists() {
                findings.push(Finding::new(&file.path, Some(line), format!("there is no {path} to link to")));
            }
        }
    }
    findings
}

/// Returns the targets of the links in a line: `[text](target)` outside of `code`.
fn targets(line: &str) -> Vec<&str> {
    let prose = line.split('`').step_by(2);
    prose.flat_map(|text| text.split("](").skip(1)).filter_map(|rest| rest.split([')', ' ']).next()).collect()
}
