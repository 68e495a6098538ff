//! What the program is made of: a list in CycloneDX 1.5, and the licences of all of it, from Cargo's own figures.
//!
//! Counted are the packages that the program is linked from for the target, those of the bundled components, and the C library of a
//! static program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::{Map, Value, json};

use super::VERSION;

/// A package in the program.
#[derive(Debug, Clone)]
pub(super) struct Part {
    id: String,
    name: String,
    version: String,
    licence: String,
    /// Whether it comes from a registry, and not from this repository.
    foreign: bool,
    checksum: Option<String>,
    folder: PathBuf,
    needs: Vec<String>,
}

impl Part {
    /// Returns the name under which others refer to it.
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// A library that the compiler brings along, in the program.
#[derive(Debug, Clone)]
pub(super) struct SystemLibrary {
    name: &'static str,
    version: String,
    licence: &'static str,
    copyright: &'static str,
}

/// Returns what a program is linked with beside its packages. The compiler's target for musl brings its own copy of the C library.
pub(super) fn system_libraries(target: &str) -> anyhow::Result<Vec<SystemLibrary>> {
    let rust = Command::new("rustc").arg("--version").output().context("run rustc --version")?;
    let rust = String::from_utf8_lossy(&rust.stdout);
    let mut libraries = vec![SystemLibrary {
        name: "rust-std",
        version: rust.split(' ').nth(1).context("read what rustc --version says")?.to_owned(),
        licence: "(MIT OR Apache-2.0) AND Apache-2.0 WITH LLVM-exception",
        copyright: "Copyright (c) The Rust Project Contributors; libunwind: the LLVM Project",
    }];
    if target.ends_with("-linux-musl") {
        let archive = super::standard_library(target)?.join("self-contained/libc.a");
        let archive = fs::read(&archive).with_context(|| format!("read {}", archive.display()))?;
        libraries.push(SystemLibrary {
            name: "musl",
            version: musl(&archive).context("find the version of musl")?,
            licence: "MIT",
            copyright: "Copyright (c) 2005-2020 Rich Felker, et al.",
        });
    }
    Ok(libraries)
}

/// Returns the version of musl, which a file of its archive holds as a text.
fn musl(archive: &[u8]) -> Option<String> {
    let file = archive.windows(11).position(|window| window == b"version.lo/")?;
    let mut words = archive.get(file..)?.split(|byte| !byte.is_ascii_digit() && *byte != b'.');
    let is_version = |word: &&[u8]| word.split(|byte| *byte == b'.').filter(|part| !part.is_empty()).count() == 3;
    words.find(is_version).map(|version| String::from_utf8_lossy(version).into_owned())
}

/// Returns all parts, by name and version.
pub(super) fn parts(root: &Path, target: &str) -> anyhow::Result<Vec<Part>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--locked", "--format-version", "1", "--filter-platform", target]).current_dir(root);
    let output = cargo.output().context("run cargo metadata")?;
    ensure!(output.status.success(), "list the packages: {}", String::from_utf8_lossy(&output.stderr).trim());
    let metadata: Value = serde_json::from_slice(&output.stdout).context("read cargo metadata")?;
    let checksums = checksums(root)?;
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata, "/resolve/nodes").map(|node| (text(node, "id"), node)).collect();
    let packages: BTreeMap<&str, &Value> =
        array(&metadata, "/packages").map(|package| (text(package, "id"), package)).collect();
    let is_root = |package: &Value| {
        let manifest = text(package, "manifest_path");
        text(package, "name") == "dmplz" || manifest.starts_with(&format!("{}/providers/", root.display()))
    };
    let roots = packages.values().filter(|package| is_ours(package) && is_root(package));
    let mut open: Vec<&str> = roots.map(|package| text(package, "id")).collect();
    let mut parts = BTreeMap::new();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let package = packages.get(id).context("read the packages of cargo metadata")?;
        let linked = |dependency: &&Value| {
            array(dependency, "/dep_kinds").any(|kind| kind.get("kind").is_none_or(Value::is_null))
        };
        let needs: Vec<&str> = nodes
            .get(id)
            .map(|node| array(node, "/deps").filter(linked).map(|dependency| text(dependency, "pkg")).collect())
            .unwrap_or_default();
        open.extend(&needs);
        let (name, version) = (text(package, "name").to_owned(), text(package, "version").to_owned());
        let part = Part {
            id: id.to_owned(),
            checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
            licence: text(package, "license").to_owned(),
            foreign: !is_ours(package),
            folder: Path::new(text(package, "manifest_path")).parent().map(Path::to_owned).unwrap_or_default(),
            needs: needs.into_iter().map(str::to_owned).collect(),
            name: name.clone(),
            version: version.clone(),
        };
        parts.insert((name, version, id.to_owned()), part);
    }
    Ok(parts.into_values().collect())
}

