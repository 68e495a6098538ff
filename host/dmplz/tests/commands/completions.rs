//! Tests of `dmplz completions`: real shells load the scripts, and get completions at a TAB.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::command::Home;
use crate::gateway::Gateway;

const ID: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

/// Returns the completions of the last of these words, as fish asks for them.
fn completed(home: &Home, words: &[&str]) -> Vec<String> {
    let asked = [&["--", "dmplz"], words].concat();
    let output = home.command(&asked).env("DMPLZ_COMPLETE", "fish").stdin(Stdio::null()).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn commands_and_options_are_completed() {
    let home = Home::new();
    assert_eq!(completed(&home, &["appr"]), ["approvals"]);
    assert!(completed(&home, &["approvals", "deny", "--re"]).contains(&"--reason".to_owned()));
    assert!(completed(&home, &["completions", ""]).contains(&"nushell".to_owned()));
}

#[test]
fn ids_of_open_requests_are_completed_and_nothing_of_what_they_ask() {
    let home = Home::new();
    assert_eq!(completed(&home, &["approvals", "approve", "3"]), [] as [&str; 0], "no gateway is no error");
    let gateway = Gateway::start(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let _hook = gateway.asking(ID, "curl -H 'authorization: hunter2' x");
    assert_eq!(completed(&home, &["approvals", "approve", "3f"]), [ID]);
    assert_eq!(completed(&home, &["approvals", "show", "4"]), [] as [&str; 0]);
    let asked = ["--", "dmplz", "approvals", "deny", ""];
    let output = home.command(&asked).env("DMPLZ_COMPLETE", "fish").output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("Bash · /home/ann/shop") && !told.contains("hunter2"), "{told}");
}

#[test]
fn a_script_is_installed_where_bash_looks_and_bash_loads_it() {
    let home = Home::new();
    let left = home.run(&["completions", "bash", "--install"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let path = home.path().join(".local/share/bash-completion/completions/dmplz");
    assert!(left.stdout.starts_with(path.to_str().unwrap()), "{left:?}");
    let loads = format!("source '{}' && complete -p dmplz", path.display());
    let output = Command::new("bash").args(["--norc", "-c", &loads]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("-F _clap_complete_dmplz dmplz"), "{output:?}");
}

#[test]
fn every_shell_gets_a_script_and_one_without_a_folder_for_it_is_told_the_line() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell", "nushell"] {
        let left = home.run(&["completions", shell]);
        assert!(left.code == Some(0) && left.stdout.contains("dmplz"), "{shell}: {left:?}");
    }
    insta::assert_snapshot!(home.run(&["completions", "elvish", "--install"]).stderr, @"dmplz: elvish has no folder for completions; add to rc.elv: eval (dmplz completions elvish | slurp)");
}
