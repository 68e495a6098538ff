//! A package for Debian and its kin: an `ar` of three members (`deb(5)`).

use std::io::Write;

use anyhow::bail;

use super::archive::targz_of_dpkg;
use super::tree::Tree;
use super::{SUMMARY, VERSION};

/// Returns Debian's name of a processor.
pub(super) fn arch(target: &str) -> anyhow::Result<&'static str> {
    Ok(match target.split('-').next() {
        Some("x86_64") => "amd64",
        Some("aarch64") => "arm64",
        _ => bail!("make a package for {target}"),
    })
}

/// Returns the package.
pub(super) fn deb(tree: &Tree, arch: &str, time: u64) -> anyhow::Result<Vec<u8>> {
    let mut files = tree.debian()?;
    let mut copyright =
        b"dmplz is licensed under MIT or Apache-2.0, at your choice: LICENSE-MIT and LICENSE-APACHE in this folder.\n\
        The licences of the libraries in it: LICENSES-THIRD-PARTY.\n"
            .to_vec();
    copyright
        .extend(tree.files.get("share/doc/dmplz/LICENSE-MIT").map(|file| file.bytes.as_slice()).unwrap_or_default());
    files.put("usr/share/doc/dmplz/copyright", 0o644, copyright);
    let mut control = Tree::default();
    control.put("control", 0o644, fields(tree, files.kib(), arch).into_bytes());
    let mut package = b"!<arch>\n".to_vec();
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", targz_of_dpkg(&control, time)?),
        ("data.tar.gz", targz_of_dpkg(&files, time)?),
    ] {
        writeln!(package, "{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, "100644", bytes.len())?;
        package.extend_from_slice(&bytes);
        if bytes.len() % 2 == 1 {
            package.push(b'\n');
        }
    }
    Ok(package)
}

fn fields(tree: &Tree, kib: u64, arch: &str) -> String {
    let depends = tree.glibc().map(|version| format!("Depends: libc6 (>= {version}), libgcc-s1\n")).unwrap_or_default();
    format!(
        "Package: dmplz\nVersion: {VERSION}\nArchitecture: {arch}\nMaintainer: dmplz contributors\nInstalled-Size: {kib}\n{depends}\
         Section: utils\nPriority: optional\nDescription: {SUMMARY}\n \
         dmplz asks you on a messenger before Claude Code runs something, and brings your\n \
         answer back. `dmplz setup` sets it up; `dmplz service install` keeps the gateway running.\n"
    )
}
