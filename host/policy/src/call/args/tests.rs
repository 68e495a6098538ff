use proptest::prelude::*;

use super::*;

fn written(input: &str) -> String {
    stable_stringify(&serde_json::from_str(input).unwrap()).replace('\0', "·")
}

#[test]
fn every_argument_stands_between_two_nuls() {
    for (input, expected) in [
        ("{}", "{}"),
        (r#"{"command":"git status"}"#, r#"{·"command":"git status"·}"#),
        (r#"{"b":1,"a":{"d":true,"c":null}}"#, r#"{·"a":{"c":null,"d":true}·,·"b":1·}"#),
        (r#"{"list":[1,"x",{"b":2,"a":[]},null]}"#, r#"{·"list":[1,"x",{"a":[],"b":2},null]·}"#),
        (r#"{"x":"·"}"#, r#"{·"x":"·"·}"#),
    ] {
        assert_eq!(written(input), expected);
    }
}

#[test]
fn text_cannot_pretend_to_be_an_argument() {
    assert_eq!(
        stable_stringify(&serde_json::from_str(r#"{"a":"\u0000\"command\":\"ls\"\u0000"}"#).unwrap()),
        "{\0\"a\":\"\\u0000\\\"command\\\":\\\"ls\\\"\\u0000\"\0}"
    );
}

#[test]
fn strings_are_escaped_as_in_javascript() {
    assert_eq!(
        written(r#"{"x":"\"\\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é😀"}"#),
        "{·\"x\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}\u{2028}é😀\"·}"
    );
}

#[test]
fn keys_are_in_the_order_of_utf_16() {
    assert_eq!(
        written(r#"{"\ufb00":1,"😀":2,"a":3,"Z":4,"":5}"#),
        "{·\"\":5·,·\"Z\":4·,·\"a\":3·,·\"😀\":2·,·\"\u{fb00}\":1·}"
    );
}

#[test]
fn numbers_are_javascript_s() {
    // Each as node prints JSON.stringify(JSON.parse(text)).
    for (input, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("-17", "-17"),
        ("1.50", "1.5"),
        ("123456.789", "123456.789"),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551615", "18446744073709552000"),
        ("-9223372036854775808", "-9223372036854776000"),
        ("1e20", "100000000000000000000"),
        ("123e18", "123000000000000000000"),
        ("1e21", "1e+21"),
        ("1.25e22", "1.25e+22"),
        ("1e-6", "0.000001"),
        ("1.5e-6", "0.0000015"),
        ("1e-7", "1e-7"),
        ("-1.25e-7", "-1.25e-7"),
        ("0.1", "0.1"),
        ("0.05", "0.05"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ] {
        assert_eq!(written(&format!(r#"{{"x":{input}}}"#)), format!(r#"{{·"x":{expected}·}}"#), "{input}");
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(pairs in proptest::collection::btree_map("\\PC{0,6}", any::<(i32, String, bool)>(), 0..6)) {
        let input: Map<String, Value> =
            pairs.into_iter().rev().map(|(key, value)| (key, serde_json::json!(value))).collect();
        let text = stable_stringify(&input);
        prop_assert_eq!(text.matches('\0').count(), input.len() * 2);
        prop_assert_eq!(serde_json::from_str::<Map<String, Value>>(&text.replace('\0', "")).unwrap(), input);
    }
}
