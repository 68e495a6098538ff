use crate::client::discord;
use dmplz_fakes::FakeDiscord;
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;

const CREATE: &str = "POST /channels/{channel_id}/messages";

async fn channel() -> (FakeDiscord, u64, String) {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    (fake, channel, format!("/channels/{channel}/messages"))
}

/// Posts a body that must be refused with 50035. Returns the path of the field, and its error.
async fn wrong(fake: &FakeDiscord, path: &str, body: Value) -> String {
    let reply = discord(fake, Method::POST, path, body).await;
    let body = reply.json();
    assert_eq!((reply.status, &body["code"]), (400, &json!(50035)), "{body}");
    where_wrong(&body["errors"])
}

fn where_wrong(errors: &Value) -> String {
    let (name, below) = errors.as_object().unwrap().iter().next().unwrap();
    match name.as_str() {
        "_errors" => below[0]["code"].as_str().unwrap().to_owned(),
        _ => format!("{name}.{}", where_wrong(below)),
    }
}

#[tokio::test]
async fn an_exhausted_bucket_refuses_and_states_the_wait() {
    let (fake, _, messages) = channel().await;
    fake.set_limit(CREATE, 2, Duration::from_millis(300));
    let post = async || discord(&fake, Method::POST, &messages, json!({"content": "x"})).await;
    let first = post().await;
    let header = |reply: &crate::client::Reply, name: &str| reply.headers[name].to_str().unwrap().to_owned();
    assert_eq!(
        (header(&first, "x-ratelimit-limit"), header(&first, "x-ratelimit-remaining")),
        ("2".into(), "1".into())
    );
    assert_eq!(header(&post().await, "x-ratelimit-remaining"), "0");
    let refused = post().await;
    assert_eq!(refused.status, 429);
    let body = refused.json();
    assert_eq!((&body["global"], &body["message"]), (&json!(false), &json!("You are being rate limited.")));
    let wait = body["retry_after"].as_f64().unwrap();
    assert!(wait > 0.0 && wait <= 0.3, "{wait}");
    assert_eq!((header(&refused, "retry-after"), header(&refused, "x-ratelimit-scope")), ("1".into(), "user".into()));
    assert_eq!(header(&refused, "x-ratelimit-bucket"), header(&first, "x-ratelimit-bucket"));
    let other = discord(&fake, Method::GET, &messages, Value::Null).await;
    assert_ne!(header(&other, "x-ratelimit-bucket"), header(&first, "x-ratelimit-bucket"));
    let elsewhere = format!("/channels/{}/messages", fake.channel(fake.guild("home"), "x"));
    assert_eq!(discord(&fake, Method::POST, &elsewhere, json!({"content": "x"})).await.status, 200);
    assert_eq!(fake.invalid_requests(), 1);
    tokio::time::sleep(Duration::from_secs_f64(wait)).await;
    assert_eq!(post().await.status, 200);
}

