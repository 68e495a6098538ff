//! Tests of components that are refused when they are loaded.

use dmplz_plugin::{Component, ImportError, LoadError, OutlineError};

use crate::bench::{Bench, Reply, Server, component, engine};

fn load(wat: &str) -> Result<Component, LoadError> {
    Component::from_wasm(engine(), &wat::parse_str(wat).unwrap())
}

#[test]
fn a_forbidden_import_is_refused_by_its_name() {
    for import in ["evil:host/shell@0.2.0", "wasi:http/outgoing-handler@0.2.6", "wasi:io/streams@0.3.0"] {
        let error = load(&format!("(component (import \"{import}\" (instance (export \"run\" (func)))))"));
        let Err(LoadError::Outline(OutlineError::Import(ImportError::Forbidden(name)))) = error.map(drop) else {
            panic!("{import} loaded")
        };
        assert_eq!(name, import);
    }
}

#[test]
fn an_import_of_ours_with_other_types_is_refused() {
    let provider = "(instance $p) (export \"dmplz:messenger/provider@0.10.0\" (instance $p))";
    let clock = "(import \"dmplz:messenger/clock@0.10.0\" (instance (export \"now\" (func))))";
    let error = load(&format!("(component {clock} {provider})"));
    assert!(matches!(error.map(drop), Err(LoadError::Export(_))));
}

#[test]
fn what_is_no_provider_is_refused() {
    let outline = |error| matches!(error, Err(LoadError::Outline(_)));
    assert!(outline(load("(component)").map(drop)));
    assert!(outline(load("(module)").map(drop)));
    assert!(outline(Component::from_wasm(engine(), b"not wasm at all").map(drop)));
    let empty = load("(component (instance $p) (export \"dmplz:messenger/provider@0.10.0\" (instance $p)))");
    assert!(matches!(empty.map(drop), Err(LoadError::Export(_))));
}

/// The hostile component imports what the runtimes of other languages import, and finds that it does nothing.
#[tokio::test]
async fn wasi_has_nothing_behind_it_but_time_and_random_numbers() {
    for interface in
        ["filesystem/types", "sockets/tcp", "sockets/ip-name-lookup", "cli/environment", "clocks/wall-clock"]
    {
        let prefix = format!("wasi:{interface}@0.2.");
        assert!(component().imports().iter().any(|import| import.starts_with(&prefix)), "{interface}");
    }
    let server = Server::start(|_| Reply::text("ok")).await;
    let target = server.origin.trim_start_matches("http://");
    let saw = Bench::doing("probe", "post").set("url", target).at_time(1_234_567).post().await;
    insta::assert_snapshot!(saw, @"
    arguments 0
    variables 0
    stdin 0 bytes
    list / false
    read /etc/passwd false
    write false
    connect false
    listen false
    datagrams false
    names false
    threads false
    clock 1234567
    random 1
    ");
}
