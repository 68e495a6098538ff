use crate::client::discord;
use dmplz_fakes::discord::{FakeDiscord, User};
use http::Method;
use serde_json::json;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_card_is_posted_reacted_to_and_revised() {
    let fake = FakeDiscord::start().await;
    let jin = User::person(7, "jin");
    let channel = fake.channel(fake.guild("office"), "approvals");
    let messages = format!("/channels/{channel}/messages");
    let sent = discord(&fake, Method::POST, &messages, json!({"content": "rm?"})).await.json();

    let card = fake.await_message(SOON, |message| message.content() == "rm?").await.unwrap();
    assert_eq!(sent["id"], card.id.to_string());
    let reaction = format!("{messages}/{}/reactions/%E2%9D%8C", card.id);
    assert_eq!(discord(&fake, Method::PUT, &format!("{reaction}/@me"), json!(null)).await.status, 204);
    fake.react(&card, "❌", &jin);
    let users = discord(&fake, Method::GET, &reaction, json!(null)).await.json();
    assert_eq!(users[0]["id"], "7");
    assert_eq!(users[1]["id"], fake.bot().id.to_string());
    let edit = discord(&fake, Method::PATCH, &format!("{messages}/{}", card.id), json!({"content": "denied"})).await;
    assert_eq!(edit.json()["content"], "denied");
    let texts: Vec<_> = fake.message(&card).unwrap().revisions.into_iter().map(|shown| shown.content).collect();
    assert_eq!(texts, ["rm?", "denied"]);
    fake.assert_clean();
}
