//! Grants and secrets, without anything running.

use std::collections::BTreeMap;

use dmplz_core::messenger::{FrameKind, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Users, Words};
use http::Method;

use super::{Draft, Egress, Origin, Reach, Refusal};
use crate::{Account, Grants, Secret};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

fn manifest() -> Manifest {
    let setting = |name: &str, default: Option<&str>| SettingSpec {
        name: name.to_owned(),
        help: no_words(),
        kind: SettingKind::Url,
        required: false,
        default: default.map(str::to_owned),
    };
    let wanted = [
        "{setting:base}", "{setting:bare}", "https://cdn.example", "http://plain.example", "http://10.0.0.1",
        "wss://gateway.example", "wss://*.gateway.example", "ws://10.0.0.1",
    ];
    Manifest {
        name: "test".to_owned(),
        version: "1.0.0".to_owned(),
        settings: vec![setting("base", Some("https://api.example/v1")), setting("bare", None)],
        secrets: vec![SecretSpec {
            name: "token".to_owned(),
            help: no_words(),
            required: true,
            origins: vec!["{setting:base}".to_owned()],
            places: vec![
                SecretPlace::Path("/bot{secret:token}/".to_owned()),
                SecretPlace::Header { name: "Authorization".to_owned(), value: "Bot {secret:token}".to_owned() },
                SecretPlace::Frame {
                    pointer: "/token".to_owned(),
                    kind: Some(FrameKind { pointer: "/op".to_owned(), value: "2".to_owned() }),
                },
                SecretPlace::Json("/auth/key".to_owned()),
                SecretPlace::Form("key".to_owned()),
            ],
            instead_of: None,
            renewal: None,
        }],
        chats: Vec::new(),
        users: Users::Identified,
        origins: wanted.map(str::to_owned).to_vec(),
        transports: Vec::new(),
    }
}

fn no_words() -> Words {
    Words { en: String::new(), ko: String::new() }
}

fn egress(settings: &[(&str, &str)], grants: Grants) -> Egress {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let secrets = BTreeMap::from([("token".to_owned(), Secret::new(TOKEN))]);
    Egress::new(&manifest(), &Account { settings, secrets, grants, ..Account::default() })
}

fn only(origins: &[&str]) -> Grants {
    Grants::Only(origins.iter().map(|origin| (*origin).to_owned()).collect())
}

/// Origin of a URL, grants, settings, what may be reached.
type Case = (&'static str, Grants, &'static [(&'static str, &'static str)], Option<Reach>);

#[test]
fn what_is_asked_for_and_granted_is_reached_and_no_further_than_granted() {
    use Reach::{Anywhere, Public};
    let table: [Case; 14] = [
        ("https://api.example", Grants::Manifest, &[], Some(Public)),
        ("https://cdn.example", Grants::Manifest, &[], Some(Public)),
        ("http://plain.example", Grants::Manifest, &[], None),
        ("http://10.0.0.1", Grants::Manifest, &[], None),
        ("https://other.example", Grants::Manifest, &[], None),
        ("https://api.example", only(&[]), &[], None),
        ("https://api.example", only(&["https://api.example"]), &[], Some(Public)),
        ("http://plain.example", only(&["http://plain.example"]), &[], None),
        ("http://10.0.0.1", only(&["http://10.0.0.1"]), &[], Some(Anywhere)),
        ("https://other.example", only(&["https://other.example"]), &[], None),
        ("http://127.0.0.1:5000", only(&[]), &[("base", "http://127.0.0.1:5000/x")], Some(Anywhere)),
        ("https://api.example", Grants::Manifest, &[("base", "http://127.0.0.1:5000/x")], None),
        ("https://chat.corp", Grants::Manifest, &[("bare", "https://chat.corp/api")], Some(Anywhere)),
        ("https://chat.corp", Grants::Manifest, &[("bare", "not a URL")], None),
    ];
    for (origin, grants, settings, reach) in table {
        let found = egress(settings, grants.clone()).reach(&Origin::parse(origin).unwrap());
        assert_eq!(found.ok(), reach, "{origin} by {grants:?} with {settings:?}");
    }
}

