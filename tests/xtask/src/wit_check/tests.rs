use super::{Imports, MESSENGERS, contract, package, pinned, unexpected};
use crate::root;

fn as_pinned() -> Imports {
    let names = |messenger: &str| pinned(messenger).into_iter().map(str::to_owned).collect();
    MESSENGERS.iter().map(|messenger| (package(messenger), names(messenger))).collect()
}

#[test]
fn the_contract_is_documented() {
    let contract = contract(root()).unwrap();
    assert!(contract.findings.is_empty(), "{:#?}", contract.findings);
    assert!(contract.interfaces >= 4 && contract.functions >= 8 && contract.types >= 10, "{contract:?}");
}

#[test]
fn an_item_without_documentation_is_found() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("wit")).unwrap();
    let text =
        "package a:b@0.1.0;\n/// It.\ninterface i { f: func(); record r { x: u8 } }\nworld messenger { export i; }";
    std::fs::write(root.path().join("wit/a.wit"), text).unwrap();
    let findings: Vec<String> = contract(root.path()).unwrap().findings.into_iter().map(|found| found.what).collect();
    assert_eq!(findings, ["say what the world messenger is for", "say what i.f is for", "say what the type r is for"]);
}

#[test]
fn a_new_import_is_found_and_a_lost_one_too() {
    let mut components = as_pinned();
    assert!(unexpected(&components).is_empty());
    let telegram = components.get_mut("dmplz-telegram").unwrap();
    telegram[0] = "wasi:sockets/tcp@0.2.6".to_owned();
    let findings: Vec<String> = unexpected(&components).iter().map(ToString::to_string).collect();
    assert!(findings[0].contains("imports wasi:sockets/tcp@0.2.6"), "{findings:?}");
    assert!(findings[1].contains("does not import"), "{findings:?}");
}

#[test]
fn only_a_provider_that_needs_one_may_import_a_socket() {
    let mut components = as_pinned();
    components.get_mut("dmplz-telegram").unwrap().push("dmplz:messenger/socket@0.10.0".to_owned());
    let findings: Vec<String> = unexpected(&components).iter().map(ToString::to_string).collect();
    assert_eq!(findings, ["dmplz-telegram: imports dmplz:messenger/socket@0.10.0, which is not on its list"]);
}
