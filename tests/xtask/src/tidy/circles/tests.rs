use std::path::{Path, PathBuf};

use super::check;
use super::table::{MAP, Row, rows};
use crate::tidy::crates;
use crate::tidy::files::TextFile;

/// Returns the findings in files with these names and texts.
fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<TextFile> =
        files.iter().map(|(path, text)| TextFile { path: path.into(), text: (*text).to_owned() }).collect();
    check(&files, &crates::read(&files)).iter().map(ToString::to_string).collect()
}

#[test]
fn a_circle_is_found_through_the_files_that_define_its_names() {
    let files = [
        ("x/src/lib.rs", "mod a;\nmod b;\nmod c;\nuse a::Shown as _;\n"),
        ("x/src/a.rs", "mod shown;\npub(crate) use shown::Shown;\nuse crate::b;\nfn f() { b::run() }\n"),
        ("x/src/a/shown.rs", "use super::f;\n\npub(crate) struct Shown(crate::c::C);\n"),
        ("x/src/b.rs", "pub(crate) fn run() {}\n"),
        ("x/src/c.rs", "use crate::a::{Shown,\n    Other};\nuse crate::b::run as r;\npub(crate) struct C;\n"),
    ];
    assert_eq!(
        findings(&files),
        ["x/src/a/shown.rs:3: files import each other in a circle:\n  \
          x/src/a/shown.rs:3: crate::c::C\n  \
          x/src/c.rs:1: crate::a::Shown\n  \
          Move what two of them need into one that needs neither. If there is a reason for the circle, give it in \
          host/ARCHITECTURE.md, \"Remaining cycles of imports\": | `x` | `a/shown`, `c` |"]
    );
}

#[test]
fn a_file_may_import_from_those_around_it() {
    let files = [
        ("x/src/lib.rs", "mod a;\nuse a::b::B;\npub struct Root;\n"),
        ("x/src/a.rs", "pub mod b;\nuse b::B;\npub struct A;\n"),
        ("x/src/a/b.rs", "use super::A;\nuse crate::Root;\nmod inner { use super::B; }\npub struct B;\n"),
    ];
    assert!(findings(&files).is_empty(), "{:?}", findings(&files));
}

#[test]
fn a_circle_with_a_reason_may_remain_and_a_reason_without_a_circle_may_not() {
    let map = "# Map\n## Remaining cycles of imports\n\n| crate | cycle | reason |\n|---|---|---|\n| `x` | `a`, `b` (rows) | `c` |\n\n## Else\n| `y` | `z` | |\n";
    assert_eq!(
        rows(map),
        [Row { line: 6, folder: PathBuf::from("host/x"), modules: vec!["a".into(), "b".into()], circles: 0 }]
    );
    let one =
        [(MAP, map), ("host/x/src/lib.rs", "mod a;\nmod b;"), ("host/x/src/a.rs", "use crate::b::B;\npub struct A;")];
    assert_eq!(
        findings(&[one.as_slice(), &[("host/x/src/b.rs", "pub struct B;")]].concat()),
        [
            "host/ARCHITECTURE.md:6: delete the row: no files of a, b import each other in a circle that no other row has"
        ]
    );
    assert!(findings(&[one.as_slice(), &[("host/x/src/b.rs", "pub struct B(super::a::A);")]].concat()).is_empty());
}

#[test]
fn folders_import_each_other_though_no_files_do() {
    let files = [
        ("x/src/lib.rs", "mod a;\nmod b;\n"),
        ("x/src/a.rs", "mod upper;\nmod lower;\n"),
        ("x/src/a/upper.rs", "use crate::b::B;\n"),
        ("x/src/a/lower.rs", "pub(crate) struct Lower;\n"),
        ("x/src/b.rs", "mod under;\npub(crate) struct B;\n"),
        ("x/src/b/under.rs", "\nuse crate::a::lower::Lower;\n"),
    ];
    assert_eq!(
        findings(&files),
        ["x/src/a/upper.rs:1: folders import each other in a circle:\n  \
          x/src/a/upper.rs:1: crate::b::B\n  \
          x/src/b/under.rs:2: crate::a::lower::Lower\n  \
          Move what two of them need into one that needs neither. If there is a reason for the circle, give it in \
          host/ARCHITECTURE.md, \"Remaining cycles of imports\": | `x` | `a`, `b` |"]
    );
    let map = "## Remaining cycles of imports\n| `../x` | `a`, `b` | because |\n";
    assert!(findings(&[files.as_slice(), &[(MAP, map)]].concat()).len() == 2, "another crate's");
}

#[test]
fn a_messengers_folder_is_a_module_of_the_crate_that_takes_it() {
    let files = [
        ("tests/fakes/src/lib.rs", "mod wire;"),
        ("tests/fakes/src/wire.rs", "pub(crate) struct Wire(crate::slack::Slack);"),
        ("providers/slack/fake/lib.rs", "mod slack;\npub(crate) use slack::Slack;"),
        ("providers/slack/fake/slack.rs", "pub struct Slack(crate::wire::Wire);"),
    ];
    assert_eq!(findings(&files).len(), 1, "{:?}", findings(&files));
    assert!(findings(&files)[0].starts_with(Path::new("tests/fakes/src/wire.rs:1").to_str().unwrap()));
}
