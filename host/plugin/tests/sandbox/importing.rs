//! What is refused when it is loaded.

use dmplz_plugin::{Component, ImportError, LoadError};

use crate::bench::engine;

fn load(wat: &str) -> Result<Component, LoadError> {
    Component::from_wasm(engine(), &wat::parse_str(wat).unwrap())
}

#[test]
fn a_forbidden_import_is_refused_by_its_name() {
    for import in [
        "evil:host/shell@0.2.0",
        "wasi:http/outgoing-handler@0.2.6",
        "wasi:io/streams@0.3.0",
        "dmplz:messenger/http@0.2.0",
    ] {
        let error = load(&format!("(component (import \"{import}\" (instance (export \"run\" (func)))))"));
        let Err(LoadError::Import(ImportError::Forbidden(name))) = error.map(drop) else { panic!("{import} loaded") };
        assert_eq!(name, import);
    }
}

#[test]
fn an_import_of_ours_with_other_types_is_refused() {
    let error = load("(component (import \"dmplz:messenger/clock@0.1.0\" (instance (export \"now\" (func)))))");
    assert!(matches!(error.map(drop), Err(LoadError::Export(_))));
}

#[test]
fn what_is_no_provider_is_refused() {
    assert!(matches!(load("(component)").map(drop), Err(LoadError::Export(_))));
    assert!(matches!(load("(module)").map(drop), Err(LoadError::Compile(_))));
    assert!(matches!(Component::from_wasm(engine(), b"not wasm at all").map(drop), Err(LoadError::Compile(_))));
}
