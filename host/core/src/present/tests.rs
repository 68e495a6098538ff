use proptest::prelude::*;
use serde_json::json;

use super::*;

fn drawn(tool: &str, input: Value) -> String {
    let Value::Object(input) = input else { panic!("an input is an object") };
    pieces(tool, &input).iter().map(|piece| format!("{}\n", serde_json::to_string(piece).unwrap())).collect()
}

#[test]
fn a_command_is_shown_whole_and_visible() {
    insta::assert_snapshot!(drawn("Bash", json!({
        "command": "ls\n\u{1b}[2Krm -rf /\u{202e}",
        "description": "Look around\u{200b}",
        "timeout": 5000,
        "run_in_background": true,
    })), @r#"
    {"kind":"command","text":"ls\n␛[2Krm -rf /⟨U+202E⟩"}
    {"kind":"text","text":"description: Look around⟨U+200B⟩"}
    {"kind":"text","text":"timeout: 5000"}
    {"kind":"text","text":"run_in_background: true"}
    "#);
}

#[test]
fn an_edit_is_a_diff_of_all_its_lines() {
    insta::assert_snapshot!(drawn("Edit", json!({
        "file_path": "/src/a\nb.rs",
        "old_string": "one\ntwo\nthree\n",
        "new_string": "one\n2\u{2067}\nthree\r\n",
        "replace_all": false,
    })), @r#"
    {"kind":"path","text":"/src/a␊b.rs"}
    {"kind":"diff","lines":[{"sign":" ","text":"one"},{"sign":"-","text":"two"},{"sign":"-","text":"three"},{"sign":"+","text":"2⟨U+2067⟩"},{"sign":"+","text":"three␍"}]}
    {"kind":"text","text":"replace_all: false"}
    "#);
}

#[test]
fn a_newline_that_goes_or_comes_is_seen() {
    let drawn = |old: &str, new: &str| -> Vec<String> {
        diff::lines(old, new).iter().map(|line| format!("{}{}", line.sign.mark(), line.text)).collect()
    };
    assert_eq!(drawn("a\n", "a"), [" a", "-"]);
    assert_eq!(drawn("a", "a\n"), [" a", "+"]);
    assert_eq!(drawn("\n", "a\n"), ["-", "+a"]);
    assert_eq!(drawn("a\n", "b\n"), ["-a", "+b"]);
    assert_eq!(drawn("", "\n"), ["+", "+"]);
    assert!(drawn("", "").is_empty());
}

#[test]
fn a_diff_of_very_long_texts_names_every_line_of_both() {
    let text = |from: usize| (from..from + 1200).map(|line| format!("{line}\n")).collect::<String>();
    let lines = diff::lines(&text(0), &text(5000));
    assert_eq!(lines.len(), 2400);
    // One line differs, however long the rest is.
    let long = text(0).repeat(10);
    let lines = diff::lines(&format!("{long}a\n{long}"), &format!("{long}b\n{long}"));
    assert_eq!(lines.iter().filter(|line| line.sign != Sign::Same).count(), 2);
}

#[test]
fn several_edits_are_several_diffs() {
    insta::assert_snapshot!(drawn("MultiEdit", json!({
        "file_path": "/a",
        "edits": [{ "old_string": "a", "new_string": "b", "replace_all": true }, { "old_string": "", "new_string": "c" }],
    })), @r#"
    {"kind":"path","text":"/a"}
    {"kind":"diff","lines":[{"sign":"-","text":"a"},{"sign":"+","text":"b"}]}
    {"kind":"text","text":"replace_all: true"}
    {"kind":"diff","lines":[{"sign":"+","text":"c"}]}
    "#);
}

#[test]
fn files_plans_and_command_lines_have_their_kinds() {
    insta::assert_snapshot!(drawn("Write", json!({ "file_path": "/a", "content": "x\n" })), @r#"
    {"kind":"path","text":"/a"}
    {"kind":"code","text":"x\n"}
    "#);
    insta::assert_snapshot!(drawn("NotebookEdit", json!({ "notebook_path": "/a", "new_source": "1", "cell_id": "7" })), @r#"
    {"kind":"path","text":"/a"}
    {"kind":"code","text":"1"}
    {"kind":"text","text":"cell_id: 7"}
    "#);
    insta::assert_snapshot!(drawn("ExitPlanMode", json!({ "plan": "# One\n- two" })), @r##"{"kind":"plan","text":"# One\n- two"}"##);
    insta::assert_snapshot!(drawn("exec", json!({ "argv": ["rm", "-rf", "a b", "$HOME", ""], "env": ["PATH"] })), @r#"
    {"kind":"command","text":"rm -rf 'a b' '$HOME' ''"}
    {"kind":"code","text":"env: [\n  \"PATH\"\n]"}
    "#);
}

#[test]
fn an_input_of_an_unexpected_shape_is_still_shown() {
    insta::assert_snapshot!(drawn("Bash", json!({ "command": ["rm"], "argv": 7 })), @r#"
    {"kind":"code","text":"command: [\n  \"rm\"\n]"}
    {"kind":"text","text":"argv: 7"}
    "#);
    insta::assert_snapshot!(drawn("MultiEdit", json!({ "edits": [1], "file_path": null })), @r#"
    {"kind":"code","text":"edits: [\n  1\n]"}
    {"kind":"text","text":"file_path: null"}
    "#);
    insta::assert_snapshot!(drawn("mcp__x__y", json!({ "a\nb": "c\nd" })), @r#"{"kind":"code","text":"a␊b:\nc\nd"}"#);
}

fn texts(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Command { text }
        | Piece::Path { text }
        | Piece::Text { text }
        | Piece::Code { text }
        | Piece::Plan { text } => text.clone(),
        Piece::Diff { lines } => lines.iter().map(|line| format!("{}\n", line.text)).collect(),
    };
    pieces.iter().map(text).collect()
}

proptest! {
    #[test]
    fn nothing_of_an_input_is_left_out_and_nothing_hides(
        tool in "Bash|Edit|Write|MultiEdit|NotebookEdit|ExitPlanMode|Read|exec|Other",
        key in "command|file_path|old_string|new_string|content|plan|edits|argv|anything",
        value in "[a-z\\x00-\\x1f\u{202a}-\u{202e}\n]{0,40}",
        array: bool,
    ) {
        let whole = format!("{value}needle");
        let value = if array { json!([whole]) } else { json!(whole) };
        let input = Map::from_iter([(key, value), ("other".to_owned(), json!("hay"))]);
        let all = texts(&pieces(&tool, &input));
        prop_assert!(all.contains("needle") && all.contains("other: hay"), "{all}");
        prop_assert!(!all.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c)), "{all:?}");
    }

    #[test]
    fn both_sides_of_a_diff_are_all_there(old in "([ab]{0,2}\n){0,6}[ab]{0,2}", new in "([ab]{0,2}\n){0,6}[ab]{0,2}") {
        let lines = diff::lines(&old, &new);
        let side = |gone: Sign| {
            let kept = lines.iter().filter(|line| line.sign != gone);
            kept.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
        };
        let end = if old.ends_with('\n') && new.ends_with('\n') { "\n" } else { "" };
        prop_assert_eq!(side(Sign::New) + end, old);
        prop_assert_eq!(side(Sign::Old) + end, new);
    }
}
