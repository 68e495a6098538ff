use crate::client::discord;
use crate::discord::client::{Client, Closed, identify};
use dmplz_fakes::discord::{Acks, Origin, User};
use dmplz_fakes::{FakeDiscord, Fault};
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);
const JIN: u64 = 175_928_847_299_117_063;
const GUILDS: u64 = 1;
const GUILD_MESSAGES: u64 = 1 << 9;
const DIRECT_MESSAGES: u64 = 1 << 12;
const MESSAGE_CONTENT: u64 = 1 << 15;

fn jin() -> User {
    User::person(JIN, "jin")
}

#[tokio::test]
async fn a_client_is_greeted_identifies_and_is_ready() {
    let fake = FakeDiscord::start().await;
    let guild = fake.guild("office");
    fake.channel(guild, "approvals");
    let about = discord(&fake, Method::GET, "/gateway/bot", Value::Null).await.json();
    assert_eq!(about["url"], fake.gateway().url());
    assert_eq!(about["session_start_limit"]["remaining"], 1000);
    let (mut client, ready) = Client::identify(&fake, GUILDS).await.unwrap();
    assert_eq!((&ready["t"], &ready["s"]), (&json!("READY"), &json!(1)));
    assert_eq!(ready["d"]["user"]["id"], fake.bot().id.to_string());
    assert_eq!(ready["d"]["guilds"][0], json!({"id": guild.to_string(), "unavailable": true}));
    let created = client.receive().await.unwrap();
    assert_eq!((&created["t"], &created["d"]["channels"][0]["name"]), (&json!("GUILD_CREATE"), &json!("approvals")));
    client.send(&json!({"op": 1, "d": 2})).await;
    assert_eq!(client.receive().await.unwrap()["op"], 11);
    let about = discord(&fake, Method::GET, "/gateway/bot", Value::Null).await.json();
    assert_eq!(about["session_start_limit"]["remaining"], 999);
    assert_eq!(fake.gateway().frames().iter().filter(|frame| frame.from == Origin::Client).count(), 2);
    fake.assert_clean();
}

#[tokio::test]
async fn what_a_client_does_wrong_closes_its_connection() {
    let fake = FakeDiscord::start().await;
    fake.set_message_content(false);
    let token = fake.token().to_owned();
    let without = |field: &str| {
        let mut payload = identify(&token, 0);
        payload["d"].as_object_mut().unwrap().remove(field);
        payload
    };
    let unknown = json!({"token": token, "session_id": "x", "seq": "x"});
    for (payloads, code) in [
        (vec![json!({"op": 99, "d": null})], 4001),
        (vec![json!({"d": null})], 4002),
        (vec![json!({"op": 1, "d": "x"})], 4002),
        (vec![json!({"op": 1, "d": null, "pad": "x".repeat(4096)})], 4002),
        (vec![without("properties")], 4002),
        (vec![json!({"op": 6, "d": unknown})], 4002),
        (vec![json!({"op": 3, "d": {}})], 4003),
        (vec![identify("wrong", 0)], 4004),
        (vec![json!({"op": 6, "d": {"token": "wrong", "session_id": "x", "seq": 1}})], 4004),
        (vec![identify(&token, 0), identify(&token, 0)], 4005),
        (vec![without("intents")], 4013),
        (vec![identify(&token, 1 << 17)], 4013),
        (vec![identify(&token, MESSAGE_CONTENT)], 4014),
        (vec![identify(&token, 1 << 1)], 4014),
        ((0..121).map(|_| json!({"op": 1, "d": null})).collect(), 4008),
    ] {
        let (mut client, _) = Client::connect(fake.gateway().url()).await.unwrap();
        for payload in &payloads {
            client.send(payload).await;
        }
        let closed = loop {
            if let Err(closed) = client.receive().await {
                break closed;
            }
        };
        assert_eq!(closed, Closed(Some(code)), "{payloads:?}");
    }
    let mistakes = fake.violations().iter().filter(|it| it.call == "gateway").count();
    assert_eq!(mistakes, 11, "a wrong token and a missing right are none: {:?}", fake.violations());
}

