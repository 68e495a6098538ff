use super::*;
use Match::{Maybe, No, Yes};

fn paths(lines: &[&str]) -> Paths {
    Paths::new(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
        .unwrap_or_else(|error| panic!("{lines:?}: {error}"))
}

const AT: fn() -> Anchors<'static> =
    || Anchors { root: Some(Path::new("/w/project")), home: Some(Path::new("/home/me")) };

fn both(lines: &[&str], path: &str) -> (Match, Match) {
    let cwd = Some(Path::new("/w/project/sub"));
    let paths = paths(lines);
    (paths.matches(path, &AT(), cwd, Reading::Narrow), paths.matches(path, &AT(), cwd, Reading::Broad))
}

#[test]
fn a_pattern_is_read_as_gitignore_reads_it() {
    for (pattern, path, narrow, broad) in [
        // names at any depth
        ("*.md", "/w/project/README.md", Yes, Yes),
        ("*.md", "/w/project/a/b/c.md", Yes, Yes),
        ("*.md", "/w/project/a.md/b", Yes, Yes),
        ("*.md", "/elsewhere/c.md", No, Yes),
        ("*.md", "/w/project/a.mdx", No, No),
        (".env", "/w/project/a/.env", Yes, Yes),
        ("**/.env", "/w/project/.env", Yes, Yes),
        ("**/.env", "/other/.ENV", No, Yes),
        ("**/.env", "/w/project/.env.local", No, No),
        (".env*", "/w/project/.env.local", Yes, Yes),
        // below the root
        ("src/**", "/w/project/src/a/b.rs", Yes, Yes),
        ("src/**", "/w/project/src", No, No),
        ("src/**", "/w/project/other/src/a", No, No),
        ("src/*", "/w/project/src/a/b.rs", Yes, Yes),
        ("src/*.rs", "/w/project/src/a/b.rs", No, No),
        ("./src", "/w/project/src/b.rs", Yes, Yes),
        ("a/**/z", "/w/project/a/z", Yes, Yes),
        ("a/**/z", "/w/project/a/b/c/z", Yes, Yes),
        ("a/**/z", "/w/project/b/a/z", No, No),
        // a slash first
        ("/etc/**", "/w/project/etc/passwd", Yes, Yes),
        ("/etc/**", "/etc/passwd", No, Yes),
        ("//etc/**", "/etc/passwd", Yes, Yes),
        ("//etc/**", "/w/project/etc/passwd", No, No),
        ("//**", "/etc/passwd", Yes, Yes),
        ("//", "/etc/passwd", Yes, Yes),
        ("/**", "/w/project/x", Yes, Yes),
        ("/**", "/etc/passwd", No, Yes),
        // home
        ("~/.ssh/**", "/home/me/.ssh/id_rsa", Yes, Yes),
        ("~/.ssh/**", "/home/you/.ssh/id_rsa", No, No),
        ("~/.ssh", "~/.ssh/id_rsa", No, Yes),
        ("~", "/home/me/x", Yes, Yes),
        // directories
        ("build/", "/w/project/build/x", Yes, Yes),
        ("build/", "/w/project/a/build/x", Yes, Yes),
        ("build/", "/w/project/build", No, Yes),
        ("build", "/w/project/build", Yes, Yes),
        ("node_modules", "/w/project/a/node_modules/b/c.js", Yes, Yes),
        // above the root
        ("../shared/**", "/w/shared/x", Yes, Yes),
        ("..", "/w/other", Yes, Yes),
        // classes and escapes
        ("[ab].c", "/w/project/a.c", Yes, Yes),
        ("[!ab].c", "/w/project/a.c", No, No),
        ("*.{key,pem}", "/w/project/x.pem", Yes, Yes),
        (r"\!x", "/w/project/!x", Yes, Yes),
        (r"\*", "/w/project/a", No, No),
        ("a?c", "/w/project/a/c", No, No),
        // case
        ("SRC/**", "/w/project/src/a", No, Yes),
    ] {
        assert_eq!(both(&[pattern], path), (narrow, broad), "{pattern} {path}");
    }
}

#[test]
fn a_path_is_judged_by_where_it_leads_in_its_text() {
    for (path, narrow) in [
        ("../src/a.rs", Yes),
        ("src/a.rs", No),
        ("/w/project/src/../../../etc/passwd", No),
        ("/w/project/src/./x//y", Yes),
        ("/w/project/other/../src/x", Yes),
        ("/../../../w/project/src/x", Yes),
        ("../src/", No),
        ("/w/projectsrc/x", No),
        ("", No),
    ] {
        assert_eq!(both(&["src/**"], path).0, narrow, "{path}");
    }
}

#[test]
fn a_later_line_overrides_an_earlier_one() {
    let lines = ["src/**", "!src/secret", "src/secret/public.md"];
    for (path, narrow, broad) in [
        ("/w/project/src/a", Yes, Yes),
        ("/w/project/src/secret", No, No),
        ("/w/project/src/secret/key", No, No),
        ("/w/project/src/secret/public.md", Yes, Yes),
        // The exception to an allow is read broadly, the exception to a deny narrowly.
        ("/w/project/src/SECRET/key", No, Yes),
    ] {
        assert_eq!(both(&lines, path), (narrow, broad), "{path}");
    }
}

#[test]
fn an_unknown_folder_is_a_no_to_an_allow_and_a_maybe_to_a_deny() {
    let nowhere = Anchors::default();
    for (pattern, path, narrow, broad) in [
        ("src/**", "/w/project/src/a", No, Maybe),
        ("src/**", "src/a", No, Maybe),
        ("**/.env", "/a/.env", No, Yes),
        ("**/.env", "/a/b", No, No),
        ("//etc/**", "/etc/x", Yes, Yes),
        ("//etc/**", "x", No, Maybe),
        ("~/x", "/home/me/x", No, Maybe),
        ("/etc/x", "/etc/x", No, Yes),
    ] {
        let paths = paths(&[pattern]);
        let found =
            (paths.matches(path, &nowhere, None, Reading::Narrow), paths.matches(path, &nowhere, None, Reading::Broad));
        assert_eq!(found, (narrow, broad), "{pattern} {path}");
    }
}

#[test]
fn a_folder_stands_for_itself_or_for_everything_in_it() {
    for (lines, path, folder, below) in [
        (&["src/**"][..], "/w/project/src", (Yes, Yes), (Yes, Yes)),
        (&["src/"], "/w/project/src", (Yes, Yes), (Yes, Yes)),
        (&["src"], "/w/project/src/a", (Yes, Yes), (Yes, Yes)),
        (&["src/**"], "/w/project", (No, No), (Maybe, Maybe)),
        (&["src/**"], "/w/project/other", (No, No), (No, No)),
        (&["src/*.rs"], "/w/project/src", (No, No), (Maybe, Maybe)),
        (&["**/.env"], "/w/project", (No, No), (Maybe, Maybe)),
        (&["**/.env"], "/elsewhere", (No, No), (No, Maybe)),
        (&["/**"], "/w/project", (Yes, Yes), (Yes, Yes)),
        (&["**"], "/w/project", (Yes, Yes), (Yes, Yes)),
        (&["//etc"], "/", (No, No), (Maybe, Maybe)),
        (&["/**", "!/secret"], "/w/project", (Yes, Yes), (No, Yes)),
        (&["/**", "!/secret"], "/w/project/src", (Yes, Yes), (Yes, Yes)),
        (&["/**", "!**/x"], "/w/project/src", (Yes, Yes), (No, Yes)),
    ] {
        let paths = paths(lines);
        let each = |reading| {
            (paths.matches_folder(path, &AT(), None, reading), paths.matches_below(path, &AT(), None, reading))
        };
        let ((folder_narrow, below_narrow), (folder_broad, below_broad)) =
            (each(Reading::Narrow), each(Reading::Broad));
        assert_eq!(((folder_narrow, folder_broad), (below_narrow, below_broad)), (folder, below), "{lines:?} {path}");
    }
}

#[test]
fn a_bad_pattern_is_an_error_that_names_it() {
    for (lines, index, what) in [
        (&["a", ""][..], 1, "an empty pattern matches nothing"),
        (&["!a"], 0, "there is nothing before it that it could be an exception to"),
        (&["a", "~you/x"], 1, "only `~/` is understood: no user's name after `~`"),
        (&["a/../b"], 0, "`..` is only understood at its beginning"),
        (&["[a"], 0, "unclosed character class; missing ']'"),
        (&["{a"], 0, "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"),
        (&["/"], 0, "`/` is the root of the workspace: write `/**` for all of it, or `//**` for the whole disk"),
    ] {
        let lines: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(Paths::new(&lines).unwrap_err(), PathsError { index, what: what.to_owned() }, "{lines:?}");
    }
}
