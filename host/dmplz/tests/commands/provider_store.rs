//! What a provider stores in the state directory, with the hostile component, which does as its settings say.

use std::fs;

use dmplz_guests::HOSTILE;
use serde_json::Value;

use crate::command::Home;
use crate::provider::{component, rebuilt};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

/// A home whose provider stores and reads while `dmplz doctor` looks.
fn home(provider: &str, script: &str, home: Home) -> Home {
    let settings = [
        ("DMPLZ_PROVIDER", provider),
        ("DMPLZ_HOSTILE_TOKEN", TOKEN),
        ("DMPLZ_HOSTILE_SPARE", TOKEN),
        ("DMPLZ_HOSTILE_CHAT_ID", "c"),
        ("DMPLZ_HOSTILE_MODE", "keep"),
        ("DMPLZ_HOSTILE_AT", "diagnose"),
        ("DMPLZ_HOSTILE_SCRIPT", script),
    ];
    settings.into_iter().fold(home, |home, (name, value)| home.with(name, value))
}

/// Returns what the provider saw.
fn seen(home: &Home) -> String {
    let told: Value = home.run(&["doctor", "--json"]).json();
    let checks = told["checks"].as_array().unwrap().iter();
    let post = checks.filter(|check| check["about"] == "post").map(|check| check["what"].to_string());
    post.collect::<String>()
}

#[test]
fn a_provider_in_a_file_reads_what_it_stored_and_another_file_of_its_name_does_not() {
    let first = Home::new();
    let file = component(&first, "x.wasm", HOSTILE).display().to_string();
    let first = home(&file, "set since 17", first);
    assert!(seen(&first).contains("done"), "{}", seen(&first));
    let first = first.with("DMPLZ_HOSTILE_SCRIPT", "get since");
    assert!(seen(&first).contains("17"), "{}", seen(&first));
    fs::write(&file, rebuilt()).unwrap();
    assert!(seen(&first).contains("none"), "{}", seen(&first));
}

#[test]
fn what_an_installed_provider_stored_goes_with_it() {
    let first = Home::new();
    component(&first, "x.wasm", HOSTILE);
    assert_eq!(first.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    let first = home("hostile", "set since 17", first);
    assert!(seen(&first).contains("done"), "{}", seen(&first));
    let stored = first.state().join("stored/installed-hostile");
    assert_eq!(fs::read_dir(&stored).unwrap().count(), 2, "a file and its lock");
    component(&first, "x.wasm", &rebuilt());
    assert_eq!(first.run(&["provider", "update", "./x.wasm", "--yes"]).code, Some(0));
    let first = first.with("DMPLZ_HOSTILE_SCRIPT", "get since");
    assert!(seen(&first).contains("17"), "an update keeps it: {}", seen(&first));
    assert_eq!(first.run(&["provider", "remove", "hostile"]).code, Some(0));
    assert!(!stored.exists());
}
