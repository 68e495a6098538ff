//! The package that authors depend on by version holds all that it is built of.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests: what is not as it should be fails loudly")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files in a folder with this extension, by name.
fn files(folder: PathBuf, extension: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|it| it == extension));
    files
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn its_copy_of_the_contract_is_the_contract() {
    let (contract, copy) = (files(here().join("../../wit"), "wit"), files(here().join("wit"), "wit"));
    assert!(contract.len() >= 7);
    assert!(contract == copy, "providers/sdk/wit is another contract: cp wit/*.wit providers/sdk/wit/");
}

#[test]
fn its_minor_version_is_that_of_the_contract() {
    let world = fs::read_to_string(here().join("wit/world.wit")).unwrap();
    let contract =
        world.lines().find_map(|line| line.strip_prefix("package dmplz:messenger@")?.strip_suffix(';')).unwrap();
    let minor = |version: &str| version.rsplit_once('.').unwrap().0.to_owned();
    assert_eq!(minor(env!("CARGO_PKG_VERSION")), minor(contract));
    let readme = fs::read_to_string(here().join("README.md")).unwrap();
    assert!(readme.contains(&format!("dmplz:messenger@{}", minor(contract))), "the README names another contract");
}

/// Listing the files of a package needs no registry and no network.
#[test]
fn the_package_holds_the_contract_the_licences_and_nothing_from_outside() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(here()).args(["package", "--list", "--allow-dirty", "--offline"]);
    let listed = cargo.output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let is_listed = |file: &str| listed.lines().any(|line| line == file);
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "src/lib.rs", "src/testing.rs"] {
        assert!(is_listed(file), "{file} is missing:\n{listed}");
    }
    for file in files(here().join("wit"), "wit").keys() {
        assert!(is_listed(&format!("wit/{file}")), "wit/{file} is missing:\n{listed}");
    }
    for source in listed.lines().filter(|line| line.ends_with(".rs")) {
        let text = fs::read_to_string(here().join(source)).unwrap();
        assert!(!text.contains("../../"), "{source} needs a file that is not in the package");
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(
            fs::read(here().join(licence)).unwrap() == fs::read(here().join("../..").join(licence)).unwrap(),
            "{licence}"
        );
    }
}
