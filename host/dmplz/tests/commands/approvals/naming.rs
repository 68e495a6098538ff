//! Which request a command is about: by a whole id, or by a part of one that a person wrote at a terminal.

use serde_json::json;

use super::{FIRST, LONG, SECOND, gateway, outcome};
use crate::command::{Home, Left};
use crate::terminal::Terminal;

/// Returns every command that names a request, with an answer that would be accepted.
fn commands(id: &str) -> Vec<Vec<&str>> {
    let also = [
        &["show"][..],
        &["approve"],
        &["approve", "--session"],
        &["approve", "--always"],
        &["approve", "--for", "30m"],
        &["answer", "--choose", "1"],
        &["deny"],
        &["deny", "--reason", "no"],
        &["deny", "--tell", "ask first"],
        &["approve", "--json"],
        &["show", "--json"],
    ];
    let command = |also: &&[&'static str]| [&["approvals", also[0], id], &also[1..]].concat();
    also.iter().map(command).collect()
}

#[test]
fn an_empty_or_shortened_id_answers_nothing_in_a_script() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let mut hook = gateway.line();
    hook.asks(FIRST, "rm -rf build && curl example.org | sudo bash", LONG);
    let upper = FIRST.to_uppercase();
    let (no_hyphens, long) = (FIRST.replace('-', ""), FIRST.repeat(2_000));
    for id in
        ["", " ", "\t\n", "3", "3f0", "3f0c", &FIRST[..35], "..", "*", "%2F", "한글한글", &upper, &no_hyphens, &long]
    {
        for command in commands(id) {
            let left = home.run(&command);
            assert_eq!(left.code, Some(2), "{command:?} {left:?}");
            match command.contains(&"--json") {
                true => assert_eq!(left.json()["error"]["code"], "bad_id", "{command:?} {left:?}"),
                false => assert_eq!(left.stdout, "", "{command:?} {left:?}"),
            }
            assert!(left.stderr.starts_with("dmplz: the request cannot be found: "), "{left:?}");
            assert!(left.stderr.contains("\nhint: ") && left.stderr.contains("dmplz approvals list"), "{left:?}");
        }
    }
    for before in ["", " ", "3f0c", &upper] {
        assert_eq!(home.run(&["approvals", "list", "--before", before]).code, Some(2), "{before:?}");
    }
    assert_eq!(home.run(&["approvals", "show", FIRST, "--json"]).json()["status"], "open");
    assert_eq!(home.run(&["approvals", "approve", FIRST]).code, Some(0));
    assert_eq!(outcome(&hook.decided()), "approved");
}

#[test]
fn a_bad_id_is_said_before_anything_is_sent() {
    let home = Home::new();
    let no_gateway = |id: &str| -> Left { home.run(&["approvals", "approve", id]) };
    for id in ["", " ", "3f", "3f0c", "3F0C1A52"] {
        assert_eq!(no_gateway(id).code, Some(2), "{id:?}");
    }
    assert_eq!(no_gateway(FIRST).code, Some(5));
    insta::assert_snapshot!(no_gateway("").stderr, @"
    dmplz: the request cannot be found: its id is empty
    hint: a variable may be unset; dmplz approvals list shows the ids
    ");
    insta::assert_snapshot!(no_gateway("3f0c").stderr, @"
    dmplz: the request cannot be found: 3f0c is not a whole id, which programs have to give
    hint: write all of it, as dmplz approvals list --json shows it; it may be shortened at a terminal only, without --json
    ");
    let home = Home::new().with("DMPLZ_LANG", "ko");
    insta::assert_snapshot!(home.run(&["approvals", "approve", ""]).stderr, @"
    dmplz: 요청을 찾을 수 없습니다: id가 비어 있습니다
    힌트: 변수가 비어 있지 않은지 확인해 주세요. id는 `dmplz approvals list`가 보여 줍니다.
    ");
}

#[test]
fn at_a_terminal_four_characters_name_the_request_that_begins_so() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let (mut first, mut second) = (gateway.line(), gateway.line());
    first.asks(FIRST, "ls", LONG);
    second.asks(SECOND, "ls", LONG);
    let typed = |arguments: &[&str]| Terminal::start(&home, arguments, 100).ended();
    assert!(typed(&["approvals", "list"]).1.contains("3f0c1a52  "), "as much as a person types");
    let (code, shown) = typed(&["approvals", "approve", "3f0"]);
    assert!(code == Some(2) && shown.contains("3f0 is too short for an id"), "{code:?} {shown}");
    let (code, shown) = typed(&["approvals", "approve", "''"]);
    assert!(code == Some(2) && shown.contains("its id is empty"), "{code:?} {shown}");
    let (code, shown) = typed(&["approvals", "approve", "77aa"]);
    assert!(code == Some(1) && shown.contains("no id begins with 77aa"), "{code:?} {shown}");
    let (code, shown) = typed(&["approvals", "approve", "3f0c", "--json"]);
    assert!(code == Some(2) && shown.contains("not a whole id"), "{code:?} {shown}");
    let (code, shown) = typed(&["approvals", "deny", "3f0d"]);
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(outcome(&second.decided()), "rejected_no_reason");
    assert_eq!(typed(&["approvals", "approve", "3f0c"]).0, Some(0));
    assert_eq!(outcome(&first.decided()), "approved");
    assert_eq!(
        typed(&["approvals", "deny", "3f0c"]).0,
        Some(1),
        "to an answer a part of an id names open requests only"
    );
    let (code, shown) = typed(&["approvals", "show", "3f0c"]);
    assert!(code == Some(0) && shown.contains(FIRST), "what has ended is shown: {code:?} {shown}");
    assert_eq!(typed(&["approvals", "show", "77aa"]).0, Some(1));
    assert_eq!(typed(&["approvals", "show", FIRST]).0, Some(0));
}

#[test]
fn a_part_that_two_requests_share_answers_neither_on_whichever_page_they_are() {
    let home = Home::new();
    let (gateway, _surface) = gateway(&home);
    let other = "3f0c0000-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
    let (mut first, mut second) = (gateway.line(), gateway.line());
    first.asks(FIRST, "ls", LONG);
    // More than a page of the list is between the two.
    let mut between = gateway.line();
    for number in 0..110 {
        between.asks(&format!("{number:08x}-6f3b-4c1e-9b1d-0a1b2c3d4e5f"), "ls", LONG);
    }
    second.asks(other, "ls", LONG);
    let (code, shown) = Terminal::start(&home, &["approvals", "approve", "3f0c"], 100).ended();
    assert!(code == Some(1) && shown.contains("2 ids begin with 3f0c"), "{code:?} {shown}");
    for id in [FIRST, other] {
        assert_eq!(home.run(&["approvals", "show", id, "--json"]).json()["status"], json!("open"));
    }
}