#[test]
fn sockets_are_granted_by_their_own_name_or_with_a_server_that_the_operator_wrote() {
    use Reach::{Anywhere, Public};
    let table: [Case; 20] = [
        ("wss://gateway.example", Grants::Manifest, &[], Some(Public)),
        ("wss://eu.gateway.example", Grants::Manifest, &[], Some(Public)),
        ("wss://a.eu.gateway.example", Grants::Manifest, &[], None),
        ("https://gateway.example", Grants::Manifest, &[], None),
        ("wss://api.example", Grants::Manifest, &[], None),
        ("wss://cdn.example", Grants::Manifest, &[], None),
        ("ws://10.0.0.1", Grants::Manifest, &[], None),
        ("ws://10.0.0.1", only(&["ws://10.0.0.1"]), &[], Some(Anywhere)),
        ("ws://10.0.0.1", only(&["http://10.0.0.1"]), &[], None),
        ("wss://gateway.example", only(&[]), &[], None),
        ("wss://eu.gateway.example", only(&["wss://eu.gateway.example"]), &[], Some(Public)),
        ("wss://us.gateway.example", only(&["wss://eu.gateway.example"]), &[], None),
        ("wss://us.gateway.example", only(&["wss://*.gateway.example"]), &[], Some(Public)),
        ("wss://gateway.example", only(&["wss://*.gateway.example"]), &[], None),
        ("wss://other.example", only(&["wss://other.example", "wss://*.other.example"]), &[], None),
        ("ws://127.0.0.1:5000", only(&[]), &[("base", "http://127.0.0.1:5000/x")], Some(Anywhere)),
        ("ws://127.0.0.1:5001", only(&[]), &[("base", "http://127.0.0.1:5000/x")], None),
        ("wss://chat.corp", only(&[]), &[("bare", "https://chat.corp/api")], Some(Anywhere)),
        ("ws://chat.corp", only(&[]), &[("bare", "https://chat.corp/api")], None),
        ("https://chat.corp", only(&[]), &[("bare", "wss://chat.corp/api")], None),
    ];
    for (origin, grants, settings, reach) in table {
        let found = egress(settings, grants.clone()).reach(&Origin::parse(origin).unwrap());
        assert_eq!(found.ok(), reach, "{origin} by {grants:?} with {settings:?}");
    }
}

