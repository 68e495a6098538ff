use crate::client::{discord, refused};
use dmplz_fakes::FakeDiscord;
use dmplz_fakes::discord::{MessageRef, Permissions, User};
use http::Method;
use serde_json::{Value, json};

const NULL: Value = Value::Null;

/// Starts a fake with a message of the bot. Returns it, the message's place, and the path of its reactions.
async fn card() -> (FakeDiscord, MessageRef, String) {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    fake.set_permissions(channel, Permissions::USUAL.with(Permissions::MANAGE_MESSAGES));
    let messages = format!("/channels/{channel}/messages");
    let sent = discord(&fake, Method::POST, &messages, json!({"content": "rm?"})).await.json();
    let id = sent["id"].as_str().unwrap().parse().unwrap();
    (fake, MessageRef { channel, id }, format!("{messages}/{id}/reactions"))
}

#[tokio::test]
async fn reactions_keep_the_order_in_which_emoji_came() {
    let (fake, card, reactions) = card().await;
    for emoji in ["%E2%9C%85", "%F0%9F%94%84", "%E2%9D%8C"] {
        let path = format!("{reactions}/{emoji}/@me");
        assert_eq!(discord(&fake, Method::PUT, &path, NULL).await.status, 204);
        assert_eq!(discord(&fake, Method::PUT, &path, NULL).await.status, 204, "twice is once");
    }
    assert_eq!(fake.message(card).unwrap().emoji(), ["✅", "🔄", "❌"]);
    assert_eq!(fake.message(card).unwrap().reacted("✅").len(), 1);
    fake.react(card, "party:81", &User::person(9, "max"));
    let shown = discord(&fake, Method::GET, reactions.strip_suffix("/reactions").unwrap(), NULL).await.json();
    assert_eq!(shown["reactions"][3]["emoji"], json!({"id": "81", "name": "party"}));
    assert_eq!(shown["reactions"][3]["me"], false);
    fake.assert_clean();
}

#[tokio::test]
async fn users_come_in_pages_by_id() {
    let (fake, card, reactions) = card().await;
    for id in [30, 10, 20] {
        fake.react(card, "✅", &User::person(id, format!("user{id}")));
    }
    let ids = async |query: &str| -> Vec<String> {
        let users = discord(&fake, Method::GET, &format!("{reactions}/%E2%9C%85{query}"), NULL).await.json();
        users.as_array().unwrap().iter().map(|user| user["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("").await, ["10", "20", "30"]);
    assert_eq!(ids("?limit=2").await, ["10", "20"]);
    assert_eq!(ids("?after=10&limit=1").await, ["20"]);
    fake.unreact(card, "✅", &User::person(20, "user20"));
    assert_eq!(ids("").await, ["10", "30"]);
    fake.assert_clean();
}

#[tokio::test]
async fn reactions_are_taken_away_one_by_one_or_all_together() {
    let (fake, card, reactions) = card().await;
    let jin = User::person(7, "jin");
    let remove = async |path: &str| {
        let status = discord(&fake, Method::DELETE, &format!("{reactions}{path}"), NULL).await.status;
        assert_eq!(status, 204);
        let message = fake.message(card).unwrap();
        message.reactions.iter().map(|it| format!("{}{}", it.emoji, it.users.len())).collect::<Vec<_>>().join(" ")
    };
    for emoji in ["✅", "🔄", "❌"] {
        fake.react(card, emoji, &jin);
        fake.react(card, emoji, &fake.bot());
    }
    assert_eq!(remove("/%E2%9C%85/@me").await, "✅1 🔄2 ❌2");
    assert_eq!(remove("/%E2%9C%85/7").await, "🔄2 ❌2");
    assert_eq!(remove("/%F0%9F%94%84").await, "❌2");
    assert_eq!(remove("").await, "");
    fake.assert_clean();
}

#[tokio::test]
async fn an_unknown_emoji_and_one_too_many_are_refused() {
    let (fake, card, reactions) = card().await;
    let put = async |emoji: &str| refused(&fake, Method::PUT, &format!("{reactions}/{emoji}/@me"), NULL).await;
    assert_eq!(put("ok").await, "400 10014 Unknown Emoji");
    for number in 0..20 {
        let emoji = char::from_u32(0x1F600 + number).unwrap().to_string();
        fake.react(card, &emoji, &User::person(7, "jin"));
    }
    assert_eq!(put("%E2%9D%8C").await, "400 30010 Maximum number of reactions reached (20)");

    let direct = fake.dm(&User::person(7, "jin"));
    let said = fake.say(direct, &User::person(7, "jin"), "hi").id;
    let theirs = format!("/channels/{direct}/messages/{said}");
    let no = "403 50003 Cannot execute action on a DM channel";
    assert_eq!(refused(&fake, Method::DELETE, &format!("{theirs}/reactions"), NULL).await, no);
    assert_eq!(refused(&fake, Method::DELETE, &theirs, NULL).await, no);
    fake.assert_clean();
}

#[tokio::test]
async fn strict_limits_refuse_a_second_reaction_at_once() {
    let fake = FakeDiscord::setup().limits(true).start().unwrap();
    let channel = fake.channel(fake.guild("office"), "approvals");
    let said = fake.say(channel, &User::person(7, "jin"), "hi").id;
    let path = format!("/channels/{channel}/messages/{said}/reactions/%E2%9C%85/@me");
    let first = discord(&fake, Method::PUT, &path, NULL).await;
    assert_eq!((first.status, &first.headers["x-ratelimit-remaining"]), (204, &"0".parse().unwrap()));
    // On a busy machine the window of a quarter of a second may end between two requests, but not between all of these.
    let mut second = first;
    for _ in 0..20 {
        if second.status == 204 {
            second = discord(&fake, Method::PUT, &path, NULL).await;
        }
    }
    assert_eq!(second.status, 429);
    assert!(second.json()["retry_after"].as_f64().unwrap() <= 0.25);
}
