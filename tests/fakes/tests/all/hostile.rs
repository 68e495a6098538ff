//! Tests that malformed requests are answered, and never crash the server.

use crate::client::{call, discord, json as request, send};
use crate::discord::client::{Client, identify};
use bytes::Bytes;
use dmplz_fakes::discord::User as DiscordUser;
use dmplz_fakes::telegram::User;
use dmplz_fakes::{FakeDiscord, FakeTelegram};
use http::{Method, Request};
use serde_json::{Value, json};

fn nonsense() -> Vec<Value> {
    let deep = (0..100).fold(json!("x"), |inner, _| json!([inner]));
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1.5e300),
        json!(""),
        json!("\u{0}\u{202e}😀"),
        json!("-9223372036854775808"),
        json!("9".repeat(400)),
        json!({}),
        json!([[[]]]),
        json!([{"type": "code", "offset": 999_999, "length": 999_999}]),
        json!([{"type": "code", "offset": -1, "length": i64::MAX}]),
        json!({"inline_keyboard": [[{"text": 1}]]}),
        json!({"message_id": -1}),
        deep,
    ]
}

#[tokio::test]
async fn telegram_answers_nonsense() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.private_chat(&User::person(7, "Jin"));
    let mut offset = 0;
    let names = [
        "allowed_updates", "callback_query_id", "caption", "chat_id", "document", "entities", "limit", "message_id",
        "offset", "parse_mode", "reply_markup", "reply_parameters", "text", "url", "user_id", "commands",
    ];
    for method in [
        "answerCallbackQuery", "deleteMessage", "deleteWebhook", "editMessageReplyMarkup", "editMessageText",
        "getChat", "getChatMember", "getUpdates", "sendDocument", "sendMessage", "setMyCommands", "setWebhook",
    ] {
        for name in names {
            for value in nonsense() {
                let mut params = json!({"chat_id": chat, "message_id": 1, "text": "x", "timeout": 0});
                // Each poll has a new offset, because a repeated one would wait.
                offset += 1;
                params["offset"] = json!(offset);
                params[name] = value;
                if method == "getUpdates" && name != "offset" && name != "limit" && name != "allowed_updates" {
                    continue;
                }
                if method == "getUpdates" {
                    telegram.say(chat, &User::person(7, "Jin"), "so that nobody waits");
                    params["allowed_updates"] = json!(["message"]);
                }
                let reply = call(&telegram, method, params.clone()).await;
                assert!(reply.json()["ok"].is_boolean(), "{method} {params}");
                assert!(reply.status < 500, "{method} {params}");
            }
        }
    }
    for text in [
        "<", "<b", "<a href=", "<a href='", "&#x110000;", "&#;", "</", "<b a=\"&", "*", "[a](", "```", "\\", "||", "!",
        ">", "_*_*",
    ] {
        for mode in ["HTML", "Markdown", "MarkdownV2"] {
            let reply = call(&telegram, "sendMessage", json!({"chat_id": 7, "text": text, "parse_mode": mode})).await;
            assert!(reply.status < 500, "{mode} {text}");
        }
    }
}

#[tokio::test]
async fn discord_answers_nonsense() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let said = fake.say(channel, &DiscordUser::person(7, "jin"), "hi").id;
    let names = [
        "content", "embeds", "nonce", "enforce_nonce", "allowed_mentions", "message_reference", "attachments", "flags",
        "components",
    ];
    for path in [format!("/channels/{channel}/messages"), "/users/@me/channels".to_owned()] {
        for name in names.into_iter().chain(["recipient_id"]) {
            for value in nonsense() {
                let mut body = json!({"content": "x"});
                body[name] = value;
                let reply = discord(&fake, Method::POST, &path, body.clone()).await;
                assert!(reply.status < 500, "{path} {body}");
            }
        }
    }
    for path in [
        "/channels/-1".to_owned(),
        "/channels/99999999999999999999".to_owned(),
        format!("/channels/{channel}/messages?limit=-9223372036854775809&after="),
        format!("/channels/{channel}/messages?around=0&limit=100"),
        format!("/channels/{channel}/messages/{said}/reactions/%FF"),
        format!("/channels/{channel}/messages/{said}/reactions/%E2%9D%8C?after=-1"),
        "//".to_owned(),
    ] {
        assert!(discord(&fake, Method::GET, &path, json!(null)).await.status < 500, "{path}");
    }
}

