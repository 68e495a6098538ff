//! The contract as a WIT package in its binary format, as registries hold it: `wkg publish` takes it, and `wkg wit fetch` brings it into
//! an author's folder.

use std::path::Path;

use anyhow::Context;
use wit_parser::Resolve;

/// The name of its file.
pub(super) const FILE: &str = "dmplz-messenger.wasm";

/// Returns the package of `wit/`, with its documentation.
pub(super) fn package(root: &Path) -> anyhow::Result<Vec<u8>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(root.join("wit")).context("parse the contract")?;
    let bytes = wit_component::encode(&resolve, package);
    bytes.map_err(|error| anyhow::anyhow!("{error:#}")).context("encode the contract")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wit_parser::decoding::{DecodedWasm, decode};

    use super::*;

    #[test]
    fn the_package_is_the_whole_contract_with_its_version_and_its_documentation() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let DecodedWasm::WitPackage(resolve, id) = decode(&package(&root).unwrap()).unwrap() else {
            panic!("it is no WIT package")
        };
        let package = &resolve.packages[id];
        let version = std::fs::read_to_string(root.join("providers/sdk/wit/world.wit")).unwrap();
        assert!(version.contains(&format!("package {};", package.name)), "{}", package.name);
        let names: BTreeSet<&str> = package.interfaces.keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(["types", "http", "clock", "log", "provider", "socket", "store"]));
        let provider = &resolve.interfaces[package.interfaces["provider"]];
        assert!(provider.functions.values().all(|function| function.docs.contents.is_some()));
        assert_eq!(package.worlds.keys().collect::<Vec<_>>(), ["messenger"]);
    }
}
