//! The templates of JavaScript and Python, by the commands that `provider new` prints, with a real registry. Their toolchains come from
//! npm and PyPI, so that `.ci/run` runs these tests by themselves.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::{answers_a_card, keeps_its_promises, workspace};
use crate::command::Home;
use crate::registry::RealRegistry;

#[test]
fn a_folder_for_javascript_or_python_has_the_contract_and_says_how_it_is_built() {
    let home = Home::new();
    let left = home.run(&["provider", "new", "my-chat", "--lang", "javascript"]);
    insta::assert_snapshot!(left.stdout, @"
    The folder my-chat is written. Next:
      cd my-chat
      npm install
      npm run build
      dmplz provider test my_chat.wasm --wire wire.json
    ");
    assert_eq!(contract(&home.path().join("work/my-chat/wit")), contract(&workspace().join("wit")));
    let left = home.run(&["provider", "new", "our-chat", "--lang", "python"]);
    insta::assert_snapshot!(left.stdout, @"
    The folder our-chat is written. Next:
      cd our-chat
      python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
      .venv/bin/componentize-py -d wit -w messenger componentize -p src provider -o our_chat.wasm
      dmplz provider test our_chat.wasm --wire wire.json
    ");
}

#[test]
#[ignore = "needs npm, which `.ci/run` looks for"]
fn a_new_provider_in_javascript_builds_keeps_its_promises_and_asks_by_a_card() {
    builds_and_asks("javascript");
}

#[test]
#[ignore = "needs PyPI, which `.ci/run` looks for"]
fn a_new_provider_in_python_builds_keeps_its_promises_and_asks_by_a_card() {
    builds_and_asks("python");
}

/// The WIT files of a folder, by name.
fn contract(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "wit"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

fn builds_and_asks(language: &str) {
    let home = Home::new();
    let left = home.run(&["provider", "new", "my-chat", "--lang", language]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let printed: Vec<&str> = left.stdout.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let binaries = Path::new(env!("CARGO_BIN_EXE_dmplz")).parent().unwrap().display();
    let script = format!("PATH=\"{binaries}:$PATH\"\n{}", printed.join("\n"));
    let output = Command::new("sh")
        .args(["-ec", &script])
        .current_dir(home.path().join("work"))
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    std::fs::copy(home.path().join("work/my-chat/my_chat.wasm"), home.path().join("work/my_chat.wasm")).unwrap();
    keeps_its_promises(&home);
    let registry = RealRegistry::start(home.path());
    let reference = registry.push("ann/my-chat", &home.path().join("work/my_chat.wasm"));
    answers_a_card(home, &reference);
}
