//! A package for Fedora and its kin, made by `rpmbuild` (Debian has it in the package `rpm`).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::tree::Tree;
use super::{SUMMARY, VERSION};

/// What keeps the same files the same package: no stripping, no links by build id, no name of this machine, times of the commit.
const SETTINGS: [&str; 8] = [
    "debug_package %{nil}",
    "__os_install_post %{nil}",
    "_build_id_links none",
    "_buildhost localhost",
    "_binary_payload w9.gzdio",
    "use_source_date_epoch_as_buildtime 1",
    "clamp_mtime_to_source_date_epoch 1",
    "_build_name_fmt %%{NAME}_%%{ARCH}.rpm",
];

/// Returns RPM's name of a processor: that of the target.
pub(super) fn arch(target: &str) -> &str {
    target.split('-').next().unwrap_or(target)
}

/// Whether there is an `rpmbuild`.
pub(super) fn is_possible() -> bool {
    let version = Command::new("rpmbuild").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Writes the package `dmplz_<arch>.rpm` into a folder.
///
/// # Errors
/// Returns an error if `rpmbuild` cannot be run or refuses.
pub(super) fn rpm(root: &Path, tree: &Tree, arch: &str, time: u64, out: &Path) -> anyhow::Result<()> {
    let files = tree.fedora()?;
    let folder = tempfile::tempdir()?;
    let (content, spec) = (folder.path().join("content"), folder.path().join("dmplz.spec"));
    for (path, file) in &files.files {
        let path = content.join(path);
        fs::create_dir_all(path.parent().context("name the folder of a file")?)?;
        fs::write(&path, &file.bytes)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(file.mode))?;
    }
    let template = fs::read_to_string(root.join("packaging/dmplz.spec")).context("read packaging/dmplz.spec")?;
    let line = |(path, file): (&String, &super::tree::File)| format!("%attr({:04o}, root, root) /{path}\n", file.mode);
    let requires = tree.glibc().map(|version| format!("Requires: glibc >= {version}, libgcc")).unwrap_or_default();
    let text = template
        .replace("@VERSION@", VERSION)
        .replace("@SUMMARY@", SUMMARY)
        .replace("@REQUIRES@\n", &if requires.is_empty() { requires } else { requires + "\n" })
        .replace("@FILES@\n", &files.files.iter().map(line).collect::<String>());
    fs::write(&spec, text)?;

    let mut command = Command::new("rpmbuild");
    command.args(["-bb", "--quiet", "--target", &format!("{arch}-linux")]);
    for setting in SETTINGS {
        command.args(["--define", setting]);
    }
    command.arg("--define").arg(format!("_topdir {}", folder.path().display()));
    command.arg("--define").arg(format!("_rpmdir {}", out.display()));
    command.arg("--define").arg(format!("files_of_dmplz {}", content.display()));
    command.arg(&spec).env("SOURCE_DATE_EPOCH", time.to_string()).stdin(Stdio::null());
    let output = command.output().context("run rpmbuild")?;
    ensure!(output.status.success(), "make an rpm: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}
