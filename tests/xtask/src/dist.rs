//! Makes what is given out: an archive, packages, an installer, a formula for Homebrew, checksums and a list of contents.
//!
//! | file | for |
//! |---|---|
//! | `dmplz-<target>.tar.gz` | the program with completions, manual pages, unit and licences, below one folder |
//! | `dmplz_<arch>.deb` | the same where Debian puts it |
//! | `dmplz_<arch>.rpm` | the same where Fedora puts it; left out, in words, where there is no `rpmbuild` |
//! | `dmplz-<target>.cdx.json` | the list of what the program was made of (CycloneDX) |
//! | `dmplz-messenger.wasm` | the contract of providers as a WIT package |
//! | `SHA256SUMS`, `install.sh`, `dmplz.rb`, `Containerfile` | made of all archives in the folder |
//!
//! The same program gives the same bytes: times are `SOURCE_DATE_EPOCH` or that of the last commit, owners are root, and the order
//! is that of names. The `.rpm` is made by a tool, because the library for it turns features of `sha2` on that wasmtime has off,
//! so that wasmtime would be compiled twice. Names carry no version, so that `releases/latest/download/<name>` stays the same address.

mod archive;
mod collect;
mod contract;
mod deb;
mod gz;
mod rpm;
mod sbom;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use tree::Tree;

/// The version of everything.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What a package says of itself.
const SUMMARY: &str = "Asks a person, on their phone, before a coding agent does something";

/// What is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The program; built with the profile `dist` where none is given.
    pub binary: Option<PathBuf>,
    /// The same program for this machine, which writes completions and manual pages, where the other one is for another machine.
    pub runs_here: Option<PathBuf>,
    /// The target of the program, as Rust names it.
    pub target: String,
    /// The folder of the results.
    pub out: PathBuf,
    /// The address below which releases are, such as `https://github.com/NAME/dmplz/releases`.
    pub releases: Option<String>,
    /// Seconds since 1970 that all files carry.
    pub time: u64,
    /// Whether only what is made of all archives of the folder is made.
    pub collect: bool,
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    /// Returns an error for an unknown option, or where the time of the last commit is not known.
    pub fn parse(root: &Path, arguments: &[&str]) -> anyhow::Result<Self> {
        let out = root.join("target/packages");
        let (target, time) = (this_target()?, 0);
        let mut options = Self { binary: None, runs_here: None, target, out, releases: None, time, collect: false };
        let mut arguments = arguments.iter();
        while let Some(option) = arguments.next() {
            let mut value = || arguments.next().copied().with_context(|| format!("use {option}: it needs a value"));
            match *option {
                "--binary" => options.binary = Some(std::path::absolute(value()?)?),
                "--runs-here" => options.runs_here = Some(std::path::absolute(value()?)?),
                "--target" => options.target = value()?.to_owned(),
                "--out" => options.out = std::path::absolute(value()?)?,
                "--releases" => options.releases = Some(address(value()?)?),
                "--collect" => options.collect = true,
                _ => bail!("use {option}: there is no such option"),
            }
        }
        options.time = source_date(root)?;
        Ok(options)
    }
}

/// Checks that an address can stand in scripts as it is.
fn address(address: &str) -> anyhow::Result<String> {
    let plain = address.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/._-".contains(&byte));
    ensure!(plain && address.starts_with("https://"), "use the address {address}: it is no plain https address");
    Ok(address.trim_end_matches('/').to_owned())
}

/// Returns the target of this machine.
pub(crate) fn this_target() -> anyhow::Result<String> {
    let arch = std::env::consts::ARCH;
    Ok(match std::env::consts::OS {
        "linux" => format!("{arch}-unknown-linux-musl"),
        "macos" => format!("{arch}-apple-darwin"),
        other => bail!("make packages for {other}"),
    })
}

/// Returns the time that files carry.
fn source_date(root: &Path) -> anyhow::Result<u64> {
    if let Some(set) = std::env::var_os("SOURCE_DATE_EPOCH") {
        return set.to_str().and_then(|set| set.parse().ok()).context("read SOURCE_DATE_EPOCH: it is no number");
    }
    let output = Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root).output();
    let time = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()?.trim().parse().ok());
    time.context("find the time of the last commit: set SOURCE_DATE_EPOCH")
}