#[tokio::test]
async fn the_gateway_takes_nonsense() {
    let fake = FakeDiscord::start().await;
    for field in ["op", "d", "token", "intents", "properties", "shard", "session_id", "seq"] {
        for value in nonsense() {
            for op in [1, 2, 6] {
                let mut payload = identify(fake.token(), 0);
                payload["op"] = json!(op);
                match field {
                    "op" | "d" => payload[field] = value.clone(),
                    _ => payload["d"][field] = value.clone(),
                }
                let (mut client, _) = Client::connect(fake.gateway().url()).await.unwrap();
                client.send(&payload).await;
                client.send(&json!({"op": 99})).await;
                while client.receive().await.is_ok() {}
            }
        }
    }
    assert!(Client::identify(&fake, 0).await.is_ok());
}

#[tokio::test]
async fn responses_to_presses_take_nonsense() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let button = json!({"type": 2, "style": 1, "label": "x", "custom_id": "x"});
    let input = json!({"type": 4, "style": 1, "label": "x", "custom_id": "x"});
    let rows = json!([{"type": 1, "components": [button]}]);
    let card = json!({"content": "x", "components": rows});
    discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), card).await;
    let card = fake.messages(channel).remove(0);
    let (mut client, _) = Client::identify(&fake, 0).await.unwrap();
    let data =
        json!({"content": "x", "title": "x", "custom_id": "x", "components": [{"type": 1, "components": [input]}]});
    let names = ["type", "data", "content", "title", "custom_id", "components", "flags", "embeds", "row", "cell"];
    for kind in [4, 7, 9] {
        for name in names {
            for value in nonsense() {
                fake.press(&card, "x", &DiscordUser::person(7, "jin")).unwrap();
                let event = client.event("INTERACTION_CREATE").await.unwrap();
                let mut body = json!({"type": kind, "data": data});
                match name {
                    "type" | "data" => body[name] = value,
                    "row" => body["data"]["components"][0] = value,
                    "cell" => body["data"]["components"][0]["components"][0] = value,
                    _ => body["data"][name] = value,
                }
                let (id, token) = (event["d"]["id"].as_str().unwrap(), event["d"]["token"].as_str().unwrap());
                let path = format!("/interactions/{id}/{token}/callback");
                let reply = discord(&fake, Method::POST, &path, body.clone()).await;
                assert!(reply.status < 500, "{body}");
                let clean = json!({"content": "x", "components": rows, "embeds": []});
                let original = format!("/webhooks/{}/{token}/messages/@original", fake.bot().id);
                assert!(discord(&fake, Method::PATCH, &original, clean).await.status < 500);
                let ours = fake.message(&card).unwrap();
                if ours.buttons().is_empty() {
                    let restored = json!({"components": rows});
                    let path = format!("/channels/{channel}/messages/{}", card.id);
                    assert_eq!(discord(&fake, Method::PATCH, &path, restored).await.status, 200);
                }
            }
        }
    }
}

#[tokio::test]
async fn broken_bodies_are_answered() {
    let (telegram, fake) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let messages = format!("{}/channels/1/messages", fake.base_url());
    let send_message = format!("{}/bot{}/sendMessage", telegram.base_url(), telegram.token());
    for url in [messages, send_message] {
        for kind in ["application/json", "multipart/form-data", "multipart/form-data; boundary=x", "text/plain", ""] {
            for body in ["", "{", "[]", "--x\r\n", "--x\r\ncontent-disposition: form-data; name=\"text\"\r\n\r\n"] {
                let mut request = Request::post(&url).body(Bytes::from(body)).unwrap();
                if !kind.is_empty() {
                    request.headers_mut().insert("content-type", kind.parse().unwrap());
                }
                let reply = send(request).await.unwrap();
                assert!((400..500).contains(&reply.status), "{url} {kind} {body}");
            }
        }
    }
    let mut put = request(Method::PUT, &format!("{}/users/@me", fake.base_url()), &json!({}));
    put.headers_mut().insert("user-agent", "DiscordBot (x, 1)".parse().unwrap());
    assert_eq!(send(put).await.unwrap().status, 405);
}
