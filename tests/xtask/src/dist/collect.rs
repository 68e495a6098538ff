//! What is made of all archives in the folder: checksums, the installer, the formula.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use super::{Options, SUMMARY, VERSION};

/// The list of checksums, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// Stands where no address was given; the installer then asks for one.
const NOWHERE: &str = "";

/// The targets of the formula, with its conditions.
const HOMEBREW: [(&str, &str, &str); 4] = [
    ("on_macos", "on_arm", "aarch64-apple-darwin"),
    ("on_macos", "on_intel", "x86_64-apple-darwin"),
    ("on_linux", "on_arm", "aarch64-unknown-linux-musl"),
    ("on_linux", "on_intel", "x86_64-unknown-linux-musl"),
];

pub(super) fn collect(root: &Path, options: &Options) -> anyhow::Result<Vec<PathBuf>> {
    let template = |name: &str| {
        let path = root.join("packaging").join(name);
        fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
    };
    let releases = options.releases.as_deref().unwrap_or(NOWHERE);
    let filled = |text: String| text.replace("@RELEASES@", releases).replace("@VERSION@", VERSION);
    let mut made = Vec::new();
    let mut put = |name: &str, text: String| -> anyhow::Result<()> {
        let path = options.out.join(name);
        fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
        made.push(path);
        Ok(())
    };
    put("install.sh", filled(template("install.sh")?))?;
    put("Containerfile", filled(template("Containerfile")?))?;
    let archives = sums(&options.out, |name| name.ends_with(".tar.gz"))?;
    if options.releases.is_some() {
        let formula = filled(template("dmplz.rb")?).replace("@SUMMARY@", SUMMARY);
        put("dmplz.rb", formula.replace("@ARCHIVES@\n", &of_homebrew(&archives, releases)?))?;
    }
    let mut lines = String::new();
    for (name, sum) in sums(&options.out, |name| name != SUMS)? {
        writeln!(lines, "{sum}  {name}")?;
    }
    put(SUMS, lines)?;
    Ok(made)
}

/// Returns the names and checksums of the files in a folder.
fn sums(folder: &Path, wanted: impl Fn(&str) -> bool) -> anyhow::Result<Vec<(String, String)>> {
    let mut sums = Vec::new();
    for file in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        let file = file?;
        let name = file.file_name().into_string().ok().context("read the names of the files")?;
        if file.file_type()?.is_file() && wanted(&name) {
            let sum: String = Sha256::digest(fs::read(file.path())?).iter().map(|byte| format!("{byte:02x}")).collect();
            sums.push((name, sum));
        }
    }
    sums.sort();
    Ok(sums)
}

/// Returns the addresses and checksums of the formula.
fn of_homebrew(archives: &[(String, String)], releases: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    for (system, processor, target) in HOMEBREW {
        if let Some((name, sum)) = archives.iter().find(|(name, _)| name.starts_with(&format!("dmplz-{target}"))) {
            writeln!(text, "  {system} do\n    {processor} do")?;
            writeln!(text, "      url \"{releases}/download/v{VERSION}/{name}\"\n      sha256 \"{sum}\"")?;
            writeln!(text, "    end\n  end")?;
        }
    }
    Ok(text)
}
