//! Checks the manifests of packages.

use anyhow::Context;
use toml::Table;

use super::files::TextFile;
use crate::Finding;

/// Returns the packages without a description or without the workspace's lints.
pub(super) fn check(files: &[TextFile]) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path.file_name().is_some_and(|name| name == "Cargo.toml")) {
        let manifest: Table = file.text.parse().with_context(|| format!("read {}", file.path.display()))?;
        let Some(package) = manifest.get("package") else { continue };
        if package.get("description").is_none() {
            findings.push(Finding::new(&file.path, None, "say in `description` what the package is"));
        }
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
        if lints != Some(true) {
            findings.push(Finding::new(&file.path, None, "take the workspace's lints: [lints] workspace = true"));
        }
    }
    Ok(findings)
}
