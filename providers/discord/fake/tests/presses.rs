use crate::client::{discord, refused};
use crate::discord::client::Client;
use dmplz_fakes::FakeDiscord;
use dmplz_fakes::discord::{Message, PressError, Response, User};
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);
const JIN: u64 = 175_928_847_299_117_063;

fn jin() -> User {
    User::person(JIN, "jin")
}

fn rows() -> Value {
    let button =
        |label: &str, id: &str, style: u64| json!({"type": 2, "label": label, "custom_id": id, "style": style});
    json!([
        {"type": 1, "components": [button("Approve", "a:1", 3), button("Deny", "d:1", 4)]},
        {"type": 1, "components": [button("Tell", "t:1", 2)]},
    ])
}

/// Starts a fake. Returns it, a connected client, and a card with buttons in a channel of a server.
async fn card() -> (FakeDiscord, Client, Message) {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let (client, _) = Client::identify(&fake, 0).await.unwrap();
    let body = json!({"content": "rm?", "embeds": [{"title": "Bash", "description": "rm"}], "components": rows()});
    assert_eq!(discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), body).await.status, 200);
    let card = fake.await_message(SOON, |message| message.content() == "rm?").await.unwrap();
    (fake, client, card)
}

async fn respond(fake: &FakeDiscord, event: &Value, body: Value) -> (u16, Value) {
    let (id, token) = (event["d"]["id"].as_str().unwrap(), event["d"]["token"].as_str().unwrap());
    let reply = discord(fake, Method::POST, &format!("/interactions/{id}/{token}/callback"), body).await;
    (reply.status, if reply.body.is_empty() { Value::Null } else { reply.json() })
}

