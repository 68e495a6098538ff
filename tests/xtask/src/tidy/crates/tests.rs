use super::source::Source;
use super::tokens::tokens;

fn words(code: &str) -> Vec<&str> {
    tokens(code).into_iter().map(|token| token.text).collect()
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