#[tokio::test]
async fn embeds_have_limits() {
    let (fake, _, messages) = channel().await;
    let text = |length: usize| "x".repeat(length);
    let field = |name: usize, value: usize| json!({"name": text(name), "value": text(value)});
    let full = json!([{"title": text(256), "description": text(4096), "fields": [field(256, 1024)]}]);
    let reply = discord(&fake, Method::POST, &messages, json!({"embeds": full})).await;
    assert_eq!((reply.status, &reply.json()["embeds"][0]["type"]), (200, &json!("rich")));
    fake.assert_clean();
    let many: Vec<Value> = (0..26).map(|_| field(1, 1)).collect();
    for (embed, found) in [
        (json!({"title": text(257)}), "embeds.0.title.BASE_TYPE_MAX_LENGTH"),
        (json!({"description": text(4097)}), "embeds.0.description.BASE_TYPE_MAX_LENGTH"),
        (json!({"title": "x", "fields": many}), "embeds.0.fields.BASE_TYPE_MAX_LENGTH"),
        (json!({"title": "x", "fields": [field(257, 1)]}), "embeds.0.fields.0.name.BASE_TYPE_MAX_LENGTH"),
        (json!({"title": "x", "fields": [field(1, 1025)]}), "embeds.0.fields.0.value.BASE_TYPE_MAX_LENGTH"),
        (json!({"title": "x", "fields": [field(1, 0)]}), "embeds.0.fields.0.value.BASE_TYPE_REQUIRED"),
        (json!({"title": "x", "footer": {"text": text(2049)}}), "embeds.0.footer.text.BASE_TYPE_MAX_LENGTH"),
        (json!({"color": 1}), "embeds.0.description.BASE_TYPE_REQUIRED"),
    ] {
        assert_eq!(wrong(&fake, &messages, json!({"embeds": [embed]})).await, found);
    }
    let large = json!([{"description": text(4096)}, {"description": text(1905)}]);
    assert_eq!(wrong(&fake, &messages, json!({"embeds": large})).await, "embeds.MAX_EMBED_SIZE_EXCEEDED");
}

#[tokio::test]
async fn components_have_limits() {
    let (fake, channel, messages) = channel().await;
    let button = |id: &str| json!({"type": 2, "style": 1, "label": "x", "custom_id": id});
    let rows = |rows: Value| json!({"content": "x", "components": rows});
    let row = |cells: Vec<Value>| json!({"type": 1, "components": cells});
    let with = |field: &str, value: Value| {
        let mut button = button("a");
        button[field] = value;
        rows(json!([row(vec![button])]))
    };
    let five = |from: usize| row((from..from + 5).map(|id| button(&id.to_string())).collect());
    let full = rows((0..5).map(|number| five(10 * number)).collect());
    assert_eq!(discord(&fake, Method::POST, &messages, full).await.status, 200);
    let link = rows(json!([row(vec![
        json!({"type": 2, "style": 5, "url": "https://example.org", "emoji": {"name": "✅", "id": null}})
    ])]));
    assert_eq!(discord(&fake, Method::POST, &messages, link).await.status, 200);
    fake.assert_clean();
    for (body, found) in [
        (rows((0..6).map(|number| five(10 * number)).collect()), "components.BASE_TYPE_BAD_LENGTH"),
        (
            rows(json!([row((0..6).map(|id| button(&id.to_string())).collect())])),
            "components.0.components.BASE_TYPE_BAD_LENGTH",
        ),
        (rows(json!([row(vec![])])), "components.0.components.BASE_TYPE_BAD_LENGTH"),
        (rows(json!([button("a")])), "components.0.type.UNION_TYPE_CHOICES"),
        (
            rows(json!([row(vec![button("a")]), row(vec![button("a")])])),
            "components.1.components.0.custom_id.COMPONENT_CUSTOM_ID_DUPLICATED",
        ),
        (with("label", json!("x".repeat(81))), "components.0.components.0.label.BASE_TYPE_MAX_LENGTH"),
        (with("label", Value::Null), "components.0.components.0.label.BASE_TYPE_REQUIRED"),
        (with("custom_id", json!("x".repeat(101))), "components.0.components.0.custom_id.BASE_TYPE_MAX_LENGTH"),
        (with("custom_id", Value::Null), "components.0.components.0.custom_id.BUTTON_COMPONENT_CUSTOM_ID_REQUIRED"),
        (with("style", json!(7)), "components.0.components.0.style.BASE_TYPE_CHOICES"),
        (
            with("url", json!("https://example.org")),
            "components.0.components.0.BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
        ),
        (with("emoji", json!({})), "components.0.components.0.emoji.name.BUTTON_COMPONENT_INVALID_EMOJI"),
        (with("type", json!(4)), "components.0.components.0.type.UNION_TYPE_CHOICES"),
    ] {
        assert_eq!(wrong(&fake, &messages, body).await, found);
    }
    assert_eq!(fake.messages(channel).len(), 2);
}