/// Makes the files, and returns their paths.
///
/// # Errors
/// Returns an error if the program cannot be built or run, or a file cannot be written.
#[allow(clippy::print_stderr, reason = "a person at a terminal is told what is left out")]
pub fn dist(root: &Path, options: &Options) -> anyhow::Result<Vec<PathBuf>> {
    fs::create_dir_all(&options.out).with_context(|| format!("make {}", options.out.display()))?;
    let mut made = Vec::new();
    if !options.collect {
        let binary = match &options.binary {
            Some(binary) => binary.clone(),
            None => build(root, &options.target, None)?,
        };
        let (parts, libraries) = (sbom::parts(root, &options.target)?, sbom::system_libraries(&options.target)?);
        let sbom = sbom::cyclonedx(&parts, &libraries, options.time)?;
        let tree = Tree::read(root, &binary, options, &sbom, &sbom::licences(&parts, &libraries)?)?;
        let mut put = |name: String, bytes: Vec<u8>| -> anyhow::Result<()> {
            let path = options.out.join(name);
            fs::write(&path, bytes).with_context(|| format!("write {}", path.display()))?;
            made.push(path);
            Ok(())
        };
        let name = format!("dmplz-{}", options.target);
        put(format!("{name}.cdx.json"), sbom.into_bytes())?;
        put(format!("{name}.tar.gz"), archive::targz(&tree.archive().below(&name), options.time)?)?;
        if options.target.contains("-linux-") {
            let arch = deb::arch(&options.target)?;
            put(format!("dmplz_{arch}.deb"), deb::deb(&tree, arch, options.time)?)?;
            let arch = rpm::arch(&options.target);
            if rpm::is_possible() {
                rpm::rpm(root, &tree, arch, options.time, &options.out)?;
                made.push(options.out.join(format!("dmplz_{arch}.rpm")));
            } else {
                eprintln!("dmplz_{arch}.rpm is left out: there is no rpmbuild here");
            }
        }
    }
    let contract = options.out.join(contract::FILE);
    fs::write(&contract, contract::package(root)?).with_context(|| format!("write {}", contract.display()))?;
    made.push(contract);
    made.extend(collect::collect(root, options)?);
    Ok(made)
}

/// Returns the folder of the target's standard library, which rustup adds where it is missing.
fn standard_library(target: &str) -> anyhow::Result<PathBuf> {
    Ok(dmplz_guest_build::ensure_target(target, &crate::root().join("target"))?)
}

/// Builds the program with the profile `dist`, and returns its path. `map` is where the linker's map goes.
///
/// # Errors
/// Returns an error if it does not build.
pub(crate) fn build(root: &Path, target: &str, map: Option<&Path>) -> anyhow::Result<PathBuf> {
    standard_library(target)?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Paths of the machine that builds are no part of the program.
    let mut flags = std::env::var_os("RUSTFLAGS").unwrap_or_default();
    flags.push(format!(" --remap-path-prefix={}=/dmplz", root.display()));
    // Names that tell one instance of a generic function from another, for `startup.ld`.
    flags.push(" -C symbol-mangling-version=v0");
    if target.ends_with("-linux-musl") {
        // Fixed addresses: host/dmplz/build.rs. The compiler's own LLD takes the list of `startup.ld` quickly.
        flags.push(" -C relocation-model=static -C linker=rust-lld");
        // A static program cannot look up by name whether its C library has getrandom, and would open /dev/urandom at each start.
        flags.push(" --cfg getrandom_backend=\"linux_getrandom\"");
    }
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    dmplz_guest_build::scrub(&mut cargo);
    // The package alone, so that the program has no feature of a dependency that only tests ask for.
    cargo.args(["build", "--locked", "--profile", "dist", "--package", "dmplz", "--target", target, "--target-dir"]);
    cargo.arg(&folder).current_dir(root).env("RUSTFLAGS", flags).envs(map.map(|map| ("DMPLZ_LINK_MAP", map)));
    ensure!(cargo.status()?.success(), "build dmplz for {target}");
    Ok(folder.join(target).join("dist/dmplz"))
}