#[test]
fn a_secret_goes_into_a_frame_escaped_and_within_its_size() {
    let secrets = BTreeMap::from([("token".to_owned(), Secret::new(r#"a"b\c\"d-0123"#))]);
    let account = Account { settings: BTreeMap::new(), secrets, grants: Grants::Manifest, ..Account::default() };
    let egress = Egress::new(&manifest(), &account);
    let own = Origin::parse("https://api.example").unwrap();
    let filled = egress.frame(r#"{"op": 2, "token": "{secret:token}"}"#.to_owned(), &own).unwrap().unwrap();
    assert!(filled.contains(r#""token":"a\"b\\c\\\"d-0123""#), "{filled}");
    let plain = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    assert_eq!(egress.frame(plain(64 << 10), &own), Ok(Some(plain(64 << 10))));
    assert_eq!(egress.frame(plain((64 << 10) + 1), &own), Ok(None));
    let fill = |length: usize| {
        let empty = r#"{"op":2,"pad":"","token":"{secret:token}"}"#.len();
        let frame = format!(r#"{{"op":2,"pad":"{}","token":"{{secret:token}}"}}"#, "x".repeat(length - empty));
        egress.frame(frame, &own).unwrap().map(|filled| filled.len())
    };
    let grown = r#"a\"b\\c\\\"d-0123"#.len() - "{secret:token}".len();
    assert_eq!((fill((64 << 10) - grown), fill((64 << 10) - grown + 1)), (Some(64 << 10), None));
}

/// Every text of up to four of the pieces from which placeholders, strings and escapes are made, beside a token.
#[test]
fn no_untrusted_text_takes_a_secret_along_or_spoils_a_frame() {
    let egress = egress(&[], Grants::Manifest);
    let own = Origin::parse("https://api.example").unwrap();
    let pieces = ["{secret:token}", "{secret:", "token}", "\"", "\\", "}", ",", "x"];
    let mut texts = vec![String::new()];
    for length in 0..4 {
        let longest: Vec<_> = texts.iter().filter(|text| length == 0 || !text.is_empty()).cloned().collect();
        texts.extend(longest.iter().flat_map(|text| pieces.map(|piece| format!("{text}{piece}"))));
    }
    for text in texts {
        let frame =
            serde_json::json!({ "before": text, "list": [text], "op": 2, "token": "{secret:token}", "z": text });
        let Ok(filled) = egress.frame(frame.to_string(), &own) else {
            let name = text.strip_prefix("{secret:").and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
            let placeholder = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(placeholder, "{text} is no second placeholder");
            continue;
        };
        let filled: serde_json::Value = serde_json::from_str(&filled.unwrap()).unwrap();
        assert_eq!(filled, serde_json::json!({ "before": text, "list": [text], "op": 2, "token": TOKEN, "z": text }));
    }
}

#[test]
fn a_secret_is_percent_encoded_in_a_path_and_plain_in_a_header() {
    let egress = egress(&[], Grants::Manifest);
    let draft = |url: &'static str, headers: &[(&'static str, &'static str)]| {
        egress.judge(Draft { method: Method::GET, url, headers: headers.to_vec(), body: Vec::new() })
    };
    let request = draft("https://api.example/v1/bot{secret:token}/a%2Fb?q={x}", &[]).unwrap().to_request().unwrap();
    assert_eq!(request.uri().to_string(), format!("https://api.example/v1/bot{TOKEN}/a%2Fb?q={{x}}"));
    let request = draft("https://api.example", &[("Authorization", "Bot {secret:token}")]);
    let request = request.unwrap().to_request().unwrap();
    assert_eq!(request.uri(), "https://api.example/");
    assert_eq!(request.headers()["authorization"], format!("Bot {TOKEN}"));
    assert!(request.headers()["authorization"].is_sensitive());
    let refusal = draft("https://cdn.example/{secret:token}", &[]).map(drop);
    let elsewhere = Origin::parse("https://cdn.example").unwrap();
    assert_eq!(refusal, Err(Refusal::SecretElsewhere { name: "token".to_owned(), origin: elsewhere }));
}

const JSON: &str = "application/json; charset=utf-8";
const FORM: &str = "application/x-www-form-urlencoded";

/// Returns the body that leaves for one of this type.
fn body(url: &str, kind: &str, body: &str, more: &[(&str, &str)]) -> Result<String, Refusal> {
    let headers = [&[("Content-Type", kind)], more].concat();
    let draft = Draft { method: Method::POST, url, headers, body: body.as_bytes().to_vec() };
    let request = egress(&[], Grants::Manifest).judge(draft)?.to_request()?;
    Ok(String::from_utf8(request.into_body().to_vec()).unwrap())
}

#[test]
fn a_secret_goes_into_a_body_at_its_place_and_nowhere_else() {
    let own = "https://api.example/send";
    let filled = |kind, text: &str| body(own, kind, text, &[]).unwrap();
    let json = filled(JSON, r#"{"text":"{secret:token}","auth":{"key":"{secret:token}"},"n":1.5}"#);
    let expected = serde_json::json!({ "text": "{secret:token}", "auth": { "key": TOKEN }, "n": 1.5 });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), expected);
    let form = filled(FORM, "message=a+b%26&key=%7Bsecret%3Atoken%7D&other={secret:token}");
    assert_eq!(form, format!("message=a+b%26&key={}&other=%7Bsecret%3Atoken%7D", TOKEN.replace(':', "%3A")));
    for (kind, text) in [
        (JSON, r#"{"auth":{"key":"x {secret:token}"}}"#),
        (JSON, r#"{"key":"{secret:token}"}"#),
        (JSON, r#"{"auth":{"key":"{secret:other}"}}"#),
        (JSON, r#"{"auth":{"key":"{secret:token}"}"#),
        ("text/plain", r#"{"auth":{"key":"{secret:token}"}}"#),
        (FORM, "key={secret:token}x"),
        (FORM, "KEY={secret:token}"),
        (FORM, r#"{"auth":{"key":"{secret:token}"}}"#),
    ] {
        assert_eq!(filled(kind, text), text, "text like any other, so it is sent as it is");
    }
}

#[test]
fn a_body_takes_one_secret_and_none_of_another_server() {
    let (own, placed) = ("https://api.example/send", r#"{"auth":{"key":"{secret:token}"}}"#);
    let credentials = [("Authorization", "Bot {secret:token}")];
    assert_eq!(body(own, JSON, placed, &credentials), Err(Refusal::SecretTwice));
    assert_eq!(body("https://api.example/v1/bot{secret:token}/x", JSON, placed, &[]), Err(Refusal::SecretTwice));
    assert_eq!(body(own, FORM, "key={secret:token}&key={secret:token}", &[]), Err(Refusal::SecretTwice));
    let origin = Origin::parse("https://cdn.example").unwrap();
    let elsewhere = Err(Refusal::SecretElsewhere { name: "token".to_owned(), origin });
    assert_eq!(body("https://cdn.example/", JSON, placed, &[]), elsewhere);
    assert_eq!(body("https://cdn.example/", FORM, "key={secret:token}", &[]), elsewhere);
}
