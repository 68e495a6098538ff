//! Properties that hold for any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::*;
use super::HEX40;

/// Generates texts from fragments that the rules search for.
fn fragments() -> impl Strategy<Value = String> {
    let words = "token password 비밀번호 Cookie Authorization pw is --secret --password -p -u Bearer commit sha256 https:// ghp_ sk- eyJ \
        AKIA /api/webhooks/ 12345678: xoxb- 는 … **** ******** curl mysql docker login echo chpasswd name value machine kim:a@h:1/ \
        IDENTIFIED BY args: -----BEGIN\u{a0}PRIVATE\u{a0}KEY----- stringData: hvs. $6$ .atlasv1. <password> </password> <key> \\u0041 \\n";
    let fragment = prop_oneof![
        prop::sample::select(words.split(' ').map(|word| word.replace('\u{a0}', " ")).collect::<Vec<_>>()),
        Just(HEX40.to_owned()),
        prop::sample::select(
            "= : \n \" ' \\ @ / . , & - _ ： “ ” | ; ( ) { } [ ] < > $ % #"
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        ),
        Just(" ".to_owned()),
        "[a-z]{1,12}",
        "[A-Za-z0-9+/]{1,60}",
        "[A-Za-z0-9_-]{20,40}",
        "[0-9a-f]{30,42}",
        "\\PC{0,5}",
    ];
    prop::collection::vec(fragment, 0..24).prop_map(|fragments| fragments.concat())
}

/// Generates JSON that contains such texts.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![fragments().prop_map(Value::String), any::<i32>().prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop_oneof![
            prop::sample::select("password name value token args command key a".split(' ').collect::<Vec<_>>())
                .prop_map(str::to_owned),
            fragments(),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key, inner), 0..4).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_twice_is_masking_once(text in fragments()) {
        let once = mask(&text);
        prop_assert_eq!(&mask(once.as_str()), &once, "{}", text);
        prop_assert!(once.as_str().len() <= 4 * text.len(), "{}", text);
    }

    #[test]
    fn any_text_can_be_masked(text in any::<String>()) {
        let once = mask(&text);
        prop_assert_eq!(&mask(once.as_str()), &once);
    }

    #[test]
    fn masked_json_is_json(value in values()) {
        let text = value.to_string();
        let masked = mask(&text);
        prop_assert!(serde_json::from_str::<Value>(masked.as_str()).is_ok(), "{} from {}", masked, text);
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert!(serde_json::from_str::<Value>(mask(&pretty).as_str()).is_ok(), "{}", pretty);
    }

    #[test]
    fn the_value_of_a_secret_key_is_gone_whatever_it_is(
        before in "[^\"'`“‘「]{0,20}",
        secret in "[A-Za-z0-9!#$%*+,./?@^_~-]{5,30}[A-Za-z0-9]",
        after in "\\PC{0,20}",
    ) {
        let hidden: String = secret.chars().skip(4).collect();
        if secret.starts_with('$') || [&before, &after, "password"].iter().any(|text| text.contains(&hidden)) {
            return Ok(());
        }
        let masked = mask(&format!("{before} password={secret} {after}"));
        prop_assert!(!masked.as_str().contains(&hidden), "{}", masked);
    }

    #[test]
    fn an_argument_that_is_a_secret_is_gone_whatever_it_is(secret in "[A-Za-z0-9!#%*+,./:?@^_~ \"$-]{9,20}[A-Za-z0-9]") {
        // The secret is quoted as in a shell and as in JSON.
        let quoted = format!("'{secret}'");
        if secret.starts_with(['$', '-', '%', '/', '.', '~', ' ']) || secret.contains("://") {
            return Ok(());
        }
        let hidden: String = secret.chars().skip(4).collect();
        for command in [
            format!("mysql -u root -p{quoted} shop"),
            format!("docker login -u kim -p {quoted} r.example"),
            format!("curl -u kim:{quoted} x.example"),
            format!("sshpass -p {quoted} ssh host"),
        ] {
            for text in [json!({ "command": command }).to_string(), command] {
                let masked = mask(&text);
                prop_assert!(!masked.as_str().contains(&secret) && !masked.as_str().contains(&hidden), "{} from {}", masked, text);
            }
        }
        let arguments = mask_json(&json!(["docker", "login", "-p", secret]));
        prop_assert!(!arguments.to_string().contains(&hidden), "{}", arguments);
    }
}

/// Fragments that could make a search start again.
const PARTS: &[&str] = &[
    "token=",
    "=“",
    "cookie:",
    "pw:",
    "eyJ-",
    "M-",
    "sk-",
    "a/",
    "://",
    "-----BEGIN ",
    "@",
    "--token ",
    "12345678:",
    "a_token='",
    "\\",
    "password is ",
    "0a",
    "\"",
    "'",
    "'\"",
    "\\\"",
    "curl ",
    "docker login ",
    "-p ",
    "mysql -p",
    "curl -u a:",
    "htpasswd -b ",
    "{",
    "[",
    "<a>",
    "<a",
    "<password>",
    "name: token\n",
    "value: x\n",
    "- ",
    "- a\n",
    "a: |\n",
    "password: |\n a\n",
    "insert into (password) values ('",
    "PASSWORD '",
    "identified by '",
    "a:b@",
    "a:",
    "machine ",
    "machine a password ",
    "a:1:b:c:",
    "echo x | chpasswd\n",
    "<<EOF\n",
    "<<< ",
    "${A:-",
    "password: a b c ",
    "password=a;",
    "login('a','",
    "$6$",
    ".atlasv1.",
    "\"name\":\"token\",",
    "\"\\\"\\\\\\\"",
    "'a b' ",
    "\"a b\\n\" ",
    "kind: Secret\ndata:\n a: b\n",
    "hvs.",
    "s.",
    "\\u0041",
    "(",
    "`",
    ";",
    "|",
    "\n",
    "authorization: a ",
    "x: t =",
    "set TOKEN ",
    "cookie: '",
    "://a:b",
    "password=(",
    "secret=a,",
    "-u a:b ",
    "\"curl\",\"-u\",",
    "\u{ac00}",
    "…:",
];

#[test]
fn long_texts_take_time_in_proportion() {
    // The limit is far above the time of a search that inspects each character a bounded number of times, and far below
    // that of a quadratic one.
    const LIMIT: Duration = Duration::from_secs(10);
    const BYTES: usize = 64 * 1024;
    let slow: Vec<_> = PARTS
        .iter()
        .map(|part| {
            let begun = Instant::now();
            let text = part.repeat(BYTES / part.len());
            assert!(mask(&text).as_str().len() <= 4 * text.len(), "{part:?}");
            (part, begun.elapsed())
        })
        .filter(|(_, elapsed)| *elapsed > LIMIT)
        .collect();
    assert!(slow.is_empty(), "{slow:?}");
}
