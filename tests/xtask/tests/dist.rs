//! `cargo xtask dist`, with a small program in the place of the real one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::print_stdout, reason = "a test says what it leaves out")]

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use xtask::dist::{Options, dist};
use xtask::root;

/// Stands in for the program: it says what it is asked for, and no more.
const PROGRAM: &str = r##"#!/bin/sh
case $1 in
--version) echo "dmplz 0.1.0" ;;
completions) echo "# completions for $2" ;;
man) : > "$2/dmplz.1"; : > "$2/dmplz-setup.1" ;;
*) exit 2 ;;
esac
# GLIBC_2.9 GLIBC_2.34 GLIBC_PRIVATE
"##;

struct Made {
    dir: tempfile::TempDir,
    options: Options,
}

impl Made {
    /// Makes everything of the stand-in, for a target.
    fn new(target: &str) -> Self {
        Self::of(target, PROGRAM)
    }

    fn of(target: &str, program: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let binary = dir.path().join("built");
        std::fs::write(&binary, program).unwrap();
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        let options = Options {
            binary: Some(binary),
            runs_here: None,
            target: target.to_owned(),
            out: dir.path().join("out"),
            releases: Some("https://example.org/dmplz/releases".to_owned()),
            time: 1_700_000_000,
            collect: false,
        };
        dist(root(), &options).unwrap();
        Self { dir, options }
    }

    /// Makes everything for this machine.
    fn here() -> Self {
        Self::new(&Options::parse(root(), &[]).unwrap().target)
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = std::fs::read_dir(&self.options.out).unwrap().map(Result::unwrap);
        files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.options.out.join(name)
    }

    /// Runs the installer with the files of this folder.
    fn install(&self, arguments: &[&str]) -> Output {
        let mut sh = Command::new("sh");
        sh.arg(self.path("install.sh")).args(arguments).env("HOME", self.dir.path()).env_remove("DESTDIR");
        sh.env_remove("PREFIX").env("DMPLZ_DOWNLOAD", format!("file://{}", self.options.out.display()));
        sh.output().unwrap()
    }
}

/// Returns paths, modes, owners and times in an archive.
fn listed(archive: &[u8]) -> Vec<(String, u32, u64, u64)> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let entries = archive.entries().unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let header = entry.header();
            let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
            (path, header.mode().unwrap(), header.uid().unwrap(), header.mtime().unwrap())
        })
        .collect()
}

