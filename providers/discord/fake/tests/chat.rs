use crate::client::{discord, json as request, refused, send};
use bytes::Bytes;
use dmplz_fakes::discord::{FakeDiscord, User};
use http::{Method, Request};
use serde_json::{Value, json};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);
const JIN: u64 = 175_928_847_299_117_063;

/// Starts a fake. Returns it, a person, a channel, and the path of its messages.
async fn channel() -> (FakeDiscord, User, u64, String) {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    (fake, User::person(JIN, "jin"), channel, format!("/channels/{channel}/messages"))
}

fn contents(messages: &Value) -> Vec<&str> {
    messages.as_array().unwrap().iter().map(|message| message["content"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_card_is_posted_reacted_to_and_revised() {
    let (fake, jin, _, messages) = channel().await;
    let sent = discord(&fake, Method::POST, &messages, json!({"content": "rm?"})).await.json();

    let card = fake.await_message(SOON, |message| message.content() == "rm?").await.unwrap();
    assert_eq!(sent["id"], card.id.to_string());
    let reaction = format!("{messages}/{}/reactions/%E2%9D%8C", card.id);
    assert_eq!(discord(&fake, Method::PUT, &format!("{reaction}/@me"), json!(null)).await.status, 204);
    fake.react(&card, "❌", &jin);
    let users = discord(&fake, Method::GET, &reaction, json!(null)).await.json();
    assert_eq!(
        (users[0]["id"].as_str(), users[1]["id"].as_str()),
        (Some("175928847299117063"), Some(&*fake.bot().id.to_string()))
    );
    let shown = discord(&fake, Method::GET, &format!("{messages}/{}", card.id), json!(null)).await.json();
    assert_eq!(shown["reactions"][0]["count"], 2);
    assert_eq!(shown["reactions"][0]["me"], true);
    let edit = discord(&fake, Method::PATCH, &format!("{messages}/{}", card.id), json!({"content": "denied"})).await;
    assert_eq!(edit.json()["content"], "denied");
    assert!(edit.json()["edited_timestamp"].as_str().unwrap().ends_with("+00:00"));
    let texts: Vec<_> = fake.message(&card).unwrap().revisions.into_iter().map(|shown| shown.content).collect();
    assert_eq!(texts, ["rm?", "denied"]);
    fake.assert_clean();
}

#[tokio::test]
async fn pages_are_newest_first_and_begin_where_they_should() {
    let (fake, jin, channel, messages) = channel().await;
    let ids: Vec<u64> = (1..=5).map(|number| fake.say(channel, &jin, &number.to_string()).id).collect();
    let page =
        async |query: String| discord(&fake, Method::GET, &format!("{messages}{query}"), json!(null)).await.json();
    assert_eq!(contents(&page(String::new()).await), ["5", "4", "3", "2", "1"]);
    assert_eq!(contents(&page("?limit=2".to_owned()).await), ["5", "4"]);
    assert_eq!(contents(&page(format!("?after={}&limit=2", ids[0])).await), ["3", "2"], "right behind it");
    assert_eq!(contents(&page(format!("?before={}&limit=2", ids[3])).await), ["3", "2"]);
    assert_eq!(contents(&page(format!("?around={}&limit=3", ids[2])).await), ["4", "3", "2"]);
    fake.delete((channel, ids[4]));
    assert_eq!(contents(&page(format!("?after={}", ids[2])).await), ["4"]);
    fake.assert_clean();
    for (query, why) in [
        ("?limit=101", "NUMBER_TYPE_MAX"),
        ("?limit=0", "NUMBER_TYPE_MIN"),
        ("?limit=x", "NUMBER_TYPE_COERCE"),
        ("?after=x", "NUMBER_TYPE_COERCE"),
    ] {
        let body = page(query.to_owned()).await;
        let field = if query.contains("limit") { "limit" } else { "after" };
        assert_eq!((&body["code"], &body["errors"][field]["_errors"][0]["code"]), (&json!(50035), &json!(why)));
    }
}

#[tokio::test]
async fn an_enforced_nonce_makes_one_message_of_two_requests() {
    let (fake, _, channel, messages) = channel().await;
    let post = async |body: Value| discord(&fake, Method::POST, &messages, body).await.json()["id"].clone();
    let first = post(json!({"content": "x", "nonce": "a", "enforce_nonce": true})).await;
    assert_eq!(post(json!({"content": "x", "nonce": "a", "enforce_nonce": true})).await, first);
    assert_ne!(post(json!({"content": "x", "nonce": "a"})).await, first, "only where it is enforced");
    assert_ne!(post(json!({"content": "x", "nonce": 7, "enforce_nonce": true})).await, first);
    assert_eq!(fake.messages(channel).len(), 3);
    fake.assert_clean();
    let long = discord(&fake, Method::POST, &messages, json!({"content": "x", "nonce": "x".repeat(26)})).await;
    assert_eq!(long.json()["errors"]["nonce"]["_errors"][0]["code"], "NONCE_TYPE_TOO_LONG");
}

#[tokio::test]
async fn messages_have_limits() {
    let (fake, jin, channel, messages) = channel().await;
    assert_eq!(discord(&fake, Method::POST, &messages, json!({"content": "😀".repeat(2000)})).await.status, 200);
    fake.assert_clean();
    let long = discord(&fake, Method::POST, &messages, json!({"content": "x".repeat(2001)})).await;
    assert_eq!(
        long.json(),
        json!({
            "code": 50035,
            "message": "Invalid Form Body",
            "errors": {"content": {"_errors": [
                {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}
            ]}}
        })
    );
    let theirs = fake.say(channel, &jin, "mine").id;
    let own = fake.messages(channel)[0].id;
    for (method, path, body, why) in [
        (Method::POST, messages.clone(), json!({"content": " "}), "400 50006 Cannot send an empty message"),
        (Method::POST, messages.clone(), json!({}), "400 50006 Cannot send an empty message"),
        (Method::PATCH, format!("{messages}/{own}"), json!({"content": ""}), "400 50006 Cannot send an empty message"),
        (
            Method::PATCH,
            format!("{messages}/{theirs}"),
            json!({"content": "x"}),
            "403 50005 Cannot edit a message authored by another user",
        ),
        (Method::GET, format!("{messages}/1"), json!(null), "404 10008 Unknown Message"),
        (
            Method::POST,
            messages.clone(),
            json!({"content": "x", "message_reference": {"message_id": "1"}}),
            "400 50035 Invalid Form Body",
        ),
    ] {
        assert_eq!(refused(&fake, method, &path, body).await, why);
    }
    let lenient = json!({"message_id": "1", "fail_if_not_exists": false});
    let sent = discord(&fake, Method::POST, &messages, json!({"content": "x", "message_reference": lenient})).await;
    assert_eq!(sent.json()["type"], 0);
}

#[tokio::test]
async fn files_come_with_their_descriptions_and_stay_through_edits() {
    let (fake, _, channel, messages) = channel().await;
    let upload = async |payload: Value, files: &[&[u8]]| {
        let head = "content-disposition: form-data; name=\"payload_json\"\r\ncontent-type: application/json";
        let mut body = format!("--line\r\n{head}\r\n\r\n{payload}\r\n").into_bytes();
        for (number, bytes) in files.iter().enumerate() {
            let head = format!("content-disposition: form-data; name=\"files[{number}]\"; filename=\"f{number}.md\"");
            body.extend(format!("--line\r\n{head}\r\ncontent-type: text/markdown\r\n\r\n").into_bytes());
            body.extend(*bytes);
            body.extend(b"\r\n");
        }
        body.extend(b"--line--\r\n");
        let request = Request::post(format!("{}{messages}", fake.base_url()))
            .header("content-type", "multipart/form-data; boundary=line")
            .header("authorization", format!("Bot {}", fake.token()))
            .header("user-agent", "DiscordBot (https://example.org, 1)");
        send(request.body(Bytes::from(body)).unwrap()).await.unwrap()
    };
    let about = json!([{"id": "1", "filename": "plan.md", "description": "the plan"}]);
    let sent = upload(json!({"content": "see", "attachments": about}), &[b"zero", b"one!!"]).await.json();
    assert_eq!(sent["attachments"][0]["filename"], "f0.md");
    assert_eq!(sent["attachments"][1]["filename"], "plan.md");
    assert_eq!(sent["attachments"][1]["description"], "the plan");
    assert_eq!(sent["attachments"][1]["size"], 5);
    assert_eq!(fake.messages(channel)[0].attachments()[1].bytes.as_ref(), b"one!!");
    let path = format!("{messages}/{}", sent["id"].as_str().unwrap());
    let edited = discord(&fake, Method::PATCH, &path, json!({"content": "seen"})).await.json();
    assert_eq!(edited["attachments"], sent["attachments"]);
    let kept = json!({"attachments": [{"id": sent["attachments"][1]["id"]}]});
    let edited = discord(&fake, Method::PATCH, &path, kept).await.json();
    assert_eq!(edited["attachments"].as_array().unwrap().len(), 1);
    assert_eq!(upload(json!({}), &[b"only a file"]).await.status, 200);
    fake.assert_clean();
    let large = vec![b'x'; (10 << 20) + 1];
    let large = upload(json!({}), &[&large]).await;
    assert_eq!((large.status, large.json()["code"].as_u64()), (413, Some(40005)));
    let many = upload(json!({}), &[b"x".as_slice(); 11]).await;
    assert_eq!((many.status, many.json()["code"].as_u64()), (400, Some(50035)));
}

#[tokio::test]
async fn allowed_mentions_say_who_is_pinged() {
    let (fake, jin, channel, messages) = channel().await;
    fake.meet(&jin);
    let pinged = async |allowed: Value| {
        let mut body = json!({"content": format!("<@{JIN}> @everyone")});
        if !allowed.is_null() {
            body["allowed_mentions"] = allowed;
        }
        discord(&fake, Method::POST, &messages, body).await;
        let message = fake.messages(channel).pop().unwrap();
        (message.mentions, message.mention_everyone)
    };
    assert_eq!(pinged(json!(null)).await, (vec![JIN], true));
    assert_eq!(pinged(json!({"parse": []})).await, (vec![], false));
    assert_eq!(pinged(json!({"parse": ["users"]})).await, (vec![JIN], false));
    assert_eq!(pinged(json!({"users": [JIN.to_string()]})).await, (vec![JIN], false));
    fake.assert_clean();
    let both = json!({"content": "x", "allowed_mentions": {"parse": ["users"], "users": [JIN.to_string()]}});
    assert_eq!(refused(&fake, Method::POST, &messages, both).await, "400 50035 Invalid Form Body");
}

#[tokio::test]
async fn requests_need_a_token_a_name_and_a_route() {
    let (fake, ..) = channel().await;
    let get = async |path: &str, token: &str, agent: &str| {
        let mut get = request(Method::GET, &format!("{}{path}", fake.base_url()), &json!(null));
        *get.body_mut() = Bytes::new();
        for (name, value) in [("authorization", token), ("user-agent", agent)] {
            if !value.is_empty() {
                get.headers_mut().insert(name, value.parse().unwrap());
            }
        }
        let reply = send(get).await.unwrap();
        format!("{} {}", reply.status, reply.json()["message"].as_str().unwrap_or_default())
    };
    let (token, agent) = (format!("Bot {}", fake.token()), "DiscordBot (https://example.org, 1)");
    assert_eq!(get("/users/@me", &token, agent).await, "200 ");
    fake.assert_clean();
    assert_eq!(get("/users/@me", "Bot wrong", agent).await, "401 401: Unauthorized");
    assert_eq!(get("/users/@me", fake.token(), agent).await, "401 401: Unauthorized");
    assert_eq!(get("/users/@me", "", agent).await, "401 401: Unauthorized");
    assert_eq!(get("/users/@me", &token, "").await, "403 internal network error");
    assert_eq!(get("/users/@us/x", &token, agent).await, "404 404: Not Found");
    assert_eq!(get("/users/@me/channels", &token, agent).await, "405 405: Method Not Allowed");
    assert_eq!(get("/channels/here", &token, agent).await, "400 Invalid Form Body");
}