#[tokio::test]
async fn a_resumed_session_gets_every_event_behind_its_number_once() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let (mut client, ready) = Client::identify(&fake, GUILD_MESSAGES | MESSAGE_CONTENT).await.unwrap();
    fake.say(channel, &jin(), "1");
    let last = client.event("MESSAGE_CREATE").await.unwrap()["s"].as_u64().unwrap();
    fake.gateway().cut();
    assert_eq!(client.receive().await, Err(Closed(None)));
    fake.say(channel, &jin(), "2");
    fake.say(channel, &jin(), "3");
    for round in 1..3 {
        let mut client = Client::resume(&fake, &ready, last).await.unwrap();
        for content in ["2", "3"] {
            let event = client.receive().await.unwrap();
            assert_eq!((&event["t"], &event["d"]["content"]), (&json!("MESSAGE_CREATE"), &json!(content)));
        }
        assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
        assert_eq!(fake.gateway().sessions()[0].resumes, round);
    }
    assert!(fake.gateway().await_ready(SOON).await);
    fake.assert_clean();
    let mut client = Client::resume(&fake, &ready, 99).await.unwrap();
    assert_eq!(client.receive().await, Err(Closed(Some(4007))));
    let mut client = Client::resume(&fake, &ready, last).await.unwrap();
    assert_eq!(client.receive().await.unwrap()["op"], 9, "the session is gone");
}

#[tokio::test]
async fn closing_with_1000_or_1001_ends_the_session_and_other_ends_do_not() {
    let fake = FakeDiscord::start().await;
    for (code, op) in [(1000, 9), (1001, 9), (4000, 0), (4900, 0)] {
        let (client, ready) = Client::identify(&fake, 0).await.unwrap();
        client.close(code).await;
        assert!(fake.gateway().await_sessions(SOON, |all| all.iter().all(|it| !it.connected)).await);
        let mut client = Client::resume(&fake, &ready, 1).await.unwrap();
        let answer = client.receive().await.unwrap();
        assert_eq!((&answer["op"], &answer["d"] == false), (&json!(op), op == 9), "{code}");
    }
    fake.assert_clean();
}

#[tokio::test]
async fn a_connection_can_break_after_every_frame() {
    // The frames are HELLO, IDENTIFY, READY, a heartbeat and its acknowledgement.
    for frames in 0..7 {
        let fake = FakeDiscord::start().await;
        fake.gateway().cut_after(frames);
        let talk = async {
            let (mut client, _) = Client::identify(&fake, 0).await?;
            client.send(&json!({"op": 1, "d": 1})).await;
            client.receive().await
        };
        let outcome = talk.await;
        if frames < 5 {
            let cut = fake.gateway().await_sessions(SOON, |all| all.iter().all(|it| !it.connected)).await;
            assert!(cut && fake.gateway().cuts() == 1, "{frames}");
            assert_eq!(fake.gateway().frame_count(), frames);
            assert_eq!(fake.gateway().sessions().len(), usize::from(frames >= 2), "{frames}: IDENTIFY is carried out");
        } else {
            assert_eq!(outcome.unwrap()["op"], 11);
        }
        assert_eq!(fake.gateway().cuts(), usize::from(frames <= 5));
    }
}

