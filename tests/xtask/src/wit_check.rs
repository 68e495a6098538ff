//! Checks the contract, and what the bundled components import.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use dmplz_guest_build::{MESSENGERS, RUST_IMPORTS, SOCKET_IMPORT, package};
use wit_parser::decoding::{DecodedWasm, decode};
use wit_parser::{Docs, Resolve, TypeOwner};

use crate::Finding;

/// The world that providers are written for.
const WORLD: &str = "messenger";

/// The end of the `export_provider!` call of a provider that uses WebSockets.
const WITH_SOCKETS: &str = " with sockets);";

/// The parsed contract in `wit/`.
#[derive(Debug)]
pub struct Contract {
    /// The number of interfaces.
    pub interfaces: usize,
    /// The number of functions in all interfaces.
    pub functions: usize,
    /// The number of named types in all interfaces.
    pub types: usize,
    /// The items without documentation.
    pub findings: Vec<Finding>,
}

/// The sorted imports of each component, by the name of its package.
pub type Imports = BTreeMap<String, Vec<String>>;

/// Parses `wit/`.
///
/// # Errors
/// Returns an error if the contract does not parse, or has no world for providers.
pub fn contract(root: &Path) -> anyhow::Result<Contract> {
    let directory = Path::new("wit");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(root.join(directory)).context("parse the contract")?;
    let world = resolve.select_world(&[package], Some(WORLD)).context("find its world")?;
    let mut findings = Vec::new();
    let mut check = |what: String, docs: &Docs| {
        if docs.contents.as_ref().is_none_or(|text| text.trim().is_empty()) {
            findings.push(Finding::new(directory, None, format!("say what {what} is for")));
        }
    };
    let world = resolve.worlds.get(world).context("find its world")?;
    check(format!("the world {}", world.name), &world.docs);
    let (mut interfaces, mut functions, mut types) = (0, 0, 0);
    for (_, interface) in resolve.interfaces.iter().filter(|(_, interface)| interface.package == Some(package)) {
        let name = interface.name.clone().unwrap_or_default();
        check(format!("the interface {name}"), &interface.docs);
        interfaces += 1;
        for (function, item) in &interface.functions {
            check(format!("{name}.{function}"), &item.docs);
            functions += 1;
        }
    }
    for (_, item) in &resolve.types {
        // An unnamed type is a part of another one. A `use` is documented at its target.
        let (Some(name), TypeOwner::Interface(_)) = (&item.name, item.owner) else { continue };
        if !matches!(item.kind, wit_parser::TypeDefKind::Type(_)) {
            check(format!("the type {name}"), &item.docs);
            types += 1;
        }
    }
    Ok(Contract { interfaces, functions, types, findings })
}

/// Builds the bundled components, in the same directory as the workspace's build, and reads their imports.
///
/// # Errors
/// Returns an error if a component does not compile.
pub fn build(root: &Path) -> anyhow::Result<Imports> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("guests");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--quiet", "--locked", "--lib", "--profile", "guest"]);
    cargo.args(["--target", dmplz_guest_build::TARGET, "--target-dir"]).arg(&target);
    for messenger in MESSENGERS {
        cargo.args(["--package", &package(messenger)]);
    }
    dmplz_guest_build::scrub(&mut cargo);
    anyhow::ensure!(cargo.status().context("start cargo")?.success(), "build the components");
    let directory = target.join(dmplz_guest_build::TARGET).join("guest");
    let read = |package: &str| {
        let file = directory.join(package.replace('-', "_")).with_extension("wasm");
        let wasm = std::fs::read(&file).with_context(|| format!("read {}", file.display()))?;
        anyhow::Ok((package.to_owned(), imports(&wasm)?))
    };
    MESSENGERS.iter().map(|messenger| read(&package(messenger))).collect()
}

/// Returns the sorted names of a component's imports.
///
/// # Errors
/// Returns an error if the bytes are not a component.
pub fn imports(wasm: &[u8]) -> anyhow::Result<Vec<String>> {
    let DecodedWasm::Component(resolve, world) = decode(wasm).context("read the component")? else {
        bail!("read the component: it is a package of interfaces");
    };
    let world = resolve.worlds.get(world).context("find the component's world")?;
    let mut names: Vec<String> = world.imports.keys().map(|key| resolve.name_world_key(key)).collect();
    names.sort();
    Ok(names)
}

/// Returns the imports that are missing from a component's list, and the listed imports that it does not have.
pub fn unexpected(components: &Imports) -> Vec<Finding> {
    let mut findings = Vec::new();
    for messenger in MESSENGERS {
        let package = package(messenger);
        let imports = components.get(&package).map(Vec::as_slice).unwrap_or_default();
        let mut find = |what: String| findings.push(Finding::new(Path::new(&package), None, what));
        let pinned = pinned(messenger);
        for import in imports.iter().filter(|import| !pinned.contains(&import.as_str())) {
            find(format!("imports {import}, which is not on its list"));
        }
        for import in pinned.iter().filter(|pinned| !imports.iter().any(|import| import == *pinned)) {
            find(format!("does not import {import}: take it off its list"));
        }
    }
    findings
}

/// Returns the imports that a messenger's component is expected to have. Sockets are included only if its source asks
/// for them.
fn pinned(messenger: &str) -> Vec<&'static str> {
    let source = crate::root().join("providers").join(messenger).join("src/lib.rs");
    let source = std::fs::read_to_string(source).unwrap_or_default();
    let socket = source.contains(WITH_SOCKETS).then_some(SOCKET_IMPORT);
    RUST_IMPORTS.iter().copied().chain(socket).collect()
}

#[cfg(test)]
mod tests;
