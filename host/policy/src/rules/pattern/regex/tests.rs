use proptest::prelude::*;

use super::*;

fn pattern(source: &str) -> Pattern {
    Pattern::new(source).unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn an_expression_is_looked_for_anywhere_or_from_the_beginning() {
    for (source, text, anywhere, beginning) in [
        ("status", "git status", true, false),
        ("git (status|log)", "git log -1", true, true),
        ("git status|rm", "rm -rf /", true, true),
        ("^git$", "git status", false, false),
        (r#""path":"\/etc"#, r#"{"path":"/etc/x"}"#, true, false),
        (r#"\0"file_path":"[^"]*"\0"#, "{\0\"file_path\":\"a\"\0}", true, false),
        ("", "", true, true),
    ] {
        let found = pattern(source);
        assert_eq!(found.is_in(text), Match::from(anywhere), "{source} in {text}");
        assert_eq!(found.starts(text), Match::from(beginning), "{source} starts {text}");
    }
}

#[test]
fn what_javascript_means_is_meant() {
    for (source, text, matches) in [
        (r"^\d$", "7", true),
        (r"^\d$", "٧", false),
        (r"^[\d]$", "٧", false),
        (r"^\D$", "٧", true),
        (r"^\w$", "ä", false),
        (r"^[^\W]$", "ä", false),
        (r"^\s$", "\u{a0}", true),
        (r"rm\b", "rmä", true),
        (r"\<a\>", "<a>", true),
        (r"\<a\>", "a", false),
        (r"a$", "a\n", false),
        (r"^a.b$", "a\nb", false),
        (r"a\-b\/c\:", "a-b/c:", true),
        (r"\u0041", "A", true),
    ] {
        assert_eq!(pattern(source).is_in(text), Match::from(matches), "{source} {text:?}");
    }
}

#[test]
fn an_error_says_what_and_where() {
    for (source, offset, what) in [
        ("git (status", 4, "unclosed group"),
        ("a(?=b)", 1, "look-around, including look-ahead and look-behind, is not supported"),
        ("a(?<!b)", 1, "look-around, including look-ahead and look-behind, is not supported"),
        (r"(a)\1", 3, "backreferences are not supported"),
        (r"[\1]", 1, "backreferences are not supported"),
        (r"\012", 0, "backreferences are not supported"),
        ("[a&&b]", 1, "`&&`, `--` and `~~` in a class are not what they are in JavaScript; put a `\\` before each"),
        ("[a[b]]", 2, "`[` in a class is not what it is in JavaScript; put a `\\` before it"),
        ("*", 0, "repetition operator missing expression"),
        ("[z-a]", 1, "invalid character class range, the start must be <= the end"),
    ] {
        let error = Pattern::new(source).unwrap_err();
        assert_eq!((error.what.to_string().as_str(), error.offset), (what, offset), "{source}");
    }
}

#[test]
fn a_huge_expression_is_refused_before_it_is_compiled() {
    for source in
        ["(a{1000}){1000}", "((a{100}){100}){100000}", "(){1000000}", "(?:.{60}){60}", ".{1025}", "a{4294967295}"]
    {
        let error = Pattern::new(source).unwrap_err();
        assert!(error.to_string().contains("2048 parts"), "{source}: {error}");
    }
    assert!(Pattern::new(&"(".repeat(1000)).is_err());
    assert!(Pattern::new(&"a".repeat(MAX_BYTES + 1)).is_err());
}

#[test]
fn the_largest_expression_that_is_read_can_be_compiled() {
    for source in [".{1024}", "[^a]{1024}", "a{2048}", r"(\d\s[^b]\W){256}", "(?i)[a-zä-ü]{1024}", r"(a|b|\b){682}"] {
        assert_ne!(pattern(source).is_in("a"), Match::Maybe, "{source}");
        assert_ne!(pattern(source).may_start("\n"), Match::Yes, "{source}");
    }
}

#[test]
fn a_known_beginning_decides_what_it_can() {
    use Match::{Maybe, No, Yes};
    for (source, beginning, expected) in [
        ("git push", "", Maybe),
        ("git push", "git ", Maybe),
        ("git push", "git status", No),
        ("git push", "git push", Yes),
        ("git push", "git push --force", Yes),
        ("git push$", "git push", Maybe),
        ("git push$", "git push ", No),
        (r"git push\b", "git push", Maybe),
        (r"git push\b", "git push ", Yes),
        (r"git push\b", "git pushx", No),
        (".*secret", "cat x", Maybe),
        ("", "", Yes),
        ("(?:)", "x", Yes),
        (r"rm\s+-rf?", "rm ", Maybe),
    ] {
        assert_eq!(pattern(source).may_start(beginning), expected, "{source} {beginning:?}");
    }
}

#[test]
fn the_first_word_is_told_only_when_it_is_certain() {
    for (source, word) in [
        ("git (status|log)", Some("git")),
        ("^git (status|log)", Some("git")),
        (r"npm\s+run", None),
        (r"git[ \t]push", Some("git")),
        ("(git|hg) log", None),
        ("git", None),
        ("gi?t push", None),
        (".*git push", None),
        ("./run.sh x", None),
        (r"\./run\.sh x", Some("./run.sh")),
        (r"\$x y", None),
        ("(?i)git push", None),
        (" git push", None),
        ("", None),
    ] {
        assert_eq!(pattern(source).first_word().as_deref(), word, "{source}");
    }
}

proptest! {
    #[test]
    fn a_beginning_of_a_match_is_never_ruled_out(
        source in "(\\^)?[ab .]{1,3}[*+?]?(\\|[ab]{1,2}|\\(a\\|b\\)\\{1,3\\}|\\\\b|\\$)?[ab]?",
        text in "[ab .\n]{0,8}",
    ) {
        let Ok(pattern) = Pattern::new(&source) else { return Ok(()) };
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            match pattern.may_start(&text[..end]) {
                Match::Yes => prop_assert_eq!(pattern.starts(&text), Match::Yes),
                Match::No => prop_assert_eq!(pattern.starts(&text), Match::No),
                Match::Maybe => {}
            }
        }
    }

    #[test]
    fn what_is_looked_at_first_changes_no_answer(
        source in "(\\^)?[ab .]{1,3}[*+?]?(\\|[ab]{1,2}|\\(a\\|b\\)\\{1,3\\}|\\\\b|\\$)?[ab]?(\\$)?",
        text in "[ab .\n]{0,8}",
    ) {
        let Ok(pattern) = Pattern::new(&source) else { return Ok(()) };
        let plain = pattern.search(Input::new(&text).anchored(Anchored::Yes));
        for _ in 0..=SOON {
            prop_assert_eq!(pattern.starts(&text), plain);
        }
    }

    #[test]
    fn every_match_has_the_first_word(
        source in "[gi]{1,3}[?*]?( |\\\\s|[gi])[a-c]{0,2}",
        text in "[gi]{1,4} [abc]{0,2}",
    ) {
        let Ok(pattern) = Pattern::new(&source) else { return Ok(()) };
        if let (Some(word), Match::Yes) = (pattern.first_word(), pattern.starts(&text)) {
            prop_assert_eq!(text.split(' ').next(), Some(word.as_str()));
        }
    }

    #[test]
    fn no_expression_panics(source in "\\PC{0,40}", text in "\\PC{0,20}") {
        if let Ok(pattern) = Pattern::new(&source) {
            pattern.is_in(&text);
            pattern.starts(&text);
            pattern.may_start(&text);
            pattern.first_word();
        }
    }
}