#[tokio::test]
async fn a_press_reaches_a_session_without_intents_and_its_first_response_is_timed() {
    let (fake, mut client, card) = card().await;
    let labels: Vec<Vec<String>> =
        card.buttons().iter().map(|row| row.iter().map(|it| it.label.clone()).collect()).collect();
    assert_eq!(labels, [vec!["Approve", "Deny"], vec!["Tell"]]);
    let press = fake.press(&card, "Approve", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    assert_eq!(event["d"]["data"]["custom_id"], "a:1");
    assert_eq!(event["d"]["member"]["user"]["id"], JIN.to_string());
    assert_eq!(event["d"]["message"]["id"], card.id.to_string());
    assert_eq!(respond(&fake, &event, json!({"type": 6})).await, (204, Value::Null));
    let seen = fake.await_response(press, SOON).await.unwrap();
    assert_eq!((seen.response, seen.failed), (Some(Response::DeferredUpdate), false));
    assert!(seen.after.unwrap() < Duration::from_secs(1));
    let second = respond(&fake, &event, json!({"type": 6})).await;
    assert_eq!((second.0, &second.1["code"]), (400, &json!(40060)));
    let token = event["d"]["token"].as_str().unwrap();
    let original = format!("/webhooks/{}/{token}/messages/@original", fake.bot().id);
    let edit = json!({"content": "allowed", "components": []});
    assert_eq!(discord(&fake, Method::PATCH, &original, edit).await.json()["content"], "allowed");
    let card = fake.message(&card).unwrap();
    assert_eq!((card.content(), card.buttons().len()), ("allowed", 0));
    assert_eq!(fake.press(&card, "Approve", &jin()), Err(PressError::NoButton("Approve".to_owned(), vec![])));
    fake.assert_clean();
}

#[tokio::test]
async fn only_the_person_sees_an_ephemeral_message() {
    let (fake, mut client, card) = card().await;
    let press = fake.press(&card, "d:1", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    respond(&fake, &event, json!({"type": 4, "data": {"content": "not you", "flags": 64}})).await;
    let seen = fake.await_response(press, SOON).await.unwrap();
    assert_eq!((seen.response.as_ref(), seen.whisper()), (Some(&Response::Message), "not you"));
    assert_eq!(fake.messages(card.channel).len(), 1);
    let path = format!("/webhooks/{}/{}", fake.bot().id, event["d"]["token"].as_str().unwrap());
    let sent = discord(&fake, Method::POST, &path, json!({"content": "really", "flags": 64})).await.json();
    assert_eq!(fake.interaction(press).unwrap().whisper(), "really");
    let own = format!("{path}/messages/{}", sent["id"].as_str().unwrap());
    assert_eq!(discord(&fake, Method::PATCH, &own, json!({"content": "no"})).await.json()["flags"], 64);
    assert_eq!(discord(&fake, Method::DELETE, &format!("{path}/messages/@original"), json!(null)).await.status, 204);
    let whispers: Vec<String> =
        fake.interaction(press).unwrap().whispers.iter().map(|it| it.content().to_owned()).collect();
    assert_eq!(whispers, ["no"]);
    let hidden = format!("/channels/{}/messages/{}", card.channel, sent["id"].as_str().unwrap());
    assert_eq!(refused(&fake, Method::GET, &hidden, json!(null)).await, "404 10008 Unknown Message");
    fake.assert_clean();
}

#[tokio::test]
async fn a_modal_is_opened_filled_and_submitted() {
    let (fake, mut client, card) = card().await;
    let press = fake.press(&card, "Tell", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    let input =
        json!({"type": 4, "custom_id": "why", "label": "Instead", "style": 2, "max_length": 10, "required": true});
    let modal = json!({"custom_id": "m:1", "title": "Tell", "components": [{"type": 1, "components": [input]}]});
    respond(&fake, &event, json!({"type": 9, "data": modal})).await;
    let seen = fake.await_response(press, SOON).await.unwrap();
    assert_eq!((seen.modal().unwrap().title.as_str(), seen.modal().unwrap().fields[0].max), ("Tell", 10));
    assert_eq!(
        fake.submit_modal(press, &[("why", &"x".repeat(11))]),
        Err(PressError::Length("Instead".to_owned(), 1, 10))
    );
    assert_eq!(fake.submit_modal(press, &[("no", "x")]), Err(PressError::NoField("no".to_owned())));
    let submitted = fake.submit_modal(press, &[("Instead", "ls first")]).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    assert_eq!((&event["d"]["type"], &event["d"]["data"]["custom_id"]), (&json!(5), &json!("m:1")));
    assert_eq!(event["d"]["data"]["components"][0]["components"][0]["value"], "ls first");
    let update = json!({"type": 7, "data": {"content": "told", "components": []}});
    assert_eq!(respond(&fake, &event, update).await.0, 204);
    assert_eq!(fake.await_response(submitted, SOON).await.unwrap().response, Some(Response::Update));
    assert_eq!(fake.message(&card).unwrap().content(), "told");
    fake.assert_clean();
}

#[tokio::test]
async fn a_press_that_is_not_responded_to_in_time_fails() {
    let (fake, mut client, card) = card().await;
    fake.set_interaction_times(Duration::from_millis(50), Duration::from_secs(900));
    let press = fake.press(&card, "Approve", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    assert!(fake.await_response(press, SOON).await.unwrap().failed);
    let late = respond(&fake, &event, json!({"type": 6})).await;
    assert_eq!((late.0, &late.1["code"]), (404, &json!(10062)));
    let violations: Vec<String> = fake.violations().iter().map(ToString::to_string).collect();
    assert_eq!(
        violations,
        [
            "gateway INTERACTION_CREATE request: interaction failed: the press of \"Approve\" was not responded to within 50ms"
        ]
    );
}

#[tokio::test]
async fn a_press_without_any_session_fails_at_once() {
    let fake = FakeDiscord::start().await;
    let channel = fake.dm(&jin());
    discord(
        &fake,
        Method::POST,
        &format!("/channels/{channel}/messages"),
        json!({"content": "x", "components": rows()}),
    )
    .await;
    let press = fake.press(&fake.messages(channel)[0], "Approve", &jin()).unwrap();
    assert!(fake.interaction(press).unwrap().failed);
    fake.assert_clean();
}

#[tokio::test]
async fn in_a_direct_channel_a_person_is_a_user_and_no_member() {
    let (fake, mut client, _) = card().await;
    let channel = fake.dm(&jin());
    let body = json!({"content": "x", "components": rows()});
    discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), body).await;
    fake.press(&fake.messages(channel)[0], "Deny", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap()["d"].clone();
    assert_eq!(
        (&event["user"]["id"], &event["member"], &event["guild_id"]),
        (&json!(JIN.to_string()), &json!(null), &json!(null))
    );
    assert_eq!((&event["context"], &event["channel"]["type"]), (&json!(1), &json!(1)));
    fake.set_interaction_times(Duration::from_secs(3), Duration::ZERO);
    respond(&fake, &event_of(&event), json!({"type": 6})).await;
    let path = format!("/webhooks/{}/{}", fake.bot().id, event["token"].as_str().unwrap());
    let late = refused(&fake, Method::POST, &path, json!({"content": "x"})).await;
    assert_eq!(late, "401 50027 Invalid Webhook Token");
    let wrong = refused(&fake, Method::POST, &format!("/webhooks/{}/x", fake.bot().id), json!({"content": "x"})).await;
    assert_eq!(wrong, "404 10015 Unknown Webhook");
    fake.assert_clean();
}

fn event_of(data: &Value) -> Value {
    json!({ "d": data })
}

#[tokio::test]
async fn buttons_of_an_ephemeral_message_are_pressed_by_its_one_reader() {
    let (fake, mut client, card) = card().await;
    let press = fake.press(&card, "Deny", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    let data = json!({"content": "why?", "flags": 64, "components": rows()});
    respond(&fake, &event, json!({"type": 4, "data": data})).await;
    let whisper = fake.interaction(press).unwrap().whispers.remove(0);
    let stranger = User::person(8, "max");
    assert_eq!(fake.press(&whisper, "Tell", &stranger), Err(PressError::NoMessage));
    let second = fake.press(&whisper, "Tell", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    assert_eq!(event["d"]["message"]["flags"], 64);
    let update = json!({"type": 7, "data": {"content": "thanks", "components": []}});
    assert_eq!(respond(&fake, &event, update).await.0, 204);
    assert_eq!(fake.interaction(second).unwrap().response, Some(Response::Update));
    assert_eq!(fake.interaction(press).unwrap().whisper(), "thanks");
    fake.assert_clean();
}

#[tokio::test]
async fn a_deferred_message_comes_later_and_a_file_with_it() {
    let (fake, mut client, card) = card().await;
    let press = fake.press(&card, "Tell", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    let path = format!("/webhooks/{}/{}", fake.bot().id, event["d"]["token"].as_str().unwrap());
    let early = refused(&fake, Method::PATCH, &format!("{path}/messages/@original"), json!({"content": "x"})).await;
    assert_eq!(early, "404 10015 Unknown Webhook");
    respond(&fake, &event, json!({"type": 5})).await;
    let there = refused(&fake, Method::GET, &format!("{path}/messages/@original"), Value::Null).await;
    assert_eq!(there, "404 10008 Unknown Message");
    let head = "content-disposition: form-data; name";
    let body = format!(
        "--l\r\n{head}=\"payload_json\"\r\n\r\n{{\"content\":\"see\"}}\r\n--l\r\n{head}=\"files[0]\"; \
         filename=\"plan.md\"\r\n\r\n# plan\r\n--l--\r\n"
    );
    let request = http::Request::patch(format!("{}{path}/messages/@original", fake.base_url()))
        .header("content-type", "multipart/form-data; boundary=l")
        .header("user-agent", "DiscordBot (https://example.org, 1)");
    let sent = crate::client::send(request.body(body.into()).unwrap()).await.unwrap().json();
    assert_eq!((&sent["content"], &sent["attachments"][0]["filename"]), (&json!("see"), &json!("plan.md")));
    let seen = fake.interaction(press).unwrap();
    assert_eq!((seen.response, seen.messages.len()), (Some(Response::DeferredMessage), 1));
    assert_eq!(fake.message(seen.messages[0]).unwrap().attachments()[0].bytes.as_ref(), b"# plan");
    fake.assert_clean();
}

#[tokio::test]
async fn responses_are_checked_as_messages_and_modals_are() {
    let (fake, mut client, card) = card().await;
    fake.press(&card, "Tell", &jin()).unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    let input = |field: &str, value: Value| {
        let mut input = json!({"type": 4, "custom_id": "why", "label": "Instead", "style": 1});
        input[field] = value;
        let rows = json!([{"type": 1, "components": [input]}]);
        json!({"type": 9, "data": {"custom_id": "m", "title": "Tell", "components": rows}})
    };
    let mut long = input("style", json!(1));
    long["data"]["title"] = json!("x".repeat(46));
    for (body, path) in [
        (json!({"type": 4, "data": {"content": "x".repeat(2001)}}), "/data/content"),
        (json!({"type": 7, "data": {"components": [{"type": 2}]}}), "/data/components/0/type"),
        (json!({"type": 3}), "/type"),
        (long, "/data/title"),
        (input("label", json!("x".repeat(46))), "/data/components/0/components/0/label"),
        (input("custom_id", json!("x".repeat(101))), "/data/components/0/components/0/custom_id"),
        (input("max_length", json!(4001)), "/data/components/0/components/0/max_length"),
        (input("placeholder", json!("x".repeat(101))), "/data/components/0/components/0/placeholder"),
        (input("style", json!(3)), "/data/components/0/components/0/style"),
    ] {
        let (status, reply) = respond(&fake, &event, body.clone()).await;
        assert_eq!((status, &reply["code"]), (400, &json!(50035)), "{body}");
        assert!(reply["errors"].pointer(&format!("{path}/_errors")).is_some(), "{path}: {reply}");
    }
    assert_eq!(respond(&fake, &event, input("style", json!(1))).await.0, 204, "a refused response is none");
}

#[tokio::test]
async fn a_press_during_a_cut_is_replayed() {
    let fake = FakeDiscord::start().await;
    let channel = fake.channel(fake.guild("office"), "approvals");
    let (mut client, ready) = Client::identify(&fake, 0).await.unwrap();
    let body = json!({"content": "x", "components": rows()});
    discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), body).await;
    fake.gateway().cut();
    assert!(client.receive().await.is_err());
    let press = fake.press(&fake.messages(channel)[0], "Deny", &jin()).unwrap();
    let mut client = Client::resume(&fake, &ready, 1).await.unwrap();
    let event = client.event("INTERACTION_CREATE").await.unwrap();
    assert_eq!(client.receive().await.unwrap()["t"], "RESUMED");
    respond(&fake, &event, json!({"type": 6})).await;
    assert!(!fake.await_response(press, SOON).await.unwrap().failed);
    fake.assert_clean();
}

#[tokio::test]
async fn a_hundred_cards_are_pressed_at_once_and_each_press_has_its_own_time() {
    let fake = FakeDiscord::start().await;
    let channel = fake.dm(&jin());
    let (mut client, _) = Client::identify(&fake, 0).await.unwrap();
    for _ in 0..100 {
        let body = json!({"content": "x", "components": rows()});
        discord(&fake, Method::POST, &format!("/channels/{channel}/messages"), body).await;
    }
    for card in fake.messages(channel) {
        fake.press(&card, "Deny", &jin()).unwrap();
    }
    for _ in 0..100 {
        let event = client.event("INTERACTION_CREATE").await.unwrap();
        assert_eq!(respond(&fake, &event, json!({"type": 6})).await.0, 204);
    }
    let all = fake.interactions();
    assert_eq!(all.iter().filter(|it| it.after.is_some() && !it.failed).count(), 100);
    assert!(all.is_sorted_by_key(|it| it.id));
    fake.assert_clean();
}

#[test]
fn a_thread_without_a_runtime_presses_and_waits() {
    let fake = FakeDiscord::spawn_thread();
    let bot = fake.clone();
    let channel = fake.dm(&jin());
    let client = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, _) = Client::identify(&bot, 0).await.unwrap();
            let body = json!({"content": "x", "components": rows()});
            discord(&bot, Method::POST, &format!("/channels/{channel}/messages"), body).await;
            let event = client.event("INTERACTION_CREATE").await.unwrap();
            respond(&bot, &event, json!({"type": 6})).await;
        });
    });
    assert!(fake.gateway().await_ready_blocking(SOON));
    let card = fake.await_message_blocking(SOON, |message| !message.buttons().is_empty()).unwrap();
    let press = fake.press(&card, "Deny", &jin()).unwrap();
    assert_eq!(fake.await_response_blocking(press, SOON).unwrap().response, Some(Response::DeferredUpdate));
    assert!(fake.gateway().await_frame_blocking(SOON, |frame| frame.event() == Some("INTERACTION_CREATE")).is_some());
    client.join().unwrap();
    fake.assert_clean();
}

