use std::path::Path;

use crate::command::Home;

#[test]
fn a_build_in_a_checkout_is_told_from_an_installed_copy() {
    let home = Home::new();
    let report = home.run(&["update", "--json"]).json();
    assert_eq!((&report["installed_by"], &report["then"]), (&"checkout".into(), &serde_json::Value::Null), "{report}");
    assert!(report["command"].as_str().unwrap().contains("git pull && cargo build --locked --profile"), "{report}");

    let prefix = home.path().join("prefix");
    for folder in ["bin", "share/dmplz"] {
        std::fs::create_dir_all(prefix.join(folder)).unwrap();
    }
    let installed = prefix.join("bin/dmplz");
    std::fs::copy(env!("CARGO_BIN_EXE_dmplz"), &installed).unwrap();
    let update = |at: &Path| {
        let mut there = std::process::Command::new(at);
        let output = there.arg("update").env_clear().env("HOME", home.path()).envs(home.environment()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert!(update(&installed).contains("installed by: not known\nReplace this file"), "{}", update(&installed));
    std::fs::write(prefix.join("share/dmplz/installed-by"), "install.sh\n").unwrap();
    std::fs::write(prefix.join("share/dmplz/releases"), "https://example.org/releases\n").unwrap();
    let told = update(&installed);
    let command = format!(
        "curl -fsSL https://example.org/releases/latest/download/install.sh | sh -s -- --prefix {}",
        prefix.canonicalize().unwrap().display()
    );
    assert!(told.contains("the installer (install.sh)\n") && told.contains(&command), "{told}");
}
