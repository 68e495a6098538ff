use dmplz_core::grant::Change;
use dmplz_core::grant::change::{Line, Over};

use super::*;

#[test]
fn a_change_as_a_line_of_the_log_says_who_what_and_when_and_no_secret() {
    let place = Place { folder: "/work/password=hunter2", ..HERE };
    let command =
        given("Bash", &json!({"command": "curl -H 'Authorization: Bearer abcdefghijklmnop1234'"}), None, HERE);
    let file = given("Write", &json!({"file_path": "/keys/token=abcdefghijklmnop1234/a"}), Some("s1"), place).unwrap();
    let by = Answerer { surface: "web".into(), id: "owner".into(), name: "Ann".into() };
    let line = |change| {
        let timestamp = Timestamp::from_millisecond(1_795_310_527_120).unwrap();
        let text = serde_json::to_string(&Line { timestamp, change }).unwrap();
        assert_eq!(serde_json::to_string(&serde_json::from_str::<Line>(&text).unwrap()).unwrap(), text);
        text
    };
    insta::assert_snapshot!(line(Change::made(&command.unwrap())), @r#"{"timestamp":"2026-11-22T01:22:07.120Z","change":"made","grant":{"id":"0123456789abcdef0123456789abcdef","created":{"wall_ms":1000000000,"up_ms":5000},"until_ms":1001800000,"covers":{"kind":"command","tool":"Bash","digest":"1095e044acdbe3134c6a2e90d191be6d","shown":"curl -H 'Authorization: Bearer abcd********'"},"folder":"/work","by":{"surface":"telegram","id":"7","name":"Ada"},"request_id":"r1"}}"#);
    let revoked = line(Change::revoked(&file, &by));
    assert!(revoked.contains(r#""change":"revoked","grant":{"id":"0123"#), "{revoked}");
    assert!(revoked.ends_with(r#""request_id":"r1"},"by":{"surface":"web","id":"owner","name":"Ann"}}"#), "{revoked}");
    assert!(!revoked.contains("hunter2") && !revoked.contains("efghijklmnop"), "{revoked}");
    assert!(line(Change::ended(&file, Over::NotTaken)).ends_with(r#""request_id":"r1"},"why":"not_taken"}"#));
    assert!(file.masked().is_sound() && file.masked().id == file.id);
}
