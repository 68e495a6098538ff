use std::path::Path;

use super::tidy;
use crate::root;

const MANIFEST: &str = "[package]\nname = \"x\"\ndescription = \"x\"\n[lints]\nworkspace = true\n";

/// Returns the findings in a repository that holds this file beside the files that every repository needs.
fn findings(path: &str, text: &str) -> Vec<String> {
    let repository = tempfile::tempdir().unwrap();
    write(repository.path(), "CHANGELOG.md", "");
    write(repository.path(), "Cargo.toml", MANIFEST);
    write(repository.path(), path, text);
    tidy(repository.path()).unwrap().findings.iter().map(ToString::to_string).collect()
}

fn write(root: &Path, path: &str, text: &str) {
    std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
    std::fs::write(root.join(path), text).unwrap();
}

#[test]
fn this_repository_is_tidy() {
    let report = tidy(root()).unwrap();
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    assert!(report.lengths.median <= 150 && report.lengths.p95 <= 400, "{}", report.lengths);
}

#[test]
fn a_long_file_is_found() {
    assert!(findings("src/a.rs", &"//\n".repeat(600)).is_empty());
    assert_eq!(findings("src/a.rs", &"//\n".repeat(601)), ["src/a.rs: 601 lines are two files; at most 600"]);
}

#[test]
fn a_file_mod_rs_is_found() {
    assert_eq!(findings("src/a/mod.rs", ""), ["src/a/mod.rs: use foo.rs and foo/ instead of foo/mod.rs"]);
}

#[test]
fn names_that_say_nothing_are_found() {
    assert_eq!(findings("src/a.rs", "pub struct CardManager;"), ["src/a.rs:1: name CardManager for what it is"]);
    assert_eq!(findings("src/a.rs", "mod text_utils;"), ["src/a.rs:1: name text_utils for what it is"]);
    assert_eq!(findings("src/helper.rs", ""), ["src/helper.rs: name it for what it is"]);
    assert!(findings("src/a.rs", "struct Utility; // a struct is no helper\n// struct Manager\n").is_empty());
}

#[test]
fn documentation_of_three_words_is_found_on_what_is_public() {
    assert_eq!(
        findings("src/a.rs", "/// The deadline.\n#[derive(Debug)]\npub struct Deadline;\n"),
        ["src/a.rs:1: say it in a sentence that names its subject: The deadline."]
    );
    for text in [
        "/// When the hook ends.\npub struct Deadline;\n",
        "/// The deadline.\n/// It counts from the start.\npub struct Deadline;\n",
        "/// The deadline.\nstruct Deadline;\n",
        "//// The deadline.\npub struct Deadline;\n",
    ] {
        assert!(findings("src/a.rs", text).is_empty(), "{text}");
    }
}

#[test]
fn unfinished_work_is_found() {
    let marker = concat!("// TO", "DO later");
    assert_eq!(findings("a.sh", marker), [concat!("a.sh:1: finish it or leave it out: TO", "DO")]);
    assert!(findings("a.md", marker).is_empty());
}

#[test]
fn packages_need_a_description_and_the_lints() {
    let manifest = "[package]\nname = \"a\"\n";
    assert_eq!(
        findings("a/Cargo.toml", manifest),
        [
            "a/Cargo.toml: say in `description` what the package is",
            "a/Cargo.toml: take the workspace's lints: [lints] workspace = true"
        ]
    );
}

#[test]
fn broken_links_are_found() {
    let text = "[a](b.md) [c](CHANGELOG.md#x) [d](https://example.org) [e](#f) `[g](h)`\n```\n[i](j)\n```\n";
    assert_eq!(findings("a.md", text), ["a.md:1: there is no b.md to link to"]);
    assert_eq!(
        findings("docs/a.md", "[up](../CHANGELOG.md)\n[gone](../gone/)"),
        ["docs/a.md:2: there is no ../gone/ to link to"]
    );
}

#[test]
fn a_missing_changelog_is_found() {
    let repository = tempfile::tempdir().unwrap();
    assert_eq!(tidy(repository.path()).unwrap().findings[0].to_string(), "CHANGELOG.md: there is none");
}
