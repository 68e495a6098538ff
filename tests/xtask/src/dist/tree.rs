//! The files of a package, below a prefix.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::Options;

/// The mode of the program.
const PROGRAM: u32 = 0o755;
/// The mode of everything else.
const FILE: u32 = 0o644;

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) mode: u32,
    pub(super) bytes: Vec<u8>,
}

/// Files by their paths, which are relative.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) files: BTreeMap<String, File>,
}

/// Where each script of completions goes, below the prefix.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "share/bash-completion/completions/dmplz"),
    ("zsh", "share/zsh/site-functions/_dmplz"),
    ("fish", "share/fish/vendor_completions.d/dmplz.fish"),
    ("powershell", "share/dmplz/completions/dmplz.ps1"),
    ("nushell", "share/dmplz/completions/dmplz.nu"),
];

/// What lies in the documentation's folder.
const DOCUMENTS: [&str; 5] = ["README.md", "README.ko.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

impl Tree {
    /// Reads the program and what it says of itself.
    pub(super) fn read(
        root: &Path,
        binary: &Path,
        options: &Options,
        sbom: &str,
        licences: &str,
    ) -> anyhow::Result<Self> {
        let mut tree = Self::default();
        tree.put("bin/dmplz", PROGRAM, read(binary)?);
        let runs = options.runs_here.as_deref().unwrap_or(binary);
        for (shell, path) in COMPLETIONS {
            tree.put(path, FILE, said(runs, &["completions", shell])?);
        }
        let pages = tempfile::tempdir()?;
        said(runs, &["man", pages.path().to_str().context("name the folder of the pages")?])?;
        for page in fs::read_dir(pages.path())? {
            let page = page?;
            let name = page.file_name().into_string().ok().context("read the names of the pages")?;
            tree.put(&format!("share/man/man1/{name}"), FILE, read(&page.path())?);
        }
        for name in DOCUMENTS {
            tree.put(&format!("share/doc/dmplz/{name}"), FILE, read(&root.join(name))?);
        }
        tree.put("share/doc/dmplz/LICENSES-THIRD-PARTY", FILE, licences.as_bytes().to_vec());
        tree.put("share/doc/dmplz/sbom.cdx.json", FILE, sbom.as_bytes().to_vec());
        let unit = fs::read_to_string(root.join("docs/dmplz.service")).context("read docs/dmplz.service")?;
        tree.put("lib/systemd/user/dmplz.service", FILE, unit_of_a_package(&unit)?.into_bytes());
        if let Some(releases) = &options.releases {
            tree.put("share/dmplz/releases", FILE, format!("{releases}\n").into_bytes());
        }
        Ok(tree)
    }

    pub(super) fn put(&mut self, path: &str, mode: u32, bytes: Vec<u8>) {
        self.files.insert(path.to_owned(), File { mode, bytes });
    }

    /// Returns the files of an archive: its unit is one to copy, because systemd would start `/usr/bin/dmplz`.
    pub(super) fn archive(&self) -> Self {
        let moved = |path: &str| match path.strip_prefix("lib/systemd/user/") {
            Some(name) => format!("share/dmplz/{name}"),
            None => path.to_owned(),
        };
        Self { files: self.files.iter().map(|(path, file)| (moved(path), file.clone())).collect() }
    }

    /// Returns the files below a folder.
    pub(super) fn below(&self, folder: &str) -> Self {
        let below = |(path, file): (&String, &File)| (format!("{folder}/{path}"), file.clone());
        Self { files: self.files.iter().map(below).collect() }
    }

    /// Returns the folders of all files, the upper ones first.
    pub(super) fn folders(&self) -> Vec<String> {
        let above = |path: &String| Path::new(path).ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>();
        let folders: std::collections::BTreeSet<_> = self.files.keys().flat_map(above).collect();
        folders.iter().filter_map(|folder| folder.to_str()).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Returns the size of all files, in KiB.
    pub(super) fn kib(&self) -> u64 {
        self.files.values().map(|file| (file.bytes.len() as u64).div_ceil(1_024)).sum()
    }

    /// Returns the files as Debian has them below `/`.
    pub(super) fn debian(&self) -> anyhow::Result<Self> {
        self.of_system("usr/share/zsh/vendor-completions")
    }

    /// Returns the files as Fedora has them below `/`.
    pub(super) fn fedora(&self) -> anyhow::Result<Self> {
        self.of_system("usr/share/zsh/site-functions")
    }

    /// Returns the files below `/`: pages are compressed, and each system has its own folder for what packages give zsh.
    fn of_system(&self, zsh: &str) -> anyhow::Result<Self> {
        let mut tree = Self::default();
        for (path, file) in &self.files {
            let (path, bytes) = match path.strip_prefix("share/zsh/site-functions/") {
                Some(name) => (format!("{zsh}/{name}"), file.bytes.clone()),
                _ if path.starts_with("share/man/") => (format!("usr/{path}.gz"), super::gz::gz(&file.bytes)?),
                _ => (format!("usr/{path}"), file.bytes.clone()),
            };
            tree.put(&path, file.mode, bytes);
        }
        Ok(tree)
    }

    /// Returns the version of glibc that the program needs, from the names of the symbols' versions; `None` for a static one.
    pub(super) fn glibc(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.files.get("bin/dmplz")?.bytes);
        let versions = text.split("GLIBC_").skip(1).filter_map(|rest| {
            let version: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()
        });
        let newest = versions.filter(|version| version.len() > 1).max()?;
        Some(newest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
    }
}

/// Returns the unit with the program's path in a package.
fn unit_of_a_package(unit: &str) -> anyhow::Result<String> {
    let line = |line: &str| {
        if line.starts_with("ExecStart=") {
            "ExecStart=/usr/bin/dmplz serve --foreground".to_owned()
        } else {
            line.to_owned()
        }
    };
    let text: String = unit.lines().map(|text| line(text) + "\n").collect();
    ensure!(text.contains("\nExecStart=/usr/bin/dmplz "), "set the path of the program in the unit");
    Ok(text)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("read {}", path.display()))
}

/// Returns what the program writes.
fn said(program: &Path, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(program);
    // Nothing of the machine that builds gets into the files.
    command.args(arguments).env_clear().env("HOME", home.path()).env("DMPLZ_LANG", "en").stdin(Stdio::null());
    let output = command.output().with_context(|| format!("run {}", program.display()))?;
    ensure!(
        output.status.success(),
        "run {} {}: {}",
        program.display(),
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(output.stdout)
}
