//! The documentation of policies is checked against the binary: every `toml` block loads, and every `console` block shows
//! what its commands print when the first `toml` block is the user's policy, after a few days of answers.
//!
//! `DMPLZ_WRITE_DOCS=1 cargo test ... policy_docs` writes what they print into the documents.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::Home;
use crate::policy::history;

#[test]
fn the_english_documentation_shows_what_the_program_prints() {
    check("POLICY.md", "en");
}

#[test]
fn the_korean_documentation_shows_what_the_program_prints() {
    check("POLICY.ko.md", "ko");
}

#[test]
fn the_documented_rules_load() {
    for document in ["POLICY.md", "POLICY.ko.md"] {
        let text = std::fs::read_to_string(path(document)).unwrap();
        let blocks: Vec<String> = blocks(&text, "toml").map(|block| block.join("\n")).collect();
        assert!(blocks.len() >= 2, "{document}");
        for block in blocks {
            let home = Home::new();
            home.keep("policy.toml", &block);
            for command in ["list", "test"] {
                let left = home.run(&["policy", command]);
                assert_eq!(left.code, Some(0), "{document}: {left:?}\n{block}");
            }
        }
    }
}

#[track_caller]
fn check(document: &str, lang: &str) {
    let path = path(document);
    let text = std::fs::read_to_string(&path).unwrap();
    let home = Home::new().with("DMPLZ_LANG", lang);
    home.keep("policy.toml", &blocks(&text, "toml").next().unwrap().join("\n"));
    home.keep("requests.jsonl", &history());
    let real = with_output(&text, |command| shell(&home, command));
    if real != text && std::env::var_os("DMPLZ_WRITE_DOCS").is_some() {
        std::fs::write(&path, &real).unwrap();
        return;
    }
    assert!(real == text, "{document} does not show what the program prints:\n{}", diff(&text, &real));
}

pub(crate) fn path(document: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(document)
}

/// Returns what a command of the documentation prints, with the home directory of its example user.
fn shell(home: &Home, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_dmplz")).parent().unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{{ {command}; }} 2>&1")]).stdin(Stdio::null()).current_dir(home.path().join("work"));
    bash.env_clear().envs(home.environment()).env("HOME", home.path());
    bash.env("PATH", format!("{}:/usr/bin:/bin", binary.display()));
    let output = bash.output().unwrap();
    let real = home.path().canonicalize().unwrap();
    String::from_utf8(output.stdout).unwrap().replace(real.to_str().unwrap(), "/home/ann")
}

/// Returns the document with the real output of its commands in place of the shown one.
fn with_output(text: &str, run: impl Fn(&str) -> String) -> String {
    let mut real = String::new();
    let mut inside = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        inside = if fence { line == "```console" } else { inside };
        match line.strip_prefix("$ ") {
            Some(command) if inside => real.push_str(&format!("{line}\n{}", run(command))),
            _ if inside && !fence => {}
            _ => real.push_str(&format!("{line}\n")),
        }
    }
    real
}

pub(crate) fn blocks<'t>(text: &'t str, language: &str) -> impl Iterator<Item = Vec<&'t str>> {
    let fence = format!("```{language}");
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        lines.by_ref().find(|line| *line == fence)?;
        Some(lines.by_ref().take_while(|line| *line != "```").collect())
    })
}

fn diff(text: &str, real: &str) -> String {
    let differing = text.lines().zip(real.lines()).find(|(text, real)| text != real);
    differing.map_or("one ends earlier".to_owned(), |(text, real)| format!("shown: {text}\nreal:  {real}"))
}
