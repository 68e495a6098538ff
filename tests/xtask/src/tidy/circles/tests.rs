use std::path::{Path, PathBuf};

use super::check;
use super::source::Source;
use super::table::{MAP, Row, rows};
use super::tokens::tokens;
use crate::tidy::files::TextFile;

fn words(code: &str) -> Vec<&str> {
    tokens(code).into_iter().map(|token| token.text).collect()
}

/// Returns the findings in files with these names and texts.
fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<TextFile> =
        files.iter().map(|(path, text)| TextFile { path: path.into(), text: (*text).to_owned() }).collect();
    check(&files).iter().map(ToString::to_string).collect()
}

#[test]
fn comments_and_literals_are_not_code() {
    assert_eq!(words("a // b\n/* c /* d */ e */ f"), ["a", "f"]);
    assert_eq!(words(r##"x("a \" b", r#"c " d"#, b"e", 'f', '\'', '"', b'\\')"##), words("x(,,,,,,b)"));
    assert_eq!(words("&'a str, r#type::X"), ["&", "str", ",", "type", "::", "X"]);
    assert_eq!(tokens("a\n\"\n\n\"\n/*\n*/ b").iter().map(|token| token.line).collect::<Vec<_>>(), [1, 6]);
}

#[test]
fn an_import_is_read_with_its_braces_and_aliases() {
    let code = tokens("pub(super) use a::{self, b::{c, d as e}, f::*};\nuse g;\nuse ::h::i as _;");
    let imports = Source::read(&code).imports;
    let read: Vec<_> = imports.iter().map(|it| (it.path.names.join("::"), it.name, it.path.line)).collect();
    let expected =
        [("a", "a", 1), ("a::b::c", "c", 1), ("a::b::d", "e", 1), ("a::f", "*", 1), ("g", "g", 2), ("::h::i", "_", 3)];
    assert_eq!(read, expected.map(|(path, name, line)| (path.to_owned(), name, line)));
}

#[test]
fn paths_are_read_also_in_macros_and_behind_dots() {
    let code =
        tokens("fn f() -> Vec<crate::a::B> { x!(super::c(d::<E>()), ..super::F); g.h::<I>(); impl Fn() + use<'_> }");
    let paths: Vec<_> = Source::read(&code).paths.iter().map(|path| path.names.join("::")).collect();
    assert_eq!(
        paths.into_iter().filter(|path| path.contains(':')).collect::<Vec<_>>(),
        ["crate::a::B", "super::c", "super::F"]
    );
}

#[test]
fn what_is_only_for_tests_is_left_out() {
    let code = "#[cfg(test)]\n#[x]\nmod tests;\n#[cfg(test)] mod more { use a::b; }\n#[cfg(all(test, unix))] use c::d;\n\
                impl X { #[cfg(test)] fn e(f: [u8; 3]) { g::h() } fn i() { j::k() } }";
    let code = tokens(code);
    let source = Source::read(&code);
    assert!(source.modules.is_empty() && source.imports.is_empty(), "{source:?}");
    assert_eq!(source.paths.iter().map(|path| path.names.join("::")).collect::<Vec<_>>(), ["j::k"]);
}

#[test]
fn items_are_those_that_other_modules_can_name() {
    let code = tokens(
        "pub const fn a() { struct B; }\nimpl C { fn d() {} }\nmacro_rules! e { () => {} }\nstatic mut F: u8 = 0;",
    );
    let items = Source::read(&code).items;
    assert!(["a", "e", "F"].iter().all(|name| items.contains(name)), "{items:?}");
    assert!(["B", "d"].iter().all(|name| !items.contains(name)), "{items:?}");
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
          Move what two of them need into a file that needs neither. If there is a reason for the circle, give it in \
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
    assert_eq!(rows(map), [Row { line: 6, package: PathBuf::from("host/x"), modules: vec!["a".into(), "b".into()] }]);
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
