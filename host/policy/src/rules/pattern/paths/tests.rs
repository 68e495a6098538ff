use super::*;
use Match::{Maybe, No, Yes};

fn read<S: AsRef<str>>(lines: &[S]) -> Result<Paths, PathError> {
    Paths::new(lines.iter().map(|line| Line::read(line.as_ref())).collect::<Result<_, _>>()?)
}

fn paths(lines: &[&str]) -> Paths {
    read(lines).unwrap_or_else(|error| panic!("{lines:?}: {error}"))
}

const AT: fn() -> Anchors<'static> =
    || Anchors { root: Some(Path::new("/w/project")), home: Some(Path::new("/home/me")) };

fn both(lines: &[&str], path: &str) -> (Match, Match) {
    let cwd = Some(Path::new("/w/project/sub"));
    let paths = paths(lines);
    let matches = |reading| paths.matches(path, Extent::File, &AT(), cwd, reading);
    (matches(Reading::Narrow), matches(Reading::Broad))
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
        ("**/.env", "/w/project/.env/x", Yes, Yes),
        ("**/a/b", "/w/project/x/a/b/c", Yes, Yes),
        ("**", "/w/project/x", Yes, Yes),
        ("**", "/x", No, Yes),
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
        ("{ä,ö}", "/w/project/ö", Yes, Yes),
        ("ä*", "/w/project/äö", Yes, Yes),
        // case
        ("SRC/**", "/w/project/src/a", No, Yes),
        ("**/Secret", "/W/Project/SECRET/a", No, Yes),
        ("ÄÖ", "/w/project/äö", No, Yes),
        ("[A-z]X", "/w/project/_x", No, Yes),
        ("SRC/[a-c]", "/w/project/src/C", No, Yes),
        // a spelling of several characters
        ("비밀/**", "/w/project/비밀/a", Yes, Yes),
        ("비밀/**", "/w/project/\u{1107}\u{1175}\u{1106}\u{1175}\u{11af}/a", No, Yes),
        ("cafe\u{301}*", "/w/project/caf\u{e9}.md", No, Yes),
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
        let matches = |reading| paths.matches(path, Extent::File, &nowhere, None, reading);
        assert_eq!((matches(Reading::Narrow), matches(Reading::Broad)), (narrow, broad), "{pattern} {path}");
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
        (&["SRC/[a-c]"], "/w/project/src", (No, No), (No, Maybe)),
        (&["/**", "!/secret"], "/w/project", (Yes, Yes), (No, Yes)),
        (&["/**", "!/secret"], "/w/project/src", (Yes, Yes), (Yes, Yes)),
        (&["/**", "!**/x"], "/w/project/src", (Yes, Yes), (No, Yes)),
    ] {
        let paths = paths(lines);
        let each =
            |reading| [Extent::Folder, Extent::Below].map(|extent| paths.matches(path, extent, &AT(), None, reading));
        let ([folder_narrow, below_narrow], [folder_broad, below_broad]) =
            (each(Reading::Narrow), each(Reading::Broad));
        assert_eq!(((folder_narrow, folder_broad), (below_narrow, below_broad)), (folder, below), "{lines:?} {path}");
    }
}

#[test]
fn a_bad_pattern_is_an_error_that_names_it() {
    for (lines, what) in [
        (&["a", ""][..], "an empty pattern matches nothing"),
        (&["!a"], "there is nothing before it that it could be an exception to"),
        (&["a", "~you/x"], "only `~/` is understood: no user's name after `~`"),
        (&["a/../b"], "`..` is only understood at its beginning"),
        (&["[a"], "unclosed character class; missing ']'"),
        (&["x[äö]"], "only ASCII is understood in `[ ]`; write `{ä,ö}`"),
        (&["{a"], "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"),
        (&["/"], "`/` is the root of the workspace: write `/**` for all of it, or `//**` for the whole disk"),
    ] {
        assert_eq!(read(lines).unwrap_err().to_string(), what, "{lines:?}");
    }
}

/// gitignore's rules without a library, for names of one letter or two and patterns of `*`, `?` and `**`.
mod reference {
    pub(super) fn matches(pattern: &str, path: &[&str]) -> bool {
        let folder = pattern.ends_with('/');
        let anchored = pattern.trim_end_matches('/').contains('/');
        let names: Vec<&str> = pattern.split('/').filter(|name| !name.is_empty()).collect();
        let names = if anchored { names } else { [&["**"], names.as_slice()].concat() };
        let folders = (1..path.len()).any(|end| whole(&names, &path[..end]));
        folders || (!folder && whole(&names, path))
    }

