use crate::client::{discord, refused};
use dmplz_fakes::FakeDiscord;
use dmplz_fakes::discord::{Permissions, User};
use http::Method;
use serde_json::{Value, json};

const JIN: u64 = 175_928_847_299_117_063;
const NULL: Value = Value::Null;

/// Starts a fake with a channel and a message of the bot. Returns the channel's id, and the paths of both.
async fn card() -> (FakeDiscord, u64, String, String) {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let messages = format!("/channels/{channel}/messages");
    let sent = discord(&fake, Method::POST, &messages, json!({"content": "rm?"})).await.json();
    let card = format!("{messages}/{}", sent["id"].as_str().unwrap());
    (fake, channel, messages, card)
}

#[tokio::test]
async fn requests_without_a_permission_are_refused() {
    let (fake, channel, messages, card) = card().await;
    let text = json!({"content": "x"});
    let usual = Permissions::USUAL;
    let no = "403 50013 Missing Permissions";
    fake.set_permissions(channel, usual.without(Permissions::SEND_MESSAGES));
    assert_eq!(refused(&fake, Method::POST, &messages, text.clone()).await, no);
    fake.set_permissions(channel, usual.without(Permissions::ADD_REACTIONS));
    let reaction = format!("{card}/reactions/%E2%9C%85");
    assert_eq!(refused(&fake, Method::PUT, &format!("{reaction}/@me"), NULL).await, no);
    fake.react((channel, fake.messages(channel)[0].id), "✅", &User::person(JIN, "jin"));
    let joined = discord(&fake, Method::PUT, &format!("{reaction}/@me"), NULL).await.status;
    assert_eq!(joined, 204, "one that is there already may be joined");
    fake.set_permissions(channel, usual.without(Permissions::READ_MESSAGE_HISTORY));
    assert_eq!(discord(&fake, Method::GET, &messages, NULL).await.json(), json!([]));
    assert_eq!(refused(&fake, Method::GET, &card, NULL).await, "403 50001 Missing Access");
    fake.set_permissions(channel, usual);
    assert_eq!(refused(&fake, Method::DELETE, &format!("{card}/reactions"), NULL).await, no);
    assert_eq!(refused(&fake, Method::DELETE, &format!("{reaction}/{JIN}"), NULL).await, no);
    fake.set_permissions(channel, Permissions::NONE);
    for (method, path) in [(Method::GET, format!("/channels/{channel}")), (Method::POST, messages.clone())] {
        let body = if method == Method::POST { text.clone() } else { NULL };
        assert_eq!(refused(&fake, method, &path, body).await, "403 50001 Missing Access");
    }
    assert_eq!(refused(&fake, Method::GET, "/channels/1", NULL).await, "404 10003 Unknown Channel");
    fake.assert_clean();
}

#[tokio::test]
async fn a_client_can_compute_the_permissions() {
    let fake = FakeDiscord::start().await;
    let guild = fake.guild("office");
    let channel = fake.channel(guild, "approvals");
    let get = async |path: String| discord(&fake, Method::GET, &path, NULL).await.json();
    let number = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    for wanted in [
        Permissions::USUAL,
        Permissions::USUAL.with(Permissions::MANAGE_MESSAGES).without(Permissions::ADD_REACTIONS),
        Permissions::VIEW_CHANNEL,
    ] {
        fake.set_permissions(channel, wanted);
        let roles = get(format!("/guilds/{guild}/roles")).await;
        let member = get(format!("/guilds/{guild}/members/{}", fake.bot().id)).await;
        let everyone = json!(guild.to_string());
        let base = roles
            .as_array()
            .unwrap()
            .iter()
            .filter(|role| role["id"] == everyone || member["roles"].as_array().unwrap().contains(&role["id"]));
        let base = base.fold(0, |all, role| all | number(&role["permissions"]));
        let overwrite = &get(format!("/channels/{channel}")).await["permission_overwrites"][0];
        assert_eq!((&overwrite["id"], &overwrite["type"]), (&json!(fake.bot().id.to_string()), &json!(1)));
        assert_eq!(base & !number(&overwrite["deny"]) | number(&overwrite["allow"]), wanted.0);
    }
    let own = get(format!("/users/@me/guilds/{guild}/member")).await;
    assert_eq!(own["user"]["id"], fake.bot().id.to_string());
    assert_eq!(get(format!("/guilds/{guild}")).await["name"], "office");
    fake.assert_clean();
    assert_eq!(refused(&fake, Method::GET, "/guilds/1", NULL).await, "404 10004 Unknown Guild");
    let stranger = format!("/guilds/{guild}/members/1");
    assert_eq!(refused(&fake, Method::GET, &stranger, NULL).await, "404 10007 Unknown Member");
}

