//! The documentation of providers: every command of a `sh` block succeeds, in its order, with a component that is called as
//! the document calls it.

use std::process::Stdio;

use dmplz_guests::HOSTILE;

use crate::command::Home;
use crate::policy_docs::{blocks, path};

#[test]
fn the_english_documentation_of_providers_works() {
    check("PROVIDERS.md", "en");
}

#[test]
fn the_korean_documentation_of_providers_works() {
    check("PROVIDERS.ko.md", "ko");
}

#[track_caller]
fn check(document: &str, lang: &str) {
    let text = std::fs::read_to_string(path(document)).unwrap();
    let text = text.replace("https://chat.acme.example", "https://granted.example").replace("acme", "hostile");
    let home = Home::new().with("DMPLZ_LANG", lang);
    std::fs::write(home.path().join("work/hostile.wasm"), HOSTILE).unwrap();
    let commands: Vec<&str> = blocks(&text, "sh").flatten().collect();
    assert!(commands.len() >= 9, "{document}");
    for command in commands {
        let arguments: Vec<&str> = command.split(' ').skip(1).collect();
        let left = home.run_with(&arguments, Stdio::null());
        assert_eq!(left.code, Some(0), "{document}: {command}\n{left:?}");
    }
    let lines: Vec<String> = blocks(&text, "toml").flatten().map(str::to_owned).collect();
    lines.join("\n").parse::<toml::Table>().unwrap();
}
