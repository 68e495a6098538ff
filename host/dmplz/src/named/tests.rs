use super::*;

const FIRST: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
const SECOND: &str = "3f0cddd2-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
const GRANTED: &str = "1f0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a";

/// Returns the id that is meant among these, or the error and the exit code.
fn found(kind: Kind, text: &str, shown: &[&str]) -> Result<String, (String, u8)> {
    let found = Named::read(kind, text).and_then(|named| named.among(shown.iter().copied()).map(str::to_owned));
    found.map_err(|error| (error.to_string(), error.code()))
}

#[test]
fn a_beginning_of_four_characters_names_the_one_that_is_shown() {
    for text in ["3f0c1", "3f0c1a52", "3f0c1a52-6f", &FIRST[..35], FIRST] {
        assert_eq!(found(Kind::REQUEST, text, &[FIRST, SECOND]), Ok(FIRST.to_owned()), "{text}");
    }
    assert_eq!(found(Kind::REQUEST, "3f0c", &[SECOND]), Ok(SECOND.to_owned()));
    assert_eq!(found(Kind::REQUEST, "3f0c", &[SECOND, SECOND]), Ok(SECOND.to_owned()), "listed twice is one");
    assert_eq!(found(Kind::GRANT, "1f0a", &[GRANTED]), Ok(GRANTED.to_owned()));
    assert_eq!(found(Kind::SESSION, "0c9e", &["0c9e1234-5678"]), Ok("0c9e1234-5678".to_owned()));
    assert_eq!(found(Kind::SESSION, "s1", &["s1", "s12"]), Ok("s1".to_owned()), "a whole id is one, however short");
}

#[test]
fn nothing_else_names_the_only_one_there_is() {
    for kind in [Kind::REQUEST, Kind::GRANT, Kind::SESSION] {
        for text in ["", " ", "\t\n", "\u{3000}"] {
            assert_eq!(Named::read(kind, text).unwrap_err().problem, Problem::Empty, "{text:?}");
        }
    }
    let long = "3".repeat(1 << 16);
    for (kind, only) in [(Kind::REQUEST, FIRST), (Kind::GRANT, GRANTED)] {
        for text in ["3", "1f", "1f0", "3f0", "-"] {
            assert!(matches!(Named::read(kind, text).unwrap_err().problem, Problem::Short(_)), "{text}");
        }
        let upper = only.to_uppercase();
        for text in [
            upper.as_str(),
            &upper[..4],
            &format!("{only}\0"),
            &format!(" {only}"),
            &format!("{only}0"),
            &format!("{{{only}}}"),
            "..",
            "....",
            "%2F%2F",
            "3f0%",
            "3f0*",
            "한글한글",
            "３ｆ０ｃ",
            "🔐🔐🔐🔐",
            "\0\0\0\0",
            &long,
        ] {
            assert!(matches!(Named::read(kind, text).unwrap_err().problem, Problem::NotAnId(_)), "{text:?}");
        }
    }
    assert_eq!(found(Kind::SESSION, "s1", &["s12"]).unwrap_err().1, exit::USAGE, "too short to stand for another");
}

#[test]
fn an_error_says_what_is_wrong_and_what_to_do() {
    let said = |text: &str, shown: &[&str]| {
        let error = Named::read(Kind::REQUEST, text).and_then(|named| named.among(shown.iter().copied()).map(drop));
        let error = error.unwrap_err();
        format!("{} {error}\n  {}\n  {}\n", error.code(), error.hint(Lang::En), error.hint(Lang::Ko))
    };
    let not_whole = Named::read(Kind::REQUEST, "3f0c").unwrap().whole().unwrap_err();
    let all = [
        said("", &[]),
        said("3f", &[]),
        said("3F0C", &[FIRST]),
        said("77aa", &[FIRST]),
        said("3f0c", &[FIRST, SECOND]),
        format!("{} {not_whole}\n  {}\n", not_whole.code(), not_whole.hint(Lang::En)),
    ];
    insta::assert_snapshot!(all.concat(), @"
    2 the request cannot be found: its id is empty
      a variable may be unset; dmplz approvals list shows the ids
      변수가 비어 있지 않은지 확인해 주세요. id는 `dmplz approvals list`가 보여 줍니다.
    2 the request cannot be found: 3f is too short for an id, which takes at least 4 characters
      write at least 4 characters of an id that dmplz approvals list shows
      `dmplz approvals list`가 보여 주는 id를 4자 이상 적어 주세요.
    2 the request cannot be found: its id is 36 characters at most, of 0-9, a-f and -
      write it as dmplz approvals list shows it, in lower case
      `dmplz approvals list`가 보여 주는 대로 적어 주세요. 소문자로만 씁니다.
    1 the request cannot be found: no id begins with 77aa
      dmplz approvals list shows the ids
      `dmplz approvals list`가 id를 보여 줍니다.
    1 the request cannot be found: 2 ids begin with 3f0c
      write more of the id; dmplz approvals list shows them
      id를 더 길게 적어 주세요. `dmplz approvals list`가 보여 줍니다.
    2 the request cannot be found: 3f0c is not a whole id, which programs have to give
      write all of it, as dmplz approvals list --json shows it; it may be shortened at a terminal only, without --json
    ");
}

#[test]
fn only_a_whole_id_is_a_programs() {
    assert_eq!(Named::read(Kind::REQUEST, FIRST).unwrap().whole().unwrap().to_string(), FIRST);
    for text in ["3f0c", &FIRST[..35], "3f0c1a526f3b4c1e9b1d0a1b2c3d4e5f", "------------------------------------"] {
        assert_eq!(Named::read(Kind::REQUEST, text).unwrap().whole().unwrap_err().code(), exit::USAGE, "{text}");
    }
}
