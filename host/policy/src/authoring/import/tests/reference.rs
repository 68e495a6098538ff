//! A second implementation of Claude Code's matching of commands, written from its documentation, for comparison with
//! the import.
//!
//! It supports only the syntax in the lines of the test: no quotes and no expansions.

/// Returns whether the client would allow a line by rules of the form `Bash(specifier)`.
pub(super) fn allows(specifiers: &[String], line: &str) -> bool {
    parts(line).iter().all(|part| {
        let stripped = stripped(part);
        specifiers.iter().any(|specifier| matches(specifier, part) || matches(specifier, &stripped))
    })
}

/// Returns whether the client would stop a line by such rules.
pub(super) fn stops(specifiers: &[String], line: &str) -> bool {
    parts(line).iter().any(|part| {
        let mut bare = part.as_str();
        while let Some((_, rest)) = bare.split_once(' ').filter(|(word, _)| word.contains('=')) {
            bare = rest;
        }
        let stripped = stripped(bare);
        specifiers.iter().any(|specifier| matches(specifier, bare) || matches(specifier, &stripped))
    })
}

fn parts(line: &str) -> Vec<String> {
    let line =
        ["&&", "||", "|&", ";", "|", "&", "\n"].iter().fold(line.to_owned(), |line, sign| line.replace(sign, "\u{1}"));
    line.split('\u{1}').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Removes wrappers and safe variables.
fn stripped(part: &str) -> String {
    let mut words: Vec<&str> = part.split(' ').collect();
    loop {
        match words.as_slice() {
            ["timeout", _, _, ..] => drop(words.drain(..2)),
            ["time" | "nice" | "nohup" | "command", _, ..] => drop(words.drain(..1)),
            [first, _, ..] if first.starts_with("NODE_ENV=") => drop(words.drain(..1)),
            _ => return words.join(" "),
        }
    }
}

fn matches(specifier: &str, text: &str) -> bool {
    let specifier = match specifier.strip_suffix(":*") {
        Some(words) => format!("{words} *"),
        None => specifier.to_owned(),
    };
    match specifier.strip_suffix(" *") {
        Some(words) if !words.contains('*') && text == words => true,
        _ => glob(specifier.as_bytes(), text.as_bytes()),
    }
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => glob(rest, text) || text.split_first().is_some_and(|(_, text)| glob(pattern, text)),
        (Some((a, pattern)), Some((b, text))) => a == b && glob(pattern, text),
        _ => false,
    }
}

#[test]
fn it_does_what_the_documentation_says() {
    for (specifier, text, expected) in [
        ("npm run build", "npm run build", true),
        ("npm run build", "npm run build --watch", false),
        ("npm run *", "npm run", true),
        ("npm run:*", "npm run test --watch", true),
        ("git * main", "git merge main", true),
        ("git * main", "git log", false),
        ("* --help *", "npm --help x", true),
        ("* --help *", "npm --help", false),
        ("ls *", "lsof", false),
        ("ls*", "lsof", true),
        ("git:* push", "git push", false),
    ] {
        assert_eq!(matches(specifier, text), expected, "{specifier} {text}");
    }
    assert!(allows(&["npm test *".to_owned()], "timeout 30 npm test && NODE_ENV=x npm test"));
    assert!(!allows(&["npm test *".to_owned()], "npm test; rm x"));
    assert!(stops(&["rm *".to_owned()], "ls | FOO=bar rm x"));
}