#[tokio::test]
async fn every_fault_of_the_gateway_can_be_scripted() {
    let fake = FakeDiscord::start().await;
    let gateway = fake.gateway();
    let (mut client, ready) = Client::identify(&fake, DIRECT_MESSAGES).await.unwrap();
    gateway.reconnect();
    assert_eq!(client.receive().await.unwrap()["op"], 7);
    gateway.ask_for_heartbeat();
    assert_eq!(client.receive().await.unwrap()["op"], 1);
    gateway.set_acks(Acks::After(Duration::from_millis(50)));
    client.send(&json!({"op": 1, "d": 1})).await;
    assert_eq!(client.receive().await.unwrap()["op"], 11);
    gateway.set_acks(Acks::Never);
    client.send(&json!({"op": 1, "d": 1})).await;
    assert!(gateway.await_frame(SOON, |frame| frame.from == Origin::Client && frame.op() == Some(1)).await.is_some());
    gateway.set_silent(true);
    let direct = fake.dm(&jin());
    fake.say(direct, &jin(), "held");
    gateway.set_silent(false);
    assert_eq!(client.receive().await.unwrap()["d"]["content"], "held", "and no acknowledgement before it");
    gateway.invalidate(true);
    assert_eq!(client.receive().await.unwrap()["d"], true);
    gateway.close(4000);
    assert_eq!(client.receive().await, Err(Closed(Some(4000))));
    gateway.refuse(Some(503));
    assert!(Client::connect(gateway.url()).await.is_err());
    gateway.refuse(None);
    gateway.set_acks(Acks::Prompt);
    let mut client = Client::resume(&fake, &ready, 2).await.unwrap();
    assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
    gateway.invalidate(false);
    assert_eq!(client.receive().await.unwrap()["d"], false);
    assert_eq!(gateway.sessions(), []);
    gateway.set_starts(0);
    let (mut last, _) = Client::connect(gateway.url()).await.unwrap();
    fake.assert_clean();
    last.send(&identify(fake.token(), 0)).await;
    assert_eq!(last.receive().await, Err(Closed(Some(4004))), "the token is reset");
}

#[tokio::test]
async fn a_client_without_heartbeats_is_closed_and_may_resume() {
    let fake = FakeDiscord::start().await;
    fake.gateway().set_heartbeat_interval(Duration::from_millis(100));
    let (mut client, ready) = Client::identify(&fake, 0).await.unwrap();
    assert_eq!(client.receive().await, Err(Closed(Some(4009))));
    let mut client = Client::resume(&fake, &ready, 1).await.unwrap();
    assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
    assert_eq!(fake.violations()[0].what, "4009 Session timed out: no heartbeat came in time");
}

#[tokio::test]
async fn a_wrong_sequence_number_and_a_wrong_resume_address_are_violations() {
    let fake = FakeDiscord::start().await;
    let (mut client, ready) = Client::identify(&fake, 0).await.unwrap();
    client.send(&json!({"op": 1, "d": 7})).await;
    assert_eq!(client.receive().await.unwrap()["op"], 11);
    fake.gateway().cut();
    assert!(client.receive().await.is_err());
    let (mut client, _) = Client::connect(fake.gateway().url()).await.unwrap();
    let data = json!({"token": fake.token(), "session_id": ready["d"]["session_id"], "seq": 1});
    client.send(&json!({"op": 6, "d": data})).await;
    assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
    let found: Vec<String> = fake.violations().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "gateway HEARTBEAT request: 7 was never sent, but at most 1",
            "gateway RESUME request: RESUME was not sent to resume_gateway_url",
        ]
    );
}

#[tokio::test]
async fn a_session_without_a_connection_expires() {
    let fake = FakeDiscord::start().await;
    fake.gateway().set_session_life(Duration::ZERO);
    let (client, ready) = Client::identify(&fake, 0).await.unwrap();
    client.close(4000).await;
    assert!(fake.gateway().await_sessions(SOON, |all| all.iter().all(|it| !it.connected)).await);
    let mut client = Client::resume(&fake, &ready, 1).await.unwrap();
    assert_eq!(client.receive().await.unwrap()["op"], 9);
    client.send(&identify(fake.token(), 0)).await;
    assert_eq!(client.receive().await.unwrap()["t"], "READY", "the same connection takes an IDENTIFY");
    fake.assert_clean();
}