#[tokio::test]
async fn an_old_screen_and_a_modified_client_press_what_is_not_there() {
    let (fake, mut client, card) = card().await;
    let path = format!("/channels/{}/messages/{}", card.channel, card.id);
    assert_eq!(discord(&fake, Method::PATCH, &path, json!({"components": []})).await.status, 200);
    assert_eq!(fake.press(&card, "Approve", &jin()), Err(PressError::NoButton("Approve".to_owned(), vec![])));
    let never = fake.press_on_old_screen(&card, "Never", &jin());
    assert_eq!(never, Err(PressError::NoButton("Never".to_owned(), vec![])));
    for (button, id) in [("Approve", "a:1"), ("d:1", "d:1")] {
        fake.press_on_old_screen(&card, button, &jin()).unwrap();
        let event = client.event("INTERACTION_CREATE").await.unwrap();
        assert_eq!(event["d"]["data"]["custom_id"], id);
        assert_eq!(respond(&fake, &event, json!({"type": 6})).await.0, 204);
        fake.delete(&card);
    }
    let forged = fake.forge_press(&card, "{}", &jin());
    assert_eq!(client.event("INTERACTION_CREATE").await.unwrap()["d"]["data"]["custom_id"], "{}");
    fake.set_interaction_times(Duration::ZERO, Duration::from_secs(900));
    assert_eq!(fake.interaction(forged).map(|seen| seen.failed), Some(false), "nobody has to respond to it");
    fake.assert_clean();
}
