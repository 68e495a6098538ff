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
use super::tree::glibc_of;

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

/// A library of the machine that built the program.
#[derive(Debug, Clone)]
pub(super) struct SystemLibrary {
    name: &'static str,
    version: String,
    licence: &'static str,
}

/// Returns what a program is statically linked with, beside its packages. The program was built on this machine.
pub(super) fn system_libraries(program: &[u8], target: &str) -> anyhow::Result<Vec<SystemLibrary>> {
    if !target.ends_with("-linux-gnu") || glibc_of(program).is_some() {
        return Ok(Vec::new());
    }
    let version = |command: &str, argument: &str| {
        let output = Command::new(command).arg(argument).output().with_context(|| format!("run {command}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        text.split_whitespace()
            .last()
            .map(str::to_owned)
            .with_context(|| format!("read what {command} {argument} says"))
    };
    Ok(vec![
        SystemLibrary { name: "glibc", version: version("getconf", "GNU_LIBC_VERSION")?, licence: "LGPL-2.1-or-later" },
        SystemLibrary {
            name: "libgcc",
            version: version("cc", "-dumpversion")?,
            licence: "GPL-3.0-or-later WITH GCC-exception-3.1",
        },
    ])
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
    let library = |SystemLibrary { name, version, licence }: &SystemLibrary| {
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
    for SystemLibrary { name, version, licence } in libraries {
        writeln!(all, "{name} {version}, linked statically: {licence}")?;
    }
    if !libraries.is_empty() {
        writeln!(all, "With another version of them, `cargo xtask dist` in dmplz's sources makes the program anew.\n")?;
    }
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
