//! Files that programs and the page upload for a message to a session.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;

const UPLOAD: &str = "00000000-0000-4000-8000-0000000000ab";

/// Uploads a part, and returns the result or the error's code and message.
fn upload(line: &mut Line, id: &str, at: usize, content: &[u8], last: bool) -> Value {
    let part = json!({ "upload": UPLOAD, "name": "../화면 1.png", "at": at, "content": STANDARD.encode(content), "last": last });
    let mut answer = line.call("session.upload", &json!({ "id": id, "part": part }));
    match answer["result"].take() {
        Value::Null => json!([answer["error"]["code"], answer["error"]["message"]]),
        result => result,
    }
}

#[test]
fn a_file_is_uploaded_in_parts_and_a_message_mentions_it() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "later");
    assert_eq!(upload(&mut line, &id, 0, b"begun and left", false), json!({ "at": 14 }));
    assert_eq!(upload(&mut line, &id, 0, b"\x89PNG", false), json!({ "at": 4 }), "it begins anew");
    let elsewhere = "the upload has 4 bytes so far: go on there, or begin anew at 0";
    for at in [3, 5, 1 << 20] {
        let refused = upload(&mut line, &id, at, b"x", true);
        assert_eq!(refused[1], elsewhere, "{at}: {refused}");
    }
    let done = upload(&mut line, &id, 4, b"data", true);
    let mention = done["mention"].as_str().unwrap();
    let path = mention.strip_prefix("@\"").and_then(|rest| rest.strip_suffix('"')).unwrap();
    assert!(path.ends_with(&format!("/sessions/{id}/received/00000000-1-.._화면_1.png")), "{path}");
    assert_eq!(fs::read(path).unwrap(), b"\x89PNGdata");
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(std::path::Path::new(path).parent().unwrap()).unwrap().count(), 1, "no part is left");
    line.call("session.send", &json!({ "id": id, "text": format!("say it\n\n{mention}") }));
    let shown = loop {
        let event = line.told("session.event")["happened"]["event"].take();
        if event["kind"] == "message" && event["text"].as_str().unwrap().contains("say it") {
            break event["text"].as_str().unwrap().to_owned();
        }
    };
    assert_eq!(shown, "say it\n\n📎 .._화면_1.png", "people see its name, and the agent its path");
    assert!(desk.file("heard").unwrap().contains(path));
}

#[test]
fn what_cannot_be_kept_is_refused_in_words() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let id = desk.start(&mut line, "later");
    let part =
        |at: usize, content: &str| json!({ "upload": UPLOAD, "name": "x", "at": at, "content": content, "last": true });
    let mut refused = |id: &str, part: Value| {
        let answer = line.call("session.upload", &json!({ "id": id, "part": part }));
        answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    let nobody = "00000000-0000-4000-8000-000000000000";
    insta::assert_snapshot!([
        refused(&id, part(0, "no base64!")),
        refused(&id, part(0, &STANDARD.encode(vec![0; (128 << 10) + 1]))),
        refused(&id, part(20 << 20, "eA==")),
        refused(&id, part(usize::MAX, "eA==")),
        refused(&id, part(7, "eA==")),
        refused(nobody, part(0, "eA==")),
    ].join("\n"), @"
    a part of a file is at most 128 KiB in Base64
    a part of a file is at most 128 KiB in Base64
    a file for a session has at most 20 MiB
    a file for a session has at most 20 MiB
    the upload has 0 bytes so far: go on there, or begin anew at 0
    there is no session 00000000-0000-4000-8000-000000000000
    ");
}