    fn whole(names: &[&str], path: &[&str]) -> bool {
        match (names, path) {
            ([], path) => path.is_empty(),
            (["**"], path) => !path.is_empty(),
            (["**", rest @ ..], path) => (0..=path.len()).any(|skipped| whole(rest, &path[skipped..])),
            ([name, rest @ ..], [first, path @ ..]) => one(name.as_bytes(), first.as_bytes()) && whole(rest, path),
            (_, []) => false,
        }
    }

    fn one(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern, name) {
            ([], name) => name.is_empty(),
            ([b'*', rest @ ..], name) => (0..=name.len()).any(|skipped| one(rest, &name[skipped..])),
            ([b'?', rest @ ..], [_, name @ ..]) => one(rest, name),
            ([wanted, rest @ ..], [first, name @ ..]) => wanted == first && one(rest, name),
            (_, []) => false,
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(1000))]

    #[test]
    fn every_pattern_matches_as_gitignore_s_rules_say(
        slash in "/?",
        names in proptest::collection::vec("[ab]{1,2}|\\*|a\\*|\\?b?|\\*\\*", 1..4),
        end in "/?",
        path in proptest::collection::vec("[ab]{1,2}", 1..5),
    ) {
        let doubled = names.windows(2).any(|pair| pair[0] == "**" && pair[1] == "**");
        // gitignore says nothing of `**/` at the end of a pattern, nor of several in a row.
        let bare_end = end == "/" && names.last().is_some_and(|name| name == "**");
        proptest::prop_assume!(!doubled && !bare_end);
        let pattern = format!("{slash}{}{end}", names.join("/"));
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let path = format!("/w/project/{}", path.join("/"));
        let paths = paths(&[&pattern]);
        let expected = reference::matches(&pattern, &names);
        let narrow = paths.matches(&path, Extent::File, &AT(), None, Reading::Narrow);
        proptest::prop_assert_eq!(narrow, Match::from(expected), "{} {}", pattern, path);
        if expected {
            proptest::prop_assert_eq!(paths.matches(&path, Extent::File, &AT(), None, Reading::Broad), Yes);
        }
        // Whatever means everything in a folder means each file in it, and what means a file may be in its folders.
        let folder = Path::new(&path).parent().unwrap().to_str().unwrap();
        let below = paths.matches(folder, Extent::Below, &AT(), None, Reading::Narrow);
        proptest::prop_assert!(below != Yes || expected, "{} {}", pattern, folder);
        proptest::prop_assert!(below != No || !expected, "{} {}", pattern, folder);
    }

    #[test]
    fn a_path_has_a_clue_of_every_pattern_that_may_mean_it(
        lines in proptest::collection::vec("!?(/|//|~/|\\.\\./|\\*\\*/|)([aB*{},?\\[\\]!/.]{1,6}|[aB.]{1,2}/\\*\\*|\\*\\.[aB]|a\\.\\{a,B\\})", 1..3),
        path in "(/|~/|\\.\\./|)[abAB./]{0,8}",
    ) {
        let Ok(paths) = read(&lines) else { return Ok(()) };
        let cwd = Some(Path::new("/w/project/a"));
        if paths.matches(&path, Extent::File, &AT(), cwd, Reading::Broad) == No {
            return Ok(());
        }
        let found: Vec<String> = places(&path, AT().home, cwd).unwrap().iter().flat_map(|place| keys(Path::new(place))).collect();
        let known = paths.keys().is_none_or(|wanted| wanted.iter().any(|key| found.contains(key)));
        proptest::prop_assert!(known, "{:?} {path}: {:?}", lines, paths.keys());
    }

    #[test]
    fn what_an_allow_matches_a_deny_of_the_same_words_matches(
        lines in proptest::collection::vec("!?(/|//|~/|\\.\\./|)[aB*{},?\\[\\]!/.]{1,6}", 1..4),
        path in "(/|~/|\\.\\./|)[abAB./]{0,8}",
    ) {
        let Ok(paths) = read(&lines) else { return Ok(()) };
        let cwd = Some(Path::new("/w/project/a"));
        for extent in [Extent::File, Extent::Folder, Extent::Below] {
            let [narrow, broad] = [Reading::Narrow, Reading::Broad].map(|reading| paths.matches(&path, extent, &AT(), cwd, reading));
            proptest::prop_assert!(narrow <= broad, "{lines:?} {path}: {narrow:?} {broad:?}");
        }
    }
}