#[tokio::test]
async fn without_the_intent_messages_of_others_on_a_server_have_no_content() {
    let (fake, channel, messages, card) = card().await;
    let jin = User::person(JIN, "jin");
    let direct = fake.dm(&jin);
    fake.set_message_content(false);
    fake.say(channel, &jin, "hidden");
    fake.say(channel, &jin, &format!("<@{}> seen", fake.bot().id));
    fake.reply((channel, fake.messages(channel)[0].id), &jin, "a reply pings");
    fake.say(direct, &jin, "in private");
    let contents = async |path: &str| -> Vec<String> {
        let page = discord(&fake, Method::GET, path, NULL).await.json();
        page.as_array().unwrap().iter().map(|it| it["content"].as_str().unwrap().to_owned()).collect()
    };
    let mention = format!("<@{}> seen", fake.bot().id);
    assert_eq!(contents(&messages).await, ["a reply pings", &mention, "", "rm?"]);
    assert_eq!(contents(&format!("/channels/{direct}/messages")).await, ["in private"]);
    assert_eq!(discord(&fake, Method::GET, &card, NULL).await.json()["content"], "rm?");
    for (granted, flags) in [(false, 0), (true, 1 << 19)] {
        fake.set_message_content(granted);
        for path in ["/applications/@me", "/oauth2/applications/@me"] {
            assert_eq!(discord(&fake, Method::GET, path, NULL).await.json()["flags"], flags);
        }
    }
    assert_eq!(contents(&format!("{messages}?limit=3")).await[2], "hidden");
    fake.assert_clean();
}

#[tokio::test]
async fn a_direct_message_is_refused_if_the_person_accepts_none() {
    let fake = FakeDiscord::start().await;
    let jin = User::person(JIN, "jin");
    fake.meet(&jin);
    let open = json!({"recipient_id": JIN.to_string()});
    let channel = discord(&fake, Method::POST, "/users/@me/channels", open.clone()).await.json();
    assert_eq!((&channel["type"], &channel["recipients"][0]["id"]), (&json!(1), &json!(JIN.to_string())));
    assert_eq!(discord(&fake, Method::POST, "/users/@me/channels", open).await.json()["id"], channel["id"]);
    assert_eq!(fake.dm(&jin).to_string(), channel["id"].as_str().unwrap());
    let messages = format!("/channels/{}/messages", channel["id"].as_str().unwrap());
    fake.set_reachable(&jin, false);
    let text = json!({"content": "x"});
    let closed = "403 50007 Cannot send messages to this user";
    assert_eq!(refused(&fake, Method::POST, &messages, text.clone()).await, closed);
    fake.set_reachable(&jin, true);
    assert_eq!(discord(&fake, Method::POST, &messages, text).await.status, 200);
    for stranger in ["1".to_owned(), fake.bot().id.to_string()] {
        let open = json!({"recipient_id": stranger});
        let why = refused(&fake, Method::POST, "/users/@me/channels", open).await;
        assert_eq!(why, "400 50033 Invalid Recipient(s)");
    }
    fake.assert_clean();
}
