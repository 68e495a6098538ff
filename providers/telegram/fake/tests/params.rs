//! Tests of the ways to pass parameters and files.

use crate::client::{Reply, send};
use bytes::Bytes;
use dmplz_fakes::FakeTelegram;
use dmplz_fakes::telegram::User;
use http::Request;
use serde_json::json;

async fn post(telegram: &FakeTelegram, method: &str, kind: &str, body: impl Into<Bytes>) -> Reply {
    let url = format!("{}/bot{}/{method}", telegram.base_url(), telegram.token());
    let request = Request::post(url).header("content-type", kind).body(body.into()).unwrap();
    send(request).await.unwrap()
}

/// Returns a multipart form of fields and an optional file.
fn form(fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let head = format!("--line\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(head.into_bytes());
    }
    if let Some((name, bytes)) = file {
        let head = format!(
            "--line\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"plan.md\"\r\ncontent-type: \
             text/markdown\r\n\r\n"
        );
        body.extend(head.into_bytes());
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--line--\r\n");
    body
}

const MULTIPART: &str = "multipart/form-data; boundary=line";

#[tokio::test]
async fn parameters_come_in_every_way_that_the_platform_takes() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.private_chat(&User::person(7, "Jin"));
    let root = format!("{}/bot{}", telegram.base_url(), telegram.token());
    let get = Request::get(format!("{root}/SendMessage?chat_id=7&text=by%20query")).body(Bytes::new()).unwrap();
    assert_eq!(send(get).await.unwrap().status, 200);
    let keyboard =
        "%7B%22inline_keyboard%22%3A%5B%5B%7B%22text%22%3A%22a%22%2C%22callback_data%22%3A%22b%22%7D%5D%5D%7D";
    let body = format!("chat_id=7&text=by+form&reply_markup={keyboard}");
    assert_eq!(post(&telegram, "sendMessage", "application/x-www-form-urlencoded", body).await.status, 200);
    let body = json!({"chat_id": "7", "text": "by JSON", "disable_notification": true}).to_string();
    assert_eq!(post(&telegram, "sendMessage", "application/json; charset=utf-8", body).await.status, 200);
    let body = form(&[("chat_id", "7"), ("text", "by multipart")], None);
    assert_eq!(post(&telegram, "sendMessage", MULTIPART, body).await.status, 200);

    let messages = telegram.messages(chat);
    let texts: Vec<_> = messages.iter().map(|message| message.text()).collect();
    assert_eq!(texts, ["by query", "by form", "by JSON", "by multipart"]);
    assert_eq!(messages[1].keyboard()[0][0].data.as_deref(), Some("b"));
    assert!(messages[2].silent && !messages[3].silent);
    telegram.assert_clean();

    let broken = post(&telegram, "sendMessage", "application/json", "{\"chat_id\":").await;
    assert_eq!(broken.json()["description"], "Bad Request: can't parse JSON object");
}

#[tokio::test]
async fn documents_are_uploaded_and_limited() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.private_chat(&User::person(7, "Jin"));
    let fields = [("chat_id", "7"), ("caption", "the plan")];
    let sent = post(&telegram, "sendDocument", MULTIPART, form(&fields, Some(("document", b"# Plan")))).await.json();
    let document = &sent["result"]["document"];
    assert_eq!((&document["file_name"], &document["mime_type"]), (&json!("plan.md"), &json!("text/markdown")));
    assert_eq!(document["file_size"], 6);
    let shown = telegram.messages(chat)[0].now();
    assert_eq!((shown.text.as_str(), shown.document.unwrap().bytes.as_ref()), ("the plan", b"# Plan".as_slice()));
    let attached = form(&[("chat_id", "7"), ("document", "attach://part")], Some(("part", b"x")));
    assert_eq!(post(&telegram, "sendDocument", MULTIPART, attached).await.status, 200);
    let again = json!({"chat_id": 7, "document": document["file_id"]}).to_string();
    let again = post(&telegram, "sendDocument", "application/json", again).await.json();
    assert_eq!(again["result"]["document"]["file_size"], 6);
    telegram.assert_clean();

    let why = async |fields: &[(&str, &str)], file: Option<&[u8]>| {
        let body = form(fields, file.map(|bytes| ("document", bytes)));
        post(&telegram, "sendDocument", MULTIPART, body).await.json()["description"].as_str().unwrap().to_owned()
    };
    assert_eq!(why(&[("chat_id", "7")], None).await, "Bad Request: there is no document in the request");
    assert_eq!(why(&[("chat_id", "7")], Some(b"")).await, "Bad Request: file must be non-empty");
    let long = "x".repeat(1025);
    let long = why(&[("chat_id", "7"), ("caption", &long)], Some(b"x")).await;
    assert_eq!(long, "Bad Request: message caption is too long");
    let large = vec![b'x'; (50 << 20) + 1];
    assert_eq!(why(&[("chat_id", "7")], Some(&large)).await, "Request Entity Too Large");
}

#[tokio::test]
async fn tokens_and_paths_are_checked() {
    let telegram = FakeTelegram::setup().token("42:secret").start().unwrap();
    assert_eq!(telegram.bot().id, 42);
    let why = async |path: &str| {
        let url = format!("{}{path}", telegram.base_url());
        let reply = send(Request::get(url).body(Bytes::new()).unwrap()).await.unwrap();
        format!("{} {}", reply.status, reply.json()["description"].as_str().unwrap_or_default())
    };
    assert_eq!(why("/bot42:secret/getMe").await, "200 ");
    assert_eq!(why("/bot42:wrong/getMe").await, "401 Unauthorized");
    assert_eq!(why("/botnonsense/getMe").await, "401 Unauthorized: invalid token specified");
    assert_eq!(why("/bot42:secret/getYou").await, "404 Not Found: method not found");
    assert_eq!(why("/").await, "404 Not Found");
}

#[tokio::test]
async fn an_unknown_parameter_is_a_violation_even_if_the_platform_ignores_it() {
    let telegram = FakeTelegram::start().await;
    telegram.private_chat(&User::person(7, "Jin"));
    let body = json!({"chat_id": 7, "text": "x", "silent": true}).to_string();
    assert_eq!(post(&telegram, "sendMessage", "application/json", body).await.status, 200);
    let violations: Vec<_> = telegram.violations().iter().map(ToString::to_string).collect();
    assert_eq!(violations, ["sendMessage request: silent: unknown field"]);
}
