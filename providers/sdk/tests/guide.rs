//! Tests that the excerpts in the author guide are in the providers' files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests: what is not as it should be fails loudly")]

use std::path::Path;

/// Returns the excerpts of the guide: the file of a link at the end of a line, and the code below it.
fn excerpts(guide: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = guide.lines().peekable();
    while let Some(line) = lines.next() {
        let file = line.strip_suffix("):").and_then(|line| line.rsplit_once("](")).map(|(_, file)| file);
        let Some(file) = file.filter(|file| file.ends_with(".rs")) else { continue };
        while lines.next_if(|line| line.is_empty()).is_some() {}
        assert!(lines.next().is_some_and(|line| line.starts_with("```rust")), "code of {file}");
        let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        found.push((file.to_owned(), code.join("\n")));
    }
    found
}

#[test]
fn every_excerpt_of_the_guide_is_in_its_file() {
    let providers = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let guide = std::fs::read_to_string(providers.join("README.md")).unwrap();
    let excerpts = excerpts(&guide);
    assert!(excerpts.len() >= 4, "{excerpts:?}");
    for (file, code) in excerpts {
        let source = std::fs::read_to_string(providers.join(&file)).unwrap();
        // Omitted parts are marked by three dots.
        for part in code.split("\n// ...\n") {
            assert!(source.contains(part), "{file} says something else than:\n{part}");
        }
    }
}