/// Returns the text of a file in an archive.
fn member(archive: &[u8], end: &str) -> String {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let mut entries = archive.entries().unwrap().map(Result::unwrap);
    let mut entry = entries.find(|entry| entry.path_bytes().ends_with(end.as_bytes())).unwrap();
    let mut text = String::new();
    entry.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_archive_has_program_completions_pages_unit_and_licences_and_the_same_bytes_each_time() {
    let made = Made::new("x86_64-unknown-linux-gnu");
    let files = made.files();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let mut expected = vec![
        "Containerfile",
        "SHA256SUMS",
        "dmplz-messenger.wasm",
        "dmplz-x86_64-unknown-linux-gnu.cdx.json",
        "dmplz-x86_64-unknown-linux-gnu.tar.gz",
        "dmplz.rb",
        "dmplz_amd64.deb",
        "dmplz_x86_64.rpm",
        "install.sh",
    ];
    expected.retain(|name| !name.ends_with(".rpm") || has_rpmbuild());
    assert_eq!(names, expected);
    let entries = listed(&files["dmplz-x86_64-unknown-linux-gnu.tar.gz"]);
    assert!(entries.iter().all(|(_, _, owner, time)| (*owner, *time) == (0, 1_700_000_000)), "{entries:?}");
    for (file, mode) in [
        ("bin/dmplz", 0o755),
        ("share/bash-completion/completions/dmplz", 0o644),
        ("share/zsh/site-functions/_dmplz", 0o644),
        ("share/fish/vendor_completions.d/dmplz.fish", 0o644),
        ("share/dmplz/completions/dmplz.ps1", 0o644),
        ("share/dmplz/completions/dmplz.nu", 0o644),
        ("share/dmplz/dmplz.service", 0o644),
        ("share/dmplz/releases", 0o644),
        ("share/man/man1/dmplz-setup.1", 0o644),
        ("share/doc/dmplz/LICENSE-MIT", 0o644),
        ("share/doc/dmplz/LICENSES-THIRD-PARTY", 0o644),
        ("share/doc/dmplz/sbom.cdx.json", 0o644),
    ] {
        let path = format!("dmplz-x86_64-unknown-linux-gnu/{file}");
        let entry = entries.iter().find(|entry| entry.0 == path).unwrap_or_else(|| panic!("{path}: {entries:?}"));
        assert_eq!(entry.1, mode, "{path}");
    }
    assert!(files == Made::new("x86_64-unknown-linux-gnu").files(), "the same program gives the same bytes");
    let of_macos = Made::new("aarch64-apple-darwin").files();
    assert!(!of_macos.keys().any(|name| name.ends_with(".deb") || name.ends_with(".rpm")));
}

#[test]
fn the_list_of_contents_names_packages_with_licence_and_checksum() {
    let files = Made::new("x86_64-unknown-linux-gnu").files();
    let list: serde_json::Value = serde_json::from_slice(&files["dmplz-x86_64-unknown-linux-gnu.cdx.json"]).unwrap();
    let components = list["components"].as_array().unwrap();
    let named = |name: &str| components.iter().find(|component| component["name"] == name);
    let wasmtime = named("wasmtime").unwrap();
    assert_eq!(wasmtime["licenses"][0]["expression"], "Apache-2.0 WITH LLVM-exception");
    assert_eq!(wasmtime["hashes"][0]["content"].as_str().unwrap().len(), 64);
    assert!(named("wit-bindgen").is_some(), "the components are part of the program");
    assert!(named("musl").is_none(), "a program for glibc does not hold the C library");
    assert!(named("insta").is_none() && named("tar").is_none(), "what only tests and tasks use is not");
    assert_eq!(list["metadata"]["component"]["name"], "dmplz");
    let texts = member(&files["dmplz-x86_64-unknown-linux-gnu.tar.gz"], "share/doc/dmplz/LICENSES-THIRD-PARTY");
    assert!(texts.contains("wasmtime 48.") && texts.contains("Permission is hereby granted"));
}

#[test]
fn a_program_for_musl_names_the_c_library_in_it_and_needs_none() {
    let made = Made::of("x86_64-unknown-linux-musl", &PROGRAM.replace("GLIBC_", ""));
    let files = made.files();
    let list: serde_json::Value = serde_json::from_slice(&files["dmplz-x86_64-unknown-linux-musl.cdx.json"]).unwrap();
    let library = list["components"].as_array().unwrap().iter().find(|component| component["name"] == "musl").unwrap();
    assert_eq!(library["licenses"][0]["expression"], "MIT");
    assert!(library["version"].as_str().unwrap().starts_with("1.2."), "{library}");
    let texts = member(&files["dmplz-x86_64-unknown-linux-musl.tar.gz"], "share/doc/dmplz/LICENSES-THIRD-PARTY");
    assert!(texts.contains(": MIT. Copyright (c) 2005-2020 Rich Felker, et al.\n"), "{texts}");
    let deb = Command::new("dpkg-deb").arg("-f").arg(made.path("dmplz_amd64.deb")).arg("Depends").output();
    assert!(deb.is_err() || deb.is_ok_and(|deb| deb.status.success() && deb.stdout.trim_ascii().is_empty()));
}

#[test]
fn dpkg_accepts_the_package() {
    let made = Made::new("x86_64-unknown-linux-gnu");
    let deb = |option: &str| Command::new("dpkg-deb").arg(option).arg(made.path("dmplz_amd64.deb")).output();
    let Ok(told) = deb("-I") else {
        println!("left out: there is no dpkg-deb here");
        return;
    };
    let text = String::from_utf8_lossy(&told.stdout);
    assert!(told.status.success(), "{told:?}");
    for line in ["Package: dmplz", "Architecture: amd64", "Depends: libc6 (>= 2.34), libgcc-s1"] {
        assert!(text.contains(line), "{text}");
    }
    let contents = deb("-c").unwrap();
    let contents = String::from_utf8_lossy(&contents.stdout);
    for line in [
        "-rwxr-xr-x root/root",
        "./usr/bin/dmplz\n",
        "./usr/lib/systemd/user/dmplz.service\n",
        "./usr/share/man/man1/dmplz.1.gz\n",
        "./usr/share/zsh/vendor-completions/_dmplz\n",
        "./usr/share/doc/dmplz/copyright\n",
    ] {
        assert!(contents.contains(line), "{line}: {contents}");
    }
    let tree = made.dir.path().join("tree");
    assert!(
        Command::new("dpkg-deb").arg("-x").arg(made.path("dmplz_amd64.deb")).arg(&tree).status().unwrap().success()
    );
    let unit = std::fs::read_to_string(tree.join("usr/lib/systemd/user/dmplz.service")).unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/dmplz serve --foreground\n"), "{unit}");
}

/// Whether RPM packages can be made and looked at here.
fn has_rpmbuild() -> bool {
    Command::new("rpmbuild").arg("--version").output().is_ok()
}

#[test]
fn rpm_installs_the_package_into_a_fresh_root_and_takes_all_of_it_out() {
    if !has_rpmbuild() {
        println!("left out: there is no rpmbuild here");
        return;
    }
    let made = Made::new("x86_64-unknown-linux-gnu");
    let package = made.path("dmplz_x86_64.rpm");
    let root = made.dir.path().join("root");
    let rpm = |arguments: &[&str]| {
        let mut rpm = Command::new("rpm");
        rpm.arg("--root").arg(&root).arg("--dbpath=/var/lib/rpm").args(arguments);
        let output = rpm.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    std::fs::create_dir(&root).unwrap();
    let package = package.to_str().unwrap();
    let told = rpm(&["-qp", "--info", "--requires", package]);
    for line in
        ["Name        : dmplz", "Architecture: x86_64", "Build Date  : Tue Nov 14 22:13:20 2023", "glibc >= 2.34"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    // Neither a C library nor owners are there: the root is empty, and tests need not run as root.
    let is_root = std::fs::metadata(&root).is_ok_and(|folder| std::os::unix::fs::MetadataExt::uid(&folder) == 0);
    if !is_root {
        println!("left out: only root can install into a folder");
        return;
    }
    rpm(&["-i", "--nodeps", package]);
    let program = std::fs::metadata(root.join("usr/bin/dmplz")).unwrap();
    assert_eq!(program.permissions().mode() & 0o777, 0o755);
    let unit = std::fs::read_to_string(root.join("usr/lib/systemd/user/dmplz.service")).unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/dmplz serve --foreground\n"), "{unit}");
    assert!(root.join("usr/share/man/man1/dmplz.1.gz").exists());
    assert!(root.join("usr/share/zsh/site-functions/_dmplz").exists());
    assert_eq!(rpm(&["-qf", "--queryformat", "%{NAME}", "/usr/bin/dmplz"]), "dmplz");
    rpm(&["-e", "dmplz"]);
    assert!(!files_below(&root.join("usr")).iter().any(|file| file.to_string_lossy().contains("dmplz")));
}

#[test]
fn the_installer_installs_again_and_again_and_takes_all_of_it_out() {
    let made = Made::here();
    let prefix = made.dir.path().join("a prefix");
    let arguments = ["--prefix", prefix.to_str().unwrap()];
    for _ in 0..2 {
        let output = made.install(&arguments);
        assert!(output.status.success(), "{output:?}");
        let version = Command::new(prefix.join("bin/dmplz")).arg("--version").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&version.stdout), "dmplz 0.1.0\n");
    }
    let read = |name: &str| std::fs::read_to_string(prefix.join("share/dmplz").join(name)).unwrap();
    assert_eq!(read("installed-by"), "install.sh\n");
    assert_eq!(read("releases"), "https://example.org/dmplz/releases\n");
    let uninstalled = made.install(&[arguments[0], arguments[1], "--uninstall"]);
    assert!(uninstalled.status.success(), "{uninstalled:?}");
    assert_eq!(files_below(&prefix), Vec::<PathBuf>::new());

    let mut sh = Command::new("sh");
    sh.arg(made.path("install.sh")).env("HOME", "/home/ann").env("DESTDIR", made.dir.path().join("dest"));
    sh.env_remove("PREFIX").env("DMPLZ_DOWNLOAD", format!("file://{}", made.options.out.display()));
    assert!(sh.output().unwrap().status.success());
    assert!(made.dir.path().join("dest/home/ann/.local/bin/dmplz").exists(), "DESTDIR comes before the prefix");
}

#[test]
fn the_installer_refuses_a_wrong_checksum_and_an_address_without_tls() {
    let made = Made::here();
    let prefix = made.dir.path().join("prefix");
    let arguments = ["--prefix", prefix.to_str().unwrap()];
    let archive = made.path(&format!("dmplz-{}.tar.gz", made.options.target));
    let mut bytes = std::fs::read(&archive).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&archive, bytes).unwrap();
    let refused = made.install(&arguments);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("checksum") && said.contains("Nothing was installed"), "{said}");
    assert!(!prefix.exists());

    let mut sh = Command::new("sh");
    sh.arg(made.path("install.sh")).args(arguments).env("DMPLZ_DOWNLOAD", "http://example.org/x");
    let refused = sh.output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is no https address"), "{refused:?}");
    let sums = std::fs::read_to_string(made.path("SHA256SUMS")).unwrap();
    std::fs::write(made.path("SHA256SUMS"), sums.replace("tar.gz", "zip")).unwrap();
    let refused = made.install(&arguments);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("this release has no dmplz for"), "{refused:?}");
    assert!(!prefix.exists());
}