/// Returns the checksums of the lock file.
fn checksums(root: &Path) -> anyhow::Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = fs::read_to_string(root.join("Cargo.lock")).context("read Cargo.lock")?.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).context("read the packages of Cargo.lock")?;
    let field = |package: &toml::Value, name: &str| Some(package.get(name)?.as_str()?.to_owned());
    let entry = |package| Some(((field(package, "name")?, field(package, "version")?), field(package, "checksum")?));
    Ok(packages.iter().filter_map(entry).collect())
}

/// Returns the list. No number is drawn for it, so that it is the same each time.
pub(super) fn cyclonedx(parts: &[Part], libraries: &[SystemLibrary], time: u64) -> anyhow::Result<String> {
    let by_id: BTreeMap<&str, &Part> = parts.iter().map(|part| (part.id.as_str(), part)).collect();
    let component = |part: &Part, kind: &str| {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("type", kind.into());
        put("bom-ref", part.purl().into());
        put("name", part.name.as_str().into());
        put("version", part.version.as_str().into());
        if !part.licence.is_empty() {
            // Old manifests write `MIT/Apache-2.0`.
            put("licenses", json!([{ "expression": part.licence.replace('/', " OR ") }]));
        }
        if part.foreign {
            put("purl", part.purl().into());
        }
        if let Some(checksum) = &part.checksum {
            put("hashes", json!([{ "alg": "SHA-256", "content": checksum }]));
        }
        Value::Object(fields)
    };
    let (main, rest): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(|part| part.name == "dmplz" && !part.foreign);
    let main = main.first().context("find dmplz among the packages")?;
    let needs = |part: &Part| -> Vec<String> {
        part.needs.iter().filter_map(|id| by_id.get(id.as_str())).map(|part| part.purl()).collect()
    };
    let library = |SystemLibrary { name, version, licence, .. }: &SystemLibrary| {
        let purl = format!("pkg:generic/{name}@{version}");
        json!({ "type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": [{ "expression": licence }], "purl": purl })
    };
    let components: Vec<Value> =
        rest.iter().map(|part| component(part, "library")).chain(libraries.iter().map(library)).collect();
    let time = jiff::Timestamp::from_second(i64::try_from(time)?)?;
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.to_string(),
            "tools": { "components": [{ "type": "application", "name": "dmplz xtask dist", "version": VERSION }] },
            "component": component(main, "application"),
        },
        "components": components,
        "dependencies": parts.iter().map(|part| json!({ "ref": part.purl(), "dependsOn": needs(part) })).collect::<Vec<_>>(),
    });
    Ok(format!("{list:#}\n"))
}

/// Returns the licences of all foreign parts: each text once, below the names of its packages.
pub(super) fn licences(parts: &[Part], libraries: &[SystemLibrary]) -> anyhow::Result<String> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut without = String::new();
    for part in parts.iter().filter(|part| part.foreign) {
        let mut any = false;
        let folder = fs::read_dir(&part.folder).with_context(|| format!("read {}", part.folder.display()))?;
        for file in folder {
            let file = file?;
            let name = file.file_name().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"];
            if is_licence.iter().any(|word| name.starts_with(word)) && file.path().is_file() {
                let text = String::from_utf8_lossy(&fs::read(file.path())?).replace("\r\n", "\n");
                texts.entry(text).or_default().insert(format!("{} {}", part.name, part.version));
                any = true;
            }
        }
        if !any {
            writeln!(without, "{} {}: {}", part.name, part.version, part.licence)?;
        }
    }
    let mut all = String::from("The libraries in dmplz, and their licences.\n\n");
    for SystemLibrary { name, version, licence, copyright } in libraries {
        writeln!(all, "{name} {version}: {licence}. {copyright}")?;
    }
    writeln!(all)?;
    writeln!(all, "Packages whose licence is named in their manifest alone:\n{without}")?;
    for (text, packages) in texts {
        let packages: Vec<String> = packages.into_iter().collect();
        writeln!(all, "{}\n{}\n\n{}\n", "-".repeat(80), packages.join(", "), text.trim_end())?;
    }
    Ok(all)
}

fn array<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether a package is of this repository, and not of a registry.
fn is_ours(package: &Value) -> bool {
    package.get("source").is_none_or(Value::is_null)
}