#[tokio::test]
async fn one_identify_in_five_seconds_is_taken_where_limits_hold() {
    let fake = FakeDiscord::setup().limits(true).start().unwrap();
    let (_first, ready) = Client::identify(&fake, 0).await.unwrap();
    assert_eq!(ready["t"], "READY");
    let (_second, answer) = Client::identify(&fake, 0).await.unwrap();
    assert_eq!((&answer["op"], &answer["d"]), (&json!(9), &json!(false)));
}

#[tokio::test]
async fn events_follow_the_intents_and_content_needs_message_content() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let direct = fake.dm(&jin());
    let (mut all, _) = Client::identify(&fake, GUILD_MESSAGES | DIRECT_MESSAGES).await.unwrap();
    let (mut none, _) = Client::identify(&fake, 0).await.unwrap();
    let said = fake.say(channel, &jin(), "hidden");
    fake.say(channel, &jin(), &format!("<@{}> seen", fake.bot().id));
    fake.say(direct, &jin(), "in private");
    fake.react(said, "✅", &jin());
    fake.edit(said, "still hidden");
    fake.delete(said);
    let mut seen = Vec::new();
    for _ in 0..5 {
        let event = all.receive().await.unwrap();
        seen.push((event["t"].clone(), event["d"]["content"].clone()));
    }
    let mention = format!("<@{}> seen", fake.bot().id);
    let expected = [
        ("MESSAGE_CREATE", json!("")),
        ("MESSAGE_CREATE", json!(mention)),
        ("MESSAGE_CREATE", json!("in private")),
        ("MESSAGE_UPDATE", json!("")),
        ("MESSAGE_DELETE", Value::Null),
    ];
    assert_eq!(seen, expected.map(|(name, content)| (json!(name), content)));
    fake.gateway().ask_for_heartbeat();
    assert_eq!(none.receive().await.unwrap()["op"], 1, "no event came before it");
    fake.assert_clean();
}

#[tokio::test]
async fn a_connection_can_go_wrong_where_it_is_opened() {
    let fake = FakeDiscord::start().await;
    let (wire, gateway) = (fake.wire(), fake.gateway());
    for fault in [Fault::Status(500), Fault::Html(502), Fault::CutBefore, Fault::CutAfter, Fault::CutInside] {
        wire.fail("WebSocket", fault.clone());
        assert!(Client::connect(gateway.url()).await.is_err(), "{fault:?}");
    }
    let statuses: Vec<_> = wire.calls().into_iter().map(|call| call.status).collect();
    assert_eq!(statuses, [Some(500), Some(502), None, Some(101), Some(101)]);
    gateway.turn_away(4014, 1);
    assert_eq!(Client::identify(&fake, 0).await.err(), Some(Closed(Some(4014))));
    wire.fail("WebSocket", Fault::Doubled);
    let (mut client, ready) = Client::identify(&fake, 0).await.unwrap();
    assert_eq!(client.receive().await.unwrap(), ready, "once more");
    wire.fail("WebSocket", Fault::HeldBefore);
    let url = format!("{}/held", gateway.url());
    let held = tokio::spawn(async move { Client::connect(&url).await.is_ok() });
    wire.await_call(SOON, |call| call.path.starts_with("/held")).await.unwrap();
    wire.release();
    assert!(held.await.unwrap());
    fake.assert_clean();
}

#[tokio::test]
async fn a_client_refused_at_the_resume_address_may_resume_at_the_first_address() {
    let fake = FakeDiscord::start().await;
    let (client, ready) = Client::identify(&fake, 0).await.unwrap();
    drop(client);
    fake.wire().fail("WebSocket", Fault::Html(502));
    assert!(Client::resume(&fake, &ready, 1).await.is_err());
    let (mut client, _) = Client::connect(fake.gateway().url()).await.unwrap();
    let data = json!({"token": fake.token(), "session_id": ready["d"]["session_id"], "seq": 1});
    client.send(&json!({"op": 6, "d": data})).await;
    assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
    fake.assert_clean();
}