#[test]
fn shellcheck_finds_nothing_in_the_installer() {
    let made = Made::here();
    match Command::new("shellcheck").arg(made.path("install.sh")).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
        Err(_) => println!("left out: there is no shellcheck here"),
    }
}

#[test]
fn the_formula_names_each_archive_with_its_checksum() {
    let mut made = Made::new("x86_64-unknown-linux-musl");
    made.options.target = "aarch64-apple-darwin".to_owned();
    dist(root(), &made.options).unwrap();
    let formula = std::fs::read_to_string(made.path("dmplz.rb")).unwrap();
    let sums = std::fs::read_to_string(made.path("SHA256SUMS")).unwrap();
    for target in ["x86_64-unknown-linux-musl", "aarch64-apple-darwin"] {
        let name = format!("dmplz-{target}.tar.gz");
        let sum = sums.lines().find_map(|line| line.strip_suffix(&format!("  {name}"))).unwrap();
        let part = format!("{name}\"\n      sha256 \"{sum}\"\n");
        assert!(formula.contains(&part), "{formula}");
    }
    assert!(!formula.contains('@') || !formula.contains("@ARCHIVES@"), "{formula}");
    let checked =
        Command::new("sha256sum").args(["-c", "--quiet", "SHA256SUMS"]).current_dir(&made.options.out).output();
    assert!(checked.is_ok_and(|checked| checked.status.success()));
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn the_release_workflow_uses_options_that_there_are() {
    let text = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("cargo xtask dist ").map(|(_, rest)| rest)).collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let words = line.replace("${{ matrix.target }}", "x86_64-unknown-linux-musl").replace('"', "");
        let words: Vec<&str> = words.split(' ').collect();
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| if word.contains('$') { "https://example.org/releases" } else { word })
            .collect();
        Options::parse(root(), &words).unwrap();
    }
}

#[test]
fn an_address_that_a_script_could_misread_is_refused() {
    for refused in ["http://example.org", "https://example.org/$(id)", "https://example.org/' ; '"] {
        assert!(Options::parse(root(), &["--releases", refused]).is_err(), "{refused}");
    }
}
